#include "chess/uci_go.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

bool is_go_word(std::string_view word) {
  constexpr std::string_view words[] = {"searchmoves", "ponder", "infinite", "perft", "depth",
                                        "mate",        "nodes",  "movetime", "wtime", "btime",
                                        "winc",        "binc",   "movestogo"};
  return std::ranges::find(words, word) != std::end(words);
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void set(GoOrder& order, std::string_view word, std::int64_t number) {
  const auto small = [&](int most) {
    return static_cast<int>(std::clamp<std::int64_t>(number, 1, most));
  };
  // Programs send times below zero when a flag has fallen; a year is enough for everybody.
  const std::int64_t time = std::clamp<std::int64_t>(number, 0, 31'536'000'000);
  if (word == "perft") order.perft = small(64);
  if (word == "depth") order.depth = small(100);
  if (word == "mate") order.mate = small(40);
  if (word == "movestogo") order.moves_to_go = small(1000);
  if (word == "nodes") order.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(number, 1));
  if (word == "movetime") order.move_time = time;
  if (word == "wtime") order.clock[white] = time;
  if (word == "btime") order.clock[black] = time;
  if (word == "winc") order.bonus[white] = time;
  if (word == "binc") order.bonus[black] = time;
}

}  // namespace

GoOrder read_go(const std::vector<std::string>& words) {
  GoOrder order;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "infinite") {
      order.infinite = true;
    } else if (word == "ponder") {
      order.ponder = true;
    } else if (word == "searchmoves") {
      while (i + 1 < words.size() && !is_go_word(words[i + 1])) order.only.push_back(words[++i]);
    } else if (!is_go_word(word)) {
      order.mistakes.push_back(fmt::format("unknown word {}", word));
    } else if (const auto number = i + 1 < words.size() ? number_in(words[i + 1]) : std::nullopt) {
      set(order, word, *number);
      ++i;
    } else {
      order.mistakes.push_back(fmt::format("{} needs a number", word));
    }
  }
  return order;
}

std::optional<Allowance> allowance(const GoOrder& order, Side us, std::int64_t overhead) {
  using std::chrono::milliseconds;
  if (order.move_time) {
    // As it was asked for, to the millisecond: nobody's clock runs.
    const milliseconds time(std::max<std::int64_t>(*order.move_time, 0));
    return Allowance{time, time};
  }
  if (!order.clock[us]) return std::nullopt;
  const std::int64_t clock = *order.clock[us];
  const std::int64_t left = std::max<std::int64_t>(clock - overhead, 0);
  // As if so many moves were still to come; those that need it may take more.
  const std::int64_t moves = std::min(order.moves_to_go.value_or(28), 40);
  const std::int64_t share = left / (moves + 1) + order.bonus[us] * 3 / 4;
  const std::int64_t hard = std::min({share * 3, left * 3 / 4, clock / 3});
  const std::int64_t soft = std::min(share * 2 / 3, hard);
  return Allowance{milliseconds(soft), milliseconds(hard)};
}

}  // namespace parlor::chess::inline PARLOR_BOARD
