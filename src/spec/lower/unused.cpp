// What is declared and never used (L-20).
#include <fmt/core.h>
#include <set>

#include "spec/gamedef/parts.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

// Every name of a variable that stands somewhere in the rules.
struct VariableNames {
  std::set<std::string, std::less<>> said;
  bool computed = false;  // some are known only while playing

  template <class T>
  void look_at(const T& part) {
    if constexpr (std::is_same_v<T, Name>) {
      said.insert(part.text);
      computed |= part.kind != Name::Kind::literal;
    } else if constexpr (std::is_same_v<T, PriceItem>) {
      said.insert(part.var);
    } else if constexpr (std::is_same_v<T, TriggerDef>) {
      if (part.var) said.insert(*part.var);
    } else if constexpr (std::is_same_v<T, TimedEffectDef>) {
      for (const NamedModifier& delta : part.cost_delta) said.insert(delta.name);
    } else if constexpr (std::is_same_v<T, RoundsDef>) {
      said.insert(part.reset_each_round.begin(), part.reset_each_round.end());
    }
    each_part(part, [&](const auto& inner) { look_at(inner); });
  }
};

// Sections that are kept as data may speak of variables, too.
void collect_words(const nlohmann::json& json, std::set<std::string, std::less<>>& out) {
  if (json.is_string()) out.insert(json.get<std::string>());
  if (!json.is_structured()) return;
  for (const auto& [key, part] : json.items()) {
    if (json.is_object()) out.insert(key);
    collect_words(part, out);
  }
}

}  // namespace

void warn_unused_variables(Context& cx) {
  const GameDef& game = cx.game;
  if (cx.errors() != 0 || game.turn_order.kind == TurnOrderKind::card_driven) return;
  if (!game.event_decks.empty() || !game.modules.empty()) return;
  VariableNames names;
  names.look_at(game);
  if (names.computed) return;
  for (const auto& [section, kept] : game.sections.items())
    if (section != "verbalization" && section != "display") collect_words(kept, names.said);
  for (const Section section : {Section::globalVars, Section::perPlayerVars, Section::zoneVars}) {
    const Node* list = cx.doc.find(section);
    if (list == nullptr || !list->is_list()) continue;
    const auto step = cx.step(section_name(section));
    for (const Node& item : list->items) {
      const Node* name = item.find("name");
      // What the compiler made up for an offer or a memory is its own business.
      if (name == nullptr || !name->is_string() || name->origin.expansion != 0 ||
          name->text.find_first_of("._") != std::string::npos || names.said.contains(name->text))
        continue;
      cx.warning(Code::NAME_UNUSED, *name,
                 fmt::format("no rule reads or changes the variable `{}`", name->text));
    }
  }
}

}  // namespace parlor::spec::lower
