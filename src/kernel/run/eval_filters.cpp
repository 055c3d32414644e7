// Filters: which tokens a query is about.
#include "kernel/run/machine.h"

namespace parlor::kernel {

Truth Evaluator::filter(NodeId node, TokenId t) {
  const Node& n = p_->nodes[node];
  switch (n.op) {
    case Ex::f_test:
      return filter_test(n, t);
    case Ex::f_all:
      for (int i = 0; i < n.b; ++i)
        if (const Truth r = filter(p_->extra[n.a + i], t); r != Truth::yes) return r;
      return Truth::yes;
    case Ex::f_any:
      for (int i = 0; i < n.b; ++i)
        if (const Truth r = filter(p_->extra[n.a + i], t); r != Truth::no) return r;
      return Truth::no;
    default: {
      const Truth r = filter(n.a, t);
      return r == Truth::fault ? r : r == Truth::yes ? Truth::no : Truth::yes;
    }
  }
}

Value Evaluator::field_of(const Node& n, TokenId t) {
  switch (spec::TokenTest::Field{n.a}) {
    case spec::TokenTest::Field::prop:
      return n.b < 0 ? Value{} : seen_prop(t, n.b);
    case spec::TokenTest::Field::token_id:
      return Value::token(t);
    case spec::TokenTest::Field::token_type:
      return Value::symbol(p_->types[memory_.token(t).type].symbol);
    case spec::TokenTest::Field::token_zone:
      return Value::zone(memory_.zone_of(t));
    case spec::TokenTest::Field::zone_prop:
      break;
  }
  const ZoneInfo& z = p_->zones[memory_.zone_of(t)];
  // Numbered by the linker: 0 id, 1 category, 2 zoneKind, 3 owner, 4 visibility, 5 ordering.
  static constexpr const char* kinds[] = {"board", "aux"};
  static constexpr const char* visibilities[] = {"public", "owner", "hidden"};
  static constexpr const char* orderings[] = {"stack", "queue", "set"};
  switch (n.b) {
    case 0:
      return Value::zone(memory_.zone_of(t));
    case 1:
      return z.category < 0 ? Value{} : Value::symbol(z.category);
    case 2:
      return value_of_text(kinds[static_cast<int>(z.kind)]);
    case 3:
      return value_of_text(z.owner < 0 ? "none" : "player");
    case 4:
      return value_of_text(visibilities[static_cast<int>(z.visibility)]);
    case 5:
      return value_of_text(orderings[static_cast<int>(z.ordering)]);
    default:
      return {};
  }
}

Truth Evaluator::filter_test(const Node& n, TokenId t) {
  return matches(spec::FilterOp{n.x}, field_of(n, t), n.c, n.place);
}

Truth Evaluator::matches(spec::FilterOp op, Value have, NodeId value_node, std::uint32_t place) {
  // A missing field makes the test false, whatever it asks.
  if (have.is_none()) return Truth::no;
  const Value wanted = value(value_node);
  return failed_ ? Truth::fault : fits(op, have, wanted, place);
}

inline Truth Evaluator::fits(spec::FilterOp op, Value have, Value wanted, std::uint32_t place) {
  const bool set = op == spec::FilterOp::in || op == spec::FilterOp::not_in;
  if (set != wanted.is_list()) {
    fail(Code::RUN_TYPE, place, set ? "in and notIn need a list" : "eq and neq need a single value",
         wanted);
    return Truth::fault;
  }
  bool found = false;
  if (set) {
    if (!spend(list_size(wanted) / 8, place)) return Truth::fault;
    for (const Value item : stored_items(wanted))
      if ((found = equal_values(item, have))) break;
  } else {
    found = equal_values(have, wanted);
  }
  const bool positive = op == spec::FilterOp::eq || op == spec::FilterOp::in;
  return found == positive ? Truth::yes : Truth::no;
}

// What it is compared with is found out at the first token that has the property, as it would be
// token by token, and holds for all of them.
inline Truth Evaluator::passes(const PropTest& test, Value& wanted, TokenId t,
                               const TypeInfo& type) {
  Value have = Value::symbol(type.symbol);
  if (test.prop >= 0) {
    const int column = type.column[test.prop];
    if (column < 0) return Truth::no;
    have = memory_.decode_cell(type.cell[test.prop], memory_.cells(t)[column]);
    if (have.is_none()) return Truth::no;
  }
  if (wanted.is_none()) {
    wanted = value(test.value);
    if (failed_) return Truth::fault;
  }
  return fits(test.op, have, wanted, test.place);
}

// Tokens that pass a filter of nothing but properties and types.
bool Evaluator::tokens_by_props(ZoneId z, PropFilter filter, Visit visit) {
  const PropTest* const tests = &p_->prop_tests[filter.first];
  Value wanted[most_prop_tests];
  for (const TokenId t : memory_.tokens_in(z)) {
    const TypeInfo& type = p_->types[memory_.token(t).type];
    Truth all = Truth::yes;
    for (int i = 0; i < filter.count && all == Truth::yes; ++i)
      all = passes(tests[i], wanted[i], t, type);
    if (all == Truth::fault || (all == Truth::yes && !visit(Value::token(t)))) return false;
  }
  return true;
}

}  // namespace parlor::kernel
