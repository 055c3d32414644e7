// What values could be for those who do not know them. A game that hides nothing never asks.
#pragma once

#include "kernel/run/evaluator.h"

namespace parlor::kernel {

// What takes the place of each token in another world. A pool has no places (run/chance.cpp): what
// a binding meant there becomes any of its tokens, taken in the order in which they are asked for,
// so that nothing follows from where it lay.
class NewNames {
 public:
  explicit NewNames(std::size_t tokens) : next_(tokens), pool_(tokens) {}

  void set(TokenId token, TokenId next) { next_[token] = next; }
  // `rest`: what lies in its pool, in random order.
  void set_pool(TokenId token, std::vector<TokenId>& rest) { pool_[token] = &rest; }
  // None: it keeps its own.
  TokenId by_place(TokenId token) const { return next_[token]; }
  Value meant(Value binding) {
    if (!binding.is_token()) return binding;
    const TokenId t = binding.as_token();
    if (!next_.has(t)) return binding;
    if (std::vector<TokenId>* rest = std::exchange(pool_[t], nullptr); rest != nullptr) {
      next_[t] = rest->back();
      rest->pop_back();
    }
    return next_[t].is_none() ? binding : Value::token(next_[t]);
  }

 private:
  Table<TokenId, TokenId> next_;
  Table<TokenId, std::vector<TokenId>*> pool_;
};

class Doubts : public Evaluator {
 public:
  Knowledge knowledge() const { return Knowledge(memory_); }
  std::uint32_t seen_by(TokenId token) const {
    return p_->secrets.tokens ? knowledge().seen_by(token) : ~std::uint32_t{0};
  }
  std::uint32_t var_sight(int cell) const {
    return p_->secrets.cell_sight.empty() ? ~std::uint32_t{0}
                                          : p_->secrets.cell_sight[static_cast<std::size_t>(cell)];
  }
  Doubt doubt(NodeId node);
  // Whether an expression may look at something the asker does not see.
  bool hidden_from_asker(NodeId node);
  bool hides_tokens_in(ZoneId zone) const;
  bool hides_tokens_of(const Node& query);
  // Tokens have changed places: whatever a half-made move, an effect or a submission says of one
  // is now said of the token that lies there (hidden.cpp, submit.cpp).
  void rename_tokens(NewNames& names);
  void rename_variables(NewNames& names);
  // What others could think of what a statement binds, if they may not know it.
  void note_binding(const Instr& i);
  // Who knows which token was meant.
  std::uint32_t pickers_of(NodeId token_node) const;

 protected:
  // Doubts about what a slot holds; nothing to do where no binding may hold a secret.
  SlotId shadow_of(SlotId slot) const;
  std::uint32_t knowers_in(SlotId shadow) const {
    return static_cast<std::uint32_t>(slot(shadow, 2).payload());
  }
  Doubt slot_doubt(SlotId slot) const;
  void note_doubt(SlotId slot, const Doubt& doubt);
  void note_choice(SlotId slot, Value options, int player);
  void note_params(const ActionInfo& action);
  Doubt prop_doubt(const Node& n);
  Doubt var_doubt(const Node& n);
  Doubt combined(const Node& n);
  bool reads_doubt(NodeId node);
  Doubt var_write_doubt(const Instr& i, int cell);
  void write_range(int cell, const Doubt& doubt);
  void shift_range(int cell, std::int64_t by);
  void blur_prop(TokenId token, int prop, NodeId value_node);
};

}  // namespace parlor::kernel
