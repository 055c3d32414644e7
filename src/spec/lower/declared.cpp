// Names of what a game declares: actions, phases, token types, markers, zones.
#include <algorithm>
#include <fmt/core.h>

#include "spec/gamedef/language.h"
#include "spec/lower/readers.h"

namespace parlor::spec::lower {
namespace {

// What has a name that the game declares.
struct Declared {
  Expects expects;
  std::string_view what;
  Code unknown;
  bool (*has)(const Symbols&, const std::string& name);
  std::vector<std::string> (*names)(const Symbols&);
};
bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::ranges::find(list, name) != list.end();
}
template <class Info>
bool contains(const Table<Info>& table, const std::string& name) {
  return table.contains(name);
}
const std::vector<std::string>& names_in(const std::vector<std::string>& list) {
  return list;
}
template <class Info>
std::vector<std::string> names_in(const Table<Info>& table) {
  return names_of(table);
}
template <auto... in>
constexpr Declared declared_in(Expects expects, std::string_view what, Code unknown) {
  return {expects, what, unknown,
          [](const Symbols& s, const std::string& name) { return (contains(s.*in, name) || ...); },
          [](const Symbols& s) {
            std::vector<std::string> out;
            const auto add = [&](const std::vector<std::string>& names) {
              out.insert(out.end(), names.begin(), names.end());
            };
            (add(names_in(s.*in)), ...);
            return out;
          }};
}
using S = Symbols;
constexpr Declared things[] = {
    declared_in<&S::phases, &S::interrupts>(Expects::phase, "phase", Code::PHASE_UNKNOWN),
    declared_in<&S::actions>(Expects::action, "action", Code::ACTION_UNKNOWN),
    declared_in<&S::timed_effects>(Expects::timed_effect, "timed effect",
                                   Code::TIMED_EFFECT_UNKNOWN),
    declared_in<&S::token_types>(Expects::token_type, "token type", Code::TOKEN_TYPE_UNKNOWN),
    declared_in<&S::props>(Expects::token_prop, "token property", Code::TOKEN_PROP_UNKNOWN),
    declared_in<&S::markers>(Expects::marker, "marker", Code::MARKER_UNKNOWN),
    declared_in<&S::global_markers>(Expects::global_marker, "global marker", Code::MARKER_UNKNOWN),
    declared_in<&S::markers, &S::global_markers>(Expects::any_marker, "marker",
                                                 Code::MARKER_UNKNOWN),
    declared_in<&S::per_player_vars>(Expects::player_var, "player variable", Code::VAR_UNKNOWN),
    declared_in<&S::global_vars>(Expects::global_var, "global variable", Code::VAR_UNKNOWN),
    declared_in<&S::global_vars, &S::per_player_vars, &S::zone_vars>(Expects::variable, "variable",
                                                                     Code::VAR_UNKNOWN),
    declared_in<&S::attributes>(Expects::zone_attribute, "zone attribute",
                                Code::ZONE_ATTRIBUTE_UNKNOWN),
};

// Zones are named by their base, which means all of that name, or one by its full id.
bool names_zones(const Context& cx, std::string_view name) {
  const std::size_t colon = name.find(':');
  const ZoneInfo* zone = find_in(cx.symbols.zones, name.substr(0, colon));
  if (zone == nullptr || colon == std::string_view::npos) return zone != nullptr;
  const std::string_view whose = name.substr(colon + 1);
  if (zone->owner == ZoneOwner::none) return whose == "none";
  for (Int player = 0; player < cx.symbols.max_players; ++player)
    if (whose == std::to_string(player)) return true;
  return false;
}

}  // namespace

std::string read_declared(Context& cx, const Node& node, Expects expects) {
  const Declared& one = *std::ranges::find(things, expects, &Declared::expects);
  std::string out = read_id(cx, node, fmt::format("the name of a {}", one.what));
  if (out.empty() || one.has(cx.symbols, out)) return out;
  const std::vector<std::string> names = one.names(cx.symbols);
  if (expects != Expects::phase || !names.empty())  // that there are no phases was said
    cx.unknown(one.unknown, node, one.what, out, names);
  return out;
}

void check_name(Context& cx, const Node& name, const FieldSpec& spec) {
  if (has_word(spec.name_words, name.text)) return;
  const std::vector<std::string_view> words = words_of(spec.name_words);
  switch (spec.names) {
    case Expects::text:
    case Expects::key:
      return;
    case Expects::word:
      return report_word(cx, name, spec.name_noun, {words.begin(), words.end()});
    case Expects::zone:
      if (!names_zones(cx, name.text))
        cx.unknown(Code::ZONE_UNKNOWN, name, "zone", name.text, names_of(cx.symbols.zones));
      return;
    case Expects::seat:
      read_seat(cx, name);
      return;
    default:
      read_declared(cx, name, spec.names);
  }
}

}  // namespace parlor::spec::lower
