#include <atomic>
#include <charconv>
#include <fmt/format.h>

#include "base/hash.h"
#include "kernel/know/observers.h"
#include "kernel/know/secrets.h"
#include "kernel/link/linker.h"
#include "kernel/module.h"
#include "kernel/state/memory.h"
#include "kernel/state/zone_set.h"
#include "kernel/tell/boards.h"
#include "kernel/tell/wording.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {

// ---- Names

Symbol Linker::symbol(std::string_view text) {
  return p_.symbols.intern(text).value;
}

// Text that names a token is that token: identities are compared, not spellings.
Value Linker::text_value(const std::string& text) {
  if (text.starts_with("tok_") && !p_.symbols.find(text)) {
    const auto cut = text.rfind('_');
    int number = 0;
    const auto parsed = std::from_chars(text.data() + cut + 1, text.data() + text.size(), number);
    const bool numbered =
        parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() && cut > 4;
    for (const TypeInfo& type : p_.types)
      if (numbered && text.compare(4, cut - 4, type.id) == 0) return Value::token(TokenId(number));
  }
  return Value::symbol(symbol(text));
}

Value Linker::scalar(const spec::Scalar& s) {
  if (const auto* n = std::get_if<spec::Int>(&s)) return Value::integer(*n);
  if (const auto* b = std::get_if<bool>(&s)) return Value::boolean(*b);
  return text_value(std::get<std::string>(s));
}

void Linker::unsupported(std::uint32_t place, std::string message, Code code) {
  Diagnostic diagnostic{code, Severity::error, std::move(message)};
  if (place < p_.def.places.size() && place != 0) {
    const spec::PlaceRecord& at = p_.def.places[place];
    diagnostic.path = at.path;
    diagnostic.span.file = at.file;
    diagnostic.span.line = at.line;
    diagnostic.span.column = at.column;
  }
  d_.add(std::move(diagnostic));
}

int Linker::phase_index(const std::string& id, std::uint32_t place) {
  if (const int found = position_of(p_.phases, id, &PhaseInfo::id); found >= 0) return found;
  unsupported(place, fmt::format("there is no phase `{}`", id));
  return 0;
}

int Linker::prop_index(const std::string& name) const {
  return position_of(p_.props, name);
}

int Linker::type_index(const std::string& id, std::uint32_t place) {
  if (const int found = position_of(p_.types, id, &TypeInfo::id); found >= 0) return found;
  unsupported(place, fmt::format("there is no token type `{}`", id));
  return 0;
}

int Linker::lattice_index(const std::vector<LatticeInfo>& list, const std::string& id,
                          std::uint32_t place) {
  if (const int found = position_of(list, id, &LatticeInfo::id); found >= 0) return found;
  unsupported(place, fmt::format("there is no marker `{}`", id));
  return 0;
}

void Linker::link_order() {
  const spec::TurnOrder& order = p_.def.turn_order;
  p_.reorders_turns = spec::mentions<spec::SetTurnOrder>(p_.def);
  if (order.kind == spec::TurnOrderKind::fixed_order)
    for (const std::string& entry : order.order) {
      int number = -1;
      const auto parsed = std::from_chars(entry.data(), entry.data() + entry.size(), number);
      const bool good = parsed.ec == std::errc{} && parsed.ptr == entry.data() + entry.size() &&
                        number < p_.players;
      if (const int seat = position_of(p_.def.seats, entry); !good && seat >= 0) number = seat;
      p_.turn_sequence.push_back(number < p_.players ? number : -1);
    }
  for (const std::string& name : p_.def.rounds.reset_each_round) {
    for (const int scope : {0, 1, 2})
      if (const VarId var = p_.vars(scope).find(&VarInfo::name, name); !var.is_none())
        p_.round_resets.emplace_back(scope, var);
  }
}

void Linker::link_effect_kinds() {
  for (const spec::TimedEffectDef& def : p_.def.timed_effects) {
    EffectKindInfo info;
    info.id = def.id;
    info.symbol = symbol(def.id);
    info.charges = def.charges ? *def.charges : -1;
    const auto mark = [&](const std::vector<std::string>& ids, std::vector<bool>& marks) {
      for (std::size_t a = 0; a < p_.def.actions.size(); ++a)
        if (std::ranges::find(ids, p_.def.actions[a].id) != ids.end()) marks[a] = true;
    };
    info.blocks.resize(p_.def.actions.size());
    mark(def.block_actions, info.blocks);
    info.prices.resize(p_.def.actions.size());
    mark(def.cost_actions, info.prices);
    for (std::size_t a = 0; def.cost_actions.empty() && a < info.prices.size(); ++a)
      info.prices[a] = !p_.def.actions[a].price.empty();
    for (const spec::NamedModifier& modifier : def.modifiers) {
      int at = position_of(p_.modifiers, modifier.name);
      if (at < 0) at = append(p_.modifiers, modifier.name);
      info.deltas.emplace_back(at, modifier.value);
    }
    for (const spec::NamedModifier& delta : def.cost_delta)
      if (const VarId var = p_.pvars.find(&VarInfo::name, delta.name); !var.is_none())
        info.cost_delta.emplace_back(var, delta.value);
    p_.effect_kinds.push_back(std::move(info));
  }
  p_.uses_effects = !p_.effect_kinds.empty();
}

// Where every count of uses lies: three for an action with limits of its own, then those that are
// shared.
void Linker::place_usage() {
  int cells = 0;
  for (ActionInfo& action : p_.actions)
    if (std::ranges::any_of(action.limits, [](const LimitInfo& l) { return l.count < 0; }))
      action.usage = std::exchange(cells, cells + 3);
  for (LimitCount& count : p_.limit_counts) count.first = std::exchange(cells, cells + count.size);
  p_.usage_cells = cells;
}

// What is kept of a token: its own record, its properties and, where something is hidden, what is
// known of it.
void Linker::lay_out_token() {
  Layout& l = p_.layout;
  l.token_size = sizeof(TokenRecord) + 4 * p_.columns;
  if (!p_.secrets.tokens) return;
  l.sight = l.token_size;
  l.mask_bytes = Memory::mask_bytes(p_.players);
  l.masks = l.sight + p_.secrets.props.size() * sizeof(ValueRange);
  l.places = l.masks + 2 * l.mask_bytes;
  const std::size_t sets = p_.secrets.viewers * p_.secrets.set_bytes;
  const auto whole = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  l.token_size += p_.secrets.props.size() * sizeof(ValueRange) + whole(2 * l.mask_bytes + sets);
  l.before = l.token_size;
  if (p_.secrets.course) l.token_size += sizeof(TokenBefore) + whole(sets);
}

void Linker::link_layout() {
  Layout& l = p_.layout;
  std::uint32_t at = (sizeof(Header) + 7) / 8 * 8;
  auto take = [&](std::size_t bytes) {
    const std::uint32_t begin = at;
    at += (bytes + 7) / 8 * 8;
    return begin;
  };
  l.globals = take(p_.gvars.size() * 8);
  l.players = take(p_.pvars.size() * 8 * p_.players);
  l.zone_vars = take(p_.zvars.size() * 8 * p_.zones.size());
  l.markers = take(p_.lattices.size() * p_.zones.size() * 2);
  l.global_markers = take(p_.global_lattices.size() * 2);
  place_usage();
  l.usage = take(p_.usage_cells * 4);
  l.zones = take(p_.zones.size() * sizeof(ZoneRecord));
  l.features = take(p_.features.size() * p_.words * 8);
  find_prop_filters();
  l.sums = take(p_.sums.size() * sizeof(SumRecord));
  l.seen = take(p_.seen.size() * seen_words * sizeof(std::uint64_t));
  p_.keeps_more = !p_.sums.empty() || !p_.seen.empty();
  l.pools = take(p_.options.explicit_chance ? p_.zones.size() : 0);
  l.turn_plan = take(p_.uses_turn_plan ? sizeof(TurnPlan) : 0);
  l.submissions = take(p_.simultaneous ? p_.players * sizeof(Submission) : 0);
  l.interrupts = take(p_.def.interrupts.empty() ? 0 : max_interrupts * 4);
  l.reveals = take(p_.uses_reveals ? max_reveals * sizeof(RevealRecord) : 0);
  l.ranges = take(p_.secrets.cells.size() * sizeof(VarRange));
  l.course = take(p_.secrets.course ? sizeof(CourseRecord) : 0);
  l.effects = take(p_.uses_effects ? max_effects * sizeof(EffectRecord) : 0);
  const FlowInfo& flow = p_.flow;
  l.flow = take(flow.any() ? sizeof(FlowRecord) : 0);
  l.grant_size = sizeof(GrantRecord) + 8 * flow.grant_values;
  l.deferred_size = sizeof(DeferredRecord) + 8 * flow.deferred_values;
  l.captured_size = sizeof(CapturedRecord) + 8 * p_.words;
  l.captures = std::ranges::any_of(flow.grants, [](const GrantInfo& g) { return g.captures >= 0; });
  l.tokens = at;
  lay_out_token();
}

static void link_observers(Program& p) {
  if (Profiles profiles = read_profiles(p); !profiles.empty())
    p.observers = std::make_shared<const Observers>(Observers{std::move(profiles)});
}

// What everybody may rely on is asked of worlds that are made up (hidden.cpp).
void Linker::link_certain() {
  if (p_.def.certain.empty()) return;
  const UnitId unit = begin_unit("certain");
  p_.certain_unit = unit;
  for (const spec::Condition& c : p_.def.certain) p_.certain.push_back(condition(c));
  end_unit(unit);
}

// Metrics and standings: values that no rule reads.
void Linker::link_shown() {
  const spec::Standings& standings = p_.def.standings;
  if (p_.def.metrics.empty() && standings.entries.empty()) return;
  const UnitId unit = begin_unit("shown");
  p_.shown_unit = unit;
  for (const spec::MetricDef& metric : p_.def.metrics)
    p_.metrics.push_back({metric.id, value(metric.value)});
  for (const spec::StandingDef& entry : standings.entries)
    p_.standings.push_back(
        {entry.seat, seat_player(entry.seat), entry.threshold, value(entry.value)});
  end_unit(unit);
}

// Slots and code of all units have room in the machine.
void Linker::check_units() {
  constexpr std::size_t most_nodes = 4'000'000;
  for (const UnitInfo& unit : p_.units)
    if (unit.slots > most_slots)
      unsupported(0, fmt::format("{} binds {} values; there is room for {}", unit.name, unit.slots,
                                 most_slots));
  if (p_.nodes.size() > most_nodes || p_.code.size() > most_nodes)
    unsupported(0, "the rules are too large");
}

// Which units may make a move illegal. A statement that calls phases or triggers may when one of
// those does.
void Linker::find_units_that_refuse() {
  auto mark = [&](UnitInfo& unit) {
    unit.can_refuse = std::find(p_.refuses.begin() + unit.entry, p_.refuses.begin() + unit.end,
                                true) != p_.refuses.begin() + unit.end;
  };
  for (UnitInfo& unit : p_.units) mark(unit);
  bool called = false;
  auto ask = [&](UnitId unit) { called |= !unit.is_none() && p_.units[unit].can_refuse; };
  for (const PhaseInfo& phase : p_.phases) {
    ask(phase.enter);
    ask(phase.exit);
  }
  for (const TriggerInfo& trigger : p_.triggers) ask(trigger.unit);
  for (const CalledInfo& info : p_.called) ask(info.unit);
  FlowInfo& flow = p_.flow;
  const bool before = called;
  called = false;
  for (const CardInfo& card : flow.card_infos)
    if (flow.instructs && !card.instruction.is_none() && p_.units[card.instruction].can_refuse &&
        kinds_.may_be_coup(card.id))
      ask(card.instruction);
  for (const LastingInfo& lasting : flow.lasting) ask(lasting.teardown);
  for (const UnitId unit : flow.deferred) ask(unit);
  flow.refuses = called;
  called |= before;
  if (!called) return;
  for (std::size_t pc = 0; pc < p_.code.size(); ++pc) {
    const Op op = p_.code[pc].op;
    if (op == Op::advance || op == Op::call_enter || op == Op::call_exit || op == Op::dispatch ||
        op == Op::native_apply || (flow.refuses && op == Op::end_move))
      p_.refuses[pc] = true;
  }
  for (UnitInfo& unit : p_.units) mark(unit);
}

// Which loops go round to something that may make the move illegal: in their last round they do
// not. Inner loops were linked before those around them.
void Linker::find_refusing_loops(const std::vector<int>& refusals_before) {
  p_.loop_at.assign(p_.code.size(), -1);
  std::vector<LoopRange> refusing;
  for (const LoopRange& loop : loop_ranges_)
    if (refusals_before[loop.begin] != refusals_before[loop.end]) refusing.push_back(loop);
  for (std::int32_t k = 0; k < std::ssize(refusing); ++k) {
    const LoopRange& loop = refusing[k];
    const auto encloses = [&](const LoopRange& other) {
      return other.begin < loop.begin && loop.end <= other.end;
    };
    std::int32_t outer = k + 1;
    while (outer < std::ssize(refusing) && !encloses(refusing[outer])) ++outer;
    p_.refusing_loops.push_back({loop.cursor, outer == std::ssize(refusing) ? -1 : outer});
    for (int pc = loop.begin; pc < loop.end; ++pc)
      if (std::int32_t& at = p_.loop_at[pc]; at < 0) at = k;
  }
}

// Only where nothing else may make the move illegal it suffices to ask at its start.
void Linker::find_refusals_at_start() {
  for (UnitInfo& unit : p_.units) {
    std::vector<int>& asked = unit.refuses_at_start;
    const auto is_asked = [&](int pc) { return std::ranges::find(asked, pc) != asked.end(); };
    for (int pc = unit.entry; pc < unit.end && !asked.empty(); ++pc)
      if (p_.refuses[pc] && !is_asked(pc)) asked.clear();
    if (asked.empty()) continue;
    unit.sure_until_then = true;
    for (int pc = unit.entry; pc < asked.back() && unit.sure_until_then; ++pc) {
      const Instr& i = p_.code[pc];
      // Where it carries an activity a move is judged as a whole.
      if (i.op == Op::jump_unless && p_.nodes[i.b].op == Ex::carries_activity)
        pc = i.a - 1;
      else
        unit.sure_until_then = is_asked(pc) || sure_statement(p_, i);
    }
  }
}

// A choice is safe to offer without looking ahead if nothing in its unit that may still run after
// it can make the move illegal. What may still run: everything behind it, and the loops around it
// from their start, itself included.
void Linker::find_safe_points() {
  find_refusals_at_start();
  std::vector<int> before(p_.code.size() + 1, 0);  // statements that may, before this address
  for (std::size_t pc = 0; pc < p_.code.size(); ++pc)
    before[pc + 1] = before[pc] + (p_.refuses[pc] ? 1 : 0);
  p_.safe_after.assign(p_.code.size(), Program::Safety::always);
  for (const UnitInfo& unit : p_.units)
    for (int pc = unit.entry; pc < unit.end; ++pc) {
      const auto refusals_from = [&](int from) { return before[unit.end] - before[from]; };
      int from = pc + 1;
      for (const LoopRange& loop : loop_ranges_)
        if (loop.begin <= pc && pc < loop.end) from = std::min(from, loop.begin);
      using Safety = Program::Safety;
      p_.safe_after[pc] = refusals_from(from) == 0     ? Safety::always
                          : refusals_from(pc + 1) == 0 ? Safety::in_last_round
                                                       : Safety::none;
    }
  find_refusing_loops(before);
  for (PipelineInfo& pipeline : p_.pipelines)
    pipeline.look_ahead = p_.units[pipeline.unit].can_refuse;
  const bool event_refuses = std::ranges::any_of(
      p_.flow.event_moves, [&](const EventMove& move) { return p_.units[move.unit].can_refuse; });
  for (ActionInfo& action : p_.actions) {
    action.look_ahead = p_.units[action.unit].can_refuse;
    if (&action - p_.actions.data() == p_.flow.event_action) action.look_ahead |= event_refuses;
    const bool looks = action.pipelines.empty()
                           ? action.look_ahead
                           : std::ranges::any_of(action.pipelines, [&](int pipeline) {
                               return p_.pipelines[pipeline].look_ahead;
                             });
    // What the card asks of a whole move is known only while playing.
    if (!looks && !p_.flow.cards) action.order.pop_back();  // Ask::completes, always the last
    for (Step& step : action.order) step.sure = sure_step(p_, action, step);
  }
}

// Actions whose options are zone sets: nothing is asked after the first parameter.
void Linker::find_quick_actions() {
  for (ActionInfo& action : p_.actions) {
    const auto asked_later = std::find_if(action.order.rbegin(), action.order.rend(),
                                          [](const Step& step) { return step.ask == Ask::param; });
    const bool plain = !p_.flow.cards && action.packed && action.pipelines.empty() &&
                       !action.params.empty() && asked_later == action.order.rbegin();
    bool ways = plain && !action.ways_from.is_none() && sure_set(p_, action, action.ways_from) &&
                action.order[action.order.size() - 2].ask == Ask::param;
    for (const auto& [direction, set] : action.ways) ways = ways && sure_set(p_, action, set);
    if (!ways) action.ways_from = {};
    if (!plain || action.params.size() != 1) continue;
    const Node& domain = p_.nodes[action.params[0].domain];
    if (domain.op == Ex::q_bits) action.quick = domain.a;
  }
  // A phase with one such action, asked nothing else: its options are computed when it is reached.
  for (PhaseInfo& phase : p_.phases) {
    phase.always = !p_.flow.cards && p_.flow.cancellations.empty() &&
                   std::ranges::any_of(
                       phase.actions, [&](int action) { return p_.actions[action].order.empty(); });
    if (phase.actions.size() != 1 || phase.together || p_.flow.cards) continue;
    const ActionInfo& only = p_.actions[phase.actions[0]];
    if (!only.quick.is_none() && only.order.size() == 1 && sure_set(p_, only, only.quick) &&
        p_.words <= instant_words)
      phase.instant = only.quick;
  }
}

void Linker::declare_phases() {
  for (const auto* list : {&p_.def.phases, &p_.def.interrupts})
    for (const spec::PhaseDef& def : *list) {
      PhaseInfo info;
      info.id = def.id;
      info.symbol = symbol(def.id);
      info.interrupt = list == &p_.def.interrupts;
      const bool by_itself = def.simultaneous.value_or(false);
      info.together = by_itself || p_.def.turn_order.kind == spec::TurnOrderKind::simultaneous;
      p_.simultaneous |= info.together;
      p_.uses_turn_plan |= by_itself;
      p_.phases.push_back(std::move(info));
    }
  p_.ordinary_phases = std::ssize(p_.def.phases);
  p_.phased_rounds = p_.def.rounds.by_phases.value_or(false);
  p_.uses_turn_plan |= p_.phased_rounds;
}

// Sets of zones as rows of words: those of the rules, and the neighbours of each zone.
void Linker::lay_set_words() {
  for (const auto& set : p_.zone_sets)
    p_.set_words.insert(p_.set_words.end(), set.begin(), set.end());
  if (!p_.options.plan) return;
  const std::size_t words = p_.words;
  p_.neighbour_words.resize(p_.zones.size() * words);
  for (const ZoneId z : p_.zones.ids())
    for (const ZoneId other : p_.zones[z].neighbours)
      put_zone(&p_.neighbour_words[z.index() * words], other);
}

// Which features a token of a type can have, and what has to be asked for each.
void Linker::link_feature_tests() {
  for (int t = 0; t < std::ssize(p_.types); ++t)
    for (int f = 0; f < std::ssize(p_.features); ++f) {
      const Feature& wanted = p_.features[f];
      if (wanted.type >= 0 && wanted.type != t) continue;
      TypeInfo::FeatureTest test;
      test.feature = f;
      test.offset = p_.layout.features + f * p_.words * 8;
      bool possible = true;
      for (const auto& [prop, cell] : wanted.cells) possible &= p_.types[t].column[prop] >= 0;
      if (!possible) continue;
      if (!wanted.cells.empty()) {
        test.column = p_.types[t].column[wanted.cells[0].first];
        test.cell = wanted.cells[0].second;
        test.more = wanted.cells.size() > 1;
      }
      p_.types[t].feature_tests.push_back(test);
    }
}

// Code for everything the rules say. It is not sound yet where there were mistakes.
void Linker::link_rules() {
  link_zones();
  link_vars();
  link_tokens();
  link_zone_details();
  link_shifts();
  link_tables();
  link_effect_kinds();
  link_order();
  declare_phases();
  link_flow();
  // The net of a grant's zone filter is drawn by queries that are not planned.
  if (p_.flow.cards) p_.options.plan = false;
  link_markers();
  link_phases();
  link_together();
  link_actions();
  find_settled_steps();
  link_module_hooks();
  link_events();
  link_triggers();
  link_terminal();
  link_advance();
  link_setup();
  link_certain();
  link_shown();
  check_units();
}

void Linker::run() {
  link_rules();
  if (d_.has_errors()) return;  // what follows takes everything for sound
  share_sets();
  find_given();
  find_units_that_refuse();
  find_secrets(p_);
  if (p_.options.explicit_chance && picks_from_pools(p_))
    unsupported(
        0,
        "players pick unseen tokens out of a shuffled zone; with explicit chance such a zone "
        "has no order to pick from");
  link_layout();
  find_safe_points();
  find_quick_actions();
  find_sum_bounds();
  if (p_.options.plan) lay_tapes();
  find_zone_keys();
  if (p_.options.plan) find_scan_keys();
  if (p_.options.plan) find_memos();
  if (proves_) lay_scalar_tapes();  // a move under a grant does without
  if (p_.options.plan) find_local_trials();
  link_observers(p_);
  lay_set_words();
  link_feature_tests();
  p_.simple_turns = p_.phases.size() == 1 && p_.phases[0].enter.is_none() &&
                    p_.phases[0].exit.is_none() && p_.def.triggers.empty() &&
                    p_.round_resets.empty() && p_.phases[0].then.is_none() && !p_.phased_rounds;
  p_.direction_of_symbol.assign(p_.symbols.size(), -1);
  for (std::size_t d = 0; d < p_.directions.size(); ++d)
    p_.direction_of_symbol[p_.direction_symbols[d]] = d;
  static std::atomic<std::uint64_t> linked{0};
  p_.serial = ++linked;
  p_.fingerprint =
      hash_combine(spec::rules_hash(p_.def), 2 * p_.players + (p_.options.explicit_chance ? 1 : 0));
}

tl::expected<std::shared_ptr<const Program>, Diagnostics> link(spec::GameDef def, int players,
                                                               const LinkOptions& options) {
  auto program = std::make_shared<Program>();
  Diagnostics diagnostics;
  const spec::Int min = def.metadata.min_players, max = def.metadata.max_players;
  const spec::Int wanted = players == 0 ? min : players;
  if (wanted < std::max<spec::Int>(1, min) || wanted > max || wanted > spec::Int{max_players}) {
    diagnostics.add({Code::PLAYERS_UNSUPPORTED, Severity::error,
                     fmt::format("{} players; the rules allow {} to {}", wanted, min, max)});
    return tl::unexpected(std::move(diagnostics));
  }
  program->players = wanted;
  check_declarations(def, program->players, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(std::move(diagnostics));
  bind_modules(def);
  program->def = std::move(def);
  program->wording = std::make_shared<const Wording>(read_wording(program->def));
  program->options = options;
  program->tries_everything = !options.plan;
  program->natives = options.natives;
  std::sort(program->natives.begin(), program->natives.end(),
            [](const auto& a, const auto& b) { return a->info().id < b->info().id; });
  Linker(*program, diagnostics).run();
  if (diagnostics.has_errors()) return tl::unexpected(std::move(diagnostics));
  auto wording = std::make_shared<Wording>(*program->wording);
  wording->cells = cell_names(*program);
  wording->zones = zones_as_declared(*program);
  wording->rounds = speaks_of_rounds(*program);
  program->wording = std::move(wording);
  return program;
}

}  // namespace parlor::kernel
