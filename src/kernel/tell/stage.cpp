// A state and its options for those who draw them: every zone in one shape, tokens with their
// looks, options with what they are about and where one clicks to mean them.
#include <algorithm>

#include "game/scene.h"
#include "kernel/tell/display.h"
#include "kernel/tell/seen.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {
namespace {

int seat_named(const Program& p, const std::string& name) {
  const int found = position_of(p.def.seats, name);
  return found < p.players ? found : -1;
}

// Whose a token is: its owner's, or its type's seat.
Json seat_of(Machine& machine, TokenId t) {
  const Program& p = machine.program();
  const int type = machine.memory().token(t).type;
  const int prop = owner_property(p, type);
  int seat = -1;
  const Value v = prop >= 0 ? machine.memory().prop(t, prop) : Value{};
  if (v.is_int() && v.payload() >= 0 && v.payload() < p.players)
    seat = v.index();
  else if (!v.is_none())
    seat = seat_named(p, machine.text_of(v));
  const Symbol of_type = p.types[type].seat;
  if (seat < 0 && of_type >= 0) seat = seat_named(p, p.text(of_type));
  return seat < 0 ? Json(nullptr) : Json(seat);
}

class LookWriter {
 public:
  LookWriter(Machine& machine, const Wording& wording)
      : machine_(machine), wording_(wording), display_(display_of(machine.program().def)) {}

  Json token(TokenId t) {
    Json out = alike(t);
    out["id"] = machine_.text_of(Value::token(t));
    return out;
  }

 private:
  // Tokens of one type with the same properties look the same; a board is full of such.
  struct Alike {
    int type;
    std::vector<Value> props;
    Json token;  // but for its id
  };
  static constexpr std::size_t most_kinds = 64;

  const Json& alike(TokenId t) {
    const Program& p = machine_.program();
    const int type = machine_.memory().token(t).type;
    values_.clear();
    for (std::size_t prop = 0; prop < p.props.size(); ++prop)
      values_.push_back(machine_.memory().prop(t, prop));
    for (const Alike& known : known_)
      if (known.type == type && known.props == values_) return known.token;
    Json props = Json::object();
    for (std::size_t prop = 0; prop < p.props.size(); ++prop)
      if (!values_[prop].is_none()) props[p.props[prop]] = machine_.json_of(values_[prop]);
    const std::string& name = p.types[type].id;
    Json token{{"id", nullptr}, {"type", name}, {"look", look(t, name, props)}};
    token["props"] = std::move(props);
    if (known_.size() == most_kinds) known_.clear();
    return known_.emplace_back(Alike{type, values_, std::move(token)}).token;
  }

  Json look(TokenId t, const std::string& type, const Json& props) {
    static const spec::TokenLook plain;
    const spec::TokenLook* told = display_.tokens.find(type);
    const spec::TokenLook& own = told != nullptr ? *told : plain;
    const std::string brief = token_label(machine_, wording_, t, true);
    Json badges = Json::array();
    for (const auto& [name, value] : props.items())
      if (value == true) badges.push_back(kernel::label(wording_, name));
    Json out{{"label", brief},
             {"face", own.label.empty() ? token_glyph(machine_, wording_, t)
                                        : fill_pattern(machine_, wording_, t, own.label)},
             {"seat", seat_of(machine_, t)},
             {"badges", std::move(badges)}};
    if (props.contains(own.color_by)) {
      const Json& value = props[own.color_by];
      const std::string* color =
          own.colors.find(value.is_string() ? value.get<std::string>() : canonical(value));
      if (color != nullptr && !color->empty()) out["color"] = *color;
    }
    if (props.contains(own.by))
      if (const auto seat = integer_in(props[own.by], 0, machine_.program().players - 1))
        out["by"] = *seat;
    if (const spec::CardLook* card = display_.cards.find(type)) {
      const auto add = [&](const char* part, const std::string& text) {
        if (!text.empty()) out["card"][part] = fill_pattern(machine_, wording_, t, text);
      };
      add("title", card->title);
      add("corner", card->corner);
      add("body", card->body);
      add("cost", card->cost);
    }
    return out;
  }

  Machine& machine_;
  const Wording& wording_;
  const spec::Display& display_;
  std::vector<Value> values_;  // of the token that is looked at
  std::vector<Alike> known_;
};

Json zone_stage(Machine& machine, LookWriter& looks, const Eyes& eyes, ZoneId z) {
  const Memory& memory = machine.memory();
  std::vector<TokenId> tokens;
  for (const TokenId t : memory.tokens_in(z))
    if (eyes.see(memory, t)) tokens.push_back(t);
  const bool in_order = machine.program().zones[z].ordering != spec::Ordering::set;
  if (!in_order || !eyes.see_order(z)) std::ranges::sort(tokens);
  Json seen = Json::array();
  for (const TokenId t : tokens) seen.push_back(looks.token(t));
  return {{"count", eyes.see_count(z) ? Json(memory.zone(z).count) : Json(nullptr)},
          {"tokens", std::move(seen)}};
}

// Rows that ended the game: those of a condition "a line of …" in what the end asked for, each from
// one end to the other, so that a page can draw through them.
class EndingLines {
 public:
  explicit EndingLines(Machine& machine) : m_(machine), p_(machine.program()) {}

  Json write() {
    const Header& h = m_.header();
    if (h.decision != DecisionKind::finished || h.ended_by < 0) return lines_;
    const Machine::Scratch scratch(m_, p_.terminal_unit, h.active, h.active);
    search(p_.terminals[h.ended_by].when);
    m_.clear_fault();  // what cannot be told is not told
    return std::move(lines_);
  }

 private:
  void search(NodeId node) {
    const Node& n = p_.nodes[node];
    if (m_.test(node) != Truth::yes) return;
    if (n.op == Ex::all_of || n.op == Ex::any_of)
      for (int i = 0; i < n.b; ++i) search(p_.extra[n.a + i]);
    if (n.op == Ex::line_bits) planned(n);
    if (n.op == Ex::line_of && n.d < 0) asked(n);
  }

  // A set of zones, with the table of lines that was made for it.
  void planned(const Node& n) {
    std::uint64_t words[most_words] = {};
    if (!m_.zone_bits(n.a, words)) return;
    const LineTable& table = p_.lines[n.c];
    Table<ZoneId, bool> holds(p_.zones.size());
    for (const ZoneId z : holds.ids()) holds[z] = is_board(z) && has_zone(words, z);
    for (const LineTable::Way& way : table.ways) rows(holds, way.direction, table.length);
  }

  // A condition that is asked of one zone after the other.
  void asked(const Node& n) {
    std::int64_t length = 0;
    const Node& list = p_.nodes[n.c];
    if (list.op != Ex::d_list || !m_.integer(n.a, length)) return;
    Table<ZoneId, bool> holds(p_.zones.size());
    std::vector<bool> done(p_.directions.size());
    for (const ZoneId z : holds.ids()) {
      m_.slot(SlotId(n.x)) = Value::zone(z);
      holds[z] = is_board(z) && m_.test(n.b) == Truth::yes;
    }
    for (const Value v : p_.lists[list.a]) {
      const std::size_t direction = v.payload();
      if (done[direction]) continue;
      done[direction] = true;
      if (const int back = p_.opposite[direction]; back >= 0) done[back] = true;
      rows(holds, direction, length);
    }
  }

  bool is_board(ZoneId zone) const { return p_.zones[zone].kind == spec::ZoneKind::board; }

  // Rows begin at zones that no zone of the set leads to.
  void rows(const Table<ZoneId, bool>& holds, std::size_t direction, std::int64_t length) {
    const auto next = [&](ZoneId z) { return p_.zones[z].steps[direction]; };
    Table<ZoneId, bool> led_to(holds.size());
    for (const ZoneId z : holds.ids())
      if (holds[z] && !next(z).is_none()) led_to[next(z)] = true;
    for (const ZoneId start : holds.ids()) {
      if (!holds[start] || led_to[start]) continue;
      Json row = Json::array();
      for (ZoneId z = start; !z.is_none() && holds[z] && row.size() < holds.size(); z = next(z))
        row.push_back(p_.zones[z].id);
      if (std::cmp_greater_equal(row.size(), length)) lines_.push_back(std::move(row));
    }
  }

  Machine& m_;
  const Program& p_;
  Json lines_ = Json::array();
};

// What a value is, in a word, and its name.
Json ref_of(Machine& machine, Value v, ItemKind kind) {
  const Program& p = machine.program();
  const Json told = machine.json_of(v);
  if (v.is_token()) {
    if (told.is_object())
      return {{"kind", "token"}, {"zone", told["zone"]}, {"place", told["place"]}};
    Json out{{"kind", "token"}, {"token", told}};
    if (v.payload() < machine.header().tokens)
      if (const ZoneId zone = machine.memory().zone_of(v.as_token()); !zone.is_none())
        out["zone"] = p.zones[zone].id;
    return out;
  }
  if (v.is_symbol()) {
    const std::size_t symbol = v.payload();
    if (symbol < p.zones.size()) return {{"kind", "zone"}, {"zone", told}};
    if (symbol < p.direction_of_symbol.size() && p.direction_of_symbol[symbol] >= 0)
      return {{"kind", "direction"}, {"dir", told}};
    if (std::ranges::find(p.types, v.payload(), &TypeInfo::symbol) != p.types.end())
      return {{"kind", "type"}, {"type", told}};
    if (std::ranges::find(p.phases, v.payload(), &PhaseInfo::symbol) != p.phases.end())
      return {{"kind", "phase"}, {"phase", told}};
  }
  if (v.is_int() && kind == ItemKind::player) return {{"kind", "player"}, {"player", told}};
  if (v.is_bool()) return {{"kind", "bool"}, {"value", told}};
  if (v.is_int()) return {{"kind", "int"}, {"value", told}};
  return {{"kind", "name"}, {"value", told}};
}

Json ref_of_json(Machine& machine, const Json& value, ItemKind kind) {
  if (value.is_object())
    return {{"kind", "token"}, {"zone", value["zone"]}, {"place", value["place"]}};
  if (value.is_string())
    return ref_of(machine, machine.value_of_text(value.get<std::string>()), kind);
  if (value.is_boolean()) return {{"kind", "bool"}, {"value", value}};
  if (value.is_number() && kind == ItemKind::player) return {{"kind", "player"}, {"player", value}};
  return {{"kind", value.is_number() ? "int" : "name"}, {"value", value}};
}

// A place one can click: a zone with its token, or a player's seat; null: the ref is none.
Json place_of(const Json& ref) {
  if (ref["kind"] == "zone") return {{"zone", ref["zone"]}};
  if (ref["kind"] == "player") return {{"player", ref["player"]}};
  if (ref["kind"] != "token") return nullptr;
  Json out = Json::object();
  for (const char* key : {"zone", "token", "place"})
    if (ref.contains(key)) out[key] = ref[key];
  return out;
}

ZoneId zone_at(const Program& p, const Json& place) {
  if (!place.is_object() || !place.contains("zone")) return {};
  return p.zone_named(place["zone"].get<std::string>());
}

Json step_from(const Program& p, const Json& from, const Json& way) {
  const ZoneId zone = zone_at(p, from);
  const int d = position_of(p.directions, way["dir"].get<std::string>());
  if (zone.is_none() || d < 0) return nullptr;
  const auto& steps = p.zones[zone].steps;
  if (d >= std::ssize(steps) || steps[d].is_none()) return nullptr;
  return {{"zone", p.zones[steps[d]].id}};
}

// What the game says of an action's places: a parameter, or a step from one in the direction of
// another.
Json told_place(const Program& p, const std::vector<std::string>& told, const Json& refs) {
  const auto named = [&](const std::string& name) -> const Json* {
    for (const Json& ref : refs)
      if (ref["p"] == name) return &ref;
    return nullptr;
  };
  const Json* from = told.empty() ? nullptr : named(told[0]);
  if (told.size() == 1 && from != nullptr) return place_of(*from);
  const Json* way = told.size() == 2 ? named(told[1]) : nullptr;
  if (from == nullptr || way == nullptr || (*way)["kind"] != "direction") return nullptr;
  return step_from(p, place_of(*from), *way);
}

// The first piece that goes from one cell to another before luck has any part in it.
class FirstMove : public EventListener {
 public:
  void on_event(const Event& event) override {
    if (event.kind == "rolled" || event.kind == "shuffled" || event.kind == "turnStarted")
      over_ = true;
    if (over_ || event.kind != "tokenMoved") return;
    moves_.push_back(event.data);
  }
  const std::vector<Json>& moves() const { return moves_; }

 private:
  bool over_ = false;
  std::vector<Json> moves_;
};

}  // namespace

Json KernelGame::stage(const StateBlock& block, const Viewer& viewer) const {
  const Program& p = *program_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  const Eyes eyes(p, profiles_, viewer);
  machine.set_asker(&eyes);
  Json out = seen_beside_zones(machine, eyes, active_told(*this, block, eyes, viewer));
  if (p.phases[machine.header().phase].together) out["submissions"] = submissions_json(block, eyes);
  LookWriter looks(machine, *wording_);
  Json& zones = out["zones"] = Json::object();
  for (const ZoneId z : p.zones.ids()) {
    const ZoneInfo& zone = p.zones[z];
    if (zone.internal)
      out["zoneVars"].erase(zone.id);
    else
      zones[zone.id] = zone_stage(machine, looks, eyes, z);
  }
  if (!p.secrets.any || eyes.see_all())
    if (Json lines = EndingLines(machine).write(); !lines.empty()) out["lines"] = std::move(lines);
  return out;
}

Json KernelGame::option_parts(const StateBlock& block, Option option, const Viewer& viewer) const {
  StateBlock room;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(at_hand(block, room)));
  const Eyes eyes(*program_, profiles_, viewer);
  machine.set_asker(&eyes);
  Json out{{"action", nullptr}, {"refs", Json::array()}};
  const auto add = [&](const std::string& name, Json ref) {
    ref["p"] = name;
    out["refs"].push_back(std::move(ref));
  };
  if (block.as<Header>().decision == DecisionKind::action) {
    std::string action;
    const Json params = machine.move_params(option, action);
    out["action"] = action;
    const auto info = std::ranges::find(program_->actions, action, &ActionInfo::id);
    if (info != program_->actions.end())
      for (const ParamInfo& param : info->params)
        if (params.contains(param.name))
          add(param.name, ref_of_json(machine, params[param.name], param.kind));
  } else if (machine.is_confirm(option)) {
    out["confirm"] = true;
    return out;
  } else {
    add("value", ref_of(machine, machine.option_value(option), ItemKind::unknown));
  }
  find_places(block, option, out);
  return out;
}

// Where one clicks to mean an option: what the game says; a cell and a direction from it; the first
// two places among what it is about; or, of one place or a direction alone, the way of the piece
// that the option moves, which is tried on a copy where nothing is hidden.
void KernelGame::find_places(const StateBlock& block, Option option, Json& parts) const {
  const Program& p = *program_;
  const Json& refs = parts["refs"];
  const std::string action = parts["action"].is_string() ? parts["action"].get<std::string>() : "";
  if (const spec::ActionPlaces* told = display_of(p.def).actions.find(action)) {
    const auto add = [&](const char* end, const std::vector<std::string>& where) {
      if (Json place = told_place(p, where, refs); !place.is_null()) parts[end] = std::move(place);
    };
    add("from", told->from);
    add("to", told->to);
    add("at", told->at);
    return;
  }
  std::vector<Json> places;
  const Json* way = nullptr;
  for (const Json& ref : refs) {
    if (Json place = place_of(ref); !place.is_null()) places.push_back(std::move(place));
    if (ref["kind"] == "direction") way = &ref;
  }
  if (places.size() >= 2) {
    parts["from"] = places[0];
    parts["to"] = places[1];
    return;
  }
  if (places.empty() && way == nullptr) return;
  if (!p.secrets.any && find_moved(block, option, places, parts)) return;
  Json to = places.size() == 1 && way != nullptr ? step_from(p, places[0], *way) : Json(nullptr);
  if (to.is_null()) {
    if (!places.empty()) parts["at"] = places[0];
    return;
  }
  parts["from"] = places[0];
  parts["to"] = std::move(to);
}

namespace {

// Whether anything goes from one zone to another in this game: otherwise pieces come and go, and
// trying an option shows nothing.
bool moves_tokens(const Program& p) {
  return std::ranges::any_of(p.code, [](const Instr& i) {
    return i.op == Op::move_token || i.op == Op::move_adjacent || i.op == Op::move_all ||
           i.op == Op::draw || i.op == Op::remove_group || i.op == Op::native_apply;
  });
}

}  // namespace

// False: it moves no piece from cell to cell, or none that the place has to do with.
bool KernelGame::find_moved(const StateBlock& block, Option option, const std::vector<Json>& places,
                            Json& parts) const {
  const Program& p = *program_;
  if (!moves_tokens(p)) return false;
  StateBlock trial = block;
  FirstMove listener;
  if (!apply(trial, option, &listener)) return false;
  for (const Json& move : listener.moves()) {
    const auto on_board = [&](const char* end) {
      const ZoneId zone = zone_at(p, {{"zone", move.value(end, "")}});
      return !zone.is_none() && p.zones[zone].kind == spec::ZoneKind::board;
    };
    if (!on_board("from") || !on_board("to")) continue;
    const std::string first = places.empty() ? "" : places[0].value("zone", "");
    if (!places.empty() && first != move.value("from", "") && first != move.value("to", ""))
      continue;
    parts["from"] = {{"zone", move["from"]}, {"token", move["token"]}};
    parts["to"] = {{"zone", move["to"]}};
    return true;
  }
  return false;
}

namespace {

// Whether some selection of the game is one in which order counts.
bool orders_selections(const Program& p) {
  return std::ranges::any_of(
      p.code, [&](const Instr& i) { return i.op == Op::choose_n && p.extra[i.d + 2] != 0; });
}

}  // namespace

Json KernelGame::selection(const StateBlock& block, const Viewer& viewer) const {
  if (block.as<Header>().decision != DecisionKind::choose_n) return nullptr;
  // What somebody is about to hand in is nobody else's to know.
  if (collecting(block) && !viewer.sees_all() && !viewer.is(decision(block).player)) return nullptr;
  StateBlock room;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(at_hand(block, room)));
  const Eyes eyes(*program_, profiles_, viewer);
  machine.set_asker(&eyes);
  const auto [min, max] = machine.selection_limits();
  const auto labelled = [&](Value v) {
    Json ref = ref_of(machine, v, ItemKind::unknown);
    ref["label"] = kernel::value_label(machine, *wording_, v);
    return ref;
  };
  Json chosen = Json::array();
  for (std::size_t i = 0; i < machine.selected_count(); ++i)
    chosen.push_back(labelled(machine.selected_at(i)));
  Json out{{"min", min}, {"max", max}, {"chosen", std::move(chosen)}};
  if (orders_selections(*program_)) return out;
  // Sets are offered in one order, so that none is met twice; people put them together in any.
  out["candidates"] = Json::array();
  for (std::uint64_t k = 0;; ++k) {
    const Value v = machine.option_value(Option{k});
    if (v.is_none()) return out;
    out["candidates"].push_back(labelled(v));
  }
}

}  // namespace parlor::kernel
