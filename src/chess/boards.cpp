#include "chess/boards.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "chess/variants.h"

#if PARLOR_BOARD_FILES == 8 && PARLOR_BOARD_RANKS == 8

namespace parlor::chess {

// The page's engine is made for one board.
#ifndef PARLOR_ONE_BOARD
#define BOARD(files, ranks, name)                                          \
  template <>                                                              \
  Opened open_on<files, ranks>(const OpenOptions&, const ModifierReader&); \
  template <>                                                              \
  ReadPgn read_pgn_on<files, ranks>(std::string_view, std::string_view*);
#include "chess/boards.def"
#undef BOARD
#endif

namespace {

#ifdef PARLOR_ONE_BOARD
constexpr std::array<BoardServices, 0> other_boards{};
#else
constexpr std::array other_boards{
#define BOARD(files, ranks, name) \
  BoardServices{files, ranks, name, &open_on<files, ranks>, &read_pgn_on<files, ranks>},
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

bool asks_for(const OpenOptions& options, const BoardServices& board) {
  if (!options.position.empty())
    return size_of(options.position) == std::pair{board.files, board.ranks};
  if (!options.layout.empty()) return options.layout == board.name;
  return std::ranges::any_of(options.rules, [&](const std::string& rule) {
    return std::string_view(rule).substr(0, rule.find_first_of("{:@")) == board.name;
  });
}

}  // namespace

const BoardServices* other_board(const OpenOptions& options) {
  for (const BoardServices& board : other_boards)
    if (asks_for(options, board)) return &board;
  return nullptr;
}

std::vector<std::string> large_layouts() {
  std::vector<std::string> out;
  for (const BoardServices& board : other_boards) out.emplace_back(board.name);
  return out;
}

const KnownVariant* variant_named(std::string_view name) {
  std::string wanted;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      wanted += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (wanted == "threecheck") wanted = "3check";
  if (wanted == "standard") wanted = "chess";
  const auto found = std::ranges::find(known_variants, wanted, &KnownVariant::name);
  return found == known_variants.end() ? nullptr : &*found;
}

}  // namespace parlor::chess

#endif
