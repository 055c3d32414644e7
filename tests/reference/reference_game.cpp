#include "reference/reference_game.h"

namespace parlor::reference {

using namespace spec;

ReferenceGame::ReferenceGame(GameDef def, int players) {
  const int count = players != 0 ? players : static_cast<int>(def.metadata.min_players);
  rules_ = std::make_unique<Rules>(std::move(def), count);
}

ReferenceState ReferenceGame::start(Seed seed) const {
  ReferenceState state;
  state.base.rng = Rng(seed);
  state.starting = true;
  go_on(state);
  return state;
}

// Runs what is under way from its beginning, with the answers given so far.
void ReferenceGame::go_on(ReferenceState& state) const {
  Run run(*rules_, state.base, state.answers, std::nullopt);
  try {
    if (state.starting)
      run.start();
    else if (state.together)
      run.finish_together(state.together->first, state.together->second);
    else if (simultaneous(state.base))
      run.play_only(*state.move);
    else
      run.play(*state.move);
    state.pending.reset();
  } catch (const NeedDecision& need) {
    state.pending = need.pending;
    // Of a move that is only being handed in nothing shows (17.5).
    if (!(state.move && simultaneous(state.base))) state.now = std::move(run.w);
    return;
  }
  if (state.move && simultaneous(state.base)) {
    submit(state);
    return;
  }
  state.base = state.now = std::move(run.w);
  state.starting = false;
  state.together.reset();
  state.move.reset();
  state.answers.clear();
  state.values.clear();
}

// Section 17.5: moves are handed in against the same state and carried out in order of players.
void ReferenceGame::submit(ReferenceState& state) const {
  state.submissions.push_back({state.base.active, *state.move, state.values});
  state.move.reset();
  state.answers.clear();
  state.values.clear();
  World w = state.base;
  for (int i = 1; i < rules_->players; ++i) {
    w.active = (state.base.active + i) % rules_->players;
    const bool submitted = std::any_of(state.submissions.begin(), state.submissions.end(),
                                       [&](const Submission& s) { return s.player == w.active; });
    if (submitted || legal_moves(*rules_, w, true).empty()) continue;
    state.base = state.now = w;
    return;
  }
  std::vector<Submission> all = std::move(state.submissions);
  state.submissions.clear();
  std::sort(all.begin(), all.end(),
            [](const Submission& a, const Submission& b) { return a.player < b.player; });
  w = state.base;
  const bool phase_ends = rules_->phase(w.phase)->simultaneous.value_or(false);
  const std::pair<std::string, Int> phase_and_turn{w.phase, w.turn};
  for (const Submission& submission : all) {
    w.active = submission.player;
    const std::vector<Move> legal = legal_moves(*rules_, w);
    const bool still = std::any_of(legal.begin(), legal.end(), [&](const Move& move) {
      return move.action == submission.move.action && move.params == submission.move.params &&
             move.faulted == submission.move.faulted;
    });
    if (still) carry_out(submission, w);
  }
  if (phase_ends) {
    state.base = state.now = std::move(w);
    state.together = phase_and_turn;
    return go_on(state);
  }
  w.active = 0;
  Run run(*rules_, w);
  run.advance_to_decision_point();
  state.base = state.now = std::move(run.w);
}

// The move with the answers given when it was handed in, or nothing at all if it became illegal.
void ReferenceGame::carry_out(const Submission& submission, World& w) const {
  std::vector<int> answers;
  for (;;) {
    Run run(*rules_, w, answers, std::nullopt);
    try {
      run.play_only(submission.move);
      w = std::move(run.w);
      return;
    } catch (const Illegal&) {
      return;
    } catch (const NeedDecision& need) {
      const std::optional<Val>& value = submission.values.at(answers.size());
      std::optional<int> answer;
      if (!value && need.pending.can_confirm) answer = confirm_answer;
      for (const std::size_t i : need.pending.addable)
        if (value && need.pending.options[i] == *value) answer = static_cast<int>(i);
      if (!answer) return;
      answers.push_back(*answer);
    }
  }
}

Decision ReferenceGame::decision(const ReferenceState& state) const {
  Decision out;
  if (state.pending) {
    out.kind = state.pending->choose_n ? DecisionKind::choose_n : DecisionKind::choose_one;
    out.player = PlayerId(state.pending->player);
    return out;
  }
  Run run(*rules_, state.now);
  // Moves of a simultaneous phase are handed in by one after the other; whether the game is over
  // was asked with whose turn it is.
  if (rules_->phase(state.now.phase)->simultaneous.value_or(false)) run.w.active = run.w.turn_of;
  if (state.submissions.empty() && (state.now.stuck || run.ending())) return out;
  out.kind = DecisionKind::action;
  out.player = PlayerId(state.now.active);
  out.starts_move = true;
  return out;
}

std::vector<Choice> ReferenceGame::options(const ReferenceState& state) const {
  std::vector<Choice> out;
  if (decision(state).kind == DecisionKind::finished) return out;
  if (!state.pending) {
    for (Move& move : legal_moves(*rules_, state.now)) {
      Choice choice;
      choice.json["action"] = move.action;
      choice.json["params"] = Json::object();
      for (const auto& [name, value] : move.params) choice.json["params"][name] = json_of(value);
      if (move.taken_for != ActionClass::none)
        choice.json["class"] = std::string(enum_name(move.taken_for));
      if (move.free) choice.json["free"] = true;
      choice.move = std::move(move);
      out.push_back(std::move(choice));
    }
    return out;
  }
  std::vector<Choice> all;
  for (const std::size_t i : state.pending->addable)
    all.push_back({{{"value", json_of(state.pending->options[i])}}, {}, static_cast<int>(i)});
  if (state.pending->can_confirm)
    all.push_back({{{"value", nullptr}, {"confirm", true}}, {}, confirm_answer});
  for (const Choice& choice : all) {
    std::vector<int> answers = state.answers;
    answers.push_back(choice.answer);
    if (state.starting || state.together || can_complete(*rules_, state.base, *state.move, answers))
      out.push_back(choice);
  }
  const auto resort = state.pending->last_resort;
  if (resort && out.size() > 1)
    std::erase_if(out, [&](const Choice& c) { return c.answer == static_cast<int>(*resort); });
  // Bad luck led to a choice that no answer to leads on: it still has to be answered.
  return out.empty() ? all : out;
}

void ReferenceGame::apply(ReferenceState& state, const Choice& choice) const {
  ReferenceState next = state;
  if (choice.move) {
    next.base = next.now;
    next.move = choice.move;
  } else {
    next.answers.push_back(choice.answer);
    next.values.emplace_back();
    if (choice.answer != confirm_answer)
      next.values.back() = next.pending->options[static_cast<std::size_t>(choice.answer)];
  }
  go_on(next);
  state = std::move(next);
}

// The condition is asked of each player; who is in a team with one of them has won too (L-07).
Outcome ReferenceGame::several_winners(Run& run, const Ending& ending, Outcome out) const {
  std::vector<bool> won;
  for (int p = 0; p < rules_->players; ++p)
    won.push_back(run.holds(*ending.winners, Context{run.w.active, p, {}}));
  for (int p = 0; p < rules_->players; ++p) {
    bool wins = false;
    for (int other = 0; other < rules_->players; ++other)
      wins = wins || (won[static_cast<std::size_t>(other)] && rules_->together(p, other));
    out.returns[static_cast<std::size_t>(p)] = wins ? 1 : -1;
    if (wins) out.winners.push_back(PlayerId(p));
  }
  return out;
}

Outcome ReferenceGame::outcome(const ReferenceState& state) const {
  Outcome out;
  out.returns.assign(static_cast<std::size_t>(rules_->players), 0);
  Run run(*rules_, state.now);
  const Terminal& terminal = rules_->def.terminal;
  const Ending* ending = run.ending();
  if (!ending) {
    if (state.now.stuck) out.reason = "noLegalMoves";
    return out;
  }
  out.reason = ending->id;
  const Context c{state.now.active, state.now.active, {}};
  switch (ending->result) {
    case ResultKind::win: {
      const auto& seats = rules_->def.seats;
      int winner = -1;
      if (ending->winners) return several_winners(run, *ending, std::move(out));
      if (ending->player)
        winner = run.one_player(*ending->player, c);
      else if (!terminal.margins.empty())
        winner = run.leader(c);
      else if (ending->seat)
        winner =
            static_cast<int>(std::find(seats.begin(), seats.end(), *ending->seat) - seats.begin());
      out.returns.assign(out.returns.size(), -1);
      for (int p = 0; p < rules_->players; ++p)
        if (rules_->together(p, winner)) {
          out.returns[static_cast<std::size_t>(p)] = 1;
          out.winners.push_back(PlayerId(p));
        }
      break;
    }
    case ResultKind::loss_all:
      out.returns.assign(out.returns.size(), -1);
      break;
    case ResultKind::draw:
      break;
    case ResultKind::score: {
      const Scoring& scoring = terminal.scoring.value();
      for (int p = 0; p < rules_->players; ++p) {
        const Int score = run.shared_integer(scoring.value, p);
        out.returns[static_cast<std::size_t>(p)] = scoring.highest ? score : -score;
      }
      std::vector<std::vector<Int>> worth;
      for (int p = 0; p < rules_->players; ++p) {
        worth.push_back({out.returns[static_cast<std::size_t>(p)]});
        for (const TieBreak& next : scoring.tie_breaks) {
          const Int n = run.shared_integer(next.value, p);
          worth.back().push_back(next.highest ? n : -n);
        }
      }
      for (int p = 0; p < rules_->players; ++p) {
        int place = 1;
        for (const std::vector<Int>& other : worth)
          place += other > worth[static_cast<std::size_t>(p)];
        out.places.push_back(place);
        if (place == 1) out.winners.push_back(PlayerId(p));
      }
      break;
    }
  }
  return out;
}

// What lies on the table of a card-driven game, in the kernel's words.
Json ReferenceGame::flow_view(const World& w) const {
  const Table& t = w.table;
  const Run run(*rules_, w);
  const auto seat = [&](const std::optional<int>& player) -> Json {
    if (!player) return nullptr;
    const auto at = static_cast<std::size_t>(*player);
    return at < rules_->def.seats.size() ? rules_->def.seats[at] : std::to_string(*player);
  };
  const auto seats = [&](const auto& players) {
    Json out = Json::array();
    for (const int player : players) out.push_back(seat(player));
    return out;
  };
  std::set<int> eligible;
  for (const int player : t.order)
    if (t.eligible.contains(player)) eligible.insert(player);
  Json lasting = Json::array(), grants = Json::array();
  for (const Lasting& entry : t.lasting)
    lasting.push_back(
        {{"id", entry.def->id}, {"duration", std::string(enum_name(entry.def->duration))}});
  for (const Grant& grant : t.grants) {
    const auto& domain =
        grant.def->actions ? grant.def->actions : rules_->flow->free_operation_actions;
    Json actions = Json::array();
    for (const ActionDef& action : rules_->def.actions)
      if (domain && std::find(domain->begin(), domain->end(), action.id) != domain->end())
        actions.push_back(action.id);
    Json entry{
        {"seat", seat(grant.owner)}, {"class", std::string(enum_name(grant.def->operation_class))},
        {"actions", actions},        {"uses", grant.uses},
        {"ready", run.ready(grant)}, {"required", grant.blocks()}};
    if (grant.as != grant.owner) entry["executeAs"] = seat(grant.as);
    if (!grant.def->id.empty()) entry["id"] = grant.def->id;
    grants.push_back(entry);
  }
  const Token* top = rules_->course ? run.top(rules_->flow->played) : nullptr;
  const EventCardDef* card = top ? run.known_card(*top) : nullptr;
  return {{"card", card ? Json(card->id) : Json(nullptr)},
          {"seatOrder", seats(t.order)},
          {"eligible", seats(eligible)},
          {"first", seat(run.eligible_seat(0))},
          {"second", seat(run.eligible_seat(1))},
          {"acted", seats(t.acted)},
          {"passed", seats(t.passed)},
          {"nonPassCount", t.acts},
          {"firstActionClass", t.first_class == ActionClass::none
                                   ? Json(nullptr)
                                   : Json(std::string(enum_name(t.first_class)))},
          {"lasting", lasting},
          {"grants", grants}};
}

// The zone or token of a number; tokens that are gone have no name any more.
static std::string thing_name(const World& w, VarType type, Int number) {
  if (type == VarType::zone)
    return number < 0 ? "nowhere" : std::next(w.zones.begin(), number)->first;
  for (const auto& [zone, tokens] : w.zones)
    for (const Token& token : tokens)
      if (token.id.ends_with("_" + std::to_string(number))) return token.id;
  return "nothing";
}

Json ReferenceGame::view(const ReferenceState& state) const {
  const World& w = state.now;
  const auto vars = [&](const std::map<std::string, Val>& values, const std::vector<VarDef>& defs) {
    Json out = Json::object();
    for (const auto& [name, value] : values) {
      out[name] = json_of(value);
      const auto def = std::ranges::find(defs, name, &VarDef::name);
      if (def == defs.end()) continue;
      const bool thing = def->type == VarType::zone || def->type == VarType::token;
      if (!def->values.empty()) out[name] = def->values[out[name].get<std::size_t>()];
      if (thing) out[name] = thing_name(w, def->type, out[name].get<Int>());
    }
    return out;
  };
  const GameDef& def = rules_->def;
  Json out = {{"phase", w.phase},
              {"turn", w.turn},
              {"round", w.round},
              {"turnInRound", w.turn_in_round},
              {"roundStartPlayer", w.round_start},
              {"active", w.active},
              {"globals", vars(w.globals, def.global_vars)},
              {"players", Json::array()},
              {"zones", Json::object()},
              {"zoneVars", Json::object()},
              {"markers", Json::object()},
              {"globalMarkers", w.global_markers}};
  for (const auto& player : w.players) out["players"].push_back(vars(player, def.per_player_vars));
  for (const auto& [id, tokens] : w.zones) {
    out["zones"][id] = Json::array();
    for (const Token& token : tokens) {
      Json props = Json::object();
      for (const auto& [name, value] : token.props) props[name] = json_of(Val(value));
      out["zones"][id].push_back({{"id", token.id}, {"type", token.type}, {"props", props}});
    }
  }
  for (const auto& [zone, values] : w.zone_vars)
    out["zoneVars"][zone] = vars(values, def.zone_vars);
  for (const auto& [space, states] : w.markers) out["markers"][space] = states;
  if (rules_->flow) out["turnFlow"] = flow_view(w);
  if (!w.order.empty()) out["turnOrder"] = w.order;
  return out;
}

}  // namespace parlor::reference
