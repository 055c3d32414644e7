#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/names.h"
#include "spec/lower/readers.h"

namespace parlor::spec::lower {
namespace {

std::size_t closing_brace(std::string_view name, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < name.size(); ++at) {
    depth += name[at] == '{' ? 1 : name[at] == '}' ? -1 : 0;
    if (depth == 0) return at;
  }
  return std::string_view::npos;
}

// {placeholders} in a name are bindings themselves, and may have placeholders of their own. In a
// binder's name one that means nothing stays as it is written.
enum class Role : std::uint8_t { binder, mention, same_as_binder };
void check_placeholders(Context& cx, const Node& node, std::string_view name, Role role) {
  for (std::size_t open = name.find('{'); open != std::string_view::npos;) {
    const std::size_t close = closing_brace(name, open);
    if (close == std::string_view::npos) return;
    const std::string_view inner = name.substr(open + 1, close - open - 1);
    if (role == Role::mention || has_placeholder(inner) || cx.scope.find(inner) != nullptr ||
        cx.scope.find_gone(inner))
      use_binding(cx, node, inner, Strictness::lenient);
    else if (role == Role::binder)
      cx.warning(Code::BINDING_UNBOUND, node,
                 fmt::format("nothing is bound to `{}`: it stays part of the name as it is", inner))
          .alternatives = did_you_mean(inner, cx.scope.visible_names());
    open = name.find('{', close);
  }
}

bool check_binder_name(Context& cx, const Node& node) {
  const std::string& name = node.text;
  if (!name.starts_with('$') || name.size() < 2) {
    Diagnostic& d = cx.error(Code::BINDING_NAME, node,
                             fmt::format("`{}` cannot name a binding: a `$` is missing", name));
    d.suggestion = fmt::format("write \"${}\"", name);
    return false;
  }
  if (name.starts_with("$__") && node.origin.expansion == 0) {
    cx.error(Code::BINDING_RESERVED, node,
             fmt::format("`{}`: names that begin with `$__` belong to the compiler", name))
        .suggestion = "begin the name with a letter after the `$`";
    return false;
  }
  return true;
}

// The macro a compiler-made name comes from, if it stands for `$stem`.
bool is_macro_local(std::string_view declared, std::string_view used) {
  const std::string_view prefix = "$__macro_";
  if (!declared.starts_with(prefix) || !used.starts_with('$')) return false;
  const std::string tail = fmt::format("_{}", used.substr(1));
  return declared.ends_with(tail);
}

void explain_unbound(Context& cx, Diagnostic& d, std::string_view name) {
  if (cx.flooded()) return;
  const Scope& scope = cx.scope;
  if (!name.starts_with('$') && scope.find(fmt::format("${}", name)) != nullptr) {
    d.suggestion = fmt::format("a `$` is missing: write \"${}\"", name);
    d.alternatives = {fmt::format("${}", name)};
    return;
  }
  for (const std::string_view player : {"$actor", "$active", "$left", "$right", "$next"})
    if (name == player) {
      d.suggestion = fmt::format("players are called without `$`: `{}`", player.substr(1));
      return;
    }
  if (const auto gone = scope.find_gone(name)) {
    d.message = fmt::format("`{}` is not visible here: {}", name, gone->why);
    if (gone->binding.origin.place.known())
      d.related.push_back(
          {fmt::format("`{}` is made here", name), cx.doc.source.span(gone->binding.origin.place)});
    return;
  }
  for (const Binding& binding : scope.ever()) {
    if (!is_macro_local(binding.name, name)) continue;
    const Expansion& expansion = cx.doc.source.expansion(binding.origin.expansion);
    d.code = Code::EFFECT_MACRO_BINDING_NOT_EXPORTED;
    d.message = fmt::format("`{}` is local to the macro{} and not exported", name,
                            expansion.name.empty() ? "" : fmt::format(" `{}`", expansion.name));
    d.suggestion = fmt::format("add \"{}\" to the macro's `exports`", name);
    return;
  }
  d.alternatives = did_you_mean(name, scope.visible_names());
  const std::vector<std::string> visible = scope.visible_names();
  if (d.alternatives.empty())
    d.suggestion = visible.empty() || visible.size() > 10
                       ? "make it first, e.g. with `bindValue` or `chooseOne`"
                       : fmt::format("visible here: {}", name_list(visible));
}

}  // namespace

namespace {

std::string declare(Context& cx, const Node& node, const Type& type, bool chosen) {
  const std::string name = read_id(cx, node, "the name of a binding");
  if (name.empty()) return name;
  if (!check_binder_name(cx, node)) {
    // Mentions of the name as it should have been are fine.
    cx.scope.declare({fmt::format("${}", name), {}, node.origin});
    cx.scope.declare({name, {}, node.origin});
    return name;
  }
  if (has_placeholder(name)) {
    check_placeholders(cx, node, name, Role::binder);
  } else if (const Binding* before = cx.scope.find(name);
             before != nullptr && before->name == name && before->origin.place.known()) {
    Diagnostic& d = cx.warning(Code::BINDING_SHADOWED, node,
                               fmt::format("`{}` hides a binding of the same name", name));
    d.suggestion = "give one of them another name";
    d.related.push_back({"the other one", cx.doc.source.span(before->origin.place)});
  }
  cx.scope.declare({name, type, node.origin, chosen && has_placeholder(name)});
  return name;
}

}  // namespace

std::string declare_binding(Context& cx, const Node& node, const Type& type) {
  return declare(cx, node, type, false);
}

std::string declare_choice(Context& cx, const Node& node, const Type& type) {
  return declare(cx, node, type, true);
}

Type use_binding(Context& cx, const Node& node, std::string_view name, Strictness strictness) {
  if (const Binding* binding = cx.scope.find(name)) {
    if (has_placeholder(name))
      check_placeholders(cx, node, name,
                         binding->name == name ? Role::same_as_binder : Role::mention);
    return binding->type;
  }
  if (strictness == Strictness::lenient)
    if (const auto gone = cx.scope.find_gone(name)) return gone->binding.type;
  if (cx.scope.open()) return {};
  Diagnostic& d =
      cx.error(Code::BINDING_UNBOUND, node, fmt::format("nothing is bound to `{}`", name));
  explain_unbound(cx, d, name);
  return {};
}

std::string read_token(Context& cx, const Node& given) {
  const Settled selector = as_selector(cx, given);
  const Node& node = selector;
  const std::string name = read_id(cx, node, "a binding that holds a token");
  if (name.empty()) return name;
  const Type type = use_binding(cx, node, name, Strictness::lenient);
  if (type.known() && type.kind != Kind::token && type.kind != Kind::string)
    cx.error(Code::BINDING_KIND, node,
             fmt::format("`{}` holds {}, but a token is needed", name, describe(type)));
  return name;
}

std::string read_row(Context& cx, const Node& given, std::string_view table) {
  const Settled selector = as_selector(cx, given);
  const Node& node = selector;
  const std::string name = read_id(cx, node, "a binding that holds a table row");
  if (name.empty()) return name;
  const Type type = use_binding(cx, node, name, Strictness::strict);
  if (type.known() && type.kind != Kind::row)
    cx.error(Code::BINDING_KIND, node,
             fmt::format("`{}` holds {}, but a table row is needed", name, describe(type)));
  else if (!type.table.empty() && !table.empty() && type.table != table)
    cx.error(Code::BINDING_KIND, node,
             fmt::format("`{}` holds a row of `{}`, not of `{}`", name, type.table, table));
  return name;
}

}  // namespace parlor::spec::lower
