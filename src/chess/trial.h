// For authors of presets: a board on which a rule can be tried, in tests and elsewhere.
//
//   Trial trial("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"three-check"});
//   trial.play("a1a8 e8e7");                         // moves as UCI or SAN; trial.refusal() if one
//   is not legal trial.legal("a8e8"), trial.attribute("a8", "Hp"), trial.result(), trial.reason()
//
// A preset of one's own comes in a Rulebook: copy the standard one, add it, hand it over. A rule,
// position or preset that does not open is a `std::invalid_argument` that says why.
#pragma once

#include "chess/chess.h"

namespace parlor::chess::inline PARLOR_BOARD {

class Trial {
 public:
  explicit Trial(std::string fen, const std::vector<std::string>& rules = {},
                 std::shared_ptr<const Rulebook> book = {});

  const ChessGame& game() const { return *game_; }
  State& state() { return state_; }
  Engine engine() { return {game_->book(), state_.block().as<Position>(), game_->ruled()}; }
  const Board& board() { return engine().board(); }
  std::string fen() { return to_fen(engine()); }
  Result result() const { return game_->position(state_.block()).result; }
  std::string reason() const { return game_->position(state_.block()).reason.data(); }

  // Plays moves separated by blanks; stops at the first that cannot be played.
  Trial& play(std::string_view moves);
  const std::string& refusal() const { return refusal_; }  // why the last `play` stopped; or empty
  bool legal(std::string_view move);
  std::size_t count() { return engine().count_legal_moves(); }
  Piece at(std::string_view square) { return engine().piece_at(parse_square(square)); }
  // Of the piece on a square; nothing if it has none.
  std::optional<std::int64_t> attribute(std::string_view square, std::string_view name) {
    return engine().get(at(square).id, name);
  }
  std::vector<std::string> last_effects() const {
    return game_->history(state_.block()).records().back().effects;
  }

 private:
  std::shared_ptr<const ChessGame> game_;
  State state_;
  std::string refusal_;
};

}  // namespace parlor::chess::inline PARLOR_BOARD
