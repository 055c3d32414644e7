#include "kernel/tell/wording.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <fmt/format.h>
#include <map>

#include "spec/gamedef/forms.h"

namespace parlor::kernel {
namespace {

constexpr std::array<std::string_view, 5> owner_names{"owner", "player", "side", "colour", "color"};
constexpr std::array<std::string_view, 3> own_names{"name", "label", "title"};

std::string prop_text(Machine& machine, const Wording& wording, int prop, Value v) {
  const Program& p = machine.program();
  std::string text = machine.text_of(v);
  if (const auto* own = wording.values.find(p.props[prop]))
    if (const std::string* found = own->find(text)) return *found;
  return label(wording, text);
}

// So many letters of a text, from its beginning.
std::string beginning(const std::string& text, int letters) {
  std::size_t end = 0;
  while (end < text.size() && (letters > 0 || (text[end] & 0xC0) == 0x80)) {
    if ((text[end] & 0xC0) != 0x80) --letters;
    ++end;
  }
  return text.substr(0, end);
}

// Whether the type's name says this already: "guerrilla" of a "front-guerrilla".
bool says(const std::string& type, const std::string& word) {
  return ("-" + type + "-").find("-" + word + "-") != std::string::npos;
}

// What is known of a token besides its name: words first, then numbers.
std::string details(Machine& machine, const Wording& wording, TokenId token, int named_by) {
  const Program& p = machine.program();
  const int type = machine.memory().token(token).type;
  const std::string& id = p.types[type].id;
  const int owner = owner_property(p, type);
  std::string words, numbers;
  for (int prop = 0; prop < std::ssize(p.props); ++prop) {
    const Value v = machine.memory().prop(token, prop);
    if (v.is_none() || prop == named_by) continue;
    const std::string& name = p.props[prop];
    std::string text = prop_text(machine, wording, prop, v);
    if (v.tag() == Tag::boolean) text = v.payload() != 0 ? label(wording, name) : "";
    if (v.is_int() && prop == owner) text = seat_label(p, v.index());
    // A card with a name has numbers that need theirs; those that are 0 say nothing.
    if (v.is_int() && prop != owner && named_by >= 0)
      text = v.payload() != 0 ? fmt::format("{} {}", label(wording, name), text) : "";
    if (text.empty() || says(id, text)) continue;
    std::string& out = v.is_int() ? numbers : words;
    out += (out.empty() ? "" : ", ") + text;
  }
  return words + (words.empty() || numbers.empty() ? "" : ", ") + numbers;
}

// One letter for each seat, if their names differ in it.
std::string seat_letter(const Program& p, int player) {
  std::vector<char> letters;
  for (int i = 0; i < p.players; ++i)
    letters.push_back(
        i < std::ssize(p.def.seats) && !p.def.seats[i].empty() ? p.def.seats[i].front() : ' ');
  auto sorted = letters;
  std::ranges::sort(sorted);
  const bool differ = std::ranges::adjacent_find(sorted) == sorted.end() && sorted.front() != ' ';
  return differ ? std::string(1, letters[player]) : std::to_string(player);
}

const std::string& card_title(const Program& p, int card) {
  static const std::string none;
  int index = 0;
  for (const spec::EventDeckDef& deck : p.def.event_decks)
    for (const spec::EventCardDef& def : deck.cards)
      if (index++ == card) return def.title;
  return none;
}

bool has_true(Machine& machine, TokenId t) {
  for (std::size_t prop = 0; prop < machine.program().props.size(); ++prop) {
    const Value v = machine.memory().prop(t, prop);
    if (v.tag() == Tag::boolean && v.payload() != 0) return true;
  }
  return false;
}

bool is_one_letter(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }) == 1;
}

}  // namespace

Wording read_wording(const spec::GameDef& def) {
  Wording out;
  if (def.verbalization) static_cast<spec::Verbalization&>(out) = *def.verbalization;
  out.omitted.insert(out.omit.begin(), out.omit.end());
  out.rules = std::make_shared<const spec::Said>(def);
  return out;
}

std::string label(const Wording& wording, const std::string& name) {
  const std::string* found = wording.labels.find(name);
  return found == nullptr ? name : *found;
}

std::string variable_label(const Wording& wording, const std::string& name) {
  if (wording.labels.contains(name)) return label(wording, name);
  std::string out;
  for (const char c : name) {
    const bool large = c >= 'A' && c <= 'Z';
    const bool after_small = !out.empty() && out.back() >= 'a' && out.back() <= 'z';
    if (large && after_small) out += ' ';
    out += large && after_small ? char(c - 'A' + 'a') : c == '_' || c == '-' ? ' ' : c;
  }
  return out;
}

bool speaks_of_rounds(const Program& p) {
  const spec::GameDef& def = p.def;
  const auto by_round = [](const spec::TriggerDef& trigger) {
    return trigger.event == spec::EventKind::round_start ||
           trigger.event == spec::EventKind::round_end;
  };
  const auto limited = [](const spec::ActionDef& action) {
    return std::ranges::any_of(action.limits, [](const spec::LimitDef& limit) {
      return limit.scope == spec::LimitScope::round;
    });
  };
  const auto asked = [](const Node& node) {
    constexpr int turn = 0, players = 4;
    return node.op == Ex::clock && node.a != turn && node.a != players;
  };
  return p.phased_rounds || def.rounds != spec::RoundsDef{} ||
         std::ranges::any_of(def.triggers, by_round) || std::ranges::any_of(def.actions, limited) ||
         std::ranges::any_of(p.as_written().nodes, asked) || spec::mentions<spec::EndRound>(def) ||
         spec::mentions<spec::SetStartPlayer>(def) || spec::mentions<spec::SetTurnOrder>(def);
}

std::vector<ZoneId> zones_as_declared(const Program& p) {
  std::map<std::string, int> rank;
  for (const spec::ZoneDef& zone : p.def.zones)
    rank.emplace(zone.base, static_cast<int>(rank.size()));
  const auto rank_of = [&](ZoneId z) {
    const std::string& id = p.zones[z].id;
    const auto found = rank.find(id.substr(0, id.rfind(':')));
    return found == rank.end() ? static_cast<int>(rank.size()) : found->second;
  };
  std::vector<std::pair<int, ZoneId>> ranked;
  for (const ZoneId z : p.zones.ids()) ranked.emplace_back(rank_of(z), z);
  std::ranges::stable_sort(ranked, {}, &std::pair<int, ZoneId>::first);
  std::vector<ZoneId> out;
  for (const auto& [rank_of_zone, z] : ranked) out.push_back(z);
  return out;
}

std::string seat_label(const Program& program, int player) {
  if (player < 0 || player >= program.players) return "nobody";
  const bool named = player < std::ssize(program.def.seats) &&
                     program.def.seats[player].find_first_not_of("0123456789") != std::string::npos;
  return named ? program.def.seats[player] : fmt::format("player {}", player);
}

std::string zone_label(const Program& program, const Wording& wording, ZoneId zone) {
  const ZoneInfo& info = program.zones[zone];
  const std::string id = info.id.substr(0, info.id.rfind(':'));
  const bool named = wording.cells.has(zone) && !wording.cells[zone].empty();
  if (named && !wording.labels.contains(id)) return wording.cells[zone];
  const std::string base = label(wording, id);
  return info.owner < 0 ? base : fmt::format("{} of {}", base, seat_label(program, info.owner));
}

bool names_owner(std::string_view property) {
  return std::ranges::find(owner_names, property) != owner_names.end();
}

int owner_property(const Program& program, int type) {
  for (std::size_t prop = 0; prop < program.props.size(); ++prop)
    if (program.types[type].column[prop] >= 0 && names_owner(program.props[prop])) return prop;
  return -1;
}

std::string fill_pattern(Machine& machine, const Wording& wording, TokenId token,
                         std::string_view pattern) {
  const Program& p = machine.program();
  std::string out;
  while (!pattern.empty()) {
    const auto open = pattern.find('{'), close = pattern.find('}', std::min(open, pattern.size()));
    if (close == std::string_view::npos) break;
    out += pattern.substr(0, open);
    const std::string_view inner = pattern.substr(open + 1, close - open - 1);
    const std::string_view name = inner.substr(0, inner.find_first_of(":>"));
    // {cardId>about}: what that table of `values` has for it.
    const bool looked_up = name.size() < inner.size() && inner[name.size()] == '>';
    const std::string table{looked_up ? inner.substr(name.size() + 1) : ""};
    int letters = INT_MAX;
    if (name.size() < inner.size() && table.empty())
      std::from_chars(inner.data() + name.size() + 1, inner.data() + inner.size(), letters);
    const int prop = position_of(p.props, name);
    const Value v = prop < 0 ? Value{} : machine.memory().prop(token, prop);
    // What is no property stays as it is written, for the author to see.
    if (const auto* own = wording.values.find(table);
        !v.is_none() && !table.empty() && own != nullptr) {
      if (const std::string* found = own->find(machine.text_of(v))) out += *found;
      pattern.remove_prefix(close + 1);
      continue;
    }
    out += v.is_none() ? std::string(pattern.substr(open, close - open + 1))
                       : beginning(prop_text(machine, wording, prop, v), letters);
    pattern.remove_prefix(close + 1);
  }
  return out + std::string(pattern);
}

std::string board_label(Machine& machine, const Wording& wording, TokenId token) {
  const std::string* own =
      wording.board.find(machine.program().types[machine.memory().token(token).type].id);
  return own == nullptr ? "" : fill_pattern(machine, wording, token, *own);
}

std::string token_label(Machine& machine, const Wording& wording, TokenId token, bool brief) {
  const Program& p = machine.program();
  const TypeInfo& type = p.types[machine.memory().token(token).type];
  const std::string* told = wording.details.find(type.id);
  const auto with_details = [&](std::string name, const std::string& more) {
    return brief || more.empty() ? std::move(name) : fmt::format("{} ({})", name, more);
  };
  const std::string more =
      brief || told == nullptr ? "" : fill_pattern(machine, wording, token, *told);
  if (p.flow.cards && !wording.tokens.contains(type.id))
    if (const int card = machine.card_of(token); card >= 0)
      if (const std::string& title = card_title(p, card); !title.empty()) return title;
  if (const std::string* own = wording.tokens.find(type.id))
    return with_details(fill_pattern(machine, wording, token, *own), more);
  int named_by = -1;
  for (std::size_t prop = 0; prop < p.props.size() && named_by < 0; ++prop)
    if (std::ranges::find(own_names, p.props[prop]) != own_names.end() &&
        !machine.memory().prop(token, prop).is_none())
      named_by = prop;
  const std::string name =
      named_by < 0 ? label(wording, type.id)
                   : prop_text(machine, wording, named_by, machine.memory().prop(token, named_by));
  if (brief && named_by >= 0) return name;
  if (told != nullptr) return with_details(name, more);
  const std::string known = details(machine, wording, token, named_by);
  return known.empty() ? name : fmt::format("{} ({})", name, known);
}

Json token_names(Machine& machine, const std::vector<TokenId>& tokens) {
  Json out = Json::array();
  for (const TokenId token : tokens)
    out.push_back(token_label(machine, *machine.program().wording, token, true));
  return out;
}

std::string token_glyph(Machine& machine, const Wording& wording, TokenId t) {
  const Program& p = machine.program();
  const int type = machine.memory().token(t).type;
  const TypeInfo& info = p.types[type];
  if (std::string own = board_label(machine, wording, t); !own.empty()) return own;
  for (std::size_t prop = 0; prop < p.props.size(); ++prop)
    if (p.props[prop] == "symbol" || p.props[prop] == "glyph")
      if (const Value v = machine.memory().prop(t, prop); !v.is_none()) return machine.text_of(v);
  if (wording.tokens.contains(info.id))
    if (std::string own = token_label(machine, wording, t, true); is_one_letter(own)) return own;
  std::string text = info.id.substr(0, 1);
  const int owner = owner_property(p, type);
  const Value whose = owner < 0 ? Value{} : machine.memory().prop(t, owner);
  if (!whose.is_none()) {
    int kinds = 0;
    for (int other = 0; other < std::ssize(p.types); ++other)
      kinds += owner_property(p, other) >= 0 ? 1 : 0;
    const bool seat = whose.is_int() && whose.payload() >= 0 && whose.payload() < p.players;
    const std::string letter =
        seat ? seat_letter(p, whose.index()) : machine.text_of(whose).substr(0, 1);
    text = (kinds > 1 ? text : "") + letter;
  }
  if (has_true(machine, t))
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return text;
}

std::string place_label(const Program& program, const Wording& wording, const Json& place) {
  static constexpr std::array<std::string_view, 11> words{"",       "first", "second", "third",
                                                          "fourth", "fifth", "sixth",  "seventh",
                                                          "eighth", "ninth", "tenth"};
  const auto number = place.value("place", std::size_t{0});
  const ZoneId zone = program.zone_named(place.value("zone", ""));
  const std::string where = zone.is_none() ? "nowhere" : zone_label(program, wording, zone);
  return number < words.size() ? fmt::format("{} of {}", words[number], where)
                               : fmt::format("number {} of {}", number, where);
}

bool is_in_play(Machine& machine, std::int64_t token) {
  return token >= 0 && token < machine.header().tokens &&
         !machine.memory().zone_of(TokenId(token)).is_none();
}

std::string value_label(Machine& machine, const Wording& wording, Value value) {
  const Program& p = machine.program();
  if (value.is_token())
    if (const Json told = machine.json_of(value); told.is_object())
      return place_label(p, wording, told);
  if (value.is_token() && value.payload() < machine.header().tokens) {
    const TokenId token = value.as_token();
    std::string text = token_label(machine, wording, token, true);
    const ZoneId zone = machine.memory().zone_of(token);
    if (!zone.is_none() && p.zones[zone].kind == spec::ZoneKind::board)
      text += " in " + zone_label(p, wording, zone);
    return text;
  }
  std::string text = machine.text_of(value);
  if (value.is_symbol() && value.payload() < p.zone_count)
    return zone_label(p, wording, value.as_zone());
  // When a special activity happens, counted in stages of its operation (link_events.cpp).
  if (constexpr std::string_view during = "during:"; p.flow.cards && text.starts_with(during))
    return fmt::format("after stage {}", std::stoi(text.substr(during.size())) + 1);
  return label(wording, text);
}

}  // namespace parlor::kernel
