#include "games/native_games.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "games/shipped.h"
#include "kernel/kernel.h"
#include "kernel/printed/print.h"
#include "open/native_code.h"

namespace parlor::games {

namespace fs = std::filesystem;

void keep_code_beside_tests() {
  setenv("XDG_CACHE_HOME", (fs::read_symlink("/proc/self/exe").parent_path() / "cache").c_str(), 1);
}

std::shared_ptr<const Game> native(const std::shared_ptr<const Game>& game) {
  keep_code_beside_tests();
  const open::NativeGame made = open::make_native(game);
  EXPECT_EQ(made.trouble, "") << game->info().id;
  const auto* kernel_game = dynamic_cast<const kernel::KernelGame*>(made.game.get());
  EXPECT_TRUE(kernel_game != nullptr && kernel_game->runs_printed_code()) << game->info().id;
  return made.game;
}

namespace {

// What a refusal says, and what `why` says of a request nobody offers.
std::string refused(const State& state, const Json& request) {
  const auto why = state.why_not(request);
  return why ? canonical(to_json(*why)) : "nothing";
}

void expect_same(const State& plain, const State& fast, const OptionList& offered,
                 const OptionList& offered_fast) {
  ASSERT_EQ(offered.size(), offered_fast.size());
  for (std::size_t i = 0; i < offered.size(); ++i) ASSERT_EQ(offered[i].id, offered_fast[i].id);
  ASSERT_EQ(plain.hash(), fast.hash()) << canonical(plain.save()) << "\n" << canonical(fast.save());
  const StateBlock &a = plain.block(), &b = fast.block();
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size()), 0)
      << canonical(plain.save()) << canonical(fast.save());
}

// What is told while an option is applied to a copy.
std::string told(const State& state, Option option) {
  struct Listener final : EventListener {
    std::string all;
    void on_event(const Event& event) override {
      all += fmt::format("{} {}\n", event.kind, canonical(event.data));
    }
  } listener;
  State copy = state;
  const Applied done = copy.apply(option, &listener);
  return listener.all +
         (done ? fmt::format("{:x}", copy.hash()) : canonical(to_json(done.error())));
}

}  // namespace

void play_with_both(const Game& plain_game, const Game& fast_game, Seed seed, int decisions) {
  SCOPED_TRACE(plain_game.info().id + " seed " + std::to_string(seed));
  auto plain = plain_game.start(seed), fast = fast_game.start(seed);
  ASSERT_EQ(plain.has_value(), fast.has_value());
  if (!plain) return;
  Rng rng(seed);
  OptionList options, options_fast;
  for (int n = 0; n < decisions && !plain->finished(); ++n) {
    SCOPED_TRACE(n);
    plain->list_options(options);
    fast->list_options(options_fast);
    expect_same(*plain, *fast, options, options_fast);
    if (testing::Test::HasFatalFailure() || options.empty()) return;
    const Option picked = options[rng.below(options.size())];
    if (n % 7 == 3) {
      const Json request = plain->option_json(picked);
      ASSERT_EQ(canonical(request), canonical(fast->option_json(picked)));
      ASSERT_EQ(refused(*plain, {{"action", "no-such-action"}}),
                refused(*fast, {{"action", "no-such-action"}}));
      const Json bare{{"action", request.value("action", "")}};
      ASSERT_EQ(refused(*plain, bare), refused(*fast, bare));
    }
    if (n % 4 == 1) {
      ASSERT_EQ(told(*plain, picked), told(*fast, picked));
    }
    const Applied done = plain->apply(picked), done_fast = fast->apply(picked);
    ASSERT_EQ(done.has_value(), done_fast.has_value())
        << canonical(to_json((done ? done_fast : done).error()));
    if (!done) {  // the state is as it was
      ASSERT_EQ(canonical(to_json(done.error())), canonical(to_json(done_fast.error())));
      continue;
    }
    if (n % 23 == 11) {
      const Json saved = plain->save(), saved_fast = fast->save();
      ASSERT_EQ(canonical(saved), canonical(saved_fast));
      plain = plain_game.load(saved_fast);
      fast = fast_game.load(saved);
      ASSERT_TRUE(plain && fast);
    }
  }
  ASSERT_EQ(plain->finished(), fast->finished());
  if (!plain->finished()) return;
  ASSERT_EQ(canonical(to_json(plain->outcome())), canonical(to_json(fast->outcome())));
}

void compare_game(const std::string& name, int games, int decisions) {
  const auto plain = open_shipped(name);
  ASSERT_TRUE(plain);
  const auto fast = native(plain);
  for (int g = 0; g < games && !testing::Test::HasFatalFailure(); ++g)
    play_with_both(*plain, *fast, static_cast<Seed>(g), decisions);
}

bool compare_def(const spec::GameDef& def, int games, int decisions) {
  const auto plain = kernel::open_game(def);
  EXPECT_TRUE(plain);
  if (!plain) return false;
  keep_code_beside_tests();
  const open::NativeGame fast = open::make_native(*plain);
  if (fast.trouble.find("nothing in its rules") != std::string::npos) return false;
  EXPECT_EQ(fast.trouble, "");
  for (int g = 0; g < games && !testing::Test::HasFatalFailure(); ++g)
    play_with_both(**plain, *fast.game, static_cast<Seed>(g), decisions);
  return true;
}

std::set<std::string> printed_functions(const Game& game, const std::string& prefix) {
  std::set<std::string> out;
  const auto& program = dynamic_cast<const kernel::KernelGame&>(game).program();
  const std::string wanted = "\nint " + prefix;
  for (const std::string& part : kernel::print_source(program).parts)
    for (auto at = part.find(wanted); at != std::string::npos; at = part.find(wanted, at + 1)) {
      const std::size_t name = at + wanted.size();
      out.insert(part.substr(name, part.find('(', name) - name));
    }
  return out;
}

}  // namespace parlor::games
