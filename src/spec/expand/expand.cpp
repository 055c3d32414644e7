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

namespace parlor::spec {
namespace {

// Names that begin with `$__` are the compiler's own. Checked before any of them is made.
void check_reserved(const Node& node, Path& path, Report& report) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (node.items[i].is_scalar()) continue;
    const auto step = path.index(i);
    check_reserved(node.items[i], path, report);
  }
  for (const Entry& entry : node.entries) {
    if (!entry.value.is_scalar()) {
      const auto step = path.key(entry.key);
      check_reserved(entry.value, path, report);
    } else if (entry.value.is_string() && entry.value.text.starts_with("$__") &&
               is_binder_key(entry.key)) {
      report
          .error(Code::BINDING_RESERVED, entry.value.origin,
                 fmt::format("`{}` cannot be used: names with `$__` belong to the compiler",
                             entry.value.text),
                 path.text() + "." + entry.key)
          .suggestion = fmt::format("write `${}`", entry.value.text.substr(3));
    }
  }
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
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (node.items[i].is_scalar()) continue;
    const auto step = path.index(i);
    if (const Node* deep = too_deep(node.items[i], left - 1, path, where)) return deep;
  }
  for (const Entry& entry : node.entries) {
    if (entry.value.is_scalar()) continue;
    const auto step = path.key(entry.key);
    if (const Node* deep = too_deep(entry.value, left - 1, path, where)) return deep;
  }
  return nullptr;
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
  fold_constants(expander);
  expand_offers(expander);
  expand_operation_profiles(expander);
  expand_generated_pieces(expander);
  expand_marker_batches(expander);
  expand_variable_batches(expander);
  expand_zone_templates(expander);
  expand_memories(expander);
  expand_phase_templates(expander);
  expand_condition_macros(expander);
  expand_effect_macros(expander);
  fold_constants(expander);  // constants that a macro's parameter named
  expand_boards(expander);
  expand_builtins(expander);
  check_depth(doc, 2 * options.limits.nesting, report);
}

}  // namespace parlor::spec
