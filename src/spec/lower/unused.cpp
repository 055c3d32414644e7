#include "spec/lower/unused.h"

#include <fmt/core.h>
#include <set>

#include "spec/gamedef/forms.h"

namespace parlor::spec {
namespace {

using Names = std::set<std::string, std::less<>>;

std::string base_of_zone(std::string_view id) {
  return std::string{id.substr(0, id.find(':'))};
}

// Every name of a variable, and every zone, that stands somewhere in the rules.
struct Mentioned {
  Names variables;
  Names changed;                    // variables that some rule gives a value
  bool variables_computed = false;  // some are known only while playing
  Names filled;                     // zones that tokens are put into, by base
  bool any_space = false;           // some are put into a zone known only while playing
  bool any_zone = false;            // which may be one that is no space of a board
  Names texts;
  Names searched;  // zones whose tokens are asked for

  void fill(const ZoneSel& zone) {
    if (zone.kind == ZoneSel::Kind::exact || zone.kind == ZoneSel::Kind::owned)
      filled.insert(base_of_zone(zone.text));
    else
      any_space = true;
    any_zone |= zone.kind == ZoneSel::Kind::expression;
  }
  void search(const ZoneSel& zone) {
    if (zone.kind == ZoneSel::Kind::exact || zone.kind == ZoneSel::Kind::owned)
      searched.insert(base_of_zone(zone.text));
  }

  void look_at(Part part) {
    visit_if<Name, VarCell, PriceItem, TriggerDef, TimedEffectDef, RoundsDef, std::string,
             ZonesQuery, CreateToken, MoveToken, MoveTokenAdjacent, MoveAll, Draw, RemovalGroup,
             ZoneDef, TokensInZoneQuery, ZoneCountRef>(part, [&](const auto& one) { note(one); });
    if (part.as<Display>() != nullptr || part.as<Verbalization>() != nullptr) return;
    if (part.as<ZoneDef>() == nullptr)  // its own name is no mention of it
      each_part(part, [&](Part inner) { look_at(inner); });
  }

  void note(const Name& part) {
    variables.insert(part.text);
    variables_computed |= part.kind != Name::Kind::literal;
  }
  void note(const VarCell& part) { changed.insert(part.var.text); }
  void note(const PriceItem& part) {
    variables.insert(part.var);
    changed.insert(part.var);
  }
  void note(const TriggerDef& part) {
    if (part.var) variables.insert(*part.var);
  }
  void note(const TimedEffectDef& part) {
    for (const NamedModifier& delta : part.cost_delta) variables.insert(delta.name);
  }
  void note(const RoundsDef& part) {
    variables.insert(part.reset_each_round.begin(), part.reset_each_round.end());
    changed.insert(part.reset_each_round.begin(), part.reset_each_round.end());
  }
  void note(const std::string& part) { texts.insert(base_of_zone(part)); }
  void note(const ZonesQuery& part) { any_zone |= !part.board_only && part.zone_kind != "board"; }
  void note(const CreateToken& part) { fill(part.zone); }
  void note(const MoveToken& part) {
    fill(part.to);
    search(part.from);
  }
  void note(const MoveTokenAdjacent&) { any_space = true; }
  void note(const MoveAll& part) {
    fill(part.to);
    search(part.from);
  }
  void note(const Draw& part) {
    fill(part.to);
    search(part.from);
  }
  void note(const RemovalGroup& part) { fill(part.to); }
  void note(const ZoneDef& part) {
    if (part.deck && !part.deck->reshuffle_from.empty()) filled.insert(part.base);
  }
  void note(const TokensInZoneQuery& part) { search(part.zone); }
  void note(const ZoneCountRef& part) { search(part.zone); }
};

// Sections that are kept as data may speak of variables, too.
void collect_words(const nlohmann::json& json, Names& out) {
  if (json.is_string()) out.insert(json.get<std::string>());
  if (!json.is_structured()) return;
  for (const auto& [key, part] : json.items()) {
    if (json.is_object()) out.insert(key);
    collect_words(part, out);
  }
}

void warn(const GameSpecDoc& doc, const Origin& origin, Code code, std::string message,
          std::string path, Diagnostics& out) {
  Diagnostic d = doc.source.at(code, origin, std::move(message), std::move(path));
  d.severity = Severity::warning;
  out.add(std::move(d));
}

void find_unused_variables(const Mentioned& mentioned, const GameSpecDoc& doc, Diagnostics& out) {
  if (mentioned.variables_computed) return;
  for (const Section section : {Section::globalVars, Section::perPlayerVars, Section::zoneVars}) {
    const Node* list = doc.find(section);
    if (list == nullptr || !list->is_list()) continue;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const Node* name = list->items[i].find("name");
      // What the compiler made up for an offer or a memory is its own business.
      if (name == nullptr || !name->is_string() || name->text.find('.') != std::string::npos ||
          name->text.starts_with('_') || name->origin.place.file != 0 ||
          name->origin.expansion != 0 || mentioned.variables.contains(name->text))
        continue;
      warn(doc, name->origin, Code::NAME_UNUSED,
           fmt::format("no rule reads or changes the variable `{}`", name->text),
           fmt::format("{}.{}.name", section_name(section), i), out);
    }
  }
}

// A variable that is compared here and that no rule ever changes, if nothing else is.
const std::string* compared_in_vain(const Value& value, const Mentioned& mentioned) {
  const auto* of_game = std::get_if<GvarRef>(&value.node);
  const auto* of_player = std::get_if<PvarRef>(&value.node);
  const Name* name = of_game != nullptr     ? &of_game->var
                     : of_player != nullptr ? &of_player->var
                                            : nullptr;
  return name != nullptr && !mentioned.changed.contains(name->text) ? &name->text : nullptr;
}

const std::string* waits_in_vain(const Condition& condition, const Mentioned& mentioned) {
  if (const auto* all = std::get_if<AllOf>(&condition.node))
    for (const Condition& part : all->args)
      if (const std::string* variable = waits_in_vain(part, mentioned)) return variable;
  const auto* compared = std::get_if<Compare>(&condition.node);
  if (compared == nullptr) return nullptr;
  const auto is_written = [](const Value& value) {
    return std::holds_alternative<Int>(value.node) || std::holds_alternative<bool>(value.node) ||
           std::holds_alternative<std::string>(value.node);
  };
  if (is_written(compared->right)) return compared_in_vain(compared->left, mentioned);
  return is_written(compared->left) ? compared_in_vain(compared->right, mentioned) : nullptr;
}

// An end that waits for a number nothing changes.
void find_ends_in_vain(const GameDef& game, const Mentioned& mentioned, Diagnostics& out) {
  if (mentioned.variables_computed) return;
  for (const TerminalCondition& end : game.terminal.conditions) {
    const std::string* variable = waits_in_vain(end.when, mentioned);
    const std::size_t place = end.when.at.index;
    if (variable == nullptr || place >= game.places.size()) continue;
    const PlaceRecord& at = game.places[place];
    Diagnostic d{Code::GAME_ENDLESS, Severity::warning,
                 fmt::format("the game never ends this way: no rule ever changes `{}`", *variable)};
    d.path = at.path;
    d.span.file = at.file;
    d.span.line = static_cast<std::uint32_t>(at.line);
    d.span.column = static_cast<std::uint32_t>(at.column);
    out.add(std::move(d));
  }
}

// Only zones that the rules look into: one that nobody looks into and nothing goes to is scenery.
void find_empty_zones(const GameDef& game, const Mentioned& mentioned, const GameSpecDoc& doc,
                      Diagnostics& out) {
  const Node* list = doc.find(Section::zones);
  if (list == nullptr || !list->is_list() || mentioned.any_zone) return;
  for (const ZoneDef& zone : game.zones) {
    const bool space = zone.kind == ZoneKind::board;
    if (!mentioned.searched.contains(zone.base) || mentioned.filled.contains(zone.base) ||
        (space && mentioned.any_space) || mentioned.texts.contains(zone.base))
      continue;
    for (const Node& item : list->items) {
      const Node* id = item.find("id");
      if (id == nullptr || !id->is_string() || base_of_zone(id->text) != zone.base) continue;
      warn(doc, id->origin, Code::ZONE_NEVER_FILLED,
           fmt::format("the rules look into `{}`, but nothing ever puts a token there", zone.base),
           "zones", out);
    }
  }
}

}  // namespace

Diagnostics without_unused(const Diagnostics& diagnostics) {
  Diagnostics out;
  for (const Diagnostic& d : diagnostics.all())
    if (d.code != Code::NAME_UNUSED) out.add(d);
  return out;
}

void find_unused(const GameDef& game, const GameSpecDoc& doc, Diagnostics& diagnostics) {
  if (game.turn_order.kind == TurnOrderKind::card_driven || !game.event_decks.empty() ||
      !game.modules.empty())
    return;
  Mentioned mentioned;
  mentioned.look_at(Part::of(game));
  collect_words(game.sections, mentioned.variables);
  collect_words(encoded(Part::of(game.observers)), mentioned.variables);
  find_unused_variables(mentioned, doc, diagnostics);
  find_empty_zones(game, mentioned, doc, diagnostics);
  find_ends_in_vain(game, mentioned, diagnostics);
}

}  // namespace parlor::spec
