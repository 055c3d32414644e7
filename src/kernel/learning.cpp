#include "kernel/learning.h"

#include <mutex>

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

}  // namespace

const Learning& KernelGame::learning() const {
  if (const Learning* made = learning_made_.load(std::memory_order_acquire)) return *made;
  static std::mutex making;
  const std::lock_guard lock(making);
  if (learning_ == nullptr) {
    StateBlock start;
    const bool starts = init(start, 0).has_value();
    if (!starts) start.resize(0);
    const bool lasting = starts && tokens_last(*program_);
    const bool hides = info_.hidden_information || program_->secrets.any;
    const ActionNumbers numbers(
        *program_, lasting ? token_names(*program_, start) : std::vector<std::string>{}, hides);
    learning_ = std::make_shared<const Learning>(
        Learning{numbers, Tensors(*program_, numbers, start, lasting, hides)});
    learning_made_.store(learning_.get(), std::memory_order_release);
  }
  return *learning_;
}

}  // namespace parlor::kernel
