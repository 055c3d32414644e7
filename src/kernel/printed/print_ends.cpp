// The end of a move as C++: whether the game is over, who may move next and whether anybody can.
#include <algorithm>

#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// What an expression outside the unit says, if all of it can be printed. The players are those of
// the state then.
bool Printer::outside(UnitId scope, const std::function<void()>& print) {
  const std::string before = out_;
  const auto left = left_;
  const bool left_before = left_something_, unprintable_before = unprintable_;
  const std::string why = why_;
  left_something_ = unprintable_ = false;
  std::map<int, Made> bound;
  bound.swap(bound_);
  const UnitInfo* const unit = std::exchange(unit_, nullptr);
  scope_ = scope;
  print();
  const bool fine = fits();
  unit_ = unit;
  bound.swap(bound_);
  if (!fine) {
    out_ = before;
    left_ = left;
  }
  why_ = why;
  left_something_ = left_before;
  unprintable_ = unprintable_before;
  return fine;
}

// Goes to `leave` where only the machine can say more.
void Printer::terminal(std::size_t index, const std::string& phase, const std::string& leave) {
  const TerminalInfo& terminal = p_.terminals[index];
  if (!terminal.in_any_phase) {
    std::string when;
    for (std::size_t k = 0; k < terminal.in_phase.size(); ++k)
      if (terminal.in_phase[k])
        when += fmt::format("{}{} == {}", when.empty() ? "" : " || ", phase, k);
    line("if ({}) {{", when.empty() ? "false" : when);
  } else {
    line("{{");
  }
  ++depth_;
  const bool simple = !terminal.by_margins && terminal.winners.is_none();
  const bool printed = outside(p_.terminal_unit, [&] {
    const std::string over = truth(terminal.when.value);
    line("if ({}) {{", over);
    ++depth_;
    if (simple) {
      std::string winner =
          fmt::format("{}", terminal.seat_player < 0 ? 0xff : terminal.seat_player);
      if (!terminal.player.is_none()) winner = player(terminal.player.value);
      if (terminal.result == spec::ResultKind::score) ask_scores();
      finish_game(static_cast<int>(index), winner);
    } else {
      line("goto {};", leave);
    }
    --depth_;
    line("}}");
  });
  if (!printed) {
    // Nothing is known of this end: the machine asks.
    line("goto {};", leave);
  }
  --depth_;
  line("}}");
  if (!simple || !printed) leaves_ = true;
}

// What the end is worth is asked now, so that a finished game never fails to say it.
void Printer::ask_scores() {
  if (p_.score.is_none()) return;
  line("for (v.actor = 0; v.actor < {}; ++v.actor) {{", p_.players);
  ++depth_;
  repeated({.times = p_.players}, [&] {
    const std::string worth = integer(p_.score.value);
    line("static_cast<void>({});", worth);
  });
  --depth_;
  line("}}");
  line("v.actor = v.active;");
}

void Printer::finish_game(int ended_by, const std::string& winner) {
  line("v.ref<std::uint8_t>({}) = {};", offset_in_header(&Header::decision),
       static_cast<int>(DecisionKind::finished));
  line("v.ref<std::int16_t>({}) = {};", offset_in_header(&Header::ended_by), ended_by);
  if (!winner.empty())
    line("v.ref<std::uint8_t>({}) = static_cast<std::uint8_t>({});",
         offset_in_header(&Header::winner), winner);
  line("v.ref<std::array<std::uint64_t, {}>>({}) = {{}};", instant_words,
       offset_in_header(&Header::instant));
  catch_up();
  line("return done;");
}

// Whether an option can be carried through, tried out.
std::string Printer::tried_out(const ActionInfo& action, const Offer& offer) {
  const auto trial = trials_.find(action.unit);
  if (trial == trials_.end()) {
    cannot("trying " + action.id + " out");
    return "false";
  }
  const std::string way = fresh('r');
  helped_ = true;
  if (action.trial.local) {
    if (!offer.lists) cannot("whether somebody can " + action.id);  // the machine asks
    line("const int {} = v.help->kept(v, {}, {});", way, &action - p_.actions.data(), offer.id);
  } else {
    line("const int {} = try_out(v, {}, {});", way, trial->second, offer.id);
  }
  give_up_if(way + " == trouble");
  return way + " == yes";
}

// The first pipeline that applies, if neither its legality nor its price says no; -1: none.
std::string Printer::choose_pipeline(const ActionInfo& action) {
  const std::string found = fresh('n');
  line("int {} = -1;", found);
  line("do {{");
  ++depth_;
  const UnitId scope = scope_;
  for (const int index : action.pipelines) {
    const PipelineInfo& info = p_.pipelines[static_cast<std::size_t>(index)];
    scope_ = info.unit;
    const std::string applies =
        info.applicability.is_none() ? "true" : truth(info.applicability.value);
    line("if ({}) {{", applies);
    ++depth_;
    if (!info.legality.is_none()) {
      const std::string legal = truth(info.legality.value);
      line("if (!{}) break;", legal);
    }
    if (!info.cost.is_none() && !info.partial) {
      const std::string paid = truth(info.cost.value);
      line("if (!{}) break;", paid);
    }
    line("{} = {};", found, index);
    line("break;");
    --depth_;
    line("}}");
  }
  scope_ = scope;
  --depth_;
  line("}} while (false);");
  return found;
}

// Whether the pipeline that was found can be carried through; the machine knows.
std::string Printer::completed(const ActionInfo& action, const Offer& offer) {
  std::string tries;
  for (const PipelineInfo& info : p_.pipelines) tries += info.look_ahead ? "true, " : "false, ";
  const std::string way = fresh('r');
  helped_ = true;
  line("int {} = yes;", way);
  line("if ({}[{}])", table("tries_pipelines", "bool", tries), offer.pipeline);
  line("  {} = v.help->completes(v, {}, {}, {});", way, &action - p_.actions.data(), offer.id,
       offer.pipeline);
  give_up_if(way + " == trouble");
  return way + " == yes";
}

// An action, from this step of its order on: its options, or whether it has one.
void Printer::offer_if(const std::string& holds, const ActionInfo& action, std::size_t at,
                       const Offer& offer) {
  line("if ({}) {{", holds);
  ++depth_;
  this->offer(action, at, offer);
  --depth_;
  line("}}");
}

// What comes next is asked in the name of whoever carries the action out.
void Printer::offer_as(const std::string& who, const ActionInfo& action, std::size_t at,
                       const Offer& offer) {
  const std::string active = fresh('p'), actor = fresh('p');
  line("const int {} = v.active, {} = v.actor;", active, actor);
  line("v.active = v.actor = {};", who);
  this->offer(action, at, offer);
  line("v.active = {};", active);
  line("v.actor = {};", actor);
}

void Printer::offer(const ActionInfo& action, std::size_t at, const Offer& offer) {
  const auto where = [&](const std::string& holds) { offer_if(holds, action, at + 1, offer); };
  for (; at < action.order.size(); ++at) {
    const Step& step = action.order[at];
    switch (step.ask) {
      case Ask::phase_pre:
        if (step.phase != offer.phase) break;
        [[fallthrough]];
      case Ask::pre:
        return where(truth(step.what));
      case Ask::actor: {
        const std::string may = players(step.what);
        return where(fmt::format("({} >> v.active & 1) != 0", may));
      }
      case Ask::limit: {
        const LimitInfo& limit = action.limits[step.what];
        return where(fmt::format("v.at<std::uint32_t>({} + place({}) * 4) < {}u", p_.layout.usage,
                                 usage_cell(action, limit), static_cast<std::uint64_t>(limit.max)));
      }
      case Ask::executor:
        return offer_as(player(step.what), action, at + 1, offer);
      case Ask::blocked:
        return where("!" + blocked(action));
      case Ask::price:
        return where(can_pay(action));
      case Ask::param:
        return offer_param(action, at, offer);
      case Ask::pipeline: {
        Offer next = offer;
        next.pipeline = choose_pipeline(action);
        return offer_if(next.pipeline + " >= 0", action, at + 1, next);
      }
      case Ask::completes: {
        const bool tries = action.pipelines.empty()
                               ? action.look_ahead
                               : std::ranges::any_of(action.pipelines, [&](int k) {
                                   return p_.pipelines[static_cast<std::size_t>(k)].look_ahead;
                                 });
        if (!tries) break;
        return where(action.pipelines.empty() ? tried_out(action, offer)
                                              : completed(action, offer));
      }
      default:
        return cannot(fmt::format("the step {} of {}", ask_name(step.ask), action.id));
    }
  }
  if (offer.lists)
    give_up_if(fmt::format("!options.add({})", offer.id));
  else
    line("{} = true;", offer.found);
}

void Printer::offer_param(const ActionInfo& action, std::size_t at, const Offer& offer) {
  const auto k = static_cast<std::size_t>(action.order[at].what);
  const ParamInfo& param = action.params[k];
  if (action.look_ahead && (!action.quick.is_none() || !action.ways_from.is_none()))
    cannot("trying out a set of zones");
  if (!action.quick.is_none()) {
    if (!can_set(action.quick.value)) leave_node(action.quick.value);
    const std::string zones = set(action.quick.value);
    if (offer.lists)
      line("options.add_zones({}, {}, {}, {});", zones, offer.id, action_bits,
           action.params[0].base);
    else
      line("{} = {}.any();", offer.found, zones);
    return;
  }
  if (k == 0 && !action.ways_from.is_none()) return offer_ways(action, offer);
  if (offer.lists && action.trial.by_zone && k == 0 && offer_kept(action, at, offer)) return;
  const bool last = k + 1 == action.params.size();
  // Where it comes up again it is the same option.
  const std::string seen = offer.lists && param.may_repeat ? fresh('s') : "";
  const bool zones = param.kind == ItemKind::zone;
  if (!seen.empty()) line("{} {}{{}};", zones ? zones_type() : "LoopItems<Value>", seen);
  const std::string r = loop(param.domain.value, [&](const Made& item) {
    if (!seen.empty() && zones) {
      const std::string z = zone_of(item);
      line("if ({}.has({})) return go_on;", seen, z);
      line("{}.put({});", seen, z);
    } else if (!seen.empty()) {
      line("if ({}.has({})) return go_on;", seen, as_value(item));
      give_up_if(fmt::format("!{}.add({})", seen, as_value(item)));
    }
    Offer next = offer;
    next.shift += param.bits;
    if ((offer.lists || action.look_ahead) && action.packed) {
      next.id = fresh('o');
      line("const std::uint64_t {} = {} | static_cast<std::uint64_t>({} - {}) << {};", next.id,
           offer.id, item.kind == Kind::any ? item.text + ".payload()" : item.text,
           fmt::format("std::int64_t{{{}}}", param.base), offer.shift);
    } else if (offer.lists && last) {
      next.id = fresh('o');
      line("const std::uint64_t {} = {} | ++ordinal << {};", next.id, offer.id, action_bits);
    }
    bind(param.slot.value, item, [&] {
      this->offer(action, at + 1, next);
      if (!offer.lists) line("if ({}) return stop;", offer.found);
    });
  });
  give_up_with(r);
}

// All options of an action at once, one for each zone of a set, by answers that are kept. False:
// they are not such a set, or more is asked of each.
bool Printer::offer_kept(const ActionInfo& action, std::size_t at, const Offer& offer) {
  const Node& domain = node(action.params[0].domain.value);
  if (domain.op != Ex::q_bits || !can_set(domain.a) || at + 2 != action.order.size() ||
      !trials_.contains(action.unit))
    return false;
  spend(1);
  helped_ = true;
  const std::string zones = fresh('s'), all = set(domain.a);
  line("{} {} = {};", zones_type(), zones, all);
  give_up_if(fmt::format("!v.help->kept_zones(v, {}, {}.w)", &action - p_.actions.data(), zones));
  line("options.add_zones({}, {}, {}, {});", zones, offer.id, action_bits, action.params[0].base);
  return true;
}

void Printer::offer_ways(const ActionInfo& action, const Offer& offer) {
  if (!can_set(action.ways_from.value)) leave_node(action.ways_from.value);
  const std::string from = set(action.ways_from.value);
  std::string may, ids;
  for (const auto& [way, zones] : action.ways) {
    if (!can_set(zones.value)) leave_node(zones.value);
    const std::string there = set(zones.value);
    may += fmt::format("{} & {}, ", from, there);
    ids += fmt::format("{} | {}u, ", offer.id,
                       static_cast<std::uint64_t>(way) << (action_bits + action.params[0].bits));
  }
  if (may.empty()) cannot("no ways");
  const std::string name = fresh('w');
  line("const {} {}[] = {{{}}};", zones_type(), name, may);
  if (offer.lists) {
    line("const std::uint64_t {}_ids[] = {{{}}};", name, ids);
    line("options.add_ways({0}, {0}_ids, {1});", name, action_bits);
    return;
  }
  for (std::size_t k = 0; k < action.ways.size(); ++k)
    line("{0} = {0} || {1}[{2}].any();", offer.found, name, k);
}

// Card-driven games, moves that are handed in and modules have more to ask.
bool Printer::lists_are_plain() const {
  return !p_.flow.cards && !p_.flow.events && p_.flow.cancellations.empty() && !p_.simultaneous &&
         p_.natives.empty() && p_.variant_bits == 0;
}

// False: the machine lists them.
bool Printer::list_action(int action, int phase) {
  const auto left = left_;
  const std::string before = out_;
  const std::int64_t work = static_work_, token_work = token_work_;
  scope_ = p_.actions[action].unit;
  line("{{");
  ++depth_;
  line("[[maybe_unused]] std::uint64_t ordinal = 0;");
  offer(p_.actions[action], 0,
        {.lists = true,
         .id = fmt::format("std::uint64_t{{{}}}", action),
         .shift = action_bits,
         .phase = phase});
  --depth_;
  line("}}");
  if (fits()) return true;
  remarks_.push_back(fmt::format("options of {}: {}", p_.actions[action].id, why_));
  why_.clear();
  left_something_ = unprintable_ = false;
  left_ = left;
  out_ = before;
  static_work_ = work;
  token_work_ = token_work;
  helped_ = true;
  give_up_if(fmt::format("!list_by_machine(v, options, {})", action));
  return false;
}

// Of the options of a phase; empty: not printed.
std::string Printer::listing_body(int index) {
  const PhaseInfo& phase = p_.phases[index];
  if (!lists_are_plain()) {
    remarks_.push_back(fmt::format("options of {}: cards, modules or moves handed in", phase.id));
    return "";
  }
  begin(-1);
  late_ = helped_ = false;
  static_work_ = token_work_ = 0;
  repeats_ = loops_ = 0;
  moving_ = true;
  unit_ = nullptr;
  move_slots_.clear();
  asked_because_.clear();
  pc_ = wrote_from_ = 0;
  if (!phase.instant.is_none()) {
    line("options.add_zones(v.at<Zones<{}>>({}), {}, {}, 0);",
         std::min<int>(p_.words, instant_words), offset_in_header(&Header::instant),
         phase.actions[0], action_bits);
  } else {
    std::size_t listed = 0;
    for (const int action : phase.actions) listed += list_action(action, index) ? 1 : 0;
    if (listed == 0) cannot("all actions");
  }
  moving_ = false;
  for (const auto& [pc, what] : asked_because_)
    remarks_.push_back(
        fmt::format("options of {}: {} is asked of the interpreter", phase.id, what));
  if (!fits()) {
    remarks_.push_back(fmt::format("options of {}: {}", phase.id, why_));
    return "";
  }
  line("return done;");
  const std::string body = std::exchange(out_, {});
  spend_before_all();
  return std::exchange(out_, {}) + body;
}

// The decision is reached: an action, of these zones if all options are one set of them.
void Printer::decide_on(const std::string& zones) {
  line("v.ref<std::array<std::uint64_t, {}>>({}) = {{}};", instant_words,
       offset_in_header(&Header::instant));
  for (int w = 0; !zones.empty() && w < std::min<int>(p_.words, instant_words); ++w)
    line("v.ref<std::uint64_t>({}) = {}.w[{}];",
         offset_in_header(&Header::instant) + 8 * static_cast<std::size_t>(w), zones, w);
  decide();
}

// Whether one of the actions of a phase can be taken: first those that need not be tried out.
// False: there are some that only the machine can ask.
bool Printer::ask_actions(std::size_t index, const std::string& found) {
  for (const bool tried : {false, true})
    for (const int number : p_.phases[index].actions) {
      const ActionInfo& action = p_.actions[number];
      if (action.look_ahead != tried) continue;
      line("if (!{}) {{", found);
      ++depth_;
      const bool printed = outside(action.unit, [&] {
        offer(action, 0,
              {.found = found,
               .id = fmt::format("std::uint64_t{{{}}}", number),
               .shift = action_bits,
               .phase = static_cast<int>(index)});
      });
      if (!printed) {
        helped_ = true;
        const std::string can = fresh('r');
        line("const int {} = v.help->can(v, {});", can, number);
        give_up_if(can + " == trouble");
        line("{} = {} == yes;", found, can);
      }
      --depth_;
      line("}}");
    }
  return true;
}

// Whether somebody can move in this phase; goes to `leave` where only the machine knows.
void Printer::phase_moves(std::size_t index, const std::string& leave) {
  const PhaseInfo& phase = p_.phases[index];
  if (phase.then.is_none() && !phase.instant.is_none()) {
    const bool printed = outside(p_.actions[phase.actions[0]].unit, [&] {
      if (!can_set(phase.instant.value)) leave_node(phase.instant.value);
      const std::string options = set(phase.instant.value);
      line("if ({}.any()) {{", options);
      ++depth_;
      decide_on(options);
      --depth_;
      line("}}");
    });
    if (printed) return;
  } else if (phase.then.is_none()) {
    if (std::ranges::any_of(phase.actions,
                            [&](int action) { return p_.actions[action].look_ahead; })) {
      helped_ = true;
      line("if (v.help->remarks) goto {};",
           leave);  // the machine tells what could not be found out
      leaves_ = true;
    }
    if (phase.always) return decide_on("");
    const std::string found = fresh('b');
    line("bool {} = false;", found);
    const bool all = ask_actions(index, found);
    line("if ({}) {{", found);
    ++depth_;
    decide_on("");
    --depth_;
    line("}}");
    if (all) return;
  }
  leaves_ = true;
  line("goto {};", leave);
}

void Printer::decide() {
  line("v.ref<std::uint8_t>({}) = {};", offset_in_header(&Header::decision),
       static_cast<int>(DecisionKind::action));
  line("v.ref<std::uint8_t>({}) = v.ref<std::uint8_t>({});", offset_in_header(&Header::decider),
       offset_in_header(&Header::active));
  catch_up();
  line("return done;");
}

// Nobody can move: the turn passes, so often at most.
void Printer::go_on_without_moves(int limit, const std::string& leave) {
  const bool simple = turn_is_simple() && !p_.uses_effects;
  if (!simple && (stretching_ || p_.simple_turns || p_.phased_rounds)) {
    leaves_ = true;
    line("goto {};", leave);
    return;
  }
  line("if (++step > {}) {{", limit);
  ++depth_;
  finish_game(-1, "");
  --depth_;
  line("}}");
  if (simple) return pass_turn();
  called_.insert(p_.advance_unit);
  const std::string r = fresh('r');
  line("const int {} = unit_{}(v);", r, p_.advance_unit.value);
  go_on_after_call(r, pc_, "step");
}

// Ends that have come, then whether anybody can move; where nobody can, the turn passes.
bool Printer::settle(const Instr& i) {
  if (i.b >= 0) return false;
  const std::int64_t work = static_work_, token_work = token_work_;
  const std::string leave_label = fmt::format("leave_{}", pc_), phase = fresh('n');
  const int limit = 2 * p_.players * static_cast<int>(p_.phases.size()) + 1;
  const bool outer_leaves = std::exchange(leaves_, false);
  goes_round_ = limit;
  if (stretching_) {
    give_up_if("!at.decides");
    line("int& step = at.steps;");
  } else {
    line("int step = 0;");
  }
  line("for (;;) {{");
  ++depth_;
  line("v.active = v.actor = v.ref<std::uint8_t>({});", offset_in_header(&Header::active));
  line("const int {} = v.ref<std::int16_t>({});", phase, offset_in_header(&Header::phase));
  for (std::size_t k = 0; k < p_.terminals.size(); ++k) terminal(k, phase, leave_label);
  if (p_.phases.size() == 1) {
    phase_moves(0, leave_label);
  } else {
    line("switch ({}) {{", phase);
    for (std::size_t k = 0; k < p_.phases.size(); ++k) {
      line("case {}: {{", k);
      ++depth_;
      phase_moves(k, leave_label);
      line("break;");
      --depth_;
      line("}}");
    }
    line("}}");
  }
  const bool always = std::ranges::all_of(
      p_.phases, [](const PhaseInfo& info) { return info.then.is_none() && info.always; });
  if (always)
    line("return trouble;");
  else
    go_on_without_moves(limit, leave_label);
  --depth_;
  line("}}");
  if (leaves_) {
    line("{}: {{", leave_label);
    leave(pc_, "step");
    line("}}");
  }
  leaves_ = outer_leaves;
  goes_round_ = 1;
  // Each step of the way, and what the machine counts for passing the turn.
  static_work_ += (static_work_ - work + 16 * work_of_instruction) * limit;
  token_work_ += (token_work_ - token_work) * limit;
  return true;
}

}  // namespace parlor::kernel
