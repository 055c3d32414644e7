// A board to try rules on: opens chess with rules and a position, plays moves written as text.
#pragma once

#include <gtest/gtest.h>

#include "chess/chess.h"
#include "chess/notation.h"

namespace parlor::chess {

class ChessTable {
 public:
  explicit ChessTable(std::string fen, std::vector<std::string> rules = {},
                      std::shared_ptr<const Rulebook> book = {})
      : game_(open(std::move(fen), rules, std::move(book))), state_(game_->start(1).value()) {}

  const ChessGame& game() const { return *game_; }
  State& state() { return state_; }
  Engine engine() { return {game_->book(), state_.block().as<Position>(), game_->ruled()}; }
  const Board& board() { return engine().board(); }
  std::string fen() { return to_fen(board(), game_->book()); }
  std::string reason() { return game_->position(state_.block()).reason.data(); }
  Result result() { return game_->position(state_.block()).result; }

  bool legal(const std::string& move) { return parse_move(engine(), move).has_value(); }
  std::size_t count() {
    OptionList options;
    state_.list_options(options);
    return options.size();
  }
  ChessTable& play(const std::string& moves) {
    std::string word;
    for (const char c : moves + " ") {
      if (c != ' ') {
        word += c;
        continue;
      }
      if (!word.empty()) play_one(word);
      word.clear();
    }
    return *this;
  }
  Piece at(const std::string& square) { return engine().piece_at(parse_square(square)); }
  int attribute(const std::string& square, const std::string& name) {
    const auto value = engine().get(at(square).id, name);
    return value ? static_cast<int>(*value) : -1;
  }
  std::vector<std::string> last_effects() {
    return game_->history(state_.block()).records().back().effects;
  }

 private:
  static std::shared_ptr<const ChessGame> open(std::string fen,
                                               const std::vector<std::string>& rules,
                                               std::shared_ptr<const Rulebook> book) {
    ChessConfig config;
    config.book = std::move(book);
    config.house_rules = true;
    for (const std::string& rule : rules)
      config.rules.push_back(rules::parse_activation(rule, seat_names()).value());
    config.fen = fen == "start" ? "" : std::move(fen);
    auto game = ChessGame::open(std::move(config));
    if (!game) {
      for (const Diagnostic& problem : game.error().all()) ADD_FAILURE() << problem.message;
      std::abort();
    }
    return *game;
  }
  void play_one(const std::string& text) {
    if (text == "claim-draw") {  // no move on the board
      const auto claim = find_option(state_, text);
      ASSERT_TRUE(claim) << text << " in " << fen();
      ASSERT_TRUE(state_.try_apply(*claim));
      return;
    }
    const auto move = parse_move(engine(), text);
    ASSERT_TRUE(move) << text << " in " << fen() << ": " << move.error();
    ASSERT_TRUE(state_.try_apply(Option{move->bits})) << text;
  }

  std::shared_ptr<const ChessGame> game_;
  State state_;
};

// A fresh copy of the standard rulebook with more presets.
inline std::shared_ptr<const Rulebook> with_presets(std::vector<Preset> presets) {
  auto book = std::make_shared<Rulebook>(standard_rulebook());
  for (Preset& preset : presets) {
    const Diagnostics problems = book->add(std::move(preset));
    EXPECT_TRUE(problems.empty());
  }
  return book;
}

inline Preset make_preset(std::string id) {
  Preset preset;
  preset.module.id = std::move(id);
  return preset;
}

}  // namespace parlor::chess
