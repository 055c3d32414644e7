#include "spec/text/positions.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>

namespace parlor::spec::text {
namespace {

std::optional<Holds> holds_of(const FieldInfo& field) {
  const bool number = field.spec.wanted == Kind::integer;
  switch (field.spec.expects) {
    case Expects::condition:
      return Holds::condition;
    case Expects::conditions:
      return Holds::condition_list;
    case Expects::value:
      if (field.spec.by_name) return number ? Holds::numbers : Holds::values;
      return number ? Holds::number : Holds::value;
    case Expects::marker_state:
    case Expects::global_marker:
    case Expects::global_marker_state:
      return Holds::value;
    case Expects::numbers:
      return Holds::number_list;
    case Expects::token_props:
      return Holds::values;
    case Expects::query:
    case Expects::token_query:
      return Holds::query;
    case Expects::queries:
      return Holds::query_list;
    case Expects::effects:
      return Holds::effects;
    case Expects::token_filter:
      return Holds::filter;
    case Expects::zone_filter:
      return Holds::zone_filter;
    case Expects::row_filter:
      return Holds::rows;
    case Expects::spoken:
      return Holds::spoken;
    case Expects::record:
    case Expects::grant:
      return Holds::node;
    case Expects::records:
      return Holds::each;
    default:
      return std::nullopt;
  }
}

// The whole table, made once.
class Table {
 public:
  Table() {
    for (const Construct& construct : language())
      add_fields(construct, all_[{construct.family, construct.name()}]);
  }

  const Positions* find(spec::Family family, std::string_view name) const {
    const auto found = all_.find({family, name});
    return found == all_.end() || found->second.list.empty() ? nullptr : &found->second;
  }

 private:
  void add_fields(const Construct& construct, Positions& to) {
    for (const FieldInfo& field : construct.fields) {
      const auto holds = holds_of(field);
      if (!holds) continue;
      Position position{field.key, *holds, field.spec.implicit};
      if (field.spec.expects == Expects::grant) position.inner = record("a grant");
      if (!field.record.empty()) position.inner = record(field.record);
      const bool leads = *holds == Holds::node || *holds == Holds::each;
      if (leads && position.inner == nullptr) continue;
      to.itself = to.itself || field.spec.itself;
      if (field.spec.alone) to.alone = field.key;
      (field.inside.empty() ? to : nested(to, field.inside)).list.push_back(position);
    }
  }

  // Its fields may be added later: the place it has stays the same.
  const Positions* record(std::string_view name) { return &all_[{spec::Family::record, name}]; }

  // The mapping of its own that fields of a construct stand in.
  Positions& nested(Positions& outer, std::string_view key) {
    for (const Position& position : outer.list)
      if (position.key == key) return *const_cast<Positions*>(position.inner);
    Positions& inner = nested_.emplace_back();
    outer.list.push_back({key, Holds::node, {}, &inner});
    return inner;
  }

  std::map<std::pair<spec::Family, std::string_view>, Positions> all_;
  std::deque<Positions> nested_;
};

const Table& table() {
  static const Table all;
  return all;
}

const Positions* named(spec::Family family, const Node& node, std::string_view key) {
  const Node* name = node.find(key);
  return name != nullptr && name->is_string() ? positions_of(family, name->text) : nullptr;
}

}  // namespace

const Position* Positions::find(std::string_view key) const {
  const auto found = std::ranges::find(list, key, &Position::key);
  return found == list.end() ? nullptr : &*found;
}

const Positions* positions_of(spec::Family family, std::string_view construct) {
  return table().find(family, construct);
}

const Positions* condition_positions(const Node& node) {
  return named(spec::Family::condition, node, "op");
}

const Positions* value_positions(const Node& node) {
  const Positions* reference = named(spec::Family::value, node, "ref");
  return reference != nullptr ? reference : named(spec::Family::value, node, "op");
}

const Positions* query_positions(const Node& node) {
  return named(spec::Family::query, node, "query");
}

bool is_condition_operator(std::string_view op) {
  return op == "adjacent" || positions_of(spec::Family::condition, op) != nullptr;
}

bool is_comparison(std::string_view op) {
  constexpr std::array<std::string_view, 6> comparisons{"==", "!=", "<", "<=", ">", ">="};
  return std::ranges::find(comparisons, op) != comparisons.end();
}

Node* reasoned(Node& node) {
  return node.is_map() && node.has("reason") ? node.find("when") : nullptr;
}

}  // namespace parlor::spec::text
