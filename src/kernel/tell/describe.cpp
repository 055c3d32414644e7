// A state and its options as text, for people at a terminal.
#include <algorithm>
#include <fmt/format.h>

#include "kernel/kernel.h"
#include "kernel/run/machine.h"
#include "kernel/tell/draw.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {
namespace {

// What stands for a choice, and for a part of one, that is kept from whoever is told.
constexpr const char* secret_choice = "a secret choice";
constexpr const char* secret_part = "something hidden";

// "[heat 3]": variables of a zone, as far as the viewer sees them.
std::string zone_vars(Machine& machine, const Wording& wording, const Eyes& eyes, ZoneId z) {
  const Program& p = machine.program();
  std::string out;
  for (const VarId v : p.zvars.ids()) {
    if (!p.zvars[v].material || wording.omitted.contains(p.zvars[v].name)) continue;
    if (!eyes.see_zvar(z, v)) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", variable_label(wording, p.zvars[v].name),
                       machine.memory().zvar(z, v));
  }
  return out.empty() ? "" : "[" + out + "]";
}

// Places one can go to are named also when nothing is there; piles and hands only while there is
// something, or while something about them is worth saying.
bool is_listed(Machine& machine, const Wording& wording, const Eyes& eyes, ZoneId z, int places) {
  const Program& p = machine.program();
  const ZoneInfo& zone = p.zones[z];
  constexpr int most_places = 40;  // of a large map only what lies there
  if (zone.internal || wording.omitted.contains(zone.id.substr(0, zone.id.rfind(':'))))
    return false;
  if (machine.memory().zone(z).count != 0 || !eyes.see_count(z)) return true;
  return zone.kind == spec::ZoneKind::board && (places <= most_places || !p.zvars.empty());
}

// The tokens of a zone that the viewer sees. Those that look the same stand together with their
// number; where order matters only neighbours do.
void list_zone(Machine& machine, const Wording& wording, const Eyes& eyes, ZoneId z,
               std::string& out) {
  constexpr std::size_t most = 24;
  const Program& p = machine.program();
  const bool any_order = p.zones[z].ordering == spec::Ordering::set;
  std::vector<std::pair<std::string, int>> groups;
  const int count = machine.memory().zone(z).count;
  int shown = 0;
  for (const TokenId t : machine.memory().tokens_in(z)) {
    if (!eyes.see(machine.memory(), t)) continue;
    std::string text = token_label(machine, wording, t, false);
    auto same = any_order ? std::ranges::find(groups, text, &std::pair<std::string, int>::first)
                          : groups.end();
    if (!any_order && !groups.empty() && groups.back().first == text) same = groups.end() - 1;
    if (same == groups.end() && groups.size() == most) break;
    if (same == groups.end())
      groups.emplace_back(std::move(text), 1);
    else
      ++same->second;
    ++shown;
  }
  std::vector<std::string> items;
  bool words = false;
  for (const auto& [text, number] : groups) {
    items.push_back(number == 1 ? text : fmt::format("{} ×{}", text, number));
    words |= items.back().find(' ') != std::string::npos;
  }
  const bool counted = eyes.see_count(z);
  if (shown < count || !counted) items.push_back(shown == 0 ? "hidden" : "…");
  if (count == 0 && counted) items.push_back("nothing");
  if (const std::string vars = zone_vars(machine, wording, eyes, z); !vars.empty())
    items.push_back(vars);
  add_list(
      fmt::format("  {} ({}):", zone_label(p, wording, z), counted ? std::to_string(count) : "?"),
      items, words ? ";" : "", out);
}

// A token that a variable holds, with what the game says is worth knowing of it.
std::string held_text(Machine& machine, const Wording& wording, TokenId token) {
  std::string text = value_label(machine, wording, Value::token(token));
  const std::string* told =
      wording.details.find(machine.program().types[machine.memory().token(token).type].id);
  const bool only_place = machine.json_of(Value::token(token)).is_object();
  if (told == nullptr || only_place) return text;
  return fmt::format("{} ({})", text, fill_pattern(machine, wording, token, *told));
}

std::string variable_text(Machine& machine, const Wording& wording, const VarInfo& var,
                          std::int64_t v) {
  const Program& p = machine.program();
  if (var.boolean) return v != 0 ? "yes" : "no";
  if (var.player) return v < 0 || v >= p.players ? "nobody" : seat_label(p, v);
  if (!var.texts.empty()) {
    const std::string& text = var.texts[v];
    if (const auto* own = wording.values.find(var.name))
      if (const std::string* found = own->find(text)) return *found;
    return label(wording, text);
  }
  if (var.type == spec::VarType::zone) return v < 0 ? "nowhere" : zone_label(p, wording, ZoneId(v));
  if (var.type == spec::VarType::token)
    return is_in_play(machine, v) ? held_text(machine, wording, TokenId(v)) : "nothing";
  return std::to_string(v);
}

void list_vars(const std::string& heading, Machine& machine, const Wording& wording,
               const Vars& vars, auto read, auto sees, std::string& out) {
  std::vector<std::string> items;
  for (const VarId var : vars.ids()) {
    const VarInfo& info = vars[var];
    if (!info.material || wording.omitted.contains(info.name) || !sees(var)) continue;
    items.push_back(fmt::format("{}={}", variable_label(wording, info.name),
                                variable_text(machine, wording, info, read(var))));
  }
  if (!items.empty()) add_list(heading, items, "", out);
}

// Whether whoever asks sees all that everybody's score is about.
bool sees_scores(Machine& machine) {
  const Program& p = machine.program();
  for (int i = 0; i < p.players; ++i) {
    Machine::Scratch scratch(machine, p.terminal_unit, machine.header().active, i);
    if (p.score.is_none() || machine.hidden_from_asker(p.score)) return false;
  }
  return true;
}

// What the game would be worth to each if it ended now, where the rules have a score and it lies
// open.
std::string scores_text(const KernelGame& game, Machine& machine, const StateBlock& block) {
  const Program& p = machine.program();
  if (!p.def.terminal.scoring) return {};
  const bool hides = game.info().hidden_information;
  if (hides && !p.score.is_none())  // a variable that is shown anyway
    if (const Node& n = p.as_written().nodes[p.score]; n.op == Ex::pvar)
      if (const VarInfo& var = p.pvars[n.a]; var.material && !p.wording->omitted.contains(var.name))
        return {};
  if (hides && !sees_scores(machine)) return {};
  std::vector<std::int64_t> scores(p.players);
  if (!game.standing(block, scores)) return {};
  const bool lowest = !p.def.terminal.scoring->highest;
  std::vector<std::string> items;
  for (int i = 0; i < p.players; ++i)
    items.push_back(fmt::format("{} {}", seat_label(p, i), (lowest ? -1 : 1) * scores[i]));
  std::string out;
  add_list("  score:", items, ",", out);
  return out;
}

// Timed effects in force: whose they are, what they are about, how long they last and what they do.
std::string effects_text(Machine& machine, const Wording& wording) {
  const Program& p = machine.program();
  std::string out;
  for (int k = 0; k < machine.header().effects; ++k) {
    const EffectRecord& record = machine.memory().at<EffectRecord>(p.layout.effects)[k];
    const spec::TimedEffectDef& def = p.def.timed_effects[record.kind];
    std::vector<std::string> items;
    if (record.owner >= 0) items.push_back("for " + seat_label(p, record.owner));
    if (!record.target.is_none())
      items.push_back("on " + value_label(machine, wording, record.target));
    if (record.until_turn != never)
      items.push_back(fmt::format("until turn {}", record.until_turn));
    if (record.until_round != never)
      items.push_back(fmt::format("until round {}", record.until_round));
    if (record.until_turn_of >= 0)
      items.push_back("until the next turn of " + seat_label(p, record.until_turn_of));
    if (record.charges >= 0) items.push_back(fmt::format("{} charges left", record.charges));
    for (const spec::NamedModifier& modifier : def.modifiers)
      items.push_back(fmt::format("{} {:+}", label(wording, modifier.name), modifier.value));
    for (const spec::NamedModifier& delta : def.cost_delta)
      items.push_back(fmt::format("costs {:+} {}", delta.value, label(wording, delta.name)));
    for (const std::string& action : def.block_actions)
      items.push_back("no " + label(wording, action));
    add_list(fmt::format("  in force, {}:", label(wording, def.id)), items, ",", out);
  }
  return out;
}

std::string heading(const Program& p, const Wording& wording, const Header& h,
                    const Decision& decision, const std::string& name) {
  std::string out = fmt::format("{}: turn {}", name, h.turn);
  if (wording.rounds) out += fmt::format(", round {}", h.round);
  if (p.phases.size() > 1) out += fmt::format(", phase {}", label(wording, p.phases[h.phase].id));
  if (decision.kind == DecisionKind::finished) return out + ", over\n";
  const bool chance = decision.kind == DecisionKind::chance;
  return out +
         fmt::format(", {} to act\n", chance ? "chance" : seat_label(p, decision.player.value));
}

}  // namespace

std::string KernelGame::describe(const StateBlock& block, const Viewer& viewer) const {
  const Program& p = *program_;
  const Wording& wording = *wording_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  const Eyes eyes(p, profiles_, viewer);
  machine.set_asker(&eyes);
  const Memory& memory = machine.memory();
  std::string out = heading(p, wording, machine.header(), decision_told(block, viewer), info_.name);
  const Table<ZoneId, bool> drawn = draw_board(machine, wording, eyes, out);
  if (!wording.legend.empty()) add_words("  ", wording.legend, out);
  int places = 0;
  for (const ZoneId z : p.zones.ids())
    places += p.zones[z].kind == spec::ZoneKind::board && !drawn[z];
  for (const ZoneId z : wording.zones)
    if (!drawn[z] && is_listed(machine, wording, eyes, z, places))
      list_zone(machine, wording, eyes, z, out);
  list_vars(
      "  game:", machine, wording, p.gvars, [&](VarId v) { return memory.gvar(v); },
      [&](VarId v) { return eyes.see_gvar(v); }, out);
  for (int i = 0; i < p.players; ++i)
    list_vars(
        fmt::format("  {}:", seat_label(p, i)), machine, wording, p.pvars,
        [&](VarId v) { return memory.pvar(i, v); }, [&](VarId v) { return eyes.see_pvar(i, v); },
        out);
  out += scores_text(*this, machine, block);
  out += effects_text(machine, wording);
  if (viewer.sees_all() || viewer.is(decision(block).player)) out += prices_text(machine, block);
  out += markers_text(machine, wording);
  if (p.flow.cards) out += cards_text(machine, wording);
  if (collecting(block)) out += describe_submissions(block, eyes);
  return out;
}

namespace {
// {"action", "params"} as one reads it: "bid 7".
std::string move_text(const Program& p, const Wording& wording, const Json& move) {
  std::string out = label(wording, move.value("action", ""));
  const auto value = [&](const Json& v) {
    if (!v.is_string()) return canonical(v);
    const ZoneId zone = p.zone_named(v.get<std::string>());
    return zone.is_none() ? label(wording, v.get<std::string>()) : zone_label(p, wording, zone);
  };
  for (const char* part : {"params", "choices"})
    if (move.contains(part))
      for (const Json& v : move[part]) out += " " + value(v);
  return out;
}
}  // namespace

// Who has handed in a move, and one's own.
std::string KernelGame::describe_submissions(const StateBlock& block, const Eyes& eyes) const {
  std::vector<std::string> done;
  std::string own;
  for (const Json& entry : submissions_json(block, eyes)) {
    if (!entry["handedIn"].get<bool>()) continue;
    done.push_back(seat_label(*program_, entry["player"].get<int>()));
    if (entry["player"] == eyes.player() && entry.contains("move"))
      own = fmt::format("  your move: {}\n", move_text(*program_, *wording_, entry["move"]));
  }
  std::string out;
  if (!done.empty()) add_list("  handed in:", done, ",", out);
  return out + own;
}

// `closed_too`: also what only the decider may know.
namespace {
// "take 0" is the card that lies there.
std::string token_at_place(Machine& machine, const Wording& wording, const std::string& action,
                           const Json& number) {
  const spec::NumberedPlace* meant = wording.places.find(action);
  if (meant == nullptr || !number.is_number_integer()) return {};
  const Program& p = machine.program();
  const ZoneId zone = p.zone_named(meant->zone + ":none");
  const int prop = position_of(p.props, meant->prop);
  if (zone.is_none() || prop < 0) return {};
  const Value wanted = Value::integer(number.get<std::int64_t>());
  const Memory& memory = machine.memory();
  for (const TokenId t : memory.tokens_in(zone))
    if (memory.prop(t, prop) == wanted &&
        (machine.asker() == nullptr || machine.asker()->see(memory, t)))
      return token_label(machine, wording, t, true);
  return {};
}

// Whether what a query gives are players, who have names.
bool gives_players(const Program& p, NodeId query) {
  if (!p.nodes.has(query)) return false;
  const Node& node = p.nodes[query];
  switch (node.op) {
    case Ex::q_players:
      return true;
    case Ex::q_filter:
    case Ex::q_sort:
    case Ex::q_next:
      return gives_players(p, node.a);
    case Ex::q_concat:
    case Ex::q_prioritized:
      return node.b > 0 && gives_players(p, p.extra[node.a]);
    default:
      return false;
  }
}

// "bid {$count} of {$face}" with what was chosen in place of the braces.
std::string filled_option(const std::string& pattern,
                          const std::vector<std::pair<std::string, std::string>>& params) {
  std::string out = pattern;
  for (const auto& [name, text] : params)
    for (const std::string& slot : {"{" + name + "}", "{" + name.substr(1) + "}"})
      if (const std::size_t at = out.find(slot); at != std::string::npos)
        out.replace(at, slot.size(), text);
  return out;
}

const char* class_label(ActionClass action_class) {
  switch (action_class) {
    case ActionClass::limited_operation:
      return "limited";
    case ActionClass::operation_plus_special_activity:
      return "with special activity";
    case ActionClass::special_activity:
      return "special activity";
    case ActionClass::operation:
      return "operation";
    default:
      return "other";
  }
}
}  // namespace

ChoiceTold KernelGame::label_for(const StateBlock& block, Option option, const Eyes& eyes,
                                 bool closed_too) const {
  const Secrets& secrets = program_->secrets;
  StateBlock room;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(at_hand(block, room)));
  machine.set_asker(&eyes);
  const auto hides_count = [&](Value v) {
    return v.is_symbol() && v.payload() < program_->zone_count &&
           program_->zones[v.as_zone()].count_hidden;
  };
  if (block.as<Header>().decision != DecisionKind::action) {
    const auto plainly = [](std::string text) { return ChoiceTold{std::move(text), false}; };
    if (machine.is_confirm(option)) return plainly(label(*wording_, "confirm"));
    const bool closed = secrets.any && secrets.closed_code[machine.top().pc];
    if (closed && !closed_too) return {secret_choice, true};
    const Value chosen = machine.option_value(option);
    const Instr& asked = program_->code[machine.top().pc];
    if (chosen.is_int() && gives_players(*program_, asked.b))
      return plainly(seat_label(*program_, chosen.index()));
    return plainly(kernel::value_label(machine, *wording_, chosen));
  }
  std::string action;
  const Json params = machine.move_params(option, action);
  ChoiceTold told{label(*wording_, action), false};
  std::string& out = told.label;
  const int index = position_of(program_->actions, action, &ActionInfo::id);
  if (index == program_->flow.event_action) return {event_label(out, params), false};
  std::vector<std::pair<std::string, std::string>> texts;
  const ActionInfo& info = program_->actions[index];
  for (std::size_t k = 0; k < info.params.size(); ++k) {
    const ParamInfo& param = info.params[k];
    if (!params.contains(param.name)) continue;
    const Json& v = params[param.name];
    std::string& text = texts.emplace_back(param.name, "").second;
    const bool buried = v.is_string() && hides_count(machine.value_of_text(v.get<std::string>()));
    if (!closed_too && secrets.any &&
        (secrets.closed_params[index][k] || (secrets.buried_params[index][k] && buried)))
      text = secret_part, told.hidden = true;
    else if (v.is_object())
      text = place_label(*program_, *wording_, v);
    else if (param.kind == ItemKind::player && v.is_number_integer())
      text = seat_label(*program_, v.get<int>());
    else if (v.is_string())
      text = kernel::value_label(machine, *wording_, machine.value_of_text(v.get<std::string>()));
    else if (std::string there = token_at_place(machine, *wording_, action, v); !there.empty())
      text = std::move(there);
    else
      text = canonical(v);
  }
  if (const std::string* own = wording_->options.find(action))
    out = filled_option(*own, texts);
  else
    for (const auto& [name, text] : texts) out += ' ' + text;
  const Machine::Variant variant = machine.variant_of(option);
  if (program_->flow.cards && variant.action_class != program_->flow.class_of[index])
    out += fmt::format(" ({})", class_label(variant.action_class));
  if (variant.grant == 0) return told;
  const std::string grant = machine.grant_told(index, variant);
  out += grant.empty() ? ", free" : ", free: " + grant;
  return told;
}

// A card by its title; the side only where it has two.
std::string KernelGame::event_label(const std::string& action, const Json& params) const {
  for (const spec::EventDeckDef& deck : program_->def.event_decks)
    for (const spec::EventCardDef& card : deck.cards) {
      if (params.value("eventCardId", "") != card.id) continue;
      std::string out = action + " " + (card.title.empty() ? card.id : card.title);
      if (card.unshaded && card.shaded) out += ", " + params.value("side", "");
      if (params.contains("branch")) out += ": " + label(*wording_, params.value("branch", ""));
      return out;
    }
  return action;
}

std::string KernelGame::option_label(const StateBlock& block, Option option,
                                     const Viewer& viewer) const {
  return label_for(block, option, Eyes(*program_, profiles_, viewer), true).label;
}

ChoiceTold KernelGame::choice_told(const StateBlock& before, Option option, const StateBlock& after,
                                   const Viewer& viewer) const {
  Eyes eyes(*program_, profiles_, viewer);
  const Decision decision = this->decision(before);
  const bool own = eyes.see_all() || viewer.is(decision.player);
  if (!own && collecting(before)) return {secret_choice, true};
  // That a selection is complete says nothing beyond what was selected.
  if (option_json(before, option, viewer).value("confirm", false)) return {};
  const Memory later(*program_, readable(after));
  eyes.remember(later);
  return label_for(before, option, eyes, own);
}

std::string KernelGame::value_label(const StateBlock& block, const Json& value,
                                    const Viewer& viewer) const {
  if (!value.is_string()) return Game::value_label(block, value, viewer);
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  const Eyes eyes(*program_, profiles_, viewer);
  const Value v = machine.value_of_text(value.get<std::string>());
  if (v.is_token() && v.payload() < machine.header().tokens &&
      !eyes.see(machine.memory(), v.as_token()))
    return secret_part;
  return v.is_token() ? token_label(machine, *wording_, v.as_token(), true)
                      : kernel::value_label(machine, *wording_, v);
}

std::string KernelGame::question(const StateBlock& block, const Viewer& viewer) const {
  const DecisionKind kind = block.as<Header>().decision;
  if (!viewer.sees_all() && !viewer.is(decision(block).player)) return {};
  if (kind != DecisionKind::choose_one && kind != DecisionKind::choose_n) return {};
  StateBlock room;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(at_hand(block, room)));
  const std::string* bound = machine.chosen_name();
  if (bound == nullptr) return {};
  std::string name = bound->substr(bound->starts_with('$') ? 1 : 0);
  if (name.starts_with("__macro_")) name.erase(0, name.rfind('_') + 1);  // see hygiene of macros
  name.resize(std::min(name.size(), name.find('{')));  // placeholders mean nothing to people
  while (!name.empty() && (name.back() == '_' || name.back() == '-' || name.back() == '@'))
    name.pop_back();
  return label(*wording_, name);
}

}  // namespace parlor::kernel
