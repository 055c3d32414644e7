// One run of rules from a state: evaluates expressions, executes effects, advances phases. Choices
// are answered from a list given up front; the first choice without an answer stops the run by an
// exception that reaches the top. So a half-made move is never stored: it is run again from its
// beginning with one answer more, which is the plainest reading of "a move is an action with all
// its choices" and shares nothing with a machine that keeps frames.
#pragma once

#include <set>

#include "reference/world.h"

namespace parlor::reference {

// Who is meant by `active` and `actor` (section 9.1), and what names are bound.
struct Context {
  int active = 0;
  int actor = 0;
  Bindings names;
};

inline Context with(Context c, const std::string& name, Val value) {
  c.names[name] = std::move(value);
  return c;
}

// Lambdas as the cases of std::visit.
template <class... Fs>
struct Cases : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Cases(Fs...) -> Cases<Fs...>;

// One way a game can end: a checkpoint of a seat, or a terminal condition (section 22).
struct Ending {
  std::string id;
  const spec::Condition* when = nullptr;
  std::vector<std::string> phases;  // asked only in these; empty: always
  spec::ResultKind result = spec::ResultKind::win;
  const spec::PlayerSel* player = nullptr;
  std::optional<std::string> seat;  // of a checkpoint
  const spec::Condition* winners = nullptr;
};

// Everything about a game that does not change while it is played.
struct Rules {
  GameDef def;
  int players = 2;
  std::map<std::string, const spec::ZoneDef*> zones;  // by full id
  std::map<std::string, int> zone_owner;              // full ids of player-owned zones
  std::vector<Ending> endings;                        // in the order in which they are asked

  // Of card-driven games (18.1, 18.2).
  const spec::TurnFlowDef* flow = nullptr;
  const spec::CoupPlanDef* coup = nullptr;
  std::string draw_pile, discard;  // empty: there is none
  bool course = false;             // cards come and go (F-04)

  Rules(GameDef game, int player_count);
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  bool together(int a, int b) const;                         // one player, or players of one team
  const spec::PhaseDef* phase(const std::string& id) const;  // ordinary or interrupt
  const spec::ActionDef* action(const std::string& id) const;
  const spec::TokenTypeDef* token_type(const std::string& id) const;
  const std::vector<std::string>& neighbours(const std::string& zone) const;
  std::optional<std::string> step(const std::string& zone, const std::string& direction) const;
  // cards.cpp
  void find_card_zones();
  ActionClass mapped(const std::string& action) const;
  std::optional<int> player_of(const std::string& seat) const;
  bool is_event(const spec::ActionDef& action) const;  // plays the card
  bool coup_phase(const std::string& phase) const;
};

// A move without the choices made inside it.
struct Move {
  std::string action;
  std::vector<std::pair<std::string, Val>> params;  // in declaration order; tokens as ids
  // Stands for an action whose parameters cannot be found because the rules fault on the way.
  bool faulted = false;
  // On a card: what it is taken for, whether a grant lets it be made, and whether an activity goes
  // with it.
  ActionClass taken_for = ActionClass::none;
  bool free = false;
  bool compound = false;
  std::string lead;  // of a free move: the strongest of the grants that give this option
  friend bool operator==(const Move& a, const Move& b) = default;
};
// What a player handed in under simultaneous turn order: the move and its answers.
struct Submission {
  int player = 0;
  Move move;
  std::vector<std::optional<Val>> values;  // of its choices; nothing: a confirm
};

struct NeedDecision {
  Pending pending;
};
// A run that only asks whether it can be completed has got far enough.
struct FarEnough {};

class Run {
 public:
  Run(const Rules& rules, World world) : rules_(rules), w(std::move(world)) {}
  // A run that only probes whether a move can be completed does not know what chance will bring
  // once the first `given` answers are used up: from there on chance is asked like a player.
  Run(const Rules& rules, World world, std::vector<int> answers, std::optional<std::size_t> given)
      : rules_(rules), w(std::move(world)), answers_(std::move(answers)), given_(given) {}

  // ---- Programs: what may be run from a state (turns.cpp, moves.cpp)
  void start();                      // set-up, first turn, first phase, to a decision
  void play(const Move& move);       // one action from begin to end, to a decision
  void play_only(const Move& move);  // the same without advancing
  void advance_to_decision_point();
  void finish_together(const std::string& phase, Int turn);
  const Ending* ending();  // that the game has come to; null: none

  // ---- Values (values.cpp)
  Val value(const spec::Value& value, const Context& c);
  Int number_of(const spec::Value& thing, const Context& c);
  Val token_at_number(Int number) const;
  Int longest_path(const spec::LongestPath& node, const Context& c);
  Int integer(const spec::Value& value, const Context& c);
  std::string text(const spec::Value& value, const Context& c);
  Val binding(const std::string& name, const Context& c) const;
  const Val* lookup(const std::string& name, const Context& c) const;
  std::string fill_in(const std::string& name, const Context& c) const;  // {placeholders}
  std::string name(const spec::Name& name, const Context& c) const;

  // ---- Selectors (selectors.cpp)
  std::vector<int> players(const spec::PlayerSel& sel, const Context& c) const;
  int one_player(const spec::PlayerSel& sel, const Context& c) const;
  std::vector<std::string> zones(const spec::ZoneSel& sel, const Context& c);
  std::string one_zone(const spec::ZoneSel& sel, const Context& c);
  std::vector<std::string> zones_by_text(const std::string& text, const Context& c);
  std::vector<std::string> directions(const spec::DirectionSel& sel, const Context& c);
  std::string token_id(const std::string& bound, const Context& c) const;
  struct Spot {
    std::string zone;
    std::size_t index;
  };
  Spot find_token(const std::string& id) const;  // throws if it is nowhere
  Token& token_at(const Spot& spot) { return w.zones.at(spot.zone)[spot.index]; }

  // ---- Conditions and filters (conditions.cpp)
  bool holds(const spec::Condition& condition, const Context& c);
  enum class Verdict { no, yes, undecided };
  Verdict judge(const std::optional<spec::Condition>& condition, const Context& c);  // K-12
  bool passes(const spec::TokenFilter& filter, const Token& token, const std::string& zone,
              const Context& c);
  bool state_allowed(const spec::MarkerLattice& lattice, const std::string& space,
                     const std::string& state, const Context& c);
  int leader(const Context& c);  // by the margins of seats
  Int shared_integer(const spec::Value& value, int player);
  std::string marker_state(const spec::MarkerLattice& lattice, const std::string& space) const;
  const spec::MarkerLattice& lattice(const std::string& id) const;
  const spec::MarkerLattice& global_lattice(const std::string& id) const;

  // ---- Queries (queries.cpp, ranges.cpp)
  List query(const spec::Query& query, const Context& c);
  // The tiers of a prioritized query; any other query is one tier.
  std::vector<List> tiers(const spec::Query& query, const Context& c);
  // With `taken` chosen, the items of the tiers that may be chosen next (section 14).
  List admissible(const std::vector<List>& tiers, const std::string& qualifier, const List& taken);

  // ---- Effects (effects.cpp, tokens.cpp, control.cpp, choices.cpp)
  void effects(const spec::Effects& list, Context& c);

  // ---- Timed effects and prices (timed.cpp)
  bool blocked(const spec::ActionDef& action) const;
  bool affordable(const spec::ActionDef& action, const Context& c);
  void pay(const spec::ActionDef& action, const Context& c);

  // ---- Phases and events (turns.cpp)
  void advance_phase();
  void go_to_phase(const std::string& phase);
  void push_interrupt(const std::string& phase, const std::string& resume);
  void pop_interrupt();
  void happen(spec::EventKind kind, const std::string& phase = {});  // section 17.2
  void dispatch(const Happening& event, Int depth);

  // ---- Cards (cards.cpp): who is asked, which card lies there, which phases there are now
  std::vector<int> candidates() const;
  std::optional<int> eligible_seat(std::size_t place) const;  // first or second, grants in mind
  std::vector<std::string> effective_phases() const;
  const Token* top(const std::string& zone) const;
  bool is_coup_card(const std::string& zone) const;
  bool coup_active() const;
  const spec::EventCardDef* known_card(const Token& token) const;

  // ---- Free operations (grants.cpp)
  bool ready(const Grant& grant) const;
  bool must_use_a_grant(int player) const;
  bool usable(const Grant& grant) const;  // G-10
  void begin(const Move& move);           // what a free move is looked at through
  bool admits(const Grant& grant, const std::string& action, ActionClass& taken_for) const;
  static const Grant* strongest(const std::vector<Grant>& grants);
  bool alike(const Grant& a, const Grant& b) const;
  const Grant& grant() const { return *strongest(applicable_); }
  bool moving_free() const { return free_; }

  std::map<std::string, Scalar> seen_props(const Token& token, const std::string& zone);
  // offers.cpp: limits of the season and of lasting effects, on what is known of a move
  bool fits_season_and_lasting(const Move& move, const Bindings& made, bool whole) const;

  // ---- Event cards (events.cpp)
  struct Playable {
    std::vector<std::pair<std::string, Val>> params;
    Play play;
  };
  std::vector<Playable> plays() const;  // of the current card
  Play play_of(const Move& move) const;
  bool viable(const Play& play);  // G-13

  // ---- Activities (activities.cpp)
  std::vector<const spec::ActionDef*> companions(const spec::ActionDef& operation) const;

  const Rules& rules() const { return rules_; }
  bool has_unused_answers() const { return cursor_ < answers_.size(); }
  bool by_luck() const { return by_luck_; }

 private:
  const Rules& rules_;

 public:
  World w;

 private:
  const GameDef& def() const { return rules_.def; }
  Context neutral() const { return Context{w.active, w.active, {}}; }

  // values.cpp
  Val arithmetic(const spec::Arith& node, const Context& c);
  Val aggregate(const spec::Aggregate& node, const Context& c);
  Val concatenation(const spec::ConcatValue& node, const Context& c);
  Val zone_prop(const std::string& zone, const std::string& prop) const;
  // conditions.cpp
  std::optional<Val> operand(const spec::Value& value, const Context& c);
  bool compare(const spec::Compare& node, const Context& c);
  bool contains(const spec::In& node, const Context& c);
  bool connected(const spec::Connected& node, const Context& c);
  bool line_of(const spec::LineOf& node, const Context& c);
  bool test(const spec::TokenTest& test, const Token& token, const std::string& zone,
            const Context& c);
  bool relate(spec::FilterOp op, const Val& item, const Val& against);
  // queries.cpp
  bool zone_fits(const std::string& zone, const std::vector<spec::PlayerSel>& owner,
                 const std::vector<spec::Condition>& condition, const Context& c);
  List tokens_in(const std::string& zone, const std::vector<spec::TokenFilter>& filter,
                 const Context& c);
  List connected_zones(const spec::ConnectedZonesQuery& node, const Context& c);
  List rows(const spec::AssetRowsQuery& node, const Context& c);
  List ray(const spec::RayQuery& node, const Context& c);
  List next_in_order(const spec::NextInOrderQuery& node, const Context& c);
  List same_kind(const std::vector<spec::Query>& sources, const Context& c);
  // ranges.cpp
  std::optional<Int> bound(const spec::Value& value, const Context& c);
  List range(std::optional<Int> min, std::optional<Int> max, const std::vector<spec::Value>& step,
             const std::vector<spec::Value>& always, const std::vector<spec::Value>& max_results,
             const Context& c);
  List var_range(const spec::IntsInVarRangeQuery& node, const Context& c);

  // effects.cpp
  struct Cell {
    const spec::VarDef* def = nullptr;
    Val* at = nullptr;
    Happening event;  // with scope, var, player, zone filled in
  };
  Cell cell(const spec::VarCell& cell, const Context& c);
  void write(const Cell& cell, const Val& value);
  void transfer(const spec::TransferVar& e, Context& c);
  void effect(const spec::Effect& effect, Context& c);
  template <class T>
  void perform(const T& e, Context& c);
  void flip(const spec::FlipGlobalMarker& e, Context& c);
  void start_reveal(const spec::Reveal& e, Context& c);
  void end_reveal(const spec::Conceal& e, Context& c);
  // tokens.cpp
  void move_token(const std::string& id, const std::string& from, const std::string& to,
                  spec::ZonePosition position);
  void shuffle_zone(const std::string& zone, const Context& c);
  void move_all(const spec::MoveAll& e, Context& c);
  void draw(const spec::Draw& e, Context& c);
  void create_token(const spec::CreateToken& e, Context& c);
  void set_token_prop(const spec::SetTokenProp& e, Context& c);
  void enter_zone(Token& token, const std::string& zone);
  void check_stacking(const std::string& zone);
  void shuffle(std::vector<Token>& tokens);
  void token_entered(const std::string& zone);
  // moves.cpp
  // What a pipeline leaves undecided until its bindings are made (section 19.4, K-12).
  struct Waiting {
    const std::optional<spec::Condition>* condition;
    bool at_the_start;  // judged in the state the move began with
  };
  void run_pipeline(const spec::ActionDef& action, const spec::PipelineDef& pipeline,
                    const spec::PhaseDef& origin, Context& c);
  Verdict judge_at_start(const std::optional<spec::Condition>& condition, const World& start,
                         const Context& c);
  bool pay_cost(const spec::PipelineDef& pipeline, const World& start, Context& c, bool at_last);
  // control.cpp
  void for_each(const spec::ForEach& e, Context& c);
  void while_loop(const spec::While& e, Context& c);
  void let(const spec::Let& e, Context& c);
  void reduce(const spec::Reduce& e, Context& c);
  void remove_by_priority(const spec::RemoveByPriority& e, Context& c);
  void evaluate_subset(const spec::EvaluateSubset& e, Context& c);
  void roll(const spec::RollRandom& e, Context& c);
  void choose(const std::string& bind, const Val& value, Context& c);
  void choose_one(const spec::ChooseOne& e, Context& c);
  void choose_n(const spec::ChooseN& e, Context& c);
  int decide(Pending pending);
  bool foresees_nothing() const { return given_ && cursor_ >= *given_; }
  int ask_chance(std::size_t outcomes);
  bool unseen(const std::string& zone, const Context& c) const;
  static void export_names(const Context& inner, Context& outer, const std::string& except);
  // timed.cpp
  void start_effect(const spec::StartEffect& e, const Context& c);
  void end_effect(const spec::EndEffect& e, const Context& c);
  void expire_effects();
  List active_effects(const spec::ActiveEffectsQuery& node, const Context& c);
  Val effect_modifier(const spec::EffectModifierRef& node, const Context& c);
  struct Price {
    std::string var;
    Int amount = 0;
    std::vector<std::size_t> changed_by;  // effects without which it would be another
  };
  std::vector<Price> prices(const spec::ActionDef& action, const Context& c);
  // turns.cpp
  void reset_phase_usage();
  int next_player();
  std::vector<int> turn_order() const;
  bool pass_turn();
  void begin_planned_round();
  void set_turn_order(const spec::SetTurnOrder& e, const Context& c);
  void reset_round_variables();
  bool somebody_can_move();
  void end_turn();
  void leave_turn();
  bool by_phases() const { return def().rounds.by_phases.value_or(false); }

  // moves.cpp
  void make(const Move& move, const spec::ActionDef& action, const spec::PhaseDef& origin,
            const std::string* operation);
  // cards.cpp
  void reveal_cards();
  std::vector<int> fresh_order() const;
  bool phase_is_valid() const;
  void fresh_card();
  void after_move(const Move& move, int mover, const std::string& origin,
                  const std::optional<Grant>& used);
  void count_move(const Move& move, int mover, const std::string& origin);
  void pass_rewards(int player);
  void end_card_if_due();
  void end_card();
  bool boundary();  // whether a coup card was handed on
  void instruction();
  void expire_lasting();
  void enter_coup_phase();
  void choose_active();
  void prefer_owner_of_grant();
  void advance_card_phase();
  bool advance_card_turn();  // one step on the way to a decision; false: there is none
  void dispatch_collected();
  // grants.cpp
  void issue(const spec::GrantDef& def, int self, const Context& c, bool from_effect);
  void issue_event_grants();
  std::vector<std::string> zones_of_move(const Grant& grant) const;
  bool filter_holds(const Grant& grant, const std::string& zone, const Context& c);
  bool authorises(const Grant& grant, const Context& c);
  bool net_keeps(const std::string& zone, const Context& c);
  void judge_whole(const Move& move, const Context& c);
  void use_up(const Grant& used);
  void release_deferred();
  Json material(const World& world) const;
  const Val* granted(const std::string& key) const;
  std::optional<List> captured(const spec::Name& key, const Context& c) const;
  // events.cpp
  void play_card(const Play& play, Context& c);
  void select_targets(const Play& play, Context& c);
  void card_effects(const Play& play, Context& c);
  static bool waits_for_grants(const Play& play);
  // activities.cpp
  void ask_for_activity(const spec::ActionDef& operation, const spec::PipelineDef& pipeline);
  void run_activity(int place, const spec::PhaseDef& origin);
  void check_activity();
  bool start_too_much(const Move& move, const Bindings& made) const;

  std::vector<int> answers_;
  std::size_t cursor_ = 0;
  // Of the move being made: every choice by name, the state it began with, and of a free move the
  // grants that may let it be made.
  Bindings made_;
  World start_;
  bool free_ = false;
  bool raw_ = false;              // tokens are seen as they are
  const Grant* asked_ = nullptr;  // whose filter is asked
  std::optional<Grant> used_;     // by the complete move
  std::set<std::string> broken_;  // batches of which nothing more is issued (G-11)
  int played_by_ = 0;
  bool judging_ = false;  // a filter is asked: what it asks is not narrowed itself
  int mover_ = 0;
  std::vector<Grant> applicable_;
  std::set<std::string> undecided_;  // zones whose filter waits for choices (G-50)
  std::vector<std::pair<int, std::pair<bool, spec::Duration>>> overrides_;
  std::optional<Deferred> waiting_;
  bool fresh_start_ = false;            // a coup round is over
  Int boundaries_ = 0, handed_on_ = 0;  // cards that ended in this step, coup rounds among them
  std::optional<Play> played_;
  Bindings played_names_;
  struct Activity {
    std::string action, operation;
    int place = 0;  // after which stage; -1: before all of them, their number: at the end
    Bindings made;
  };
  std::optional<Activity> activity_;
  Bindings chosen_;  // under templated names, in this move
  std::optional<std::size_t> given_;
  bool by_luck_ = false;  // an order was shuffled that could have become another
  std::vector<Happening> events_;
  int in_trigger_ = 0;
  int nesting_ = 0;
  Int operations_ = 0;
};

// Whether the option matrix binds now.
bool bound_by_row(const Run& run);
// Whether an activity may go with an operation.
bool accompanies(const spec::PipelineDef& activity, const std::string& operation);
// The moves of an action that begin like this one, and can be carried through.
std::vector<Move> moves_like(const Rules& rules, const World& world, const Move& like,
                             bool only_one);
// Those a card and grants leave over (offers.cpp); only those that grants allow.
std::vector<Move> card_moves(const Rules& rules, const World& world);
std::vector<Move> free_moves(const Rules& rules, const World& world, bool only_one);
// The moves of a state, in order (section 19.2); every one can be carried through, or faults.
std::vector<Move> legal_moves(const Rules& rules, const World& world, bool only_one = false);
// A move that a player may start, from `world`, with some answers given: can it be completed?
bool can_complete(const Rules& rules, const World& world, const Move& move,
                  std::vector<int> answers);

}  // namespace parlor::reference
