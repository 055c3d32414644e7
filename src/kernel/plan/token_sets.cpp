// Plans for "the zones that hold such a token": sets that the memory keeps up to date (Feature).
#include "kernel/link/linker.h"
#include "kernel/state/memory.h"

namespace parlor::kernel {

using namespace spec;

int Linker::feature(Feature wanted) {
  for (std::size_t i = 0; i < p_.features.size(); ++i)
    if (p_.features[i].type == wanted.type && p_.features[i].cells == wanted.cells) return i;
  p_.feature_of_prop.resize(p_.props.size());
  for (const auto& [prop, cell] : wanted.cells) p_.feature_of_prop[prop] = 1;
  return append(p_.features, std::move(wanted));
}

// Two nodes that name the same player whatever the state.
bool Linker::same_player(NodeId a, NodeId b) const {
  const Node &left = p_.nodes[a], &right = p_.nodes[b];
  if (left.op != right.op) return false;
  if (left.op == Ex::active_player) return true;
  if (left.op != Ex::player_number) return false;
  const Ex who = p_.nodes[left.a].op;
  const bool relative =
      who == Ex::p_left || who == Ex::p_right || who == Ex::p_actor || who == Ex::p_active;
  return relative && who == p_.nodes[right.a].op;
}

// One cell must mean the same for every type that has the property.
std::optional<CellType> Linker::common_cell(int prop) const {
  std::optional<CellType> common;
  for (const TypeInfo& type : p_.types) {
    if (type.column[prop] < 0) continue;
    if (common && type.cell[prop] != *common) return std::nullopt;
    common = type.cell[prop];
  }
  return common.value_or(CellType::integer);
}

// Takes a test of a token's property into what is wanted; false: it is not one that can be kept.
bool Linker::want_prop(const TokenTest& test, TokenWish& wish) {
  const int prop = test.field == TokenTest::Field::prop ? prop_index(test.prop) : -1;
  if (prop < 0) return false;
  const std::optional<CellType> cell_type = common_cell(prop);
  if (!cell_type) return false;
  const bool fixed = std::holds_alternative<Int>(test.value.node) ||
                     std::holds_alternative<bool>(test.value.node) ||
                     std::holds_alternative<std::string>(test.value.node);
  if (fixed) {
    const Node& constant = p_.nodes[value(test.value)];
    const std::int32_t cell = Memory::encode_cell(*cell_type, p_.constants[constant.a]);
    if (cell == missing_cell) return false;
    wish.fixed.cells.emplace_back(prop, cell);
    return true;
  }
  if (wish.open_prop >= 0 || *cell_type == CellType::boolean) return false;
  if (*cell_type == CellType::symbol && p_.def.seats.empty()) return false;
  wish.open_prop = prop;
  wish.open_type = *cell_type;
  wish.open_value = value(test.value);
  return sure_value(p_, wish.open_value);
}

// The zones that hold a token which passes the filter, if every part of it compares a property or
// the type for equality, at most one of them with a value known only while playing.
NodeId Linker::plan_tokens(const TokensInZoneQuery& q, std::uint32_t at) {
  std::vector<const TokenFilter*> tests;
  if (!q.filter.empty()) {
    const TokenFilter& f = q.filter.front();
    if (f.kind == TokenFilter::Kind::test) tests.push_back(&f);
    if (f.kind == TokenFilter::Kind::all_of)
      for (const TokenFilter& arg : f.args) tests.push_back(&arg);
    if (tests.empty()) return NodeId::none();
  }
  TokenWish wish;
  for (const TokenFilter* f : tests) {
    if (f->kind != TokenFilter::Kind::test || f->test.op != FilterOp::eq) return NodeId::none();
    if (f->test.field == TokenTest::Field::token_type) {
      const auto* id = std::get_if<std::string>(&f->test.value.node);
      if (id == nullptr) return NodeId::none();
      wish.fixed.type = position_of(p_.types, *id, &TypeInfo::id);
      if (wish.fixed.type < 0) return NodeId::none();
    } else if (!want_prop(f->test, wish)) {
      return NodeId::none();
    }
  }
  if (wish.open_prop < 0) return add({.op = Ex::b_feature, .a = feature(wish.fixed), .place = at});
  return plan_family(wish, q.filter.front(), at);
}

// One feature for each player's number or seat.
NodeId Linker::plan_family(const TokenWish& wish, const TokenFilter& filter, std::uint32_t at) {
  const bool by_number = wish.open_type == CellType::integer;
  const std::int32_t values = by_number ? p_.players : std::ssize(p_.def.seats);
  std::vector<Operand> numbers{wish.open_type, values};
  for (std::int32_t v = 0; v < values; ++v) {
    const auto cell = by_number ? v : symbol(p_.def.seats[v]);
    Feature member = wish.fixed;
    member.cells.emplace_back(wish.open_prop, cell);
    numbers.push_back(cell);
    numbers.push_back(feature(member));
  }
  // Any other value is looked for token by token.
  const NodeId plain = token_filter(filter);
  // The same family asked for the same player is one node, so that it is evaluated once
  // (run/eval_sets.cpp).
  for (const NodeId n : p_.nodes.ids()) {
    const Node& made = p_.nodes[n];
    if (made.op != Ex::b_family || !same_player(made.b, wish.open_value)) continue;
    if (std::equal(numbers.begin(), numbers.end(), p_.extra.begin() + made.a)) return n;
  }
  return add(
      {.op = Ex::b_family, .a = children(numbers), .b = wish.open_value, .c = plain, .place = at});
}

}  // namespace parlor::kernel
