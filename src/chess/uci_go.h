// What the command `go` of the UCI protocol asks for.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/board.h"

namespace parlor::chess::inline PARLOR_BOARD {

struct GoOrder {
  std::optional<int> depth, mate, perft, moves_to_go;
  std::optional<std::uint64_t> nodes;
  std::optional<std::int64_t> move_time;               // milliseconds, as the rest
  std::array<std::optional<std::int64_t>, 2> clock{};  // by side
  std::array<std::int64_t, 2> bonus{};
  bool infinite = false;
  bool ponder = false;
  std::vector<std::string> only;      // the words after searchmoves
  std::vector<std::string> mistakes;  // what makes no sense; the rest still counts

  // Whether it ends by itself, without anybody saying `stop`.
  bool endless() const {
    return infinite || (!depth && !mate && !nodes && !move_time && !clock[0] && !clock[1]);
  }
};
GoOrder read_go(const std::vector<std::string>& words);

// How long to think: after `soft` nothing new is begun, after `hard` everything ends.
struct Allowance {
  std::chrono::microseconds soft{0};
  std::chrono::microseconds hard{0};
};
// Nothing: without limit. `overhead`: milliseconds of a clock lost on the way to the other program.
// Of it never more than a third is used.
std::optional<Allowance> allowance(const GoOrder& order, Side us, std::int64_t overhead);

}  // namespace parlor::chess::inline PARLOR_BOARD
