// Makes a Game out of one small trivially copyable struct, so that a test's game is only its rules:
//
//   struct Rules {
//     static GameInfo info();
//     void start(Rng& rng);                        // the struct is all zero before
//     Decision decision() const;
//     void list(OptionList& out) const;
//     void apply(std::uint64_t option);
//     Outcome outcome() const;
//     Json view(const Viewer& viewer) const;
//     std::string text(std::uint64_t option) const;             // "action value", e.g. "drop 3"
//     // optional: void resample(const Viewer&, Rng&); bool standing(std::span<std::int64_t>)
//     const;
//     // optional: Applied fallible_apply(std::uint64_t option, EventListener*) instead of apply
//   };
#pragma once

#include <cstring>
#include <fmt/core.h>
#include <memory>

#include "base/hash.h"
#include "game/game.h"

namespace parlor::play::games {

template <class Rules>
class NativeGame : public Game {
 public:
  NativeGame() : info_(Rules::info()) {
    if (info_.seats.empty())
      for (std::size_t i = 0; i < info_.players; ++i) info_.seats.push_back(fmt::format("p{}", i));
  }

  const GameInfo& info() const override { return info_; }
  Applied init(StateBlock& block, Seed seed) const override {
    block.resize(sizeof(Rules));
    Rng rng(seed);
    block.as<Rules>().start(rng);
    return {};
  }
  Decision decision(const StateBlock& block) const override { return block.as<Rules>().decision(); }
  void list_options(const StateBlock& block, OptionList& out) const override {
    block.as<Rules>().list(out);
  }
  Applied apply(StateBlock& block, Option option, EventListener* listener) const override {
    if constexpr (requires(Rules& rules) { rules.fallible_apply(0, listener); }) {
      return block.as<Rules>().fallible_apply(option.id, listener);
    } else {
      (void)listener;
      block.as<Rules>().apply(option.id);
      return {};
    }
  }
  Outcome outcome(const StateBlock& block) const override { return block.as<Rules>().outcome(); }
  std::uint64_t hash(const StateBlock& block) const override { return hash_bytes(block.bytes()); }
  Json save_block(const StateBlock& block) const override {
    Json bytes = Json::array();
    for (const std::byte byte : block.bytes()) bytes.push_back(static_cast<int>(byte));
    return {{"bytes", bytes}};
  }
  Applied load_block(const Json& saved, StateBlock& block) const override {
    if (!saved.contains("bytes") || saved["bytes"].size() != sizeof(Rules))
      return tl::unexpected(Rejection{Code::STATE_INVALID, "wrong size"});
    block.resize(sizeof(Rules));
    for (std::size_t i = 0; i < sizeof(Rules); ++i)
      block.data()[i] = static_cast<std::byte>(saved["bytes"][i].template get<int>());
    return {};
  }
  Json view(const StateBlock& block, const Viewer& viewer) const override {
    return block.as<Rules>().view(viewer);
  }
  std::string describe(const StateBlock& block, const Viewer& viewer) const override {
    return canonical(view(block, viewer));
  }
  std::string option_text(const StateBlock& block, Option option, const Viewer&) const override {
    return block.as<Rules>().text(option.id);
  }
  Json option_json(const StateBlock& block, Option option, const Viewer& viewer) const override {
    const std::string text = option_text(block, option, viewer);
    const auto blank = text.find(' ');
    Json params = Json::object();
    if (blank != std::string::npos) params["value"] = text.substr(blank + 1);
    return {{"action", text.substr(0, blank)}, {"params", params}};
  }
  void resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const override {
    if constexpr (requires(Rules& rules) { rules.resample(viewer, rng); })
      block.as<Rules>().resample(viewer, rng);
    else
      (void)block, (void)viewer, (void)rng;
  }
  void returns(const StateBlock& block, std::span<std::int64_t> out) const override {
    if constexpr (requires(const Rules& rules) { rules.returns(out); })
      block.as<Rules>().returns(out);
    else
      Game::returns(block, out);
  }
  bool standing(const StateBlock& block, std::span<std::int64_t> out) const override {
    if constexpr (requires(const Rules& rules) { rules.standing(out); })
      return block.as<Rules>().standing(out);
    else
      return false;
  }

 private:
  GameInfo info_;
};

// The decision of a player who chooses what to do.
inline Decision turn_of(int player) {
  return {DecisionKind::action, PlayerId{player}, true};
}
inline Decision chance_decision() {
  return {DecisionKind::chance, PlayerId::none(), false};
}

// Two players: `winner` is 0 or 1, otherwise a draw.
inline Outcome two_player_outcome(int winner, std::string reason) {
  Outcome outcome;
  outcome.returns = {winner == 0   ? 1
                     : winner == 1 ? -1
                                   : 0,
                     winner == 1   ? 1
                     : winner == 0 ? -1
                                   : 0};
  if (winner == 0 || winner == 1) outcome.winners = {PlayerId{winner}};
  outcome.reason = std::move(reason);
  return outcome;
}
inline void two_player_returns(int winner, std::span<std::int64_t> out) {
  out[0] = winner == 0 ? 1 : winner == 1 ? -1 : 0;
  out[1] = -out[0];
}

}  // namespace parlor::play::games
