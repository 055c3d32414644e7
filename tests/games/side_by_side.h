// A shipped game and a plain program that knows nothing of the language, played side by side: at
// every decision both offer the same, and both are in the same position. A plain program has
//   static P begin(const State&);          what chance dealt is read, everything else is its own
//   int player() const;                    whose turn it is
//   Texts options() const;                 in the words of `option_words`
//   void apply(const std::string& option, const State& after);  reads only what chance brought
//   std::string text() const;              the position, as P::text_of(state) writes the other one
//   std::vector<int> winners() const;      when there are no options left or the game is over
//   bool over() const;
// and, if it wants to,
//   static std::string word(const Json& token);  what it calls a token (else by its name)
//   whole_moves: it follows whole moves only; choices on their way are made, not compared
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "games/shipped.h"

namespace parlor::games {

// "move tok_card_3 cell_0_1" with what the plain program calls the token in place of its number.
// The view is the state's, made when the first token is named.
template <class Plain>
std::string option_words(const State& state, Json& view, Option option) {
  std::string text = state.option_text(option);
  if (text.find("tok_") == std::string::npos) return text;
  if (view.is_null()) view = state.view();
  for (std::size_t at = text.find("tok_"); at != std::string::npos; at = text.find("tok_", at)) {
    const std::string id = text.substr(at, text.find(' ', at) - at);
    std::string name = id.substr(4);
    for (const Json& zone : view.at("zones"))
      for (const Json& token : zone)
        if (token.at("id") == id) {
          if constexpr (requires { Plain::word(token); })
            name = Plain::word(token);
          else
            name = token.at("props").value("name", name);
        }
    text.replace(at, id.size(), name);
    at += name.size();
  }
  return text;
}

template <class Plain>
void play_side_by_side(const Game& game, Seed seed, int* decisions = nullptr) {
  State state = start(game, seed);
  Plain plain = Plain::begin(state);
  Rng rng(seed ^ 0x51de);
  OptionList options;
  while (!state.finished()) {
    ASSERT_FALSE(plain.over()) << "seed " << seed;
    ASSERT_EQ(Plain::text_of(state), plain.text()) << "seed " << seed;
    ASSERT_EQ(state.decision().player.value, plain.player()) << "seed " << seed;
    state.list_options(options);
    Texts offered;
    Json view;
    for (const Option option : options) offered.push_back(option_words<Plain>(state, view, option));
    Texts expected = plain.options();
    const std::string taken = offered[draw_option(options, rng)];
    const auto index = std::ranges::find(offered, taken) - offered.begin();
    std::ranges::sort(offered);
    std::ranges::sort(expected);
    ASSERT_EQ(offered, expected) << "seed " << seed << "\n" << plain.text();
    ASSERT_TRUE(state.apply(options[static_cast<std::size_t>(index)])) << taken;
    if constexpr (requires { Plain::whole_moves; })
      while (!state.finished() && !state.decision().starts_move) {
        state.list_options(options);
        ASSERT_TRUE(state.apply(options[draw_option(options, rng)]));
      }
    plain.apply(taken, state);
    if (decisions != nullptr) ++*decisions;
  }
  ASSERT_TRUE(plain.over()) << "seed " << seed;
  std::vector<int> winners;
  for (const PlayerId winner : state.outcome().winners) winners.push_back(winner.value);
  ASSERT_EQ(winners, plain.winners()) << "seed " << seed;
}

inline std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace parlor::games
