#include "kernel/learn/learning.h"

#include <mutex>
#include <set>

#include "kernel/kernel.h"

namespace parlor::kernel {
namespace {

constexpr std::size_t most_tokens = 512;  // with numbers of their own

// No token is ever made once the game has begun.
bool tokens_last(const Program& p) {
  const UnitInfo& setup = p.units[static_cast<std::size_t>(p.setup_unit)];
  for (int pc = 0; pc < static_cast<int>(p.code.size()); ++pc)
    if (p.code[static_cast<std::size_t>(pc)].op == Op::create_token &&
        (pc < setup.entry || pc >= setup.end))
      return false;
  return true;
}

std::vector<std::string> token_names(const Program& p, const StateBlock& start) {
  std::vector<std::string> names;
  Lease lease(p);
  lease.machine().attach(readable(start));
  const std::uint32_t count = lease.machine().header().tokens;
  for (std::uint32_t t = 0; t < count && count <= most_tokens; ++t)
    names.push_back(lease.machine().text_of(Value::token(static_cast<std::int32_t>(t))));
  return names;
}

// Properties that a token has in one game and not in another: they are rolled in set-up.
std::set<int> varying_props(const KernelGame& game, const StateBlock& start) {
  const Program& p = game.program();
  std::set<int> out;
  for (const Seed seed : {1, 2, 3, 4}) {
    StateBlock other;
    if (!game.init(other, seed)) continue;
    const Memory one(p, readable(start)), two(p, readable(other));
    const std::uint32_t tokens = std::min(one.header().tokens, two.header().tokens);
    for (int t = 0; t < static_cast<int>(tokens); ++t)
      for (int prop = 0; prop < static_cast<int>(p.props.size()); ++prop)
        if (one.prop(t, prop) != two.prop(t, prop)) out.insert(prop);
  }
  return out;
}

}  // namespace

const Learning& KernelGame::learning() const {
  if (const Learning* made = learning_made_.load(std::memory_order_acquire)) return *made;
  static std::mutex making;
  const std::lock_guard lock(making);
  if (learning_ == nullptr) {
    StateBlock start;
    const bool starts = init(start, 0).has_value();
    if (!starts) start.resize(0);
    // With explicit chance set-up may not be over yet, and tokens are still to come.
    const bool lasting =
        starts && start.as<Header>().decision != DecisionKind::chance && tokens_last(*program_);
    const bool hides = info_.hidden_information || program_->secrets.any;
    const ActionNumbers numbers(
        *program_, lasting ? token_names(*program_, start) : std::vector<std::string>{}, hides);
    learning_ = std::make_shared<const Learning>(
        Learning{numbers, Tensors(*program_, numbers, start, lasting, hides,
                                  lasting ? varying_props(*this, start) : std::set<int>{})});
    learning_made_.store(learning_.get(), std::memory_order_release);
  }
  return *learning_;
}

}  // namespace parlor::kernel
