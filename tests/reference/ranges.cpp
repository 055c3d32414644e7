// Ranges of ints, with their thinning: section 14 of the language.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

// A bound that needs a binding nobody has made yet, or is no int, makes the range empty.
std::optional<Int> Run::bound(const Value& node, const Context& c) {
  try {
    const Val found = value(node, c);
    const auto* number = std::get_if<Int>(&found.v);
    return number ? std::optional(*number) : std::nullopt;
  } catch (const RuntimeError& error) {
    if (error.code == "MISSING_BINDING") return std::nullopt;
    throw;
  }
}

namespace {

// `required` values first; the rest of the room goes to evenly spread other values.
std::set<Int> thin(const std::set<Int>& all, const std::set<Int>& required, std::size_t most,
                   Int step) {
  if (step != 1 && required.size() > most) return {};
  if (required.size() >= most) {
    auto end = required.begin();
    std::advance(end, static_cast<std::ptrdiff_t>(most));
    return {required.begin(), end};
  }
  std::vector<Int> optional;
  for (const Int x : all)
    if (!required.contains(x)) optional.push_back(x);
  const std::size_t slots = most - required.size();
  std::set<Int> out = required;
  // floor(i * |optional| / slots) in whole numbers.
  for (std::size_t i = 0; i < slots; ++i) out.insert(optional[i * optional.size() / slots]);
  return out;
}

}  // namespace

List Run::range(std::optional<Int> min, std::optional<Int> max, const std::vector<Value>& step,
                const std::vector<Value>& always, const std::vector<Value>& max_results,
                const Context& c) {
  const std::optional<Int> by = step.empty() ? Int{1} : bound(step[0], c);
  if (!min || !max || !by || *min > *max || *by <= 0) return {};
  std::set<Int> required{*min, *max};
  for (const Value& node : always) {
    const std::optional<Int> x = bound(node, c);
    if (!x) return {};
    if (*x >= *min && *x <= *max) required.insert(*x);
  }
  std::set<Int> all = required;
  for (Int x = *min; x <= *max; x += *by) {
    all.insert(x);
    if (all.size() > 100'000) throw RuntimeError("QUERY_BOUNDS_EXCEEDED", "too many results");
  }
  if (!max_results.empty()) {
    const std::optional<Int> most = bound(max_results[0], c);
    if (!most || *most < 1 || (*most < 2 && *min < *max)) return {};
    if (all.size() > static_cast<std::size_t>(*most))
      all = thin(all, required, static_cast<std::size_t>(*most), *by);
  }
  return List(all.begin(), all.end());
}

List Run::var_range(const IntsInVarRangeQuery& node, const Context& c) {
  const std::string wanted = name(node.var, c);
  const VarDef* found = nullptr;
  for (const VarDef& var : node.per_player ? def().per_player_vars : def().global_vars)
    if (var.name == wanted && var.type == VarType::integer) found = &var;
  if (!found) {
    if (node.var.kind == Name::Kind::literal) return {};
    throw RuntimeError("MISSING_VAR", "no variable " + wanted);
  }
  std::optional<Int> min = found->min;
  std::optional<Int> max = found->max;
  if (!node.min.empty()) {
    const auto given = bound(node.min[0], c);
    min = given ? std::optional(std::max(*given, *min)) : std::nullopt;
  }
  if (!node.max.empty()) {
    const auto given = bound(node.max[0], c);
    max = given ? std::optional(std::min(*given, *max)) : std::nullopt;
  }
  return range(min, max, node.step, node.always_include, node.max_results, c);
}

}  // namespace parlor::reference
