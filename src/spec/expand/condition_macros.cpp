#include <algorithm>
#include <fmt/core.h>
#include <unordered_map>

#include "spec/expand/macro_types.h"
#include "spec/expand/macros.h"

namespace parlor::spec {
namespace {

// Macros that stand for a condition and those that stand for a value differ in their words alone.
struct MacroWords {
  Section section;
  std::string_view list, use, body, noun;
  ExpansionKind expansion;
};
constexpr MacroWords macro_words[] = {
    {Section::conditionMacros, "conditionMacros", "conditionMacro", "condition", "condition macro",
     ExpansionKind::condition_macro},
    {Section::valueMacros, "valueMacros", "valueMacro", "value", "value macro",
     ExpansionKind::value_macro}};

const MacroWords* used_kind(const Node& node) {
  if (node.is_map())
    for (const MacroWords& kind : macro_words)
      if (node.has(kind.use)) return &kind;
  return nullptr;
}

struct ConditionMacro {
  const MacroWords* kind;
  std::string id;
  Place place;
  std::vector<std::string> params;
  Node condition;
  bool used = false;
};

class ConditionMacros {
 public:
  explicit ConditionMacros(Expander& expander) : expander_(expander) {
    for (const MacroWords& kind : macro_words) declare(kind);
  }

  void expand(Node& node, Path& path) {
    if (const MacroWords* kind = used_kind(node)) return expand_use(*kind, node, path);
    each_branch(node, path, [&](Node& child) { expand(child, path); });
  }

  std::vector<std::string> ids() const {
    std::vector<std::string> out = broken_;
    for (const ConditionMacro& macro : macros_) out.push_back(macro.id);
    return out;
  }

  // Bodies that nothing uses are looked into as well, so that their mistakes are not kept secret.
  void check_unused() {
    for (ConditionMacro& macro : macros_) {
      if (macro.used) continue;
      // Files that others import have macros for all of them.
      if (macro.place.file == 0)
        expander_.report.warning(
            Code::NAME_UNUSED, {macro.place, 0},
            fmt::format("nothing uses the {} `{}`", macro.kind->noun, macro.id),
            fmt::format("{}.{}", macro.kind->list, macro.id));
      Node body = macro.condition;
      Path path{fmt::format("{}.{}", macro.kind->list, macro.id)};
      stack_ = {&macro};
      expand(body, path);
      stack_.clear();
    }
  }

 private:
  void declare(const MacroWords& kind);
  void check_params(const Node& node, const ConditionMacro& macro, Path& path);
  void expand_use(const MacroWords& kind, Node& node, Path& path);
  ConditionMacro* find(const MacroWords& kind, const Node& name, const Path& path);
  bool bind(const Node& node, const ConditionMacro& macro, const Path& path, Arguments& args);

  Expander& expander_;
  std::vector<ConditionMacro> macros_;
  std::unordered_map<std::string, std::size_t> by_id_;  // only asked, never gone through
  std::vector<std::string> broken_;
  std::vector<const ConditionMacro*> stack_;
};

void ConditionMacros::declare(const MacroWords& kind) {
  for (auto& [id, index] :
       declared_ids(expander_, kind.section, std::string{kind.noun}, Code::CONDITION_MACRO_INVALID,
                    Code::CONDITION_MACRO_DUPLICATE_ID)) {
    const Node& item = expander_.doc.find(kind.section)->items[index];
    Path path{fmt::format("{}.{}", kind.list, index)};
    const std::string_view keys[] = {"id", "params", kind.body, "description"};
    only_keys(item, keys, fmt::format("a {}", kind.noun), path.text(), expander_.report);
    ConditionMacro macro{&kind, id, item.find("id")->origin.place, {}, {}, false};
    bool fine = true;
    if (const Node* params = item.find("params"); params != nullptr && params->is_list()) {
      for (const Node& param : params->items) {
        const auto name = param.is_string() ? param.as_string() : param.find_string("name");
        if (!name || name->empty()) {
          expander_.report
              .error(Code::CONDITION_MACRO_INVALID, param.origin, "a parameter needs a `name`",
                     path.text() + ".params")
              .suggestion = "write `params: [{name: space}]`";
          fine = false;
        } else if (std::ranges::find(macro.params, *name) != macro.params.end()) {
          expander_.report.error(Code::CONDITION_MACRO_PARAM_DUPLICATE, param.origin,
                                 fmt::format("the parameter `{}` is declared twice", *name),
                                 path.text() + ".params");
        } else {
          macro.params.emplace_back(*name);
          if (const Node* type = param.find("type"); type != nullptr && !read_param_type(*type))
            suggest_param_type(
                expander_.report.error(
                    Code::CONDITION_MACRO_INVALID, type->origin,
                    fmt::format("the type of `{}` is {}, which is none of the parameter types",
                                *name, describe(*type)),
                    path.text() + ".params"),
                *name, *type);
        }
      }
    }
    const Node* condition = item.find(kind.body);
    if (condition == nullptr) {
      expander_.report
          .error(Code::CONDITION_MACRO_INVALID, item.origin,
                 fmt::format("the {} `{}` needs a `{}`", kind.noun, id, kind.body), path.text())
          .suggestion = fmt::format("write the {} below `{}:`", kind.body, kind.body);
      fine = false;
    }
    if (!fine) {
      broken_.push_back(id);
      continue;
    }
    macro.condition = *condition;
    const auto step = path.key(kind.body);
    check_params(macro.condition, macro, path);
    by_id_.emplace(fmt::format("{} {}", kind.use, id), macros_.size());
    macros_.push_back(std::move(macro));
  }
}

void ConditionMacros::check_params(const Node& node, const ConditionMacro& macro, Path& path) {
  if (const Node* name = param_name(node)) {
    if (std::ranges::find(macro.params, name->text) != macro.params.end()) return;
    Diagnostic& d = expander_.report.error(
        Code::CONDITION_MACRO_PARAM_UNDECLARED, name->origin,
        fmt::format("the {} `{}` has no parameter `{}`", macro.kind->noun, macro.id, name->text),
        path.text());
    d.alternatives = did_you_mean(name->text, macro.params);
    return;
  }
  each_branch(node, path, [&](const Node& child) { check_params(child, macro, path); });
}

ConditionMacro* ConditionMacros::find(const MacroWords& kind, const Node& name, const Path& path) {
  if (name.is_string())
    if (const auto found = by_id_.find(fmt::format("{} {}", kind.use, name.text));
        found != by_id_.end())
      return &macros_[found->second];
  if (name.is_string() && std::ranges::find(broken_, name.text) != broken_.end()) return nullptr;
  if (!expander_.first_time(Code::CONDITION_MACRO_UNKNOWN, name.origin.place)) return nullptr;
  std::vector<std::string> names = broken_;
  if (!expander_.report.flooded())
    for (const ConditionMacro& macro : macros_)
      if (macro.kind == &kind) names.push_back(macro.id);
  Diagnostic& d = expander_.report.error(
      Code::CONDITION_MACRO_UNKNOWN, name.origin,
      name.is_string() ? fmt::format("there is no {} `{}`", kind.noun, name.text)
                       : fmt::format("`{}` names a macro; this is {}", kind.use, describe(name)),
      fmt::format("{}.{}", path.text(), kind.use));
  d.alternatives = did_you_mean(name.text, names);
  if (d.alternatives.empty())
    d.suggestion = names.empty() ? fmt::format("declare it in `{}`", kind.list)
                                 : fmt::format("the {}s are {}", kind.noun, name_list(names));
  return nullptr;
}

bool ConditionMacros::bind(const Node& node, const ConditionMacro& macro, const Path& path,
                           Arguments& args) {
  const Node* given = node.find("args");
  std::vector<std::string> missing;
  for (const std::string& param : macro.params) {
    const Node* value = given != nullptr ? given->find(param) : nullptr;
    if (value == nullptr)
      missing.push_back(param);
    else
      args.emplace_back(param, value);
  }
  if (!missing.empty() &&
      expander_.first_time(Code::CONDITION_MACRO_MISSING_ARGS, node.origin.place))
    expander_.report
        .error(Code::CONDITION_MACRO_MISSING_ARGS, node.origin,
               fmt::format("the {} `{}` also needs {}", macro.kind->noun, macro.id,
                           name_list(missing)),
               path.text())
        .suggestion = fmt::format("add `{}: …` to `args`", missing.front());
  if (given == nullptr) return missing.empty();
  for (const Entry& entry : given->entries) {
    if (std::ranges::find(macro.params, entry.key) != macro.params.end()) continue;
    if (!expander_.first_time(Code::CONDITION_MACRO_EXTRA_ARGS, entry.key_place)) continue;
    Diagnostic& d = expander_.report.warning(
        Code::CONDITION_MACRO_EXTRA_ARGS, {entry.key_place, node.origin.expansion},
        fmt::format("the {} `{}` has no parameter `{}`", macro.kind->noun, macro.id, entry.key),
        path.text() + ".args." + entry.key);
    d.alternatives = did_you_mean(entry.key, macro.params);
  }
  return missing.empty();
}

void ConditionMacros::expand_use(const MacroWords& kind, Node& node, Path& path) {
  // Whatever goes wrong, the place holds a condition or a value afterwards and one error has been
  // reported.
  const Node use = std::move(node);
  node = kind.section == Section::conditionMacros ? Node::of_boolean(true, use.origin)
                                                  : Node::of_integer(0, use.origin);
  const std::string_view keys[] = {kind.use, "args"};
  only_keys(use, keys, fmt::format("a {}'s use", kind.noun), path.text(), expander_.report);
  const Node& name = *use.find(kind.use);
  ConditionMacro* macro = find(kind, name, path);
  if (macro == nullptr) return;
  macro->used = true;
  if (std::ranges::find(stack_, macro) != stack_.end()) {
    if (!expander_.first_time(Code::CONDITION_MACRO_CYCLE, name.origin.place)) return;
    std::string chain;
    for (auto it = std::ranges::find(stack_, macro); it != stack_.end(); ++it)
      chain += (*it)->id + " -> ";
    expander_.report
        .error(Code::CONDITION_MACRO_CYCLE, name.origin,
               fmt::format("{}s use each other: {}{}", kind.noun, chain, macro->id), path.text())
        .suggestion = "a macro cannot contain itself";
    return;
  }
  if (stack_.size() >= condition_macro_depth) {
    if (expander_.first_time(Code::CONDITION_MACRO_DEPTH_EXCEEDED, name.origin.place))
      expander_.report.error(
          Code::CONDITION_MACRO_DEPTH_EXCEEDED, name.origin,
          fmt::format("{}s are nested more than {} deep", kind.noun, condition_macro_depth),
          path.text());
    return;
  }
  Node given = use;
  if (Node* values = given.find("args")) {
    const auto step = path.key("args");
    expand(*values, path);  // arguments are the caller's text: `macro` is not on the stack yet
  }
  Arguments args;
  if (!bind(given, *macro, path, args)) return;
  if (!take_nodes(expander_, count_substituted(macro->condition, args), use.origin, path.text()))
    return;
  Node body = macro->condition;
  const ExpansionIndex expansion = expander_.report.source().add_expansion(
      {macro->kind->expansion, macro->id, use.origin.place, macro->place, use.origin.expansion});
  mark_expansion(body, expansion);
  substitute(body, args, false);
  stack_.push_back(macro);
  expand(body, path);
  stack_.pop_back();
  node = std::move(body);
}

}  // namespace

void expand_condition_macros(Expander& expander) {
  ConditionMacros macros{expander};
  for (const Section section : all_sections()) {
    if (section == Section::conditionMacros || section == Section::valueMacros) continue;
    Node* node = expander.doc.find(section);
    if (node == nullptr) continue;
    Path path{std::string{section_name(section)}};
    macros.expand(*node, path);
  }
  macros.check_unused();
  expander.doc.condition_macros = macros.ids();
  expander.doc.drop(Section::conditionMacros);
  expander.doc.drop(Section::valueMacros);
}

}  // namespace parlor::spec
