#include <algorithm>
#include <fmt/core.h>

#include "spec/expand/effect_macros.h"
#include "spec/slips.h"

namespace parlor::spec {
namespace {

// Ids of the macros a body uses, in order of appearance.
void collect_uses(const Node& node, std::vector<std::string>& out) {
  for (const Node& item : node.items) collect_uses(item, out);
  if (const auto id = node.find_string("macro")) out.emplace_back(*id);
  for (const Entry& entry : node.entries) collect_uses(entry.value, out);
}

}  // namespace

EffectMacros::EffectMacros(Expander& expander) : expander_(expander) {
  const auto ids = declared_ids(expander, Section::effectMacros, "macro",
                                Code::EFFECT_MACRO_INVALID, Code::EFFECT_MACRO_DUPLICATE_ID);
  const Node* section = expander.doc.find(Section::effectMacros);
  for (const auto& [id, index] : ids)
    declare(id, section->items[index], fmt::format("effectMacros.{}", index));
  collect_bindings();
  for (const auto& [id, index] : ids) {
    const EffectMacro* macro = lookup(id);
    if (macro != nullptr) check_exports(section->items[index], *macro);
  }
}

EffectMacro* EffectMacros::lookup(const std::string& id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &macros_[found->second];
}

void EffectMacros::declare(const std::string& id, const Node& item, const std::string& path) {
  constexpr std::string_view keys[] = {"id", "params", "exports", "effects", "description"};
  only_keys(item, keys, "a macro", path, expander_.report);
  EffectMacro macro;
  macro.id = id;
  macro.path = path;
  macro.place = item.find("id")->origin.place;
  bool fine = declare_params(item, macro);
  declare_exports(item, macro);
  const Node* effects = item.find("effects");
  if (effects == nullptr || !effects->is_list()) {
    expander_.report
        .error(Code::EFFECT_MACRO_INVALID, effects != nullptr ? effects->origin : item.origin,
               fmt::format("the macro `{}` needs `effects`: a list", id), path)
        .suggestion = "write the effects as list items below `effects:`";
    fine = false;
  }
  if (!fine) {
    broken_.push_back(id);
    return;
  }
  macro.effects = *effects;
  Path body{path + ".effects"};
  check_body(macro.effects, macro, body);
  by_id_.emplace(id, macros_.size());
  macros_.push_back(std::move(macro));
}

std::vector<std::string> EffectMacros::ids() const {
  std::vector<std::string> out = broken_;
  for (const EffectMacro& macro : macros_) out.push_back(macro.id);
  return out;
}

bool EffectMacros::declare_params(const Node& item, EffectMacro& macro) {
  const Node* params = item.find("params");
  if (params == nullptr || params->is_null()) return true;
  const auto fail = [&](Code code, const Node& at, std::string message,
                        std::size_t i) -> Diagnostic& {
    return expander_.report.error(code, at.origin, std::move(message),
                                  fmt::format("{}.params.{}", macro.path, i));
  };
  if (!params->is_list()) {
    expander_.report
        .error(Code::EFFECT_MACRO_INVALID, params->origin,
               "`params` must be a list of {name, type}", macro.path + ".params")
        .suggestion = fmt::format(
        "write `params: [{{name: {}, type: number}}]`",
        params->is_map() && !params->entries.empty() ? params->entries.front().key : "amount");
    return false;
  }
  bool fine = true;
  for (std::size_t i = 0; i < params->items.size(); ++i) {
    const Node& param = params->items[i];
    const auto name = param.find_string("name");
    if (!name || name->empty()) {
      fail(Code::EFFECT_MACRO_INVALID, param, "a parameter needs a `name` and a `type`", i)
          .suggestion =
          fmt::format("write `{{name: {}, type: …}}`", param.is_string() ? param.text : "amount");
      fine = false;
      continue;
    }
    constexpr std::string_view keys[] = {"name", "type", "description"};
    only_keys(param, keys, "a parameter", fmt::format("{}.params.{}", macro.path, i),
              expander_.report);
    if (std::ranges::find(macro.params, *name, &MacroParam::name) != macro.params.end()) {
      fail(Code::EFFECT_MACRO_PARAM_DUPLICATE, *param.find("name"),
           fmt::format("the macro `{}` declares the parameter `{}` twice", macro.id, *name), i);
      continue;
    }
    const Node* type = param.find("type");
    const auto known = type != nullptr ? read_param_type(*type) : std::nullopt;
    if (!known) {
      Diagnostic& d =
          fail(Code::EFFECT_MACRO_PARAM_TYPE_INVALID, type != nullptr ? *type : param,
               type == nullptr ? fmt::format("the parameter `{}` needs a `type`", *name)
                               : fmt::format("the type of `{}` is {}, which is none of the "
                                             "parameter types",
                                             *name, describe(*type)),
               i);
      if (type != nullptr) suggest_param_type(d, *name, *type);
    }
    // An unknown type is reported once; the parameter then takes anything.
    macro.params.push_back({std::string{*name}, known.value_or(ParamType{})});
  }
  return fine;
}

void EffectMacros::declare_exports(const Node& item, EffectMacro& macro) {
  const Node* exports = item.find("exports");
  if (exports == nullptr || exports->is_null()) return;
  if (!exports->is_list()) {
    expander_.report
        .error(Code::EFFECT_MACRO_INVALID, exports->origin,
               "`exports` must be a list of binding names", macro.path + ".exports")
        .suggestion = "write `exports: [\"$result\"]`, or `exports: []`";
    return;
  }
  for (const Node& name : exports->items)
    if (name.is_string()) macro.exports.push_back(name.text);
}

// Parameters used but not declared, and names only the compiler may use.
void EffectMacros::check_body(const Node& node, const EffectMacro& macro, Path& path) {
  if (const Node* name = param_name(node)) {
    if (std::ranges::find(macro.params, name->text, &MacroParam::name) != macro.params.end())
      return;
    Diagnostic& d = expander_.report.error(
        Code::EFFECT_MACRO_PARAM_UNDECLARED, name->origin,
        fmt::format("the macro `{}` has no parameter `{}`", macro.id, name->text), path.text());
    std::vector<std::string> names;
    for (const MacroParam& param : macro.params) names.push_back(param.name);
    d.alternatives = did_you_mean(name->text, names);
    if (d.alternatives.empty())
      d.suggestion = fmt::format("declare it in `params` of `{}`", macro.id);
    return;
  }
  each_branch(node, path, [&](const Node& child) { check_body(child, macro, path); });
}

// A macro makes the bindings in its body and those that the macros it uses export. Exports of
// exports settle after at most as many rounds as macros can be nested.
void EffectMacros::collect_bindings() {
  std::vector<std::vector<std::string>> uses(macros_.size());
  for (std::size_t i = 0; i < macros_.size(); ++i) {
    macros_[i].bindings = declared_bindings(macros_[i].effects);
    collect_uses(macros_[i].effects, uses[i]);
  }
  for (std::size_t round = 0; round < effect_macro_depth; ++round) {
    bool changed = false;
    for (std::size_t i = 0; i < macros_.size(); ++i) {
      for (const std::string& id : uses[i]) {
        const EffectMacro* used = lookup(id);
        if (used == nullptr) continue;
        for (const std::string& name : used->exports) {
          if (!contains(used->bindings, name) || contains(macros_[i].bindings, name)) continue;
          macros_[i].bindings.push_back(name);
          changed = true;
        }
      }
    }
    if (!changed) return;
  }
}

void EffectMacros::check_exports(const Node& item, const EffectMacro& macro) {
  const Node* exports = item.find("exports");
  if (exports == nullptr || !exports->is_list()) return;
  for (std::size_t i = 0; i < exports->items.size(); ++i) {
    const Node& name = exports->items[i];
    if (name.is_string() && contains(macro.bindings, name.text)) continue;
    Diagnostic& d = expander_.report.error(
        Code::EFFECT_MACRO_EXPORT_UNKNOWN_BINDING, name.origin,
        fmt::format("the macro `{}` exports {}, but makes no such binding", macro.id,
                    name.is_string() ? "`" + name.text + "`" : describe(name)),
        fmt::format("{}.exports.{}", macro.path, i));
    d.alternatives = did_you_mean(name.text, macro.bindings);
    if (d.alternatives.empty())
      d.suggestion = macro.bindings.empty() ? "it makes no bindings; remove the export"
                                            : fmt::format("it makes {}", name_list(macro.bindings));
  }
}

}  // namespace parlor::spec
