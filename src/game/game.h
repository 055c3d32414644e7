// The narrow waist: everything that plays, simulates, stores or shows a game sees only this file.
//
//   a Game      immutable rules, opened for a fixed number of players and fixed house rules
//   a State     a value: cheap to copy, compare, hash, save
//   a Decision  at any unfinished state exactly one decider (a player, or chance) has a finite,
//               ordered list of options; choosing one leads to the next decision or to the end
//
// Playing a game to its end:
//
//   State state = game.start(seed).value();
//   OptionList options;                                   // reused: no allocation once warm
//   while (!state.finished()) {
//     state.list_options(options);
//     state.apply(options[rng.below(options.size())]);    // Decision says whose choice it was
//   }
//   Outcome outcome = state.outcome();
//
// Writing a native game: derive from Game and implement the functions below "The rules". A state
// is whatever your game puts into a StateBlock, usually one trivially copyable struct
// (`block.as<MyState>()`). Keep every unused byte zero, so that equal positions are equal bytes.
// Then run `check_conformance` (conformance.h) over it: it tests every promise made here.
//
// The promises
//   * Determinism: the same game, seed and options give the same bytes on every machine.
//     Randomness comes only from an Rng inside the state or from chance decisions.
//   * `list_options` lists at least one option while the state is unfinished, none afterwards, and
//     no option twice. The order is part of the rules: it never depends on how the state was
//     reached or on the machine.
//   * Every option that can be carried through is listed, and every listed option applies, unless
//     the rules themselves go wrong over it (they divide by zero, or luck leads into a dead end):
//     then `apply` gives a Rejection with `fault` set that says what, where and with which values,
//     and changes nothing. A fault never hides an option. Any option that is not listed is refused
//     by `State::try_apply` and changes nothing.
//   * Equal states have equal hashes, options and outcomes. `load(save(s))` equals `s`.
//   * What a viewer is told holds nothing that this viewer may not know. `resample_hidden` makes
//     another world that the viewer cannot tell from this one, and everything they can ask for is
//     the same there: view, description, decision, their options with ids, texts, labels and JSON,
//     answers to `why_not`, events. The other world follows from what the viewer knows and from the
//     dice alone: from any two worlds the viewer cannot tell apart, the same dice make the same.
//   * `list_options`, `decision`, `apply`, `hash` and copying allocate nothing once their buffers
//     are warm.
//   * A Game is never written to after it was made: any number of threads may share it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/diagnostics.h"
#include "base/id.h"
#include "base/json.h"
#include "base/rng.h"
#include "game/offered_rule.h"
#include "game/state_block.h"
#include "game/viewer.h"

namespace parlor {

using Seed = std::uint64_t;

// A request that was refused. The state is as it was before.
struct Rejection {
  std::string code;  // stable; of the one list of codes, or a rule module's own
  std::string message;
  Json details = Json::object();
  // The request was legal and the rules went wrong over it: a bug of the rules, not of who asked.
  bool fault = false;

  Rejection(Code c, std::string m, Json d = Json::object())
      : code(code_name(c)), message(std::move(m)), details(std::move(d)) {}
  Rejection(std::string c, std::string m, Json d = Json::object())
      : code(std::move(c)), message(std::move(m)), details(std::move(d)) {}
};
Json to_json(const Rejection& rejection);
inline Rejection fault_of(Rejection rejection) {
  rejection.fault = true;
  return rejection;
}

using Applied = tl::expected<void, Rejection>;

// One thing that can be chosen, as a compact id. It means something only together with the state
// that listed it; the same choice in the same state always has the same id.
struct Option {
  std::uint64_t id = 0;
  friend constexpr auto operator<=>(Option, Option) = default;
};

// A buffer for the options of one decision, made to be reused. For chance decisions every option
// has a positive weight; otherwise there are no weights.
class OptionList {
 public:
  void clear() {
    size_ = 0;
    weights_.clear();
  }
  void add(Option option) { grow(1)[0] = option; }
  void add(Option option, std::uint32_t weight) {
    add(option);
    weights_.push_back(weight);
  }
  // For generators that know how many are coming: `grow(n)` gives n slots to fill.
  std::span<Option> grow(std::size_t count) {
    const std::size_t old = size_;
    size_ += count;
    if (size_ > room_.size()) make_room();
    return {room_.data() + old, count};
  }
  // For those that know only how many at most: gives the last slots back.
  void shrink(std::size_t size) { size_ = size; }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Option operator[](std::size_t index) const { return room_[index]; }
  std::span<const Option> all() const { return {room_.data(), size_}; }
  std::span<const std::uint32_t> weights() const { return weights_; }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }

 private:
  [[gnu::noinline]] void make_room() { room_.resize(2 * size_); }

  // The options are the first `size_`; what lies behind is kept from before, so that a list is
  // refilled without being cleared first.
  std::vector<Option> room_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> weights_;
};

// The index of an option drawn by its weight (all equal when there are no weights).
std::size_t draw_option(const OptionList& options, Rng& rng);

enum class DecisionKind : std::uint8_t {
  finished,    // no decision: the game is over
  action,      // a player chooses what to do; starts a whole move
  choose_one,  // a player chooses one value inside a move
  choose_n,    // a player adds a value to a selection, or confirms it
  chance       // nature chooses, by weights
};
std::string_view decision_kind_name(
    DecisionKind kind);  // as in JSON: "actionSelection", "chooseOne" ...

// As large as a register: GCC puts results of three bytes together in memory, and waits for them.
struct alignas(4) Decision {
  DecisionKind kind = DecisionKind::finished;
  PlayerId player;           // who decides; none for chance and when finished
  bool starts_move = false;  // true where a whole move begins: perft and undo count these
};

// How a finished game ended. `returns` are what players try to maximise: for win, draw and loss
// they are +1, 0, -1; games with scores or stakes give those.
struct Outcome {
  std::vector<std::int64_t> returns;  // one per player
  std::vector<PlayerId> winners;      // empty: nobody; all: a shared result
  std::string reason;  // short and stable, e.g. "checkmate", or a terminal condition's id
  // Where the rules rank everybody: the place of each player, 1 for the best; equals share theirs.
  std::vector<int> places = {};
};
Json to_json(const Outcome& outcome);

// Something that happened while an option was applied, in order: enough to animate a game and to
// write a readable log. `kind` is e.g. "tokenMoved"; `data` names what it concerned, for those in
// `seen_by`. The others are told `outside` instead, or nothing at all when that is null.
struct Event {
  std::string_view kind;
  Json data;
  Audience seen_by = Audience::everybody();
  Json outside = nullptr;
};
// {"kind","data"} as this viewer is told it; null: this viewer does not notice.
Json event_told(const Event& event, const Viewer& viewer);

class EventListener {
 public:
  virtual ~EventListener() = default;
  virtual void on_event(const Event& event) = 0;
  // True: only what is remarkable about the rules themselves is told (a phase nobody could act in,
  // a look-ahead that gave up), which costs nothing while nothing of the kind happens.
  bool only_remarks() const { return only_remarks_; }

 protected:
  bool only_remarks_ = false;
};

struct GameInfo {
  std::string id;    // as on the command line, e.g. "chess"
  std::string name;  // for people
  std::string description;
  std::size_t players = 2;      // of this opened game
  std::size_t min_players = 2;  // that the rules allow
  std::size_t max_players = 2;
  std::vector<std::string> seats;   // one name per player, e.g. "white"
  bool has_chance = false;          // randomness of any kind
  bool explicit_chance = false;     // randomness shows as chance decisions
  bool hidden_information = false;  // some player does not see everything
  std::vector<std::string>
      actions;  // every action the rules declare, as in option_json; may be empty
  std::vector<std::string> observers;  // viewers the rules declare: Viewer::observer(name)
  std::vector<std::string> rules;  // active modules or presets, in order, as "id[:scope][@turns]"
  std::uint64_t fingerprint = 0;   // of the compiled rules: states of other rules do not load
};

// What somebody is told of a choice, in words.
struct ChoiceTold {
  std::string label;    // empty: that something was chosen, and no more
  bool hidden = false;  // something of it is kept from them: the label does not say which it was
  bool operator==(const ChoiceTold&) const = default;
};

// A point at which house rules can hook in.
struct HookPoint {
  std::string name;
  std::string help;  // one line
};

// A first move and how many sequences of moves begin with it.
struct CountedMove {
  std::string move;  // its text; of a move with choices all of them
  std::uint64_t nodes = 0;
};

// How many numbers there are for what can be chosen. `fixed`: a number means the same in every
// state of the opened game. `ordinal`: it is the place among the options listed. `factored`: whole
// actions are too many for a table; they are chosen in steps, first which action, then one
// parameter after the other, and the numbers, fixed as well, are those of steps (stepwise.h).
struct ActionSpace {
  enum class Kind : std::uint8_t { fixed, ordinal, factored };
  Kind kind = Kind::ordinal;
  std::size_t size = 0;
  bool complete = false;  // every option of every state has a number; no need to look

  static constexpr std::size_t most = 65'536;           // larger tables are of no use to learners
  static constexpr std::size_t ordinal_options = 1024;  // options further back have no number
};
inline constexpr std::uint32_t no_action = ~std::uint32_t{0};

// A part of what a player sees, as numbers between `low` and `high`. `layout` names the axes of the
// shape, e.g. "plane row column".
struct TensorPart {
  std::string name;
  std::vector<std::size_t> shape;
  std::string layout;
  float low = 0, high = 1;

  std::size_t size() const {
    std::size_t out = 1;
    for (const std::size_t length : shape) out *= length;
    return out;
  }
};

class State;
class Thinker;
class Worlds;

class Game {
 public:
  virtual ~Game() = default;

  virtual const GameInfo& info() const = 0;

  // A new state at the first decision (or already finished).
  tl::expected<State, Rejection> start(Seed seed) const;
  tl::expected<State, Rejection> load(const Json& saved) const;

  // ---- The rules. Blocks given here were made by `init` or `load_block` of the same game.

  // Fills an empty block with the initial state. Fails only if the rules' own set-up fails.
  virtual Applied init(StateBlock& block, Seed seed) const = 0;
  virtual Decision decision(const StateBlock& block) const = 0;
  // Appends to a cleared list.
  virtual void list_options(const StateBlock& block, OptionList& out) const = 0;
  // Applies an option that `list_options` gave for exactly this block; others are the caller's
  // error (State::try_apply checks first). A failure of the rules at run time is a Rejection and
  // leaves the block as it was.
  virtual Applied apply(StateBlock& block, Option option, EventListener* listener) const = 0;
  // The same, and then `next` has the options of the next decision, none if there is none: for
  // games that look at them anyway in order to know whether they go on. After a failure it has
  // none. Default: one after the other.
  virtual Applied apply_and_list(StateBlock& block, Option option, EventListener* listener,
                                 OptionList& next) const;
  virtual Outcome outcome(const StateBlock& block) const = 0;

  // ---- Identity and storage.

  virtual std::uint64_t hash(const StateBlock& block) const = 0;
  virtual bool equal(const StateBlock& a, const StateBlock& b) const;  // default: same bytes
  // A JSON object with everything in the state, also in the middle of a move. The envelope (format,
  // version, game, fingerprint, checksum) is added and checked by State::save and Game::load.
  virtual Json save_block(const StateBlock& block) const = 0;
  // Fills an empty block from an object that may hold anything: a Rejection, never a crash. The
  // checksum guards against accidents, not against people who can compute one, so everything is
  // looked at as data before any of the rules run on it.
  virtual Applied load_block(const Json& saved, StateBlock& block) const = 0;

  // ---- For people and tools; not in the hot path.

  // Each of these is asked for a viewer: the decider who looks at their own options, somebody who
  // watches, or a tool. What the viewer may not see is not named; options about it are named by
  // its place.

  // The state as data: keys as documented for `parlor state` in docs/cli.md, as far as the game has
  // them. What the viewer may not see is left out or counted.
  virtual Json view(const StateBlock& block, const Viewer& viewer) const = 0;
  // The state as text for a terminal, several lines.
  virtual std::string describe(const StateBlock& block, const Viewer& viewer) const = 0;
  // A short stable text such as "e2e4" or "place cell_1_1"; unique among the options listed.
  virtual std::string option_text(const StateBlock& block, Option option,
                                  const Viewer& viewer) const = 0;
  // The same for people: pieces and cards by their names. Options that look alike may share one,
  // and it may change with the words of the game; scripts use option_text. Default: option_text.
  virtual std::string option_label(const StateBlock& block, Option option,
                                   const Viewer& viewer) const;
  // What a viewer is told, for people, when somebody has chosen this option and the game went on to
  // `after`: what the viewer saw before or sees now is named. Default: option_label, for the
  // decider and for those who see everything or where nothing is hidden; otherwise nothing.
  virtual ChoiceTold choice_told(const StateBlock& before, Option option, const StateBlock& after,
                                 const Viewer& viewer) const;
  // A value of option_json for people: a card by its name. Default: the value itself.
  virtual std::string value_label(const StateBlock& block, const Json& value,
                                  const Viewer& viewer) const;
  // Inside a move: the name of what is being chosen, e.g. "die"; empty where the options say it
  // all, and for everybody but the decider.
  virtual std::string question(const StateBlock& block, const Viewer& viewer) const;
  // {"action","params"} where a move starts, {"value"} inside a move; unique among the options
  // listed.
  virtual Json option_json(const StateBlock& block, Option option, const Viewer& viewer) const = 0;
  // The option people mean by a text that is not an option's own, if the game knows another
  // notation (chess: SAN).
  virtual std::optional<Option> option_meant(const StateBlock& block, std::string_view text) const;
  // Why a request, in the form of option_json for this viewer, is not legal now. `details` says
  // which condition failed, with the values it saw as far as the viewer sees them. Nothing when it
  // is legal.
  virtual std::optional<Rejection> why_not(const StateBlock& block, const Json& request,
                                           const Viewer& viewer) const;

  // ---- For those who draw a table and are clicked on (scene.h makes whole messages of these).

  // What there is to draw, the same for every state: boards with the place of every cell, areas,
  // what tokens look like, variables, actions. Default: no board, what `info` tells.
  virtual Json scene() const;
  // The state as data of one shape, in the words of the scene: every zone has a count and the
  // tokens this viewer sees, with what they look like. Default: `view`, brought into that shape.
  virtual Json stage(const StateBlock& block, const Viewer& viewer) const;
  // What an option consists of: {"action", "refs", "from", "to", "at", "confirm"}, as far as it has
  // them, and a "label" where it is another than option_label. Default: its action, and its values
  // as names.
  virtual Json option_parts(const StateBlock& block, Option option, const Viewer& viewer) const;
  // Where several things are being chosen: {"chosen": refs so far, "min", "max"}. Default: null.
  virtual Json selection(const StateBlock& block, const Viewer& viewer) const;

  // ---- Several deciders at once. Where players hand in their moves without seeing the others',
  // `decision` names one of those whose move is missing; the others need not wait for them.

  // The players who may decide now, in their order. Default: the decider.
  virtual std::vector<PlayerId> pending(const StateBlock& block) const;
  // Makes one of them the decider, or somebody who has decided and whose decision can still be
  // changed: it is taken back. False (and nothing changes) for anybody else. Once all have decided,
  // it makes no difference who did so first.
  virtual bool let_decide(StateBlock& block, PlayerId player) const;
  // The decision as this viewer may know of it: of somebody else's half-made secret move only that
  // it is missing. Default: `decision`.
  virtual Decision decision_told(const StateBlock& block, const Viewer& viewer) const;

  // ---- Numbers for those who learn: what can be chosen.

  virtual ActionSpace action_space() const;
  // The numbers of all options of this state, in their order: different ones, all below the size of
  // the space; `no_action` for an option that there is no number left for. Decisions of chance are
  // numbered by place. Allocates nothing once warm.
  virtual void action_indices(const StateBlock& block, const OptionList& options,
                              std::span<std::uint32_t> out) const;
  // Where the space is factored: the most steps that one choice takes (otherwise 1), and the steps
  // of all options, a row of so many numbers for each, `no_action` behind its last step. An option
  // of several steps has no number of its own: `action_indices` gives `no_action` for it.
  virtual std::size_t action_steps() const;
  virtual void action_paths(const StateBlock& block, const OptionList& options,
                            std::span<std::uint32_t> out) const;
  // A text for each number of the space, such as "move cell_6_0 n", and the number of a text. "~3"
  // in it stands for the fourth of some values that are known only while playing.
  virtual std::string action_name(std::size_t index) const;
  virtual std::optional<std::size_t> action_named(std::string_view name) const;

  // ---- Numbers for those who learn: what a player sees.

  // The parts of `observe`, one after the other; none: this game has no numbers for it.
  virtual std::span<const TensorPart> tensor_parts() const;
  // Writes what the player sees, themselves first wherever players are listed. `out` has room for
  // all parts. Nothing of it depends on what the player may not know. Allocates nothing once warm.
  virtual void observe(const StateBlock& block, PlayerId viewer, std::span<float> out) const;

  // ---- Optional abilities.

  // The house rules this game can be opened with, whether active or not.
  virtual std::vector<OfferedRule> offered_rules() const;
  // Where such rules can hook in, in the order in which one action meets them.
  virtual std::vector<HookPoint> hook_points() const;
  // Somebody asked for something at this state that is refused; nothing else happens. Rules that
  // want to hear of everything that is asked for are told (whoever refuses a request calls this,
  // once).
  virtual void hear_refused(const StateBlock& block, const Json& request,
                            EventListener* listener) const;
  // What the rules consist of, for `parlor info`: an object such as {"phases": [...], "actions":
  // [...]}.
  virtual Json parts() const;
  // The compiled rules as readable text, for `parlor info --code`; empty when there is none.
  virtual std::string listing() const;

  // Replaces everything the viewer does not know by a random possibility that fits what they know.
  // An Rng inside the state is such a thing: nobody may foresee its draws, not even who sees
  // everything else. Games with hidden information or an Rng implement it; the default changes
  // nothing.
  virtual void resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const;
  // The same for those who want many worlds of one state (worlds.h). Default: a copy, and
  // `resample_hidden`. The game must outlive it.
  virtual std::unique_ptr<Worlds> worlds() const;
  // The returns of a finished game without the rest of the outcome, one per player. Search asks for
  // them after every playout: games override it to answer without allocating.
  virtual void returns(const StateBlock& block, std::span<std::int64_t> out) const;
  // How well each player stands now in the game's own terms (score, margin, stake, material),
  // higher is better; one number per player. For look-ahead and to see who leads. False: no such
  // measure.
  virtual bool standing(const StateBlock& block, std::span<std::int64_t> out) const;
  // Looks ahead with the game's own knowledge (thinker.h); nothing: the game has none.
  virtual std::unique_ptr<Thinker> thinker(std::size_t table_entries) const;
  // The number of sequences of `depth` whole moves, if the game can count faster than move by move
  // or has options that are no moves (chess: claiming a draw) and does not count those; and the
  // same by first move.
  virtual std::optional<std::uint64_t> count_moves(const StateBlock& block, int depth) const;
  virtual std::optional<std::vector<CountedMove>> count_by_move(const StateBlock& block,
                                                                int depth) const;
};

// The numbers of all parts together.
std::size_t tensor_size(const Game& game);

// A block together with the game that understands it. Copying copies the block; the game must
// outlive its states.
class State {
 public:
  State(const Game& game, StateBlock block) : game_(&game), block_(std::move(block)) {}

  const Game& game() const { return *game_; }
  StateBlock& block() { return block_; }
  const StateBlock& block() const { return block_; }

  Decision decision() const { return game_->decision(block_); }
  bool finished() const { return decision().kind == DecisionKind::finished; }
  void list_options(OptionList& out) const {
    out.clear();
    game_->list_options(block_, out);
  }
  // Trusts the option to be one of the listed ones.
  Applied apply(Option option, EventListener* listener = nullptr) {
    return game_->apply(block_, option, listener);
  }
  Applied apply_and_list(Option option, OptionList& next, EventListener* listener = nullptr) {
    return game_->apply_and_list(block_, option, listener, next);
  }
  // Refuses everything that is not listed.
  Applied try_apply(Option option, EventListener* listener = nullptr);
  Outcome outcome() const { return game_->outcome(block_); }

  std::uint64_t hash() const { return game_->hash(block_); }
  friend bool operator==(const State& a, const State& b) {
    return a.game_ == b.game_ && a.game_->equal(a.block_, b.block_);
  }

  Json save() const;
  Json view(const Viewer& viewer = Viewer::everything()) const {
    return game_->view(block_, viewer);
  }
  // Of the canonical view: the same for worlds that the viewer cannot tell apart, unlike `hash`.
  std::uint64_t view_hash(const Viewer& viewer) const;
  std::string describe(const Viewer& viewer = Viewer::everything()) const {
    return game_->describe(block_, viewer);
  }
  std::string option_text(Option option, const Viewer& viewer = Viewer::everything()) const {
    return game_->option_text(block_, option, viewer);
  }
  std::string option_label(Option option, const Viewer& viewer = Viewer::everything()) const {
    return game_->option_label(block_, option, viewer);
  }
  std::string value_label(const Json& value, const Viewer& viewer = Viewer::everything()) const {
    return game_->value_label(block_, value, viewer);
  }
  std::string question(const Viewer& viewer = Viewer::everything()) const {
    return game_->question(block_, viewer);
  }
  Json option_json(Option option, const Viewer& viewer = Viewer::everything()) const {
    return game_->option_json(block_, option, viewer);
  }
  std::optional<Rejection> why_not(const Json& request,
                                   const Viewer& viewer = Viewer::everything()) const {
    return game_->why_not(block_, request, viewer);
  }
  std::vector<PlayerId> pending() const { return game_->pending(block_); }
  // The number of one of the options listed here, see Game::action_indices.
  std::size_t action_index(Option option) const;
  // The option that has this number here, if one has.
  std::optional<Option> option_of_action(std::size_t index) const;

 private:
  const Game* game_;
  StateBlock block_;
};

// What vouches for the "state" of a save: a sum of its text. `load` refuses a save whose "check"
// differs; tools that change a state on purpose write it anew.
std::string save_check(const Json& state);

// Finds the option a person or script means: an index, {"index"}, {"action","params"}, {"value"} or
// the option's text, in the form in which this viewer sees them. Parameters that leave no doubt may
// be omitted. The rejection lists the legal ones. A tool that sees everything may use either form,
// its own or the decider's.
tl::expected<Option, Rejection> find_option(const State& state, const Json& request,
                                            const Viewer& viewer = Viewer::everything());

// The options as `parlor state` prints them: option_json plus "index" (and "weight" for chance).
Json options_to_json(const State& state, const OptionList& options,
                     const Viewer& viewer = Viewer::everything());

// What a viewer is told of the decision: {"kind","decider"}, and the "options" if it is theirs (or
// they see everything); "pending" where several may decide at once. Null when the game is over.
Json decision_to_json(const State& state, const Viewer& viewer = Viewer::everything());

// The number of sequences of `depth` whole moves (an action with all its choices is one move), or
// of single decisions. `whole_moves` leaves out what the game says is no move; `all_options` counts
// whatever can be chosen, as games are really played.
enum class Counting : std::uint8_t { whole_moves, all_options, decisions };
std::uint64_t perft(const State& state, int depth, Counting counting = Counting::whole_moves);
// The same by first move, in the order of the options.
std::vector<CountedMove> divide(const State& state, int depth,
                                Counting counting = Counting::whole_moves);

}  // namespace parlor
