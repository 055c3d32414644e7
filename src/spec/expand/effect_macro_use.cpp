#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/expand/effect_macros.h"

namespace parlor::spec {
namespace {

bool is_use(const Node& node) {
  return node.is_map() && node.has("macro");
}

// Names that are bound without any binder.
constexpr std::array<std::string_view, 11> implicit_bindings{
    "$zone",  "$token", "$space",  "$event",    "$phase",   "$action",
    "$scope", "$var",   "$player", "$oldValue", "$newValue"};

// Action parameters and event targets bind names too.
void collect_named(const Node& node, std::vector<std::string>& out) {
  for (const Node& item : node.items) collect_named(item, out);
  for (const Entry& entry : node.entries) {
    if (entry.value.is_scalar()) continue;
    collect_named(entry.value, out);
    if (entry.key != "params" && entry.key != "targets") continue;
    for (const Node& item : entry.value.items)
      for (const std::string_view name : {"name", "id"})
        if (const auto text = item.find_string(name)) out.emplace_back(*text);
  }
}

}  // namespace

void EffectMacros::expand_element(Node& node, Path& path) {
  locals_.clear();
  expand(node, path, nullptr);
  if (locals_.empty()) return;
  std::vector<std::string> known = declared_bindings(node);
  collect_named(node, known);
  check_leaks(node, known, path);
}

void EffectMacros::check_unused() {
  for (EffectMacro& macro : macros_) {
    if (macro.used) continue;
    if (macro.place.file == 0)
      expander_.report.warning(Code::NAME_UNUSED, {macro.place, 0},
                               fmt::format("nothing uses the effect macro `{}`", macro.id),
                               macro.path);
    Node body = macro.effects;
    Path path{macro.path + ".effects"};
    const Renaming nothing;
    const Frame frame{&macro, &nothing, nullptr, 1};
    expand(body, path, &frame);
  }
}

void EffectMacros::expand(Node& node, Path& path, const Frame* frame) {
  if (std::ranges::any_of(node.items, is_use)) return expand_list(node.items, path, frame);
  if (is_use(node)) return misplaced_use(node, path);
  if (frame == nullptr && param_name(node) != nullptr) {
    expander_.report
        .error(Code::EFFECT_MACRO_PARAM_UNDECLARED, node.origin,
               fmt::format("`{{param: {}}}` stands outside a macro", param_name(node)->text),
               path.text())
        .suggestion = fmt::format(
        "only a macro's parameters are written like this; an action's parameter is "
        "{{ref: binding, name: {}}}",
        param_name(node)->text);
    return;
  }
  each_branch(node, path, [&](Node& child) { expand(child, path, frame); });
}

void EffectMacros::expand_list(std::vector<Node>& items, Path& path, const Frame* frame) {
  std::vector<Node> out;
  out.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto step = path.index(i);
    if (is_use(items[i])) {
      std::vector<Node> effects = expand_use(std::move(items[i]), path, frame);
      std::ranges::move(effects, std::back_inserter(out));
      continue;
    }
    expand(items[i], path, frame);
    out.push_back(std::move(items[i]));
  }
  items = std::move(out);
}

void EffectMacros::misplaced_use(const Node& node, const Path& path) {
  const Node& name = *node.find("macro");
  if (!expander_.first_time(Code::EFFECT_MACRO_POSITION, name.origin.place)) return;
  Diagnostic& d = expander_.report.error(
      Code::EFFECT_MACRO_POSITION, node.origin,
      "a macro may be used only as an element of a list of effects", path.text());
  d.suggestion = contains(expander_.doc.condition_macros, name.text)
                     ? fmt::format(
                           "a condition macro is used like this: {{conditionMacro: {}, "
                           "args: {{…}}}}",
                           name.text)
                     : fmt::format("write it as a list item: `- macro: {}`", name.text);
}

EffectMacro* EffectMacros::find(const Node& name, const Path& path) {
  if (name.is_string())
    if (EffectMacro* found = lookup(name.text)) return found;
  if (name.is_string() && contains(broken_, name.text)) return nullptr;  // said at its declaration
  if (!expander_.first_time(Code::EFFECT_MACRO_UNKNOWN, name.origin.place)) return nullptr;
  std::vector<std::string> names;
  if (!expander_.report.flooded()) names = ids();
  Diagnostic& d = expander_.report.error(
      Code::EFFECT_MACRO_UNKNOWN, name.origin,
      name.is_string() ? fmt::format("there is no macro `{}`", name.text)
                       : fmt::format("`macro` names a macro; this is {}", describe(name)),
      path.text() + ".macro");
  d.alternatives = did_you_mean(name.text, names);
  if (d.alternatives.empty())
    d.suggestion = names.empty() ? "declare it in `effectMacros`"
                                 : fmt::format("the macros are {}", name_list(names));
  return nullptr;
}

bool EffectMacros::may_enter(const EffectMacro& macro, const Node& name, const Path& path,
                             const Frame* frame) {
  std::vector<std::string> chain{macro.id};
  for (const Frame* step = frame; step != nullptr; step = step->outer) {
    chain.push_back(step->macro->id);
    if (step->macro != &macro) continue;
    std::ranges::reverse(chain);
    std::vector<std::string> members(chain.begin() + 1, chain.end());
    std::ranges::sort(members);
    if (!cycles_.insert(members).second) return false;  // the same circle entered elsewhere
    std::string text;
    for (const std::string& id : chain) text += fmt::format("{}{}", text.empty() ? "" : " -> ", id);
    expander_.report
        .error(Code::EFFECT_MACRO_CYCLE, name.origin,
               fmt::format("macros use each other: {}", text), path.text())
        .suggestion = "a macro cannot contain itself; use forEach for repetition";
    return false;
  }
  if (frame == nullptr || frame->depth < effect_macro_depth) return true;
  if (expander_.first_time(Code::EFFECT_MACRO_DEPTH_EXCEEDED, name.origin.place)) {
    std::ranges::reverse(chain);
    std::string text;
    for (const std::string& id : chain) text += fmt::format("{}{}", text.empty() ? "" : " -> ", id);
    expander_.report
        .error(Code::EFFECT_MACRO_DEPTH_EXCEEDED, name.origin,
               fmt::format("macros are nested more than {} deep", effect_macro_depth), path.text())
        .suggestion = fmt::format("the nesting is {}", text);
  }
  return false;
}

bool EffectMacros::bind(const Node& use, const EffectMacro& macro, const Path& path,
                        Arguments& args) {
  const Node* given = use.find("args");
  if (given != nullptr && !given->is_map() && !given->is_null()) {
    if (expander_.first_time(Code::EFFECT_MACRO_ARG_TYPE, given->origin.place))
      expander_.report
          .error(Code::EFFECT_MACRO_ARG_TYPE, given->origin,
                 fmt::format("`args` must be a mapping, not {}", describe(*given)),
                 path.text() + ".args")
          .suggestion = "write `args: {name: value}`";
    return false;
  }
  std::vector<std::string> missing, names;
  for (const MacroParam& param : macro.params) {
    names.push_back(param.name);
    const Node* value = given != nullptr ? given->find(param.name) : nullptr;
    if (value == nullptr)
      missing.push_back(param.name);
    else
      args.emplace_back(param.name, value);
  }
  if (!missing.empty() && expander_.first_time(Code::EFFECT_MACRO_MISSING_ARGS, use.origin.place)) {
    Diagnostic& d = expander_.report.error(
        Code::EFFECT_MACRO_MISSING_ARGS, use.origin,
        fmt::format("the macro `{}` also needs {}", macro.id, name_list(missing)), path.text());
    d.suggestion = fmt::format("add `{}: …` to `args`", missing.front());
    relate(d, expander_.report.source(), "declared here", macro.place);
  }
  if (given == nullptr) return missing.empty();
  for (const Entry& entry : given->entries) {
    if (contains(names, entry.key)) continue;
    if (!expander_.first_time(Code::EFFECT_MACRO_EXTRA_ARGS, entry.key_place)) continue;
    Diagnostic& d = expander_.report.warning(
        Code::EFFECT_MACRO_EXTRA_ARGS, {entry.key_place, use.origin.expansion},
        fmt::format("the macro `{}` has no parameter `{}`", macro.id, entry.key),
        path.text() + ".args." + entry.key);
    d.alternatives = did_you_mean(entry.key, names);
    relate(d, expander_.report.source(), "declared here", macro.place);
  }
  return missing.empty();
}

void EffectMacros::note_traits(const Node& value, std::string_view name, const ParamType& type,
                               const Path& path) {
  if (type.prop.empty()) return;
  const auto note = [&](const Node& text) {
    // `$name` is a binding, which may hold anything.
    if (text.is_string() && !text.text.starts_with('$'))
      expander_.doc.trait_arguments.push_back(
          {type.prop, text.text, text.origin, fmt::format("{}.args.{}", path.text(), name)});
  };
  note(value);
  std::ranges::for_each(value.items, note);
}

bool EffectMacros::check_types(const Node&, const EffectMacro& macro, const Path& path,
                               const Arguments& args) {
  bool fine = true;
  for (const auto& [name, value] : args) {
    const ParamType& type = std::ranges::find(macro.params, name, &MacroParam::name)->type;
    const Fit fit = fits(*value, type);
    if (fit == Fit::fits) {
      note_traits(*value, name, type, path);
      continue;
    }
    fine = false;
    const Code code = fit == Fit::wrong_type ? Code::EFFECT_MACRO_ARG_TYPE
                                             : Code::EFFECT_MACRO_ARG_CONSTRAINT_VIOLATION;
    if (!expander_.first_time(code, value->origin.place)) continue;
    Diagnostic& d =
        expander_.report.error(code, value->origin,
                               fmt::format("the argument `{}` of macro `{}` must be {}, not {}",
                                           name, macro.id, type_text(type), describe(*value)),
                               path.text() + ".args." + name);
    if (fit == Fit::wrong_value && value->is_string()) {
      std::vector<std::string> names;
      for (const Node& allowed : type.values)
        if (allowed.is_string()) names.push_back(allowed.text);
      d.alternatives = did_you_mean(value->text, names);
    }
    if (type.kind == ParamType::Kind::effects && value->is_map())
      d.suggestion = "write the effect as a list item with `- `";
    relate(d, expander_.report.source(), "declared here", macro.place);
  }
  return fine;
}

// Arguments are the caller's text and are expanded as such, before they go into the macro.
void EffectMacros::expand_arguments(Node& use, const EffectMacro& macro, Path& path,
                                    const Frame* frame) {
  Node* given = use.find("args");
  if (given == nullptr) return;
  const auto step = path.key("args");
  for (Entry& entry : given->entries) {
    const auto param = std::ranges::find(macro.params, entry.key, &MacroParam::name);
    if (param == macro.params.end()) continue;
    const bool effects =
        param->type.kind == ParamType::Kind::effect || param->type.kind == ParamType::Kind::effects;
    if (effects && is_use(entry.value)) {
      Node list = Node::of_list(entry.value.origin);
      list.items.push_back(std::move(entry.value));
      entry.value = std::move(list);
    }
    const auto inner = path.key(entry.key);
    expand(entry.value, path, frame);
  }
}

Renaming EffectMacros::rename_locals(const EffectMacro& macro, const Node& use, const Path& path,
                                     const Frame* frame) {
  Renaming out;
  for (const std::string& name : macro.bindings) {
    if (contains(macro.exports, name)) {
      // What the macro exports belongs to whoever uses it: another macro may keep it in turn.
      if (frame != nullptr) out.add(name, frame->renaming->of(name));
      continue;
    }
    std::string fresh = local_name(macro.id, path.text(), name);
    if (!taken_.insert(fresh).second) {
      // Two paths can look alike once their dots are gone.
      for (std::size_t count = 2;; ++count) {
        fresh = local_name(macro.id, fmt::format("{}_{}", path.text(), count), name);
        if (taken_.insert(fresh).second) break;
      }
    }
    out.add(name, fresh);
    if (frame == nullptr) locals_.try_emplace(name, Local{&macro, use.origin.place});
  }
  return out;
}

std::vector<Node> EffectMacros::expand_use(Node use, Path& path, const Frame* frame) {
  constexpr std::string_view keys[] = {"macro", "args"};
  const Node& name = *use.find("macro");
  EffectMacro* macro = find(name, path);
  if (macro == nullptr) return {};
  macro->used = true;
  if (expander_.exhausted) return {};  // said already
  if ((frame == nullptr || expander_.first_time(Code::KEY_UNKNOWN, use.origin.place)) &&
      !only_keys(use, keys, "a macro's use", path.text(), expander_.report))
    return {};  // what is missing may be what has the wrong name
  if (!may_enter(*macro, name, path, frame)) return {};
  Arguments args;
  if (!bind(use, *macro, path, args)) return {};
  if (!check_types(use, *macro, path, args)) return {};
  expand_arguments(use, *macro, path, frame);
  args.clear();
  if (const Node* given = use.find("args"))
    for (const MacroParam& param : macro->params)
      args.emplace_back(param.name, given->find(param.name));

  if (!take_nodes(expander_, count_substituted(macro->effects, args), use.origin, path.text()))
    return {};
  Node body = macro->effects;
  const ExpansionIndex expansion = expander_.report.source().add_expansion(
      {ExpansionKind::effect_macro, macro->id, use.origin.place, macro->place,
       use.origin.expansion});
  mark_expansion(body, expansion);
  const Renaming renaming = rename_locals(*macro, use, path, frame);
  renaming.apply(body);
  substitute(body, args, true);
  const Frame inner{macro, &renaming, frame, frame == nullptr ? 1 : frame->depth + 1};
  expand_list(body.items, path, &inner);
  return std::move(body.items);
}

// K-23: a name that only a macro's inside knows, used after it.
void EffectMacros::check_leaks(const Node& node, const std::vector<std::string>& known,
                               Path& path) {
  if (node.is_string() && node.text.starts_with('$') && node.origin.expansion == 0) {
    const auto local = locals_.find(node.text);
    if (local != locals_.end() && !contains(known, node.text) &&
        std::ranges::find(implicit_bindings, node.text) == implicit_bindings.end()) {
      Diagnostic& d = expander_.report.error(Code::EFFECT_MACRO_BINDING_NOT_EXPORTED, node.origin,
                                             fmt::format("`{}` is known only inside the macro `{}`",
                                                         node.text, local->second.macro->id),
                                             path.text());
      d.suggestion = fmt::format("add it to the macro's exports: `exports: [\"{}\"]`", node.text);
      relate(d, expander_.report.source(), "the macro is used here", local->second.use);
      relate(d, expander_.report.source(), "and declared here", local->second.macro->place);
    }
    return;
  }
  each_child(node, path, [&](const Node& child) { check_leaks(child, known, path); });
}

void expand_effect_macros(Expander& expander) {
  EffectMacros macros{expander};
  for (const Section section : rule_sections()) {
    Node* node = expander.doc.find(section);
    if (node == nullptr) continue;
    Path path{std::string{section_name(section)}};
    const auto expand = [&](Node& element) { macros.expand_element(element, path); };
    const auto expand_each = [&](Node& list) {
      if (list.is_list())
        each_child(list, path, expand);
      else
        expand(list);
    };
    // `setup` is itself a list of effects; elsewhere the items are records.
    if (section == Section::setup)
      expand(*node);
    else if (node->is_list())
      each_child(*node, path, expand);
    else
      each_child(*node, path, expand_each);
  }
  macros.check_unused();
  expander.doc.effect_macros = macros.ids();
  expander.doc.drop(Section::effectMacros);
}

}  // namespace parlor::spec
