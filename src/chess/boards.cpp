#include "chess/boards.h"

#include <algorithm>
#include <array>

#if PARLOR_BOARD_FILES == 8 && PARLOR_BOARD_RANKS == 8

namespace parlor::chess {

// The page's engine is made for one board.
#ifndef PARLOR_ONE_BOARD
#define BOARD(files, ranks, name) \
  template <>                     \
  Opened open_on<files, ranks>(const OpenOptions&, const ModifierReader&);
#include "chess/boards.def"
#undef BOARD
#endif

namespace {

struct OtherBoard {
  int files, ranks;
  std::string_view name;
  BoardOpener open;
};

#ifdef PARLOR_ONE_BOARD
constexpr std::array<OtherBoard, 0> other_boards{};
#else
constexpr std::array other_boards{
#define BOARD(files, ranks, name) OtherBoard{files, ranks, name, &open_on<files, ranks>},
#include "chess/boards.def"
#undef BOARD
};
#endif

// Squares in the first rank of a placement, and how many ranks there are. Nothing in it need be
// right.
std::pair<int, int> size_of(std::string_view fen) {
  std::string_view placement = fen.substr(0, fen.find(' '));
  placement = placement.substr(0, placement.find('['));
  const int ranks = 1 + static_cast<int>(std::ranges::count(placement, '/'));
  int files = 0, gap = 0;
  for (const char c : placement.substr(0, placement.find('/'))) {
    const bool digit = c >= '0' && c <= '9';
    gap = digit ? std::min(gap * 10 + c - '0', 99) : 0;
    if (digit && gap >= 10)
      files += gap - gap / 10;
    else if (digit)
      files += gap;
    else if (c != '~')
      ++files;
  }
  return {files, ranks};
}

bool asks_for(const OpenOptions& options, const OtherBoard& board) {
  if (!options.position.empty())
    return size_of(options.position) == std::pair{board.files, board.ranks};
  if (!options.layout.empty()) return options.layout == board.name;
  return std::ranges::any_of(options.rules, [&](const std::string& rule) {
    return std::string_view(rule).substr(0, rule.find_first_of("{:@")) == board.name;
  });
}

}  // namespace

BoardOpener other_board(const OpenOptions& options) {
  for (const OtherBoard& board : other_boards)
    if (asks_for(options, board)) return board.open;
  return nullptr;
}

std::vector<std::string> large_layouts() {
  std::vector<std::string> out;
  for (const OtherBoard& board : other_boards) out.emplace_back(board.name);
  return out;
}

}  // namespace parlor::chess

#endif
