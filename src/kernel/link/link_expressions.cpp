// Selectors and conditions become nodes.
#include <fmt/format.h>

#include "kernel/link/linker.h"

namespace parlor::kernel {

using namespace spec;
using Val = kernel::Value;  // a value at run time; spec::Value is one in the rules

// ---- Scope

SlotId Scope::find(const std::string& name) const {
  const Entry* best = nullptr;
  for (const Entry& entry : entries_)
    if (entry.name == name && (best == nullptr || entry.frame >= best->frame)) best = &entry;
  return best == nullptr ? SlotId::none() : best->slot;
}

SlotId Scope::declare(const std::string& name) {
  std::size_t frame = transparent_.size() - 1;
  for (;; --frame) {
    for (const Entry& entry : entries_)
      if (entry.frame == frame && entry.name == name) return entry.slot;
    if (!transparent_[frame] || frame == 0) break;
  }
  enter(name, fresh(), frame);
  return entries_.back().slot;
}

SlotId Scope::declare_inner(const std::string& name) {
  enter(name, fresh(), transparent_.size() - 1);
  return entries_.back().slot;
}

bool Scope::declared_here(const std::string& name) const {
  for (std::size_t frame = transparent_.size() - 1;; --frame) {
    for (const Entry& entry : entries_)
      if (entry.frame == frame && entry.name == name) return true;
    if (!transparent_[frame] || frame == 0) return false;
  }
}

void Scope::close() {
  const std::size_t frame = transparent_.size() - 1;
  std::erase_if(entries_, [&](const Entry& entry) { return entry.frame == frame; });
  transparent_.pop_back();
}

std::vector<std::pair<std::string, SlotId>> Scope::visible() const {
  std::vector<std::pair<std::string, SlotId>> out;
  for (const Entry& entry : entries_)
    if (find(entry.name) == entry.slot) out.emplace_back(entry.name, entry.slot);
  return out;
}

namespace {

// Parameters are known with and without their `$`.
SlotId visible_slot(const Scope& scope, const std::string& name) {
  const SlotId slot = scope.find(name);
  return !slot.is_none() ? slot : scope.find(name.starts_with("$") ? name.substr(1) : "$" + name);
}

std::size_t closing_brace(const std::string& name, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < name.size(); ++at) {
    depth += name[at] == '{' ? 1 : name[at] == '}' ? -1 : 0;
    if (depth == 0) return at;
  }
  return std::string::npos;
}

}  // namespace

// ---- Small nodes

NodeId Linker::constant(Val v, std::uint32_t place) {
  for (std::size_t i = 0; i < p_.constants.size(); ++i)
    if (p_.constants[i] == v) return add({.op = Ex::constant, .a = i, .place = place});
  p_.constants.push_back(v);
  return add({.op = Ex::constant, .a = p_.constants.size() - 1, .place = place});
}

int Linker::list_of(std::vector<Val> items) {
  return append(p_.lists, std::move(items));
}

int Linker::children(const std::vector<Operand>& operands) {
  const int first = std::ssize(p_.extra);
  p_.extra.insert(p_.extra.end(), operands.begin(), operands.end());
  return first;
}

NodeId Linker::binding(const std::string& name, std::uint32_t place) {
  if (const auto known = known_directions_.find(name); known != known_directions_.end())
    return constant(Val::symbol(p_.direction_symbols[known->second]), place);
  if (is_template(name)) {
    return add({.op = Ex::template_slot, .a = template_of(name, place), .place = place});
  }
  const SlotId slot = visible_slot(scope_, name);
  if (!slot.is_none()) {
    if (slot.value < param_slots_) touched_params_ = std::max(touched_params_, slot.value + 1);
    return add({.op = Ex::slot, .a = slot, .b = symbol(name), .place = place});
  }
  if (name == "__freeOperation")
    return p_.flow.cards ? add({.op = Ex::free_operation, .place = place})
                         : constant(Val::boolean(false), place);
  if (name == "__actionClass")
    return p_.flow.cards ? add({.op = Ex::action_class, .place = place})
                         : constant(Val::symbol(symbol("operation")), place);
  if (grant_filter_ != nullptr) return name_of_grant(name, place);
  // A templated name may have become this one.
  for (const std::string& front : template_fronts_)
    if (name.starts_with(front))
      return add({.op = Ex::template_slot, .a = template_of(name, place), .place = place});
  return add({.op = Ex::unbound, .a = symbol(name), .place = place});
}

// A templated name in the extra table: its pattern with `{}` for each key, how many keys, for each
// the node that gives its value and the placeholder as it is written (which stays when there is no
// value); then plain names visible here that the name may become: how many, each with its slot.
int Linker::template_of(const std::string& name, std::uint32_t place) {
  std::string pattern;
  std::vector<Operand> keys;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = name[at] == '{' ? closing_brace(name, at) : std::string::npos;
    const std::string inner = end == std::string::npos ? "" : name.substr(at + 1, end - at - 1);
    const bool known = is_template(inner) || !visible_slot(scope_, inner).is_none() ||
                       known_directions_.contains(inner) ||
                       (grant_filter_ != nullptr && end != std::string::npos);
    if (end == std::string::npos || !known) {
      pattern += name[at++];
      continue;
    }
    pattern += "{}";
    keys.push_back(binding(inner, place));
    keys.push_back(symbol(name.substr(at, end + 1 - at)));
    at = end + 1;
  }
  if (keys.size() > 4) unsupported(place, fmt::format("`{}` has more than two placeholders", name));
  const std::string front = pattern.substr(0, pattern.find("{}"));
  if (!keys.empty()) template_fronts_.insert(front);
  std::vector<Operand> numbers{symbol(pattern), keys.size() / 2};
  numbers.insert(numbers.end(), keys.begin(), keys.end());
  const std::size_t count = numbers.size();
  numbers.push_back(0);
  for (const auto& [plain, slot] : scope_.visible()) {
    if (keys.empty() || !plain.starts_with(front)) continue;
    numbers.insert(numbers.end(), {symbol(plain), slot});
    ++numbers[count].value;
  }
  return children(numbers);
}

SlotId Linker::bind_inner(const std::string& name) {
  return is_template(name) ? scope_.fresh() : scope_.declare_inner(name);
}

NodeId Linker::named(const std::string& name, SlotId slot, NodeId node, std::uint32_t place) {
  if (!is_template(name)) return node;
  return add(
      {.op = Ex::named, .a = template_of(name, place), .b = slot, .c = node, .place = place});
}

NodeId Linker::name_value(const Name& name, std::uint32_t place) {
  if (name.kind == Name::Kind::binding) return binding(name.text, place);
  if (p_.flow.cards && name.kind == Name::Kind::grant_context)
    return add({.op = Ex::grant_context,
                .a = constant(Val::symbol(symbol(name.text)), place),
                .place = place});
  return add({.op = Ex::unbound, .a = symbol(name.text), .place = place});
}

NodeId Linker::player(const PlayerSel& sel, std::uint32_t place) {
  using K = PlayerSel::Kind;
  static constexpr Ex ops[] = {Ex::p_actor, Ex::p_active, Ex::p_all,      Ex::p_others, Ex::p_left,
                               Ex::p_right, Ex::p_next,   Ex::p_previous, Ex::p_right};
  // By seats unless the rules say otherwise, and then as quick as the words for seats.
  const bool by_seats = !p_.reorders_turns && p_.turn_sequence.empty();
  if (sel.kind == K::next && by_seats) return add({.op = Ex::p_right, .place = place});
  if (sel.kind == K::previous && by_seats) return add({.op = Ex::p_left, .place = place});
  if (sel.kind == K::binding)
    return add({.op = Ex::p_slot, .a = binding(sel.binding, place), .place = place});
  if (sel.kind != K::id) return add({ops[static_cast<int>(sel.kind)], 0, -1, -1, -1, -1, place});
  if (sel.id >= 0 && sel.id < p_.players) return add({.op = Ex::p_id, .a = sel.id, .place = place});
  // A seat nobody plays: asking for it is an error only when it happens.
  return add({.op = Ex::p_slot, .a = number(sel.id, place), .place = place});
}

NodeId Linker::zone(const ZoneSel& sel, std::uint32_t place) {
  switch (sel.kind) {
    case ZoneSel::Kind::exact: {
      const ZoneId z = p_.zone_named(sel.text);
      if (!z.is_none()) return add({.op = Ex::z_const, .a = z, .place = place});
      return add({.op = Ex::z_missing, .a = symbol(sel.text), .place = place});
    }
    case ZoneSel::Kind::owned:
      for (std::size_t b = 0; b < p_.bases.size(); ++b)
        if (p_.bases[b].name == sel.text && p_.bases[b].owned)
          return add({.op = Ex::z_owned, .a = b, .b = player(sel.owner, place), .place = place});
      unsupported(place, fmt::format("no zone of players is called `{}`", sel.text));
      return add({.op = Ex::z_const, .a = 0, .place = place});
    case ZoneSel::Kind::binding: {
      const NodeId node = binding(sel.text, place);
      const Node made = p_.nodes[node];
      if (made.op == Ex::slot)
        return add({.op = Ex::z_slot, .a = made.a, .b = made.b, .place = place});
      return add({.op = Ex::z_value, .a = node, .place = place});
    }
    case ZoneSel::Kind::expression: {
      const NodeId node = value(sel.expr.front());
      const Node made = p_.nodes[node];
      if (made.op == Ex::slot)
        return add({.op = Ex::z_slot, .a = made.a, .b = made.b, .place = place});
      if (made.op == Ex::constant) {
        const Val v = p_.constants[made.a];
        if (v.is_symbol() && v.payload() < std::ssize(p_.zones))
          return add({.op = Ex::z_const, .a = v.index(), .place = place});
      }
      return add({.op = Ex::z_value, .a = node, .place = place});
    }
  }
  return NodeId::none();
}

NodeId Linker::directions(const DirectionSel& sel, std::uint32_t place) {
  if (const auto known = known_directions_.find(sel.binding);
      sel.kind == DirectionSel::Kind::binding && known != known_directions_.end())
    return add({.op = Ex::d_list, .a = list_of({Val::integer(known->second)}), .place = place});
  if (sel.kind == DirectionSel::Kind::binding)
    return add({.op = Ex::d_value, .a = binding(sel.binding, place), .place = place});
  if (sel.kind == DirectionSel::Kind::expression)
    return add({.op = Ex::d_value, .a = value(sel.expr.front()), .place = place});
  std::vector<Val> items;
  for (std::size_t i = 0; i < p_.directions.size(); ++i) {
    const bool wanted = sel.kind == DirectionSel::Kind::all;
    if (wanted) items.push_back(Val::integer(i));
  }
  if (sel.kind == DirectionSel::Kind::names)
    for (const std::string& name : sel.names) {
      bool found = false;
      for (std::size_t i = 0; i < p_.directions.size(); ++i)
        if (p_.directions[i] == name || p_.def.directions[i].group == name) {
          items.push_back(Val::integer(i));
          found = true;
        }
      if (!found && name != "all")
        unsupported(place, fmt::format("the board has no direction `{}`", name));
    }
  return add({.op = Ex::d_list, .a = list_of(std::move(items)), .place = place});
}

std::pair<NodeId, SlotId> Linker::scoped(const std::string& name, const Condition& c) {
  // An inner name hides a direction known under the same name.
  const auto hidden = known_directions_.extract(name);
  scope_.open(false);
  const SlotId slot = bind_inner(name);
  const NodeId node = condition(c);
  scope_.close();
  if (!hidden.empty()) known_directions_[name] = hidden.mapped();
  return {node, slot};
}

// ---- Conditions

// ---- Token filters

NodeId Linker::token_filter(const TokenFilter& f) {
  const std::uint32_t at = f.at.index;
  if (f.kind != TokenFilter::Kind::test) {
    std::vector<Operand> nodes;
    for (const TokenFilter& arg : f.args) nodes.push_back(token_filter(arg));
    if (f.kind == TokenFilter::Kind::none_of)
      return add({.op = Ex::f_not, .a = nodes.front(), .place = at});
    const Ex op = f.kind == TokenFilter::Kind::all_of ? Ex::f_all : Ex::f_any;
    return add({op, 0, children(nodes), nodes.size(), -1, -1, at});
  }
  const TokenTest& t = f.test;
  TokenTest::Field field = t.field;
  int prop = -1;
  if (field == TokenTest::Field::prop) {
    prop = prop_index(t.prop);
    if (prop < 0 && t.prop == "id") field = TokenTest::Field::token_id;
  }
  if (field == TokenTest::Field::zone_prop) {
    static constexpr const char* names[] = {"id",    "category",   "zoneKind",
                                            "owner", "visibility", "ordering"};
    for (int i = 0; i < 6; ++i)
      if (t.prop == names[i]) prop = i;
  }
  return add(
      {.op = Ex::f_test, .x = t.op, .a = field, .b = prop, .c = value(t.value), .place = at});
}

}  // namespace parlor::kernel
