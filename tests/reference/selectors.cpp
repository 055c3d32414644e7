// Selectors: section 9 of the language.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

Rules::Rules(GameDef game, int player_count) : def(std::move(game)), players(player_count) {
  for (const ZoneDef& zone : def.zones) {
    if (zone.owner == ZoneOwner::none) {
      zones[zone.base + ":none"] = &zone;
      continue;
    }
    for (int p = 0; p < players; ++p) {
      const std::string id = zone.base + ":" + std::to_string(p);
      zones[id] = &zone;
      zone_owner[id] = p;
    }
  }
  find_card_zones();
  for (const char* timing : {"duringCoup", "finalCoup"})
    for (const Checkpoint& checkpoint : def.terminal.checkpoints)
      if (checkpoint.timing == timing)
        endings.push_back({checkpoint.id, &checkpoint.when, checkpoint.phases, ResultKind::win,
                           nullptr, checkpoint.seat, nullptr});
  for (std::size_t i = 0; i < def.terminal.conditions.size(); ++i) {
    const TerminalCondition& c = def.terminal.conditions[i];
    endings.push_back({c.id.empty() ? "terminal." + std::to_string(i) : c.id,
                       &c.when,
                       {},
                       c.result,
                       c.player ? &*c.player : nullptr,
                       std::nullopt,
                       c.winners ? &*c.winners : nullptr});
  }
}

bool Rules::together(int a, int b) const {
  if (a == b) return true;
  for (const TeamDef& team : def.teams)
    if (std::ranges::count(team.players, a) != 0 && std::ranges::count(team.players, b) != 0)
      return true;
  return false;
}

const PhaseDef* Rules::phase(const std::string& id) const {
  for (const auto* list : {&def.phases, &def.interrupts})
    for (const PhaseDef& phase : *list)
      if (phase.id == id) return &phase;
  return nullptr;
}

const ActionDef* Rules::action(const std::string& id) const {
  for (const ActionDef& action : def.actions)
    if (action.id == id) return &action;
  return nullptr;
}

const TokenTypeDef* Rules::token_type(const std::string& id) const {
  for (const TokenTypeDef& type : def.token_types)
    if (type.id == id) return &type;
  return nullptr;
}

const std::vector<std::string>& Rules::neighbours(const std::string& zone) const {
  return zones.at(zone)->neighbours;
}

std::optional<std::string> Rules::step(const std::string& zone,
                                       const std::string& direction) const {
  for (const DirectionLink& link : zones.at(zone)->directions)
    if (link.direction == direction) return link.to;
  return std::nullopt;
}

// Everybody who has turns, as they come in one round.
std::vector<int> Run::turn_order() const {
  std::vector<int> out = w.order;
  if (def().turn_order.kind == TurnOrderKind::fixed_order)
    for (const std::string& entry : def().turn_order.order)
      for (int p = 0; p < rules_.players; ++p)
        if (const auto at = static_cast<std::size_t>(p);
            entry == std::to_string(p) || (at < def().seats.size() && entry == def().seats[at]))
          out.push_back(p);
  for (int p = 0; out.size() < static_cast<std::size_t>(rules_.players) && w.order.empty() &&
                  def().turn_order.kind != TurnOrderKind::fixed_order;
       ++p)
    out.push_back(p);
  return out;
}

std::vector<int> Run::players(const PlayerSel& sel, const Context& c) const {
  const int n = rules_.players;
  std::vector<int> out;
  switch (sel.kind) {
    case PlayerSel::Kind::actor:
      return {c.actor};
    case PlayerSel::Kind::active:
      return {c.active};
    case PlayerSel::Kind::left:
      return {(c.actor + n - 1) % n};
    case PlayerSel::Kind::right:
    case PlayerSel::Kind::opponent:
      return {(c.actor + 1) % n};
    case PlayerSel::Kind::next:
    case PlayerSel::Kind::previous: {
      const std::vector<int> order = turn_order();
      const auto at = std::find(order.begin(), order.end(), c.actor);
      const auto size = static_cast<std::ptrdiff_t>(order.size());
      const std::ptrdiff_t step = sel.kind == PlayerSel::Kind::next ? 1 : size - 1;
      if (at == order.end()) return {static_cast<int>((c.actor + step) % n)};
      return {order[static_cast<std::size_t>((at - order.begin() + step) % size)]};
    }
    case PlayerSel::Kind::all:
    case PlayerSel::Kind::all_other:
      for (int p = 0; p < n; ++p)
        if (sel.kind == PlayerSel::Kind::all || p != c.actor) out.push_back(p);
      return out;
    case PlayerSel::Kind::id:
      if (sel.id < 0 || sel.id >= n) throw RuntimeError("MISSING_VAR", "no such player");
      return {static_cast<int>(sel.id)};
    case PlayerSel::Kind::binding: {
      const Val bound = binding(sel.binding, c);
      const auto* player = std::get_if<Int>(&bound.v);
      if (!player) throw RuntimeError("TYPE_MISMATCH", sel.binding + " is not a player");
      if (*player < 0 || *player >= n) throw RuntimeError("MISSING_VAR", "no such player");
      return {static_cast<int>(*player)};
    }
  }
  return out;
}

int Run::one_player(const PlayerSel& sel, const Context& c) const {
  const std::vector<int> found = players(sel, c);
  if (found.size() != 1) throw RuntimeError("SELECTOR_CARDINALITY", "wanted one player");
  return found[0];
}

namespace {

std::vector<std::string> sorted_unique(std::vector<std::string> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

PlayerSel player_word(const std::string& word, const std::vector<std::string>& seats) {
  using Kind = PlayerSel::Kind;
  static const std::map<std::string, Kind> words = {
      {"actor", Kind::actor},        {"active", Kind::active},     {"all", Kind::all},
      {"allOther", Kind::all_other}, {"left", Kind::left},         {"right", Kind::right},
      {"next", Kind::next},          {"previous", Kind::previous}, {"opponent", Kind::opponent}};
  PlayerSel sel;
  if (const auto found = words.find(word); found != words.end()) {
    sel.kind = found->second;
  } else if (!word.empty() && word[0] == '$') {
    sel.kind = Kind::binding;
    sel.binding = word;
  } else if (const auto seat = std::find(seats.begin(), seats.end(), word); seat != seats.end()) {
    sel.kind = Kind::id;
    sel.id = seat - seats.begin();
  } else if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos) {
    sel.kind = Kind::id;
    sel.id = std::stoll(word);
  } else {
    throw RuntimeError("MISSING_VAR", "no such zone owner: " + word);
  }
  return sel;
}

}  // namespace

std::vector<std::string> Run::zones_by_text(const std::string& text, const Context& c) {
  if (rules_.zones.contains(text)) return {text};
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    if (rules_.zones.contains(text + ":none")) return {text + ":none"};
    throw RuntimeError("MISSING_VAR", "no zone " + text);
  }
  ZoneSel sel;
  sel.kind = ZoneSel::Kind::owned;
  sel.text = text.substr(0, colon);
  const std::string owner = text.substr(colon + 1);
  if (owner == "none") throw RuntimeError("MISSING_VAR", "no zone " + text);
  sel.owner = player_word(owner, def().seats);
  return zones(sel, c);
}

std::vector<std::string> Run::zones(const ZoneSel& sel, const Context& c) {
  std::vector<std::string> out;
  const auto from_value = [&](const Val& bound) {
    if (const auto* list = std::get_if<List>(&bound.v)) {
      for (const Val& item : *list) {
        const auto* id = std::get_if<std::string>(&item.v);
        if (!id) throw RuntimeError("TYPE_MISMATCH", "a list of zones holds a " + type_name(item));
        out.push_back(*id);
      }
    } else if (const auto* id = std::get_if<std::string>(&bound.v)) {
      out.push_back(*id);
    } else {
      throw RuntimeError("TYPE_MISMATCH", "wanted a zone, got a " + type_name(bound));
    }
  };
  switch (sel.kind) {
    case ZoneSel::Kind::exact:
      out.push_back(sel.text);
      break;
    case ZoneSel::Kind::owned:
      for (const int p : players(sel.owner, c)) out.push_back(sel.text + ":" + std::to_string(p));
      break;
    case ZoneSel::Kind::binding:
      from_value(binding(sel.text, c));
      break;
    case ZoneSel::Kind::expression: {
      const Val result = value(sel.expr.at(0), c);
      if (!std::holds_alternative<List>(result.v)) return zones_by_text(text_of(result), c);
      from_value(result);
      break;
    }
  }
  for (std::string& id : out)
    if (!rules_.zones.contains(id) && rules_.zones.contains(id + ":none")) id += ":none";  // 0.7
  for (const std::string& id : out)
    if (!rules_.zones.contains(id)) throw RuntimeError("MISSING_VAR", "no zone " + id);
  if (out.empty()) throw RuntimeError("MISSING_VAR", "no zone at all");
  return sorted_unique(std::move(out));
}

std::string Run::one_zone(const ZoneSel& sel, const Context& c) {
  const std::vector<std::string> found = zones(sel, c);
  if (found.size() != 1) throw RuntimeError("SELECTOR_CARDINALITY", "wanted one zone");
  return found[0];
}

std::vector<std::string> Run::directions(const DirectionSel& sel, const Context& c) {
  std::vector<std::string> wanted;
  if (sel.kind == DirectionSel::Kind::names) wanted = sel.names;
  if (sel.kind == DirectionSel::Kind::binding) wanted = {text_of(binding(sel.binding, c))};
  if (sel.kind == DirectionSel::Kind::expression) wanted = {text_of(value(sel.expr.front(), c))};
  std::vector<std::string> out;
  if (sel.kind == DirectionSel::Kind::all)
    for (const DirectionDef& d : def().directions) out.push_back(d.name);
  for (const std::string& want : wanted)
    for (const DirectionDef& d : def().directions)
      if (d.name == want || d.group == want) out.push_back(d.name);
  return out;
}

std::string Run::token_id(const std::string& bound, const Context& c) const {
  const Val item = binding(bound, c);
  if (const auto* token = std::get_if<TokenItem>(&item.v)) return token->id;
  if (const auto* id = std::get_if<std::string>(&item.v)) return *id;
  throw RuntimeError("TYPE_MISMATCH", bound + " is not a token");
}

Run::Spot Run::find_token(const std::string& id) const {
  for (const auto& [zone, tokens] : w.zones)
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (tokens[i].id == id) return {zone, i};
  throw RuntimeError("EFFECT_RUNTIME", "there is no token " + id);
}

}  // namespace parlor::reference
