// A state as data, for players and tools.
#include <algorithm>

#include "kernel/tell/seen.h"
#include "kernel/tell/wording.h"
#include "spec/gamedef/enum_names.h"

namespace parlor::kernel {

namespace {

Json token_json(Machine& machine, TokenId t) {
  const Program& p = machine.program();
  Json props = Json::object();
  for (std::size_t prop = 0; prop < p.props.size(); ++prop) {
    const Value v = machine.memory().prop(t, prop);
    if (!v.is_none()) props[p.props[prop]] = machine.json_of(v);
  }
  const TypeInfo& type = p.types[machine.memory().token(t).type];
  return {{"id", machine.text_of(Value::token(t))}, {"type", type.id}, {"props", std::move(props)}};
}

// A zone as this viewer sees it: its tokens, how many there are, or both.
Json zone_json(Machine& machine, const Eyes& eyes, ZoneId z) {
  const Memory& memory = machine.memory();
  std::vector<TokenId> tokens;
  for (const TokenId t : memory.tokens_in(z))
    if (eyes.see(memory, t)) tokens.push_back(t);
  if (!eyes.see_order(z)) std::ranges::sort(tokens);
  Json seen = Json::array();
  for (const TokenId t : tokens) seen.push_back(token_json(machine, t));
  const int count = memory.zone(z).count;
  if (!eyes.see_count(z)) return seen.empty() ? Json("hidden") : Json{{"visible", std::move(seen)}};
  if (std::cmp_equal(seen.size(), count)) return seen;
  if (seen.empty()) return count;
  return {{"count", count}, {"visible", std::move(seen)}};
}

// A token of a variable that somebody does not see is called by its place (`text_of`).
Json var_json(Machine& machine, const VarInfo& var, std::int64_t v) {
  if (var.boolean) return v != 0;
  if (!var.texts.empty()) return var.texts[v];
  if (var.type == spec::VarType::zone)
    return v < 0 ? "nowhere" : machine.program().zones[ZoneId(v)].id;
  if (var.type == spec::VarType::token)
    return is_in_play(machine, v) ? machine.text_of(Value::token(TokenId(v))) : "nothing";
  return v;
}

// What is secret is not there.
Json vars_json(Machine& machine, const Vars& vars, auto read, auto sees) {
  Json out = Json::object();
  for (const VarId var : vars.ids())
    if (sees(var)) out[vars[var].name] = var_json(machine, vars[var], read(var));
  return out;
}

Json effects_json(Machine& machine) {
  const Program& p = machine.program();
  Json out = Json::array();
  for (int k = 0; k < machine.header().effects; ++k) {
    const EffectRecord& record = machine.memory().at<EffectRecord>(p.layout.effects)[k];
    Json entry{{"effect", p.effect_kinds[record.kind].id},
               {"id", record.serial},
               {"createdAtTurn", record.created}};
    const spec::TimedEffectDef& def = p.def.timed_effects[record.kind];
    if (!def.source_kind.empty())
      entry["source"] = {{"kind", def.source_kind}, {"ref", def.source_ref}};
    if (record.owner >= 0) entry["owner"] = int{record.owner};
    for (const spec::NamedModifier& modifier : def.modifiers)
      entry["modifiers"][modifier.name] = modifier.value;
    for (const spec::NamedModifier& delta : def.cost_delta)
      entry["costDelta"][delta.name] = delta.value;
    if (!def.block_actions.empty()) entry["blockActions"] = def.block_actions;
    if (!record.target.is_none()) entry["target"] = machine.json_of(record.target);
    if (record.from_turn != 0) entry["startsAtTurn"] = record.from_turn;
    if (record.from_round != 0) entry["startsAtRound"] = record.from_round;
    if (record.until_turn != never) entry["expiresAtTurn"] = record.until_turn;
    if (record.until_round != never) entry["expiresAtRound"] = record.until_round;
    if (record.until_turn_of >= 0) entry["expiresAtNextTurnOf"] = int{record.until_turn_of};
    if (record.charges >= 0) entry["charges"] = record.charges;
    out.push_back(std::move(entry));
  }
  return out;
}

// What the card has to say: everybody may know it.
Json flow_json(Machine& machine) {
  const Program& p = machine.program();
  const FlowRecord& f = machine.flow();
  const auto seat = [&](int player) -> Json {
    if (player < 0) return nullptr;
    return player < std::ssize(p.def.seats) ? Json(p.def.seats[player])
                                            : Json(std::to_string(player));
  };
  const auto seats = [&](unsigned set) {
    Json out = Json::array();
    for (int player = 0; player < p.players; ++player)
      if ((set >> player & 1) != 0) out.push_back(seat(player));
    return out;
  };
  Json order = Json::array(), lasting = Json::array(), grants = Json::array();
  unsigned ordered = 0;
  for (int k = 0; k < f.seats; ++k) {
    order.push_back(seat(f.order[k]));
    ordered |= 1u << f.order[k];
  }
  for (int k = 0; k < f.lasting; ++k) {
    const LastingRecord& record = machine.memory().lasting(k);
    const LastingInfo& info = p.flow.lasting[record.def];
    lasting.push_back({{"id", info.id}, {"duration", spec::enum_name(info.duration)}});
  }
  for (int k = 0; k < f.grants; ++k) {
    const GrantRecord& record = machine.memory().grant(k);
    const GrantInfo& info = p.flow.grants[record.def];
    Json actions = Json::array();
    for (std::size_t a = 0; a < info.actions.size(); ++a)
      if (info.actions[a]) actions.push_back(p.actions[a].id);
    Json entry{{"seat", seat(record.seat)},       {"class", class_name(info.action_class)},
               {"actions", std::move(actions)},   {"uses", int{record.uses}},
               {"ready", machine.grant_ready(k)}, {"required", info.blocks()}};
    if (record.as != record.seat) entry["executeAs"] = seat(record.as);
    if (!info.id.empty()) entry["id"] = info.id;
    grants.push_back(std::move(entry));
  }
  const TokenId top = p.flow.course ? machine.memory().first(p.flow.played) : TokenId::none();
  const int card = top.is_none() ? -1 : machine.card_of(top);
  const ActionClass first = f.first_class;
  return {
      {"card", card < 0 ? Json(nullptr) : Json(p.flow.card_infos[card].id)},
      {"seatOrder", std::move(order)},
      {"eligible", seats(f.eligible & ordered)},
      {"first", seat(machine.first_seat(0))},
      {"second", seat(machine.first_seat(1))},
      {"acted", seats(f.acted)},
      {"passed", seats(f.passed)},
      {"nonPassCount", int{f.acts}},
      {"firstActionClass", first == ActionClass::none ? Json(nullptr) : Json(class_name(first))},
      {"lasting", std::move(lasting)},
      {"grants", std::move(grants)}};
}

// What only the rules remember by is for tools.
bool shown_zone(const ZoneInfo& zone, const Eyes& eyes) {
  return !zone.internal || eyes.see_all();
}

// The order of turns in this round, where the rules can change it.
Json turn_order_json(const Memory& memory) {
  Json out = Json::array();
  const TurnPlan& plan = memory.turn_plan();
  for (int i = 0; i < memory.program().players; ++i)
    out.push_back(plan.order[0] == 0 ? i : plan.order[i] - 1);
  return out;
}

}  // namespace

// While moves are handed in, whose turn it is to do so is nobody's business.
int active_told(const KernelGame& game, const StateBlock& block, const Eyes& eyes,
                const Viewer& viewer) {
  const Header& h = block.as<Header>();
  if (eyes.see_all() || !game.program().simultaneous) return h.active;
  return Memory(game.program(), readable(block)).collecting()
             ? game.decision_told(block, viewer).player.value
             : int{h.active};
}

// Everybody sees who has handed in a move; what it is, only who did.
Json KernelGame::submissions_json(const StateBlock& block, const Eyes& eyes) const {
  const Program& p = *program_;
  Lease lease(p);
  lease.block() = block;
  Machine& machine = lease.machine();
  machine.attach(lease.block());
  const auto* all = machine.memory().at<Submission>(p.layout.submissions);
  Json out = Json::array();
  for (int player = 0; player < p.players; ++player) {
    const bool done = ((machine.header().submitted >> player) & 1) != 0;
    Json entry{{"player", player}, {"handedIn", done}};
    const bool shown = eyes.see_all() || player == eyes.player();
    if (shown && all[player].begun != 0 && all[player].option != no_submission) {
      machine.header().active = player;
      machine.set_asker(&eyes);
      std::string action;
      Json params = machine.move_params(Option{all[player].option}, action);
      Json choices = Json::array();
      for (std::uint32_t k = 0; k < all[player].answers; ++k) {
        const Value answer{all[player].answer[k]};
        choices.push_back(answer.tag() == Tag::text ? Json(nullptr) : machine.json_of(answer));
      }
      entry["move"] = {{"action", action}, {"params", std::move(params)}};
      if (!choices.empty()) entry["move"]["choices"] = std::move(choices);
    }
    out.push_back(std::move(entry));
  }
  return out;
}

Json seen_beside_zones(Machine& machine, const Eyes& eyes, int active) {
  const Program& p = machine.program();
  const Memory& memory = machine.memory();
  const Header& h = machine.header();
  Json zone_vars = Json::object(), markers = Json::object(), global_markers = Json::object();
  for (const ZoneId z : p.zones.ids()) {
    const ZoneInfo& zone = p.zones[z];
    if (!shown_zone(zone, eyes)) continue;
    if (!p.zvars.empty())
      zone_vars[zone.id] = vars_json(
          machine, p.zvars, [&](VarId v) { return memory.zvar(z, v); },
          [&](VarId v) { return eyes.see_zvar(z, v); });
    for (int l = 0; l < std::ssize(p.lattices); ++l)
      if (const int state = memory.marker(z, l); state >= 0)
        markers[zone.id][p.lattices[l].id] = p.text(p.lattices[l].states[state]);
  }
  for (int l = 0; l < std::ssize(p.global_lattices); ++l) {
    if (!eyes.see_global_marker(l)) continue;
    const LatticeInfo& lattice = p.global_lattices[l];
    global_markers[lattice.id] = p.text(lattice.states[memory.global_marker(l)]);
  }
  Json players = Json::array();
  for (int i = 0; i < p.players; ++i)
    players.push_back(vars_json(
        machine, p.pvars, [&](VarId v) { return memory.pvar(i, v); },
        [&](VarId v) { return eyes.see_pvar(i, v); }));
  Json out = Json::object();
  out["phase"] = p.phases[h.phase].id;
  out["turn"] = h.turn;
  out["round"] = h.round;
  out["active"] = active;
  out["globals"] = vars_json(
      machine, p.gvars, [&](VarId v) { return memory.gvar(v); },
      [&](VarId v) { return eyes.see_gvar(v); });
  out["players"] = std::move(players);
  out["zoneVars"] = std::move(zone_vars);
  out["markers"] = std::move(markers);
  out["globalMarkers"] = std::move(global_markers);
  out["effects"] = effects_json(machine);
  if (!p.metrics.empty()) out["metrics"] = metrics_json(machine, eyes);
  if (!p.standings.empty())
    if (Json standings = standings_json(machine, eyes); !standings.is_null())
      out["standings"] = std::move(standings);
  if (p.flow.cards) out["turnFlow"] = flow_json(machine);
  return out;
}

Json KernelGame::view(const StateBlock& block, const Viewer& viewer) const {
  const Program& p = *program_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  const Eyes eyes(p, profiles_, viewer);
  machine.set_asker(&eyes);
  const Header& h = machine.header();
  Json out = seen_beside_zones(machine, eyes, active_told(*this, block, eyes, viewer));
  Json& zones = out["zones"] = Json::object();
  for (const ZoneId z : p.zones.ids())
    if (const ZoneInfo& zone = p.zones[z]; shown_zone(zone, eyes))
      zones[zone.id] = zone_json(machine, eyes, z);
  out["turnInRound"] = h.turn_in_round;
  out["roundStartPlayer"] = int{h.round_start};
  if (p.phases[h.phase].together) out["submissions"] = submissions_json(block, eyes);
  if (p.reorders_turns) out["turnOrder"] = turn_order_json(machine.memory());
  if (Json modules = machine.module_snapshots(eyes.see_all()); !modules.empty())
    out["modules"] = std::move(modules);
  return out;
}

}  // namespace parlor::kernel
