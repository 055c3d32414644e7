// Chess with house rules as a Parlor game. Start here, then:
//
//   preset.h      what a house rule is and every question it can be asked (docs/house-rules.md)
//   engine.h      the position with the rules in force; both pipelines
//   generate.h    the plain bitboard move generator      board.h, bitboard.h   what it works on
//   castling.h, pawns.h    the rules of castling and of pawns, once for all paths and presets
//   geometry.h    how large the board is                 boards.h, any_board.h several of them
//   position.h    the state as bytes                     log.h                 the move log
//   fen.h, notation.h, pgn.h    texts                    search.h, evaluate.h  looking ahead
//   presets/      the rules that are shipped             modifiers/            rules as data
#pragma once

#include <memory>

#include "chess/any_board.h"
#include "chess/engine.h"
#include "chess/fen.h"
#include "game/catalog.h"
#include "game/switches_rules.h"

namespace parlor::chess::inline PARLOR_BOARD {

class MoveTeller;

// What one game of chess is opened with.
struct ChessConfig {
  std::shared_ptr<const Rulebook> book = {};  // nothing: the standard rulebook
  std::vector<rules::Activation> rules = {};  // active at the start
  std::string fen = {};                       // nothing: the classic set-up
  bool house_rules = false;  // leaves room for presets even if none is active at the start
  OpenFailure hints = {};    // what reading the rules has to say although it went well
};

class ChessGame final : public Game, public SwitchesRules, public AnyChess {
 public:
  static tl::expected<std::shared_ptr<const ChessGame>, Diagnostics> open(ChessConfig config);

  const Rulebook& book() const { return *book_; }
  bool ruled() const { return ruled_; }
  const std::string& start_fen() const { return fen_; }
  std::size_t log_offset() const { return log_offset_; }

  const Position& position(const StateBlock& block) const { return block.as<Position>(); }
  History history(const StateBlock& block) const { return {block, log_offset_}; }
  // For looking only.
  Engine engine(const StateBlock& block) const {
    return Engine::viewing(*book_, position(block), ruled_);
  }
  // Changes the rules of a running game, which the log remembers; C-11.
  tl::expected<void, Diagnostics> set_active_presets(StateBlock& block,
                                                     std::span<const rules::Activation> set) const;

  const GameInfo& info() const override { return info_; }
  Applied init(StateBlock& block, Seed seed) const override;
  Decision decision(const StateBlock& block) const override;
  void list_options(const StateBlock& block, OptionList& out) const override;
  Applied apply(StateBlock& block, Option option, EventListener* listener) const override;
  Applied apply_and_list(StateBlock& block, Option option, EventListener* listener,
                         OptionList& next) const override;
  Outcome outcome(const StateBlock& block) const override;
  std::uint64_t hash(const StateBlock& block) const override;
  Json save_block(const StateBlock& block) const override;
  Applied load_block(const Json& saved, StateBlock& block) const override;
  Json view(const StateBlock& block, const Viewer& viewer) const override;
  std::string describe(const StateBlock& block, const Viewer& viewer) const override;
  std::string option_text(const StateBlock& block, Option option,
                          const Viewer& viewer) const override;
  Json option_json(const StateBlock& block, Option option, const Viewer& viewer) const override;
  // SAN.
  std::optional<Option> option_meant(const StateBlock& block, std::string_view text) const override;
  // Says what stands in the way of a move on the board.
  std::optional<Rejection> why_not(const StateBlock& block, const Json& request,
                                   const Viewer& viewer) const override;
  // From, to and what a pawn becomes; then claiming a draw and passing (numbers.cpp).
  ActionSpace action_space() const override;
  void action_indices(const StateBlock& block, const OptionList& options,
                      std::span<std::uint32_t> out) const override;
  std::string action_name(std::size_t index) const override;
  std::optional<std::size_t> action_named(std::string_view name) const override;
  std::span<const TensorPart> tensor_parts() const override { return tensor_parts_; }
  void observe(const StateBlock& block, PlayerId viewer, std::span<float> out) const override;
  std::vector<OfferedRule> offered_rules() const override;
  std::vector<HookPoint> hook_points() const override;
  std::vector<std::string> rules_in_force(const StateBlock& block) const override;
  Applied set_rules(StateBlock& block, std::span<const std::string> rules) const override;
  // What was read although it could be written better, and the texts that is about.
  const OpenFailure& hints() const { return hints_; }
  // Squares are zones ("e4"), and so are the pieces in hand ("hand:0") where a rule has some
  // (scene.cpp).
  Json scene() const override;
  Json stage(const StateBlock& block, const Viewer& viewer) const override;
  Json option_parts(const StateBlock& block, Option option, const Viewer& viewer) const override;
  void returns(const StateBlock& block, std::span<std::int64_t> out) const override;
  bool standing(const StateBlock& block, std::span<std::int64_t> out) const override;
  std::unique_ptr<Thinker> thinker(std::size_t table_entries) const override;
  std::optional<std::uint64_t> count_moves(const StateBlock& block, int depth) const override;
  std::optional<std::vector<CountedMove>> count_by_move(const StateBlock& block,
                                                        int depth) const override;

  int files() const override { return board_files; }
  int ranks() const override { return board_ranks; }
  std::string fen(const StateBlock& block) const override { return to_fen(engine(block)); }
  std::vector<std::string> moves_made(const StateBlock& block) const override;
  std::string write_move(const StateBlock& block, Option option, bool takes_rook) const override;
  std::unique_ptr<AnyAnalyst> analyst(std::size_t entries, std::size_t threads) const override;
  std::string pgn(const State& state, const PgnTags& tags) const override;

 private:
  ChessGame() = default;
  Applied carry_out(StateBlock& block, Option option, EventListener* listener,
                    MoveList* next) const;
  void describe_rules();
  void tell(MoveTeller& teller, const StateBlock& before, Option option, const StateBlock& after,
            const std::vector<std::string>& effects) const;
  void list_tensor_parts();

  std::shared_ptr<const Rulebook> owned_;
  const Rulebook* book_ = nullptr;
  std::vector<rules::Activation> rules_;
  std::string fen_;
  Board start_;
  FenExtras extras_;  // what the FEN says beyond the board
  bool ruled_ = false;
  std::size_t log_offset_ = 0;
  GameInfo info_;
  std::vector<TensorPart> tensor_parts_;
  OpenFailure hints_;
};

// Reads a file with modifiers, for rules that are given as one.
using ModifierReader = std::function<tl::expected<Modifiers, OpenFailure>(const std::string& path)>;

// Adds the game `chess` to a catalog: rules, layout, position and modifiers as on the command line.
// Without a reader no rule is a file.
void register_chess(Catalog& catalog, ModifierReader read = {});
Opened open_chess(const OpenOptions& options, const ModifierReader& read = {});

}  // namespace parlor::chess::inline PARLOR_BOARD
