#include "spec/text/positions.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace parlor::spec::text {
namespace {

using Table = std::map<std::string_view, std::vector<Position>, std::less<>>;

const Table& table() {
  static const Table all = [] {
    Table out;
    for (const Position& position : std::initializer_list<Position>{
#define POSITION(construct, key, holds, detail) {#construct, #key, Holds::holds, detail},
#include "spec/text/positions.def"
#undef POSITION
         })
      out[position.construct].push_back(position);
    return out;
  }();
  return all;
}

constexpr std::array<std::string_view, 6> comparisons{"==", "!=", "<", "<=", ">", ">="};

}  // namespace

std::span<const Position> positions_of(std::string_view construct) {
  const auto found = table().find(construct);
  return found == table().end() ? std::span<const Position>{} : found->second;
}

const Position* find_position(std::string_view construct, std::string_view key) {
  const std::span<const Position> all = positions_of(construct);
  const auto found = std::ranges::find(all, key, &Position::key);
  return found == all.end() ? nullptr : &*found;
}

bool is_condition_operator(std::string_view op) {
  constexpr std::array<std::string_view, 12> others{"and",
                                                    "or",
                                                    "not",
                                                    "in",
                                                    "adjacent",
                                                    "connected",
                                                    "zonePropIncludes",
                                                    "lineOf",
                                                    "exists",
                                                    "forAll",
                                                    "markerStateAllowed",
                                                    "markerShiftAllowed"};
  return std::ranges::find(comparisons, op) != comparisons.end() ||
         std::ranges::find(others, op) != others.end();
}

Node* reasoned(Node& node) {
  return node.is_map() && node.has("reason") ? node.find("when") : nullptr;
}

std::string condition_construct(const Node& node) {
  const Node* op = node.find("op");
  if (op == nullptr || !op->is_string() || !is_condition_operator(op->text)) return {};
  const bool compares = std::ranges::find(comparisons, op->text) != comparisons.end();
  return "op." + (compares ? std::string{"compare"} : op->text);
}

std::string value_construct(const Node& node) {
  if (const Node* ref = node.find("ref"); ref != nullptr && ref->is_string())
    return "ref." + ref->text;
  return node.has("op") ? "value.arithmetic" : "";
}

std::string query_construct(const Node& node) {
  const Node* kind = node.find("query");
  return kind != nullptr && kind->is_string() ? "query." + kind->text : std::string{};
}

}  // namespace parlor::spec::text
