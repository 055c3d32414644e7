// The kernel: games written as data, played. A GameDef is linked into a Program for a number of
// players; KernelGame runs it behind the same interface as every other game.
//
//   auto game = kernel::open_game(def, {.players = 2}).value();
//   State state = game->start(seed).value();
//
// docs/kernel.md walks through the source.
#pragma once

#include <atomic>
#include <memory>
#include <tl/expected.hpp>

#include "game/game.h"
#include "game/tells_ends.h"
#include "kernel/know/observers.h"
#include "kernel/module.h"
#include "kernel/program/program.h"

namespace parlor::kernel {

class Machine;
struct PrintedCode;
struct Evidence;  // know/worlds.h
struct Learning;
struct Wording;

struct KernelOptions {
  std::size_t players = 0;       // 0: as few as the rules allow
  bool explicit_chance = false;  // rolls and shuffled draws become chance decisions
  bool plan = true;              // false: every query is evaluated plainly (for tests)
  std::int64_t budget = 0;       // operations of one move; 0: the usual generous number
  std::int64_t look_ahead = 0;   // operations of one look-ahead; 0: the usual generous number
  NativeModules modules = {};    // C++ modules in force (kernel::extend adds their parts first)
  std::vector<OfferedRule> offered = {};  // modules the game could be opened with
};

// What shows who leads where the rules give neither margins nor a score: a variable of the players,
// or the property that names the owner of a piece. -1: none.
struct Lead {
  VarId var = {};
  int owner_prop = -1;
};

class KernelGame : public Game, public TellsEnds {
 public:
  explicit KernelGame(std::shared_ptr<const Program> program,
                      std::vector<OfferedRule> offered = {});

  // `running` is the same Program with compiled code (printed/print.h); null: the interpreter.
  KernelGame(std::shared_ptr<const Program> program, std::vector<OfferedRule> offered,
             std::shared_ptr<const Program> running);

  const Program& program() const { return *program_; }
  const std::shared_ptr<const Program>& shared_program() const { return program_; }
  bool runs_printed_code() const { return running_ != program_; }

  const GameInfo& info() const override { return info_; }
  Applied init(StateBlock& block, Seed seed) const override;
  Decision decision(const StateBlock& block) const override;
  void list_options(const StateBlock& block, OptionList& out) const override;
  Applied apply(StateBlock& block, Option option, EventListener* listener) const override;
  Applied apply_and_list(StateBlock& block, Option option, EventListener* listener,
                         OptionList& next) const override;
  Outcome outcome(const StateBlock& block) const override;
  void read_outcome(const StateBlock& block, Outcome& out) const override;
  std::uint32_t ending(const StateBlock& block) const override;
  std::size_t hash_words(const StateBlock& block, HashLane lane) const override;
  std::uint64_t hash(const StateBlock& block) const override;
  Json save_block(const StateBlock& block) const override;
  Applied load_block(const Json& saved, StateBlock& block) const override;
  Json view(const StateBlock& block, const Viewer& viewer) const override;
  std::string describe(const StateBlock& block, const Viewer& viewer) const override;
  std::string option_text(const StateBlock& block, Option option,
                          const Viewer& viewer) const override;
  std::string option_label(const StateBlock& block, Option option,
                           const Viewer& viewer) const override;
  ChoiceTold choice_told(const StateBlock& before, Option option, const StateBlock& after,
                         const Viewer& viewer) const override;
  std::string value_label(const StateBlock& block, const Json& value,
                          const Viewer& viewer) const override;
  std::string question(const StateBlock& block, const Viewer& viewer) const override;
  Json option_json(const StateBlock& block, Option option, const Viewer& viewer) const override;
  std::optional<Rejection> why_not(const StateBlock& block, const Json& request,
                                   const Viewer& viewer) const override;
  Json scene() const override;
  Json stage(const StateBlock& block, const Viewer& viewer) const override;
  Json option_parts(const StateBlock& block, Option option, const Viewer& viewer) const override;
  Json selection(const StateBlock& block, const Viewer& viewer) const override;
  std::vector<OfferedRule> offered_rules() const override { return offered_; }
  std::vector<parlor::HookPoint> hook_points() const override;
  void hear_refused(const StateBlock& block, const Json& request,
                    EventListener* listener) const override;
  ActionSpace action_space() const override;
  void action_indices(const StateBlock& block, const OptionList& options,
                      std::span<std::uint32_t> out) const override;
  std::size_t action_steps() const override;
  void action_paths(const StateBlock& block, const OptionList& options,
                    std::span<std::uint32_t> out) const override;
  std::string action_name(std::size_t index) const override;
  std::optional<std::size_t> action_named(std::string_view name) const override;
  std::span<const TensorPart> tensor_parts() const override;
  void observe(const StateBlock& block, PlayerId viewer, std::span<float> out) const override;
  Json parts() const override;
  std::string listing() const override;
  void resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const override;
  std::unique_ptr<Worlds> worlds() const override;
  Eyes eyes_of(const Viewer& viewer) const { return {*program_, profiles_, viewer}; }
  void returns(const StateBlock& block, std::span<std::int64_t> out) const override;
  bool standing(const StateBlock& block, std::span<std::int64_t> out) const override;

  std::vector<PlayerId> pending(const StateBlock& block) const override;
  bool let_decide(StateBlock& block, PlayerId player) const override;
  Decision decision_told(const StateBlock& block, const Viewer& viewer) const override;

  // How often `resample_hidden` gave a world that may contradict what the viewer sees, because none
  // of many fitted (worlds.h).
  std::uint64_t worlds_given_up() const { return worlds_given_up_.load(std::memory_order_relaxed); }

  // How often an option was offered although looking ahead ran out of its budget before it was
  // known whether it can be carried through, in all states of this game so far.
  std::uint64_t undecided_options() const { return undecided_.load(std::memory_order_relaxed); }

  // Every answer a pending choice allows, whether or not the move can be finished with it.
  void list_raw_options(const StateBlock& block, OptionList& out) const;
  // The incremental hash and the zone sets agree with what they are made from; for tests.
  bool consistent(const StateBlock& block) const;

 private:
  friend class KeptWorlds;  // know/worlds.h
  // By the interpreter, where no compiled code makes the move.
  Applied apply_written(StateBlock& block, Option option, EventListener* listener) const;
  void refresh_instant(StateBlock& block) const;
  bool can_go_on(const StateBlock& block) const;
  Applied submit(StateBlock& block, Option option, EventListener* listener) const;
  const StateBlock& at_hand(const StateBlock& block, StateBlock& room) const;
  std::optional<Rejection> reason(const StateBlock& block, const Json& request, const Eyes& eyes,
                                  const Rejection& refused) const;
  void find_places(const StateBlock& block, Option option, Json& parts) const;
  bool find_moved(const StateBlock& block, Option option, const std::vector<Json>& places,
                  Json& parts) const;
  bool collecting(const StateBlock& block) const;  // moves are being handed in
  bool take_back(StateBlock& block, int player) const;
  Json submissions_json(const StateBlock& block, const Eyes& eyes) const;
  std::string event_label(const std::string& action, const Json& params) const;
  ChoiceTold label_for(const StateBlock& block, Option option, const Eyes& eyes,
                       bool closed_too) const;
  std::string describe_submissions(const StateBlock& block, const Eyes& eyes) const;
  std::string prices_text(Machine& machine, const StateBlock& block) const;
  bool may_submit(const StateBlock& block, int player) const;
  void make_decider(StateBlock& block, int player) const;
  void hand_in_anew(StateBlock& block, const Eyes& eyes, Rng& rng) const;
  void find_evidence(const StateBlock& block, const Eyes& eyes, Evidence& evidence) const;
  bool plausible(const StateBlock& block, const Eyes& eyes, const Evidence& evidence) const;
  Json places_offered(const StateBlock& block, const OptionList& options, const Eyes& eyes) const;

  std::shared_ptr<const Program> program_;
  std::shared_ptr<const Program> running_;  // what plays; everything that tells looks at program_
  std::vector<OfferedRule> offered_;
  GameInfo info_;
  Lead lead_;
  Profiles profiles_;
  std::shared_ptr<const Wording> wording_;
  const Learning& learning() const;
  void number_options(const StateBlock& block, const OptionList& options,
                      std::span<std::uint32_t> out, std::size_t width) const;
  mutable std::shared_ptr<const Learning> learning_;
  mutable std::atomic<const Learning*> learning_made_ = nullptr;
  mutable std::atomic<std::uint64_t> undecided_ = 0;
  mutable std::atomic<std::uint64_t> worlds_given_up_ = 0;
};

tl::expected<std::shared_ptr<const KernelGame>, Diagnostics> open_game(
    spec::GameDef def, const KernelOptions& options = {});

// The same game running this code, which was printed from its Program (V-12). Options, states and
// everything that is told are the same bytes. The error says why the code does not fit.
tl::expected<std::shared_ptr<const KernelGame>, std::string> run_printed(const KernelGame& game,
                                                                         const PrintedCode& code);

// ---- Whole moves (K-15): an action with its parameters and the values chosen on the way.
struct Move {
  std::string action;
  Json params = Json::object();
  std::vector<Json> choices;  // {"value"} or {"confirm"} in order
};
// One entry per option of an action selection; actions whose parameters are made as choices appear
// once, marked as templates.
struct LegalMove {
  Move move;
  bool is_template = false;
};
std::vector<LegalMove> legal_moves(const State& state);

struct ChoiceOption {
  Json value;
  bool legal = true;
  std::string reason;  // why not
};
struct LegalChoices {
  enum class Kind : std::uint8_t { pending, complete, illegal } kind = Kind::complete;
  PlayerId player;
  std::vector<ChoiceOption> options;  // pending
  std::optional<Rejection> why;       // illegal
};
// What comes next in a move that is made only in part.
LegalChoices legal_choices(const State& state, const Move& partial);
// The whole move, or nothing: on refusal the state is as it was.
Applied apply_move(State& state, const Move& move, EventListener* listener = nullptr);

}  // namespace parlor::kernel
