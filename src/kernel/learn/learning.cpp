#include "kernel/learn/learning.h"

#include <mutex>
#include <set>

#include "game/streams.h"
#include "kernel/kernel.h"

namespace parlor::kernel {
namespace {

constexpr std::size_t most_numbered_tokens = 512;  // with numbers of their own
constexpr int most_draws = 100'000;                // of a set-up

// No token is ever made once the game has begun.
bool tokens_last(const Program& p) {
  const UnitInfo& setup = p.units[p.setup_unit];
  for (int pc = 0; pc < std::ssize(p.code); ++pc)
    if (p.code[pc].op == Op::create_token && (pc < setup.entry || pc >= setup.end)) return false;
  return true;
}

std::vector<std::string> token_names(const Program& p, const StateBlock& start) {
  std::vector<std::string> names;
  Lease lease(p);
  lease.machine().attach(readable(start));
  if (lease.machine().header().tokens > most_numbered_tokens) return names;
  for (const TokenId t : lease.machine().memory().tokens())
    names.push_back(lease.machine().text_of(Value::token(t)));
  return names;
}

// A first state in which somebody decides: with explicit chance the outcomes of set-up are drawn
// here, since all tokens are there only when it is over. Empty if there is none.
StateBlock after_setup(const KernelGame& game, Seed seed) {
  StateBlock start;
  if (!game.init(start, seed)) return {};
  Rng chance = chance_stream(seed);
  OptionList options;
  for (int drawn = 0; start.as<Header>().decision == DecisionKind::chance; ++drawn) {
    game.list_options(start, options);
    if (drawn == most_draws || options.empty() ||
        !game.apply(start, options[draw_option(options, chance)], nullptr))
      return {};
  }
  return start;
}

// What several set-ups have in common.
struct SetUps {
  bool same_tokens = true;  // as many, of the same types
  std::set<int> varying;    // properties that a token has in one game and not in another
};

SetUps compare_setups(const KernelGame& game, const StateBlock& start) {
  const Program& p = game.program();
  SetUps out;
  for (const Seed seed : {1, 2, 3, 4}) {
    const StateBlock other = after_setup(game, seed);
    if (other.size() == 0) continue;
    const Memory one(p, readable(start)), two(p, readable(other));
    const std::uint32_t tokens = std::min(one.header().tokens, two.header().tokens);
    out.same_tokens &= one.header().tokens == two.header().tokens;
    for (const TokenId t : IdRange<TokenId>(tokens)) {
      out.same_tokens &= one.token(t).type == two.token(t).type;
      for (int prop = 0; prop < std::ssize(p.props); ++prop)
        if (one.prop(t, prop) != two.prop(t, prop)) out.varying.insert(prop);
    }
  }
  return out;
}

}  // namespace

const Learning& KernelGame::learning() const {
  if (const Learning* made = learning_made_.load(std::memory_order_acquire)) return *made;
  static std::mutex making;
  const std::lock_guard lock(making);
  if (learning_ == nullptr) {
    const StateBlock start = after_setup(*this, 0);
    bool lasting = start.size() != 0 && tokens_last(*program_);
    const SetUps others = lasting ? compare_setups(*this, start) : SetUps{};
    lasting = lasting && others.same_tokens;
    const bool hides = info_.hidden_information || program_->secrets.any;
    const ActionNumbers numbers(
        *program_, lasting ? token_names(*program_, start) : std::vector<std::string>{}, hides);
    learning_ = std::make_shared<const Learning>(
        Learning{numbers, Tensors(*program_, numbers, start, lasting, hides, others.varying)});
    learning_made_.store(learning_.get(), std::memory_order_release);
  }
  return *learning_;
}

}  // namespace parlor::kernel
