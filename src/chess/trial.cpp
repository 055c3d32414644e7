#include "chess/trial.h"

#include <sstream>
#include <stdexcept>

#include "chess/notation.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

std::shared_ptr<const ChessGame> opened(std::string fen, const std::vector<std::string>& rules,
                                        std::shared_ptr<const Rulebook> book) {
  ChessConfig config;
  config.book = std::move(book);
  config.house_rules = true;
  config.fen = std::move(fen);
  for (const std::string& text : rules) {
    auto rule = rules::parse_activation(text, seat_names());
    if (!rule) throw std::invalid_argument(rule.error().message);
    config.rules.push_back(std::move(*rule));
  }
  auto game = ChessGame::open(std::move(config));
  if (!game) throw std::invalid_argument(game.error().all().front().message);
  return *game;
}

}  // namespace

Trial::Trial(std::string fen, const std::vector<std::string>& rules,
             std::shared_ptr<const Rulebook> book)
    : game_(opened(std::move(fen), rules, std::move(book))), state_(game_->start(1).value()) {}

Trial& Trial::play(std::string_view moves) {
  refusal_.clear();
  std::istringstream words{std::string(moves)};
  for (std::string word; words >> word;) {
    const auto move = parse_move(engine(), word);
    if (!move) {
      refusal_ = move.error();
      break;
    }
    if (auto done = state_.apply(Option{move->bits}); !done) {
      refusal_ = done.error().message;
      break;
    }
  }
  return *this;
}

bool Trial::legal(std::string_view move) {
  return parse_move(engine(), move).has_value();
}

}  // namespace parlor::chess::inline PARLOR_BOARD
