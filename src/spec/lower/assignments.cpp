#include "spec/lower/assignments.h"

#include <fmt/core.h>

#include "spec/expand/build.h"
#include "spec/lower/names.h"

namespace parlor::spec::lower {
namespace {

// The variable a reference reads, as {scope, var, …}; nothing for other references.
std::optional<Node> cell_of(const Node& reference) {
  const Node* ref = reference.find("ref");
  const Build b{reference.origin};
  if (ref == nullptr || !(ref->is("gvar") || ref->is("pvar") || ref->is("zoneVar")))
    return std::nullopt;
  Node out = b.map({{"scope", b.text(ref->is("gvar") ? "global" : ref->text)}});
  for (const Entry& entry : reference.entries)
    if (entry.key != "ref") out.set(entry.key, entry.value);
  return out;
}

Diagnostic& not_assignable(Context& cx, const Node& target, std::string_view what) {
  Diagnostic& d =
      cx.error(Code::ASSIGNMENT_TARGET, target, fmt::format("{} cannot be assigned", what));
  d.suggestion = "variables, markers and properties of tokens can be";
  return d;
}

// A zone as people write it.
std::string_view written_zone(std::string_view zone) {
  return zone.ends_with(":none") ? zone.substr(0, zone.size() - 5) : zone;
}

// How much of what: the name of an effect and what stands under it.
struct Meant {
  std::string_view effect;
  Node body;
};

std::optional<Meant> effect_of(const Node& target, const Node& amount, const Build& b, bool adds) {
  if (auto cell = cell_of(target)) {
    cell->set(adds ? "delta" : "value", amount);
    return Meant{adds ? "addVar" : "setVar", std::move(*cell)};
  }
  const Node* ref = target.find("ref");
  if (ref == nullptr) return std::nullopt;
  const auto changed = [&](std::string_view to) {
    Node out = b.map({{to, amount}});
    for (const Entry& entry : target.entries)
      if (entry.key != "ref") out.set(entry.key, entry.value);
    return out;
  };
  if (ref->is("markerState"))
    return adds ? Meant{"shiftMarker", changed("delta")} : Meant{"setMarker", changed("state")};
  if (ref->is("globalMarkerState"))
    return adds ? Meant{"shiftGlobalMarker", changed("delta")}
                : Meant{"setGlobalMarker", changed("state")};
  if (!ref->is("tokenProp")) return std::nullopt;
  Node out = changed("value");
  if (adds) out.set("value", b.map({{"op", b.text("+")}, {"left", target}, {"right", amount}}));
  return Meant{"setTokenProp", std::move(out)};
}

}  // namespace

std::optional<Node> endpoint_cell(Context& cx, const Node& node, const Node* from) {
  const std::size_t before = cx.errors();
  const Settled settled = settle(cx, node);
  if (cx.errors() > before) return std::nullopt;
  if (auto cell = cell_of(settled)) return cell;
  const Settled selector = as_selector(cx, settled);
  const Node& who = selector;
  if (from != nullptr && (who.is_string() || who.is_integer())) {
    auto same = cell_of(settle(cx, *from));
    if (same && same->has("player")) {
      same->set("player", who);
      return same;
    }
  }
  not_assignable(cx, node, "this is no variable, so it");
  return std::nullopt;
}

EffectNode read_assignment(Context& cx, const Node& node, bool adds) {
  Fields fields{cx, node, adds ? "add" : "set"};
  const Node* target = fields.required("target");
  const Node* amount = fields.required(adds ? "delta" : "value");
  if (target == nullptr || amount == nullptr) return SetVar{};
  const std::size_t before = cx.errors();
  const Settled settled = settle(cx, *target);
  const Node& meant = settled;
  if (cx.errors() > before) return SetVar{};
  const Build b{node.origin};
  if (const auto found = effect_of(meant, *amount, b, adds)) {
    noted(cx, node, b.map({{found->effect, found->body}}));
    return read_effect_as(cx, found->effect, found->body);
  }
  const Node* ref = meant.find("ref");
  const bool binding = ref != nullptr && ref->is("binding") && meant.has("name");
  Diagnostic& d = not_assignable(
      cx, *target,
      binding ? fmt::format("the binding `{}`", meant.find("name")->text) : std::string{"this"});
  if (binding) d.suggestion = "bind another name with `let $new = …`";
  if (meant.is_string())
    d.suggestion = fmt::format("tokens are moved: `move $token to {}`, `move all from ZONE to {}`",
                               written_zone(meant.text), written_zone(meant.text));
  return SetVar{};
}

}  // namespace parlor::spec::lower
