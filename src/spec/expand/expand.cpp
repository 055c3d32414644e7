#include "spec/expand/expand.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/expand/batch.h"
#include "spec/expand/boards.h"
#include "spec/expand/builtins.h"
#include "spec/expand/constants.h"
#include "spec/expand/hygiene.h"
#include "spec/expand/macros.h"
#include "spec/expand/memories.h"
#include "spec/expand/offers.h"
#include "spec/expand/spaces.h"
#include "spec/expand/walk.h"

namespace parlor::spec {
namespace {

// Names that begin with `$__` are the compiler's own. Checked before any of them is made.
void check_reserved(const Node& node, Path& path, Report& report) {
  for (const auto& [key, place, value] : node.entries) {
    if (!value.is_string() || !value.text.starts_with("$__") || !is_binder_key(key)) continue;
    report
        .error(
            Code::BINDING_RESERVED, value.origin,
            fmt::format("`{}` cannot be used: names with `$__` belong to the compiler", value.text),
            path.text() + "." + key)
        .suggestion = fmt::format("write `${}`", value.text.substr(3));
  }
  each_branch(node, path, [&](const Node& child) { check_reserved(child, path, report); });
}

void check_reserved(GameSpecDoc& doc, Report& report) {
  const auto check = [&](Section section) {
    const Node* node = doc.find(section);
    if (node == nullptr) return;
    Path path{std::string{section_name(section)}};
    check_reserved(*node, path, report);
  };
  std::ranges::for_each(rule_sections(), check);
  check(Section::effectMacros);
}

// The first node that lies deeper than `left` levels, or nothing.
const Node* too_deep(const Node& node, std::size_t left, Path& path, std::string& where) {
  if (left == 0) {
    where = path.text();
    return &node;
  }
  const Node* deep = nullptr;
  each_branch(node, path, [&](const Node& child) {
    if (deep == nullptr) deep = too_deep(child, left - 1, path, where);
  });
  return deep;
}

// Macros can nest what they are given; later stages walk the tree and must not run out of stack.
void check_depth(GameSpecDoc& doc, std::size_t most, Report& report) {
  for (const Section section : all_sections()) {
    const Node* node = doc.find(section);
    if (node == nullptr) continue;
    Path path{std::string{section_name(section)}};
    std::string where;
    const Node* deep = too_deep(*node, most, path, where);
    if (deep == nullptr) continue;
    report
        .error(Code::YAML_NESTING, deep->origin,
               fmt::format("after expansion this is nested more than {} deep", most), where)
        .suggestion = "use fewer macros inside each other's arguments";
    doc.drop(section);
  }
}

}  // namespace

void expand(GameSpecDoc& doc, const FrontOptions& options, Report& report) {
  Expander expander{doc, report, options.limits, options.limits.macro_nodes,
                    options.limits.built_in_effects};
  check_reserved(doc, report);
  prepare_constants(expander, options.set);
  const bool folded = fold_constants(expander);
  expand_offers(expander);
  expand_operation_profiles(expander);
  expand_generated_pieces(expander);
  expand_id_batches(expander);
  expand_variable_batches(expander);
  expand_zone_templates(expander);
  expand_spaces(expander);
  expand_memories(expander);
  expand_phase_templates(expander);
  expand_condition_macros(expander);
  expand_effect_macros(expander);
  if (!folded) fold_constants(expander);
  expand_boards(expander);
  expand_builtins(expander);
  check_depth(doc, 2 * options.limits.nesting, report);
}

}  // namespace parlor::spec
