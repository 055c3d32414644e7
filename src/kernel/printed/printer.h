// Writes the expressions of a Program as C++ (print.h). Each writes what it computes into a
// function that is being made, line by line, and says what its result is called there.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "kernel/printed/code_pieces.h"
#include "kernel/program/operands.h"
#include "kernel/program/program.h"
#include "kernel/program/traits.h"

namespace parlor::kernel {

// What is known of a value when code is printed. A zone is a valid one, a token of a zone is in
// play. A list is one of the function's own: `size` items at an address.
enum class Kind : std::uint8_t {
  any,
  integer,
  boolean,
  symbol,
  zone,
  token,
  placed_token,
  list,
  token_list,
};

// A result: an expression of C++ that costs nothing to repeat.
struct Made {
  std::string text;
  Kind kind = Kind::any;
  bool small = false;     // a number of 32 bits
  std::string cell = {};  // the cell of a token that it lies in, where that may be a word
};

// How often something is done at most, as far as that is known: so many times, or so many times
// for each token there is.
struct Rounds {
  std::int64_t times = 1;
  bool tokens = false, known = true;
};
inline constexpr Rounds any_number{.known = false};

class Printer {
 public:
  explicit Printer(const Program& program)
      : p_(program), names_(std::ranges::any_of(program.code, [](const Instr& i) {
          return i.op == Op::bind_template || i.op == Op::alias_template;
        })) {}

  // The bodies of functions.
  std::string truth_body(int node);
  std::string value_body(int node);
  std::string query_body(int node);
  // Of what a statement goes through or lets choose from, without asking the machine for parts of
  // it; empty: not printed.
  std::string items_body(int query);
  // Of the loop of an evaluateSubset that begins here; empty: not printed.
  std::string subsets_body(int pc);
  // Of a move that begins with this action; empty: not printed.
  std::string move_body(int action);
  // Of the last move or list, as in PrintedFunction.
  bool late() const { return late_; }
  bool helped() const { return helped_; }
  // Of a unit that moves call: it runs to its end, or the machine goes on somewhere in it.
  std::string unit_body(UnitId unit);
  static constexpr const char* nothing_printed = "  return trouble;\n";
  // Of what the machine runs of a unit in one go; empty: not printed.
  std::string stretch_body(UnitId unit);
  std::string settle_body();                                    // of `settle_here`, which they call
  const std::vector<int>& entries() const { return entries_; }  // of the last one
  // Whether the last move or unit leaves nothing to the machine.
  bool leaves_off() const { return !leave_at_.empty(); }
  const std::set<UnitId>& called() const { return called_; }  // by everything printed so far
  // What the interpreter is left with of moves and lists, and why: a line each.
  const std::vector<std::string>& remarks() const { return remarks_; }
  // Of a trial of what this action begins; empty: not printed.
  std::string trial_body(int action);
  void has_trial(UnitId unit, const std::string& function) { trials_[unit] = function; }
  bool has_trial(UnitId unit) const { return trials_.contains(unit); }
  std::string_view keeps_all_moves() const;
  bool moves_are_plain() const;
  bool lists_are_plain() const;
  // Of the options of a phase; empty: not printed.
  std::string listing_body(int phase);
  std::string shape() const;  // what moves know of the state
  std::string sights() const;
  std::string arrivals() const;
  // Whoever tries something out asks for no hash.
  const char* shape_name() const { return trying_ ? "TrialShape" : "Shape"; }
  bool tells_arrivals() const { return stretching_ && p_.emits_token_events; }
  // Behind the name of a function that makes or moves tokens.
  std::string of_shape() const {
    return fmt::format("{}<{}>", stretching_ ? "_by_call" : "", shape_name());
  }
  std::string kept_numbers() const;
  // Of the last body, as in PrintedFunction.
  const std::vector<int>& stretch_bindings() const { return stretch_bindings_; }
  std::vector<int> bindings() const { return {bindings_.begin(), bindings_.end()}; }
  const std::map<std::string, std::string>& tables() const { return tables_; }
  // Nodes the last body leaves to the interpreter: printed by themselves, if they can be.
  const std::set<int>& left() const { return left_; }
  bool left_nothing() const { return !left_something_; }
  // Whether printing this expression gains anything.
  bool worthwhile(int node) const;
  bool is_condition(int node) const;
  bool is_query(int node) const;
  bool of_tokens(int query) const;
  // Whether the machine remembers what the expression came to while the state does not change.
  static bool has_memo(const Node& n);

 private:
  using Body = std::function<void(Made)>;

  const Node& node(int index) const { return p_.nodes[NodeId(index)]; }
  int extra(int index) const { return p_.extra[static_cast<std::size_t>(index)]; }
  void begin(int root);
  void gather_tokens();
  std::string finish(const std::string& result);

  // -- lines
  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    out_ += std::string(static_cast<std::size_t>(2 * depth_), ' ') +
            fmt::format(text, std::forward<Args>(args)...) + "\n";
  }
  void cannot(std::string_view why) {
    unprintable_ = true;
    if (why_.empty()) why_ = why;
  }
  // A node is the interpreter's: it is asked, or what is being printed is not for compiled code.
  void leave_node(int index);
  bool can_ask(int index) const;
  UnitId asked_unit() const;
  bool fits() const {
    return !unprintable_ && (!left_something_ || (stretching_ && unit_ != nullptr));
  }
  std::string fresh(char letter) { return fmt::format("{}{}", letter, next_++); }
  void give_up_if(const std::string& when) {
    line("if ({}) return trouble;", when);
    ++troubles_;
    late_ = late_ || (moving_ && pc_ >= wrote_from_);
  }
  // Where a loop did, by the name of its answer.
  void give_up_with(const std::string& loop) {
    if (!smooth_.contains(loop)) give_up_if(loop + " == trouble");
  }
  // Of a move, what is not done often is taken from the work at its beginning: as much as it could
  // be, and where that is too much the machine makes the move. Of a stretch each statement takes it
  // at its own.
  static constexpr int most_static_loops = 1;
  // Of a trial it is taken where it is done, and asked about at the end: what a trial may use is
  // less than what its rounds could come to.
  void spend(std::int64_t work) {
    if (stretching_ && repeats_ == 0)
      static_work_ += work;
    else if (trying_ && repeats_ == 0)
      line("*v.work -= {};", work);
    else if (!spends_before(rounds_, work))
      give_up_if(fmt::format("!v.spend({})", work));
  }
  static Rounds both(const Rounds& outer, const Rounds& inner);
  bool stays_small(const Rounds& outer) const;
  static constexpr std::int64_t most_before = 100'000;
  std::int64_t goes_round_ = 1;  // how often what is printed may be done altogether
  // False: it has to be taken where it is done.
  bool spends_before(const Rounds& rounds, std::int64_t work);
  void spend_before_all();
  template <class F>
  void repeated(const Rounds& rounds, F&& body) {
    const Rounds outer = std::exchange(rounds_, both(rounds_, rounds));
    ++repeats_;
    body();
    --repeats_;
    rounds_ = outer;
  }
  std::string table(const std::string& name, const std::string& type, const std::string& items);
  std::string two_way_table(const std::string& name, const std::string& items);
  std::string words_table(const std::string& name, const std::uint64_t* words);

  // -- values (print_values.cpp)
  Made value(int node);
  Made left_value(int node);  // the interpreter's
  Made slot(int slot);
  Made constant(Value v);
  Made of_thing(int node);
  Made token_prop(const Node& n, bool& may_miss);
  Made cell(const std::string& token, int prop, bool& uniform);
  Made attribute(const Node& n);  // any; none: the zone lacks it
  Made category(const Node& n);   // any; none: it has none
  Made arithmetic(const Node& n);
  Made if_value(const Node& n);
  Made fold(const Node& n);
  Made count(const Node& n);
  std::string maybe_seen(const Node& n);
  Made asset_field(const Node& n);
  Made variable(const Node& n);
  Made named_state(const Node& n);
  Made clock(const Node& n);
  std::optional<std::string> text_for(int node, int player) const;
  Made by_active_player(int node);
  Made step_to(const Node& n);
  std::string integer(int node);
  std::string number(const Made& made);
  std::string zone(int node);
  std::string zone_of(const Made& made);
  std::string player(int node);
  std::string players(int node);  // a mask; empty: not printed
  std::string token(int node);
  std::string placed(const Made& made);
  static std::ptrdiff_t tokens_offset();  // of their number
  std::string as_value(const Made& made);

  // -- conditions (print_conditions.cpp)
  std::string truth(int node);
  std::string left_truth(int node);
  std::string all_or_any(const Node& n);
  bool all_at_once(const Node& n, const std::string& out);
  std::string compare(const Node& n);
  std::string compared(const Node& n, const Made& left, const Made& right);
  std::string line_through(int node);
  std::string quantified(int node);
  std::string in_list(int node);
  bool is_fixed_list(int node) const;
  void look_in_list(int node, const std::string& item, const std::string& out);
  std::string zone_in(int node);
  std::string some_zone(int node);
  std::string filter(int node, const std::string& token);
  std::string filter_test(int node, const std::string& token);
  std::string equal(const Made& left, const Made& right);
  Made field(const Node& n, const std::string& token, bool& printed);
  bool plain_filter(int node) const;

  // -- queries (print_queries.cpp): the name of what the loop answers
  std::string loop(int query, const Body& body);
  std::string listed(int query, const Body& body);
  std::string items(const Node& n, const Body& body);
  std::string repeat(const std::string& call, const std::string& type, Kind kind, const Body& body,
                     const Rounds& rounds = any_number);
  std::string items_of_subset(const Made& list, const Body& body);
  std::string left_loop(int query, const Body& body);
  std::string tokens(const std::string& zone, int filter, const Body& body);
  std::string zones(int query, const Body& body);
  std::string keyed_zones(const ZoneKey& key, int set, const Body& body);
  std::string bits(int query, const Body& body);
  bool can_scan(int set) const;
  std::string scan(int set, const Body& body);
  std::string looked_up(int scan);
  std::string rows(int query, const Body& body);
  std::string fitting_rows(const Node& n, const Body& body);
  std::string few_numbers(const Node& n, const Body& body);
  std::string concat(const Node& n, const Body& body);
  std::string numbers(int query, const Body& body);
  std::string steps(int query, const Body& body);
  std::string along(int query, const Body& body);
  std::string connected(int query, const Body& body);
  std::string beside_words();
  std::string beside();
  std::string ways(int query, const Body& body);
  std::string rays(int query, const Body& body);
  std::string all_steps();
  std::string direction_of(int node);
  void bind(int slot, const Made& item, const std::function<void()>& body);
  std::string neighbours(const std::string& zone);

  // -- zone sets (print_sets.cpp)
  bool pure_set(int node) const;
  bool can_set(int node) const;
  std::string set(int node);
  std::string left_set(int node);
  std::string scanned(int node);
  std::string on_turn(const Node& n);
  std::string member(int set, const std::string& zone);
  std::string all_ways(const Node& n);
  int made_of(int set) const;
  std::string shifted(int direction, const std::string& to);
  std::string laid_out(const std::vector<ShiftInfo::Group>& groups, const std::string& name,
                       const std::string& set);
  std::string ray(int direction, const std::string& over, const std::string& good);
  std::string player_feature(const Node& n);
  std::string feature_offset(int index) const;
  std::string player_offset(const Node& n);
  std::string who_of(const Node& n) const;
  std::string family(const Node& n);
  std::string in_family(const Node& n);
  std::string family_offset(const Node& n);
  std::string line_bits(const Node& n);
  std::string reaches(int node);
  std::string feature(int index) const;
  std::string zones_type() const { return fmt::format("Zones<{}>", p_.words); }

  // -- moves (print_moves.cpp)
  struct MoveSlot {
    int first = -1;  // the statement that first gives it a value
    Kind kind = Kind::any;
  };
  const Instr& code(int pc) const { return p_.code[static_cast<std::size_t>(pc)]; }
  Made local(int slot);
  Made local_or_param(int slot);
  void assign(int slot, const Made& made);
  SlotId shadow_of(int slot) const;
  bool binds_secret(const Instr& i) const;
  bool keeps_secrets(const Instr& i) const;
  std::string going(const std::string& how, int token);
  void catch_up();
  bool always_before(int first, int pc) const;
  void leave(int pc, const std::string& steps = "0");
  int listed_loop_around(int pc) const;
  bool in_listed_loop(int pc) const { return listed_loop_around(pc) >= 0; }
  void go_on_after_call(const std::string& result, int pc, const std::string& steps = "0");
  void call_unit(UnitId unit);
  void call_phase_unit(UnitId PhaseInfo::*which);
  bool happening(const Instr& i);
  bool runs_whole(UnitId unit);
  void call_trigger(const TriggerInfo& trigger, const Instr& i);
  bool bind_event();
  void set_variable(const Instr& i);
  void set_named_variable(const Instr& i);
  bool may_be_secret(int scope, VarId var) const;
  struct WrittenVar {
    int scope;
    std::string owner, number;  // owner: none of a variable of the game
  };
  void write_cell_of_var(const std::string& cell, const std::string& to, const WrittenVar& var);
  std::string cell_for(CellType type, const Made& made);
  void create_token(const Instr& i);
  void set_property(const Instr& i);
  void move_one(const Instr& i);
  void move_all(const Instr& i);
  std::vector<ZoneId> zones_meant(int node) const;
  void check_stacking(const std::string& zone, const std::vector<ZoneId>& zones,
                      const std::string& type, const std::string& comes);
  const ZoneInfo* pile_of(const std::vector<ZoneId>& zones) const;
  bool draw(const Instr& i);
  bool shuffle(const Instr& i);
  bool roll(const Instr& i);
  bool kept_sum(const Instr& i);
  void begin_loop(const Instr& i);
  void next_round(const Instr& i);
  bool turns_go_by_seats() const;
  bool turn_is_simple() const;
  void pass_turn();
  void go_on_without_moves(int limit, const std::string& leave);
  void leave_if_effects();
  // -- stretches (print_stretches.cpp)
  bool stretch_statement(const Instr& i);
  bool stretch_of_tokens(const Instr& i);
  bool step_in_place(const Instr& i);
  void begin_stretch(int pc);
  void note_doubt(int slot);
  void stretch_loop(const Instr& i);
  void stretch_round(const Instr& i);
  void let_go_of_bindings();
  bool stops_at(int pc);
  std::string stretch_text(const std::map<int, std::string>& printed);
  std::vector<int> find_entries(const std::map<int, std::string>& printed) const;
  bool worth_entering(int pc, const std::map<int, std::string>& printed) const;
  bool statement(const Instr& i);  // false: the machine's, and all that follows
  bool printed_statement(const Instr& i);
  bool control_statement(const Instr& i);
  bool by_machine(const Instr& i);
  bool machine_may_do(const Instr& i) const;
  bool machine_may_loop(int begin) const;
  int behind(int pc) const;
  void hand_over_slots(const std::string& to);
  void take_slots_back(int from, int end);
  bool while_statement(const Instr& i);
  bool turn_statement(const Instr& i);
  bool token_statement(const Instr& i);
  bool phase_statement(const Instr& i);
  bool outside(UnitId scope, const std::function<void()>& print);
  void terminal(std::size_t index, const std::string& phase, const std::string& leave);
  void finish_game(int ended_by, const std::string& winner);
  void ask_scores();
  // What becomes of the options of an action: they are listed, or only whether there is one.
  struct Offer {
    bool lists = false;
    std::string found = "", id = "";  // names of what is written
    int shift = 0;                    // where the next parameter stands in the id
    int phase = 0;
    std::string pipeline = "";  // the name of its number
  };
  void offer(const ActionInfo& action, std::size_t at, const Offer& offer);
  void offer_if(const std::string& holds, const ActionInfo& action, std::size_t at,
                const Offer& offer);
  void offer_as(const std::string& who, const ActionInfo& action, std::size_t at,
                const Offer& offer);
  std::string tried_out(const ActionInfo& action, const Offer& offer);
  std::string choose_pipeline(const ActionInfo& action);
  std::string completed(const ActionInfo& action, const Offer& offer);
  void offer_param(const ActionInfo& action, std::size_t at, const Offer& offer);
  bool offer_kept(const ActionInfo& action, std::size_t at, const Offer& offer);
  void offer_ways(const ActionInfo& action, const Offer& offer);
  // -- timed effects and prices (print_effects.cpp)
  void each_effect(const std::string& binds, const std::function<void(const std::string&)>& body);
  std::string blocked(const ActionInfo& action);
  std::string price_of(int action, VarId var, int amount);
  std::string can_pay(const ActionInfo& action);
  std::string have(VarId var);
  std::string usage_cell(const ActionInfo& action, const LimitInfo& limit);
  void count_use(const ActionInfo& action);
  void reset_uses(spec::LimitScope scope);
  bool pay(const Instr& i);
  Made effect_modifier(const Node& n);
  void decide_on(const std::string& zones);
  bool ask_actions(std::size_t index, const std::string& found);
  bool list_action(int action, int phase);
  void phase_moves(std::size_t index, const std::string& leave);
  void decide();
  bool settle(const Instr& i);
  int loops_around(int pc) const;
  std::int64_t most_rounds() const;  // of one loop
  std::int64_t most_new_tokens() const;
  int first_change() const;
  void note_slots();
  void bind_parameters(const ActionInfo& action);
  void find_parameter(const ParamInfo& param);
  void read_parameters(const ActionInfo& action);
  void ask_again(const ActionInfo& action);
  std::set<int> reachable() const;
  void leave_before(int pc);
  void tell_what_is_left();
  void tell_what_is_left(const std::map<std::string, int>& left);
  bool statements();
  std::string body_of_unit(const ActionInfo* action);
  std::string statements_of_unit(const ActionInfo* action);
  std::string move_head(const ActionInfo* action);

  // -- trials (print_trials.cpp)
  std::string loops_are_over(int pc) const;
  std::string safe_behind(int pc) const;
  void ask_for_answer(int query);
  void try_answers(const Instr& i);
  std::set<int> tried_statements() const;
  bool noted_statement(const Instr& i);
  bool can_note(const ActionInfo& action) const;
  void trial_statements();
  bool gives_up_early() const;
  std::string trial_locals();
  void name_locals();
  void fetch(const std::string& from, Kind kind, const std::string& to);
  void fetch_loop(int cursor, Kind kind, bool is_set);
  void fetch_locals();
  std::string trial_head(const ActionInfo& action);

  // -- what trials look into (print_notes.cpp)
  void note_zone(const std::string& z);
  std::string feature_asked(const Node& n, std::string& among);
  void note_members(int set, const std::string& zones, const std::string& in, bool one);
  void note_set(int set);
  std::string noting_walk(const Node& n, const std::string& start, const std::string& through,
                          const std::string& wanted);

  // Nothing in it does work that is counted, so it may be asked as often as one likes.
  bool free_of_work(int node) const;

  const Program& p_;
  const bool names_;  // rules make names with placeholders
  std::string out_;
  int depth_ = 1;
  int next_ = 0;
  int root_ = -1;  // the expression whose function is being made: the machine asks its memo first
  bool left_something_ = false;  // to the interpreter, which knows bindings by their slots
  bool unprintable_ = false;     // it has to be the interpreter's as a whole
  std::string why_;              // what of it is not printed, found first
  std::map<int, Made> bound_;
  std::set<int> bindings_;
  std::vector<int> stretch_bindings_;  // each behind its statement
  std::map<std::string, std::string> tables_;
  std::set<int> left_;
  // Of the loop over subsets that is being made: how many items a subset has, 0 if that is not
  // known, and the properties of its tokens that are asked for.
  std::size_t subset_size_ = 0;
  std::set<int> carried_;
  // Of the move that is being made: its unit (null: expressions outside it), the statement, from
  // which one on something may have been written, how many loops of the printed function and of the
  // rules are around, and what is spent at the beginning.
  bool alone_ = false;  // an expression of a unit that the machine runs: bindings are in its slots
  bool stretching_ = false;                       // and so are statements
  bool settles_ = false, settle_helped_ = false;  // what a move ends with is printed
  std::vector<int> entries_;
  bool moving_ = false, late_ = false, helped_ = false, leaves_ = false, was_late_ = false;
  const UnitInfo* unit_ = nullptr;
  UnitId scope_ = {};  // outside: the unit whose slots the expression has
  int pc_ = -1, wrote_from_ = 0, repeats_ = 0, loops_ = 0;
  std::size_t troubles_ = 0;      // how often the printed function may give up so far
  std::set<std::string> smooth_;  // loops that never do
  Rounds rounds_;                 // of the loops of the printed function
  std::int64_t static_work_ = 0, token_work_ = 0;    // the latter for each token there is
  std::map<int, MoveSlot> move_slots_, next_slots_;  // that statements give a value
  std::map<int, std::pair<Kind, bool>> loop_kinds_, next_loop_kinds_;  // by cursor; true: a set
  std::vector<std::pair<int, Made>> params_;
  std::set<int> own_params_;   // of the action that is being made: chosen by whoever makes it
  std::set<int> leave_at_;     // statements where the machine goes on
  std::set<int> whole_loops_;  // which the machine carries out from their beginning to their end
  std::set<UnitId> called_;
  std::map<UnitId, bool> whole_units_;
  static constexpr std::size_t longest_called = 200'000;  // bytes
  // Of the trial that is being made: statements where it gives up.
  bool trying_ = false;
  bool noting_ = false;  // what it looks into, up to this statement (-1: to its end)
  int stop_at_ = -1;
  std::set<int> given_up_;
  std::map<UnitId, std::string> trials_;  // functions by unit
  // Statements of the unit that are the machine's, and why; all that was said of units before.
  std::map<int, std::string> left_because_, by_machine_because_, asked_because_;
  std::vector<std::string> remarks_;
};

}  // namespace parlor::kernel
