// What a card lets a seat do: section 18.6 of the language, F-50 to F-59, G-31, G-32, G-40.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

std::string bare_name(const std::string& name) {
  return name.starts_with('$') ? name.substr(1) : name;
}

const Val* parameter(const Bindings& made, const std::string& name) {
  for (const auto& [key, value] : made)
    if (bare_name(key) == bare_name(name)) return &value;
  return nullptr;
}

// A number, or how many.
std::optional<Int> amount(const Val* value) {
  if (!value) return std::nullopt;
  if (const auto* number = std::get_if<Int>(&value->v)) return *number;
  if (const auto* list = std::get_if<List>(&value->v)) return static_cast<Int>(list->size());
  return std::nullopt;
}

bool mentions_text(const Bindings& made, const std::string& text) {
  if (text.empty()) return false;
  const auto same = [&](const Val& item) { return item == Val(text); };
  for (const auto& [name, value] : made) {
    const auto* list = std::get_if<List>(&value.v);
    if (same(value) || (list && std::any_of(list->begin(), list->end(), same))) return true;
  }
  return false;
}

Bindings params_of(const Move& move) {
  Bindings out;
  for (const auto& [name, value] : move.params) out[name] = value;
  return out;
}

bool monsoon(const Run& run) {
  return run.rules().flow->monsoon && run.is_coup_card(run.rules().flow->lookahead);
}

// F-56
// `whole`: what forbids an action altogether was asked when it was listed.
bool fits_monsoon(const Run& run, const Move& move, const Bindings& made, bool whole) {
  if (!monsoon(run)) return true;
  for (const MonsoonRule& rule : run.rules().flow->monsoon->restricted) {
    if (rule.action != move.action) continue;
    if (mentions_text(made, rule.override_token)) return true;
    // What lifts it may still be chosen.
    const bool chooses =
        std::any_of(run.rules().def.pipelines.begin(), run.rules().def.pipelines.end(),
                    [&](const PipelineDef& pipeline) { return pipeline.action == move.action; });
    if (!rule.max_param && !rule.total_max)
      return chooses && !rule.override_token.empty() ? !whole : whole;
    if (rule.max_param) {
      const auto much = amount(parameter(made, rule.max_param->name));
      if (!much || *much > rule.max_param->max) return false;
    }
    if (rule.total_max) {
      Int total = 0;
      for (const std::string& name : rule.total_names)
        total += amount(parameter(made, name)).value_or(0);
      if (total > *rule.total_max) return false;
    }
    return true;
  }
  return true;
}

// F-57
bool fits_lasting(const Run& run, const Move& move, const Bindings& made, bool whole) {
  const ActionClass own = run.rules().mapped(move.action);
  for (const Lasting& lasting : run.w.table.lasting)
    for (const ActionRestriction& limit : lasting.def->restrictions) {
      if (!limit.action.empty() && limit.action != move.action) continue;
      if (limit.action_class && *limit.action_class != own) continue;
      if (limit.blocked && !whole) return false;
      if (!limit.max_param) continue;
      const auto much = amount(parameter(made, limit.max_param->name));
      if (much && *much > limit.max_param->max) return false;
    }
  return true;
}

// F-54
bool fits_pivotal(const Run& run, const Move& move) {
  const TurnFlowDef& flow = *run.rules().flow;
  if (!flow.pivotal) return true;
  const PivotalDef& pivotal = *flow.pivotal;
  if (std::find(pivotal.actions.begin(), pivotal.actions.end(), move.action) ==
      pivotal.actions.end())
    return true;
  if (pivotal.before_acts_only && run.w.table.acts > 0) return false;
  if (!pivotal.precedence.empty() && run.w.table.acts == 0) {
    const auto rank = [&](int player) {
      std::size_t place = pivotal.precedence.size();
      for (std::size_t i = pivotal.precedence.size(); i-- > 0;)
        if (run.rules().player_of(pivotal.precedence[i]) == player) place = i;
      const auto& seats = run.rules().def.seats;
      const auto at = static_cast<std::size_t>(player);
      return std::pair(place, at < seats.size() ? seats[at] : std::to_string(player));
    };
    for (const std::size_t place : {0u, 1u})
      if (const auto other = run.eligible_seat(place); other && rank(*other) < rank(run.w.active))
        return false;
  }
  const bool lifted =
      flow.monsoon && mentions_text(params_of(move), flow.monsoon->pivotal_override_token);
  if (lifted) return true;
  if (pivotal.not_before_coup && run.is_coup_card(flow.lookahead)) return false;
  return !(monsoon(run) && flow.monsoon->block_pivotal);
}

bool matches(const Run& run, const MoveSelector& wanted, const Move& move) {
  if (!wanted.action.empty() && wanted.action != move.action) return false;
  const ActionClass own = run.rules().mapped(move.action);
  if (wanted.action_class &&
      *wanted.action_class != (own == ActionClass::none ? move.taken_for : own))
    return false;
  const Bindings params = params_of(move);
  const Val* card = parameter(params, "eventCardId");
  if (!wanted.card.empty() && (!card || *card != Val(wanted.card))) return false;
  std::vector<std::string> tags;
  for (const EventDeckDef& deck : run.rules().def.event_decks)
    for (const EventCardDef& known : deck.cards)
      if (card && *card == Val(known.id)) tags = known.tags;
  const auto tagged = [&](const std::string& tag) {
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  };
  if (!std::all_of(wanted.tags_all.begin(), wanted.tags_all.end(), tagged)) return false;
  if (!wanted.tags_any.empty() &&
      std::none_of(wanted.tags_any.begin(), wanted.tags_any.end(), tagged))
    return false;
  return std::all_of(wanted.params.begin(), wanted.params.end(), [&](const NamedScalar& wish) {
    const Val* value = parameter(params, wish.name);
    return value && *value == Val(wish.value);
  });
}

bool in_interrupt(const Run& run) {
  const auto& list = run.rules().def.interrupts;
  return std::any_of(list.begin(), list.end(),
                     [&](const PhaseDef& phase) { return phase.id == run.w.phase; });
}

// The row of the option matrix that binds now (F-51); null: none.
const MatrixRow* row_now(const Run& run) {
  const Table& t = run.w.table;
  if (t.acts != 1 || t.first_class == ActionClass::none || in_interrupt(run)) return nullptr;
  for (const MatrixRow& row : run.rules().flow->matrix)
    if (row.first == t.first_class) return &row;
  return nullptr;
}

bool can_be_taken_for(ActionClass own, ActionClass wanted) {
  using C = ActionClass;
  if (own == C::operation)
    return wanted == C::operation || wanted == C::limited_operation ||
           wanted == C::operation_plus_special_activity;
  if (own == C::special_activity) return wanted == C::operation_plus_special_activity;
  if (own == C::none) return wanted != C::event && wanted != C::pass;
  return own == wanted;
}

// The ways in which an action can be taken without a grant.
std::vector<Move> ways(const Run& run, const ActionDef& action) {
  std::vector<Move> out;
  const ActionClass own = run.rules().mapped(action.id);
  const bool with_activity =
      own == ActionClass::operation && !run.companions(action).empty() && !in_interrupt(run);
  const auto add = [&](ActionClass taken_for, bool compound) {
    Move move;
    move.action = action.id;
    move.taken_for = taken_for;
    move.compound = compound;
    if (std::find(out.begin(), out.end(), move) == out.end()) out.push_back(move);
  };
  const MatrixRow* row = row_now(run);
  if (!row || own == ActionClass::pass || action.id == "pass") {
    add(own, false);
    if (with_activity && !run.rules().coup_phase(run.w.phase))
      add(ActionClass::operation_plus_special_activity, true);
    return out;
  }
  for (const ActionClass wanted : row->second)
    if (can_be_taken_for(own, wanted))
      add(wanted, with_activity && wanted == ActionClass::operation_plus_special_activity);
  return out;
}

// With the parameters that say which event is played, if it is one.
std::vector<Move> with_plays(Run& run, const ActionDef& action, const Move& move) {
  if (!run.rules().is_event(action)) return {move};
  std::vector<Move> out;
  for (const Run::Playable& playable : run.plays()) {
    if (!run.viable(playable.play)) continue;
    out.push_back(move);
    out.back().params = playable.params;
  }
  return out;
}

// Everything but cancellation, asked of one move.
bool open_now(const Run& run, const Move& move) {
  const ActionClass own = run.rules().mapped(move.action);
  const ActionClass taken = own == ActionClass::none ? move.taken_for : own;
  const bool coup_in_main = run.is_coup_card(run.rules().flow->played) && !in_interrupt(run) &&
                            !run.rules().coup_phase(run.w.phase);
  if (coup_in_main && taken != ActionClass::event) return false;
  return fits_pivotal(run, move) && run.fits_season_and_lasting(move, params_of(move), false);
}

}  // namespace

bool Run::fits_season_and_lasting(const Move& move, const Bindings& made, bool whole) const {
  if (whole) return !start_too_much(move, made);
  if (!move.free)
    return fits_monsoon(*this, move, made, false) && fits_lasting(*this, move, made, false);
  Run looked(rules_, w);
  looked.begin(move);
  return fits_monsoon(*this, move, made, false) ||
         std::any_of(looked.applicable_.begin(), looked.applicable_.end(),
                     [](const Grant& grant) { return grant.def->during_monsoon; });
}

// The same of the whole move, by the state it began with.
bool Run::start_too_much(const Move& move, const Bindings& made) const {
  const Run before(rules_, start_);
  if (!move.free)
    return !fits_monsoon(before, move, made, true) || !fits_lasting(before, move, made, true);
  return !fits_monsoon(before, move, made, true) &&
         std::none_of(applicable_.begin(), applicable_.end(),
                      [](const Grant& grant) { return grant.def->during_monsoon; });
}

bool bound_by_row(const Run& run) {
  return row_now(run) != nullptr;
}

std::vector<Move> free_moves(const Rules& rules, const World& world, bool only_one) {
  std::vector<Move> out;
  Run run(rules, world);
  const MatrixRow* row = row_now(run);
  const bool must = run.must_use_a_grant(world.active);
  for (const ActionDef& action : rules.def.actions) {
    std::vector<Grant> left;
    for (const Grant& grant : world.table.grants) {
      ActionClass taken_for{};
      const bool fits = row == nullptr || grant.blocks() ||
                        std::any_of(row->second.begin(), row->second.end(), [&](ActionClass c) {
                          return can_be_taken_for(rules.mapped(action.id), c);  // G-32
                        });
      if (grant.owner == world.active && run.ready(grant) && (!must || grant.blocks()) && fits &&
          run.admits(grant, action.id, taken_for))
        left.push_back(grant);
    }
    while (!left.empty()) {
      const Grant lead = *Run::strongest(left);
      Move like;
      like.action = action.id;
      like.free = true;
      like.lead = lead.id;
      run.admits(lead, action.id, like.taken_for);
      std::erase_if(left, [&](const Grant& grant) {
        ActionClass taken_for{};
        run.admits(grant, action.id, taken_for);
        return taken_for == like.taken_for && run.alike(grant, lead);
      });
      for (const Move& begun : with_plays(run, action, like))
        for (const Move& move : moves_like(rules, world, begun, only_one)) {
          if (!open_now(run, move)) continue;
          out.push_back(move);
          if (only_one) return out;
        }
    }
  }
  return out;
}

std::vector<Move> card_moves(const Rules& rules, const World& world) {
  if (world.table.stalled) return {};
  Run run(rules, world);
  const bool must = run.must_use_a_grant(world.active) && !in_interrupt(run);
  const std::vector<int> seats = run.candidates();
  const bool candidate = std::find(seats.begin(), seats.end(), world.active) != seats.end();
  std::vector<Move> out;
  if (!must && (candidate || in_interrupt(run)))
    for (const ActionDef& action : rules.def.actions)
      for (const Move& way : ways(run, action))
        for (const Move& begun : with_plays(run, action, way))
          for (const Move& move : moves_like(rules, world, begun, false))
            if (open_now(run, move)) out.push_back(move);
  if (must || (candidate && !in_interrupt(run)))  // in an interrupt phase grants wait
    for (const Move& move : free_moves(rules, world, false)) out.push_back(move);
  if (rules.flow->pivotal)
    for (const Cancellation& rule : rules.flow->pivotal->cancellations) {
      const bool won = std::any_of(out.begin(), out.end(), [&](const Move& move) {
        return matches(run, rule.winner, move);
      });
      if (won) std::erase_if(out, [&](const Move& m) { return matches(run, rule.canceled, m); });
    }
  if (!out.empty() || must || !candidate) return out;
  // F-58
  for (const ActionDef& action : rules.def.actions) {
    const bool passes =
        std::find(action.tags.begin(), action.tags.end(), "pass") != action.tags.end();
    const bool here =
        std::find(action.phases.begin(), action.phases.end(), world.phase) != action.phases.end();
    if (!passes || !here || !action.params.empty()) continue;
    Move pass;
    pass.action = action.id;
    pass.taken_for = rules.mapped(action.id);
    return moves_like(rules, world, pass, true);
  }
  return out;
}

}  // namespace parlor::reference
