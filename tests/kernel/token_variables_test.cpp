// L-06: a variable that holds a token tells whoever does not see the token its place, and no more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "kernel/open.h"
#include "spec/spec.h"

namespace parlor {
namespace {

constexpr const char* text = R"(```yaml
metadata: {id: pointing, players: 3}
tokenTypes: {card: {name: string}}
zones: {hand: private, deck: hidden stack}
globalVars: {pointed: token, where: zone}
setup:
  - create card in deck with name = ace
  - create card in deck with name = king
  - create card in deck with name = queen
  - create card in deck with name = jack
  - shuffle deck
  - draw 2 from deck to hand:1
turnStructure: {phases: [main]}
actions:
  point:
    params: {$card: tokens in hand:next}
    effects: [pointed = $card, where = $card.zone]
terminal: {never: {when: turn > 9, draw: true}}
```
)";

std::shared_ptr<const kernel::KernelGame> game() {
  spec::CompileResult compiled = spec::compile_text(text, {}, "pointing.md");
  if (!compiled.game)
    throw std::runtime_error(render(compiled.diagnostics, compiled.texts, Colour::never));
  return open_kernel(*compiled.game);
}

struct Heard : EventListener {
  std::vector<Json> to_first;
  void on_event(const Event& event) override {
    if (event.kind != "varChanged" || event.data["var"] != "pointed") return;
    if (event.seen_by.has(Viewer::player(PlayerId{0}))) to_first.push_back(event.data);
  }
};

// The first player has pointed at the second card of the second player.
State pointed_at(const kernel::KernelGame& game, Heard& heard) {
  State state = game.start(5).value();
  OptionList options;
  state.list_options(options);
  EXPECT_EQ(options.size(), 2u);
  EXPECT_TRUE(state.apply(options[1], &heard));
  return state;
}

std::string lying_there(const State& state) {  // what the second card of that hand is
  return state.view()["zones"]["hand:1"][1]["id"].get<std::string>();
}

TEST(TokenVariables, TellThePlaceOfATokenThatSomebodyDoesNotSee) {  // L-06
  const auto rules = game();
  Heard heard;
  const State state = pointed_at(*rules, heard);
  const std::string id = lying_there(state);
  const auto told = [&](const Viewer& viewer) { return state.view(viewer)["globals"]["pointed"]; };
  EXPECT_EQ(told(Viewer::everything()), id);
  EXPECT_EQ(told(Viewer::player(PlayerId{1})), id) << "it is their own";
  EXPECT_EQ(told(Viewer::player(PlayerId{0})), "hand:1#2");
  EXPECT_EQ(told(Viewer::player(PlayerId{2})), "hand:1#2");
  EXPECT_EQ(told(Viewer::observer()), "hand:1#2");
  EXPECT_EQ(state.view(Viewer::player(PlayerId{0}))["globals"]["where"], "hand:1");
}

TEST(TokenVariables, NeverTellItInWordsOrEvents) {
  const auto rules = game();
  Heard heard;
  const State state = pointed_at(*rules, heard);
  EXPECT_TRUE(heard.to_first.empty());
  const std::string name = state.view()["zones"]["hand:1"][1]["props"]["name"].get<std::string>();
  EXPECT_THAT(state.describe(Viewer::player(PlayerId{0})),
              ::testing::Not(testing::HasSubstr(name)));
  EXPECT_THAT(state.describe(Viewer::player(PlayerId{1})), testing::HasSubstr("pointed=" + name));
}

TEST(TokenVariables, HoldWhateverLiesInThatPlaceOfAWorld) {
  const auto rules = game();
  Heard heard;
  const State state = pointed_at(*rules, heard);
  Rng rng{3};
  std::set<std::string> met;
  for (int i = 0; i < 200; ++i) {
    State world = state;
    world.game().resample_hidden(world.block(), Viewer::player(PlayerId{0}), rng);
    EXPECT_EQ(world.view()["globals"]["pointed"], lying_there(world));
    met.insert(lying_there(world));
  }
  EXPECT_EQ(met.size(), 4u) << "any of the four cards can lie there";
}

TEST(TokenVariables, CannotBeSecret) {
  std::string secret = text;
  secret.replace(secret.find("pointed: token"), 14, "pointed: {type: token, visibility: hidden}");
  const spec::CompileResult compiled = spec::compile_text(secret, {}, "pointing.md");
  EXPECT_FALSE(compiled.game);
  std::string said;
  for (const Diagnostic& d : compiled.diagnostics.all()) said += d.message + "\n";
  EXPECT_THAT(said, testing::HasSubstr("a variable that holds a token cannot be secret"));
}

// What depends on the number of an unseen token is not told before the move is made (T-10).
TEST(TokenVariables, NumbersOfUnseenTokensAreHiddenReads) {
  const auto forks = [](const std::string& before) {
    std::string asking = text;
    const std::string effects = "effects: [pointed = $card, where = $card.zone]";
    asking.replace(asking.find(effects), effects.size(), "effects: [end phase]");
    asking.insert(asking.find("    params: {$card"), before);
    spec::CompileResult compiled = spec::compile_text(asking, {}, "pointing.md");
    if (!compiled.game)
      throw std::runtime_error(render(compiled.diagnostics, compiled.texts, Colour::never));
    return open_kernel(*compiled.game)->program().secrets.forks;
  };
  EXPECT_FALSE(forks(""));
  EXPECT_TRUE(forks("    pre: index of (first of tokens in hand:next) > 1\n"));
}

}  // namespace
}  // namespace parlor
