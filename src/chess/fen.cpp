#include "chess/fen.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/core.h>

#include "chess/engine.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

using Problem = tl::unexpected<std::string>;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (true) {
    const auto end = std::min(text.find(separator), text.size());
    if (end != 0 || separator != ' ') out.push_back(text.substr(0, end));
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

// Holdings stand in brackets after the placement, or as one rank more.
std::string_view take_holdings(std::string_view text, FenExtras& extras) {
  const auto open = text.find('[');
  if (open != text.npos && text.ends_with(']')) {
    extras.holdings = text.substr(open + 1, text.size() - open - 2);
    return text.substr(0, open);
  }
  if (std::ranges::count(text, '/') == board_ranks) {
    const auto slash = text.rfind('/');
    extras.holdings = text.substr(slash + 1);
    return text.substr(0, slash);
  }
  return text;
}

tl::expected<void, std::string> read_placement(std::string_view text, const Rulebook& book,
                                               EndRankPawns end_rank_pawns, Board& board,
                                               FenExtras& extras) {
  const auto ranks = split(text, '/');
  if (ranks.size() != board_ranks)
    return Problem(
        fmt::format("the placement has {} ranks instead of {}", ranks.size(), board_ranks));
  for (std::size_t i = 0; i < board_ranks; ++i) {
    const int rank = board_ranks - 1 - static_cast<int>(i);
    int file = 0;
    int gap = 0;  // of as many digits as a rank needs
    for (const char c : ranks[i]) {
      if (c >= (gap == 0 ? '1' : '0') && c <= '9' && gap * 10 + c - '0' <= board_files) {
        file -= gap;
        gap = gap * 10 + c - '0';
        file += gap;
        continue;
      }
      gap = 0;
      if (c == '~' && file > 0 && !board.empty(square_at(file - 1, rank))) {
        extras.promoted |= bit(square_at(file - 1, rank));
        continue;
      }
      const PieceType type = book.type_by_letter(c);
      if (type == no_type) return Problem(fmt::format("`{}` is no piece", c));
      if (file >= board_files) break;
      if (type == pawn && (rank == 0 || rank == board_ranks - 1) &&
          end_rank_pawns == EndRankPawns::refused)
        return Problem(fmt::format("a pawn stands on rank {}", rank + 1));
      board.put(square_at(file++, rank), type,
                std::isupper(static_cast<unsigned char>(c)) ? white : black);
    }
    if (file != board_files)
      return Problem(
          fmt::format("rank {} (`{}`) does not have {} squares", rank + 1, ranks[i], board_files));
  }
  return {};
}

// Who castles: the king on its file, else the only king on the back rank, else what stands on that
// file (royal knights do), else the king nearest to it.
Square castling_king(const Board& board, Side side) {
  const Bitboard back = rank_bb(first_rank_of(side));
  const Bitboard kings = board.of(side, king) & back;
  const Square centre = square_at(king_file, first_rank_of(side));
  if (has(kings, centre)) return centre;
  if (kings != 0 && !several(kings)) return first(kings);
  if (has(board.of(side), centre) && board.type_on(centre) == knight) return centre;
  return kings != 0 ? first(kings) : no_square;
}

Square outermost_rook(const Board& board, Side side, Wing wing, Square king_square) {
  const Bitboard rooks = board.of(side, rook) & rank_bb(rank_of(king_square));
  Square best = no_square;
  for (const Square square : squares_of(rooks)) {
    const bool right = file_of(square) > file_of(king_square);
    if (right != (wing == Wing::king_side)) continue;
    if (best == no_square || wing == Wing::king_side) best = square;
  }
  return best;
}

tl::expected<void, std::string> read_castling(std::string_view text, Board& board) {
  if (text == "-") return {};
  for (const char c : text) {
    const Side side = std::isupper(static_cast<unsigned char>(c)) ? white : black;
    const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const Square king_square = castling_king(board, side);
    if (king_square == no_square)
      return Problem(
          fmt::format("castling right `{}` but {} has no king to castle", c, side_name(side)));
    Square rook_square = no_square;
    if (upper == 'K' || upper == 'Q')
      rook_square = outermost_rook(board, side, upper == 'K' ? Wing::king_side : Wing::queen_side,
                                   king_square);
    else if (upper >= 'A' && upper < 'A' + board_files)
      rook_square = square_at(upper - 'A', rank_of(king_square));
    else
      return Problem(fmt::format("`{}` is no castling right", c));
    if (rook_square == no_square || !has(board.of(side, rook), rook_square) ||
        rank_of(king_square) != first_rank_of(side))
      return Problem(
          fmt::format("castling right `{}` but king and rook do not stand ready for it", c));
    const Wing wing = rook_square > king_square ? Wing::king_side : Wing::queen_side;
    board.grant_castling(side, wing, king_square, rook_square);
  }
  return {};
}

tl::expected<void, std::string> read_en_passant(std::string_view text, Board& board) {
  if (text == "-") return {};
  std::string_view rest = text;
  Square square = take_square(rest);
  const Side taker = board.turn;
  const int rank = passed_rank(taker);
  Square victim = square;
  if (square != no_square) victim = static_cast<Square>(square - up_for(taker));
  if (square != no_square && !rest.empty()) victim = take_square(rest);
  if (square == no_square || !rest.empty())
    return Problem(fmt::format("`{}` is no en-passant square", text));
  if (victim != no_square && rank_of(square) != rank && rank_of(victim) == rank)
    std::swap(square, victim);
  if (rank_of(square) != rank || victim == no_square || !board.empty(square) ||
      !has(board.of(other(taker), pawn), victim))
    return Problem(fmt::format("`{}`: no pawn has just passed this square", text));
  board.set_en_passant(square, victim);
  return {};
}

tl::expected<std::uint16_t, std::string> read_number(std::string_view text, std::uint16_t low,
                                                     std::string_view what) {
  std::uint16_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || value < low || value > 9999)
    return Problem(fmt::format("`{}` is no {}", text, what));
  return value;
}

std::string castling_text(const Board& board) {
  std::string out;
  for (const Side side : both_sides)
    for (const Wing wing : {Wing::king_side, Wing::queen_side}) {
      if (!board.can_castle(side, wing)) continue;
      const Square rook_square = board.castle_rook[castle_index(side, wing)];
      const bool outer = outermost_rook(board, side, wing, board.castle_king[side]) == rook_square;
      char letter = wing == Wing::king_side ? 'K' : 'Q';
      if (!outer) letter = static_cast<char>('A' + file_of(rook_square));
      out += side == white ? letter
                           : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
  return out.empty() ? "-" : out;
}

}  // namespace

tl::expected<Board, std::string> parse_fen(std::string_view text, const Rulebook& book,
                                           EndRankPawns end_rank_pawns, FenExtras* extras) {
  auto fields = split(text, ' ');
  FenExtras found;
  if (fields.size() > 4 && fields[4].find('+') != std::string_view::npos) {
    found.before_clock = fields[4];
    fields.erase(fields.begin() + 4);
  }
  if (fields.size() < 2 || fields.size() > 6)
    return Problem(
        fmt::format("a FEN has 6 fields, separated by blanks; this has {}", fields.size()));
  Board board;
  if (extras != nullptr) fields[0] = take_holdings(fields[0], found);
  if (auto done = read_placement(fields[0], book, end_rank_pawns, board, found); !done)
    return Problem(done.error());
  if (extras != nullptr)
    *extras = found;
  else if (!found.empty())
    return Problem("it says more than a board has");
  if (fields[1] == "b")
    board.pass_turn();
  else if (fields[1] != "w")
    return Problem(fmt::format("`{}`: the side to move is w or b", fields[1]));
  if (fields.size() > 2)
    if (auto done = read_castling(fields[2], board); !done) return Problem(done.error());
  if (fields.size() > 3)
    if (auto done = read_en_passant(fields[3], board); !done) return Problem(done.error());
  if (fields.size() > 4) {
    const auto clock = read_number(fields[4], 0, "number of half-moves");
    if (!clock) return Problem(clock.error());
    board.clock = *clock;
  }
  if (fields.size() > 5) {
    const auto number = read_number(fields[5], 0, "move number");
    if (!number) return Problem(number.error());
    board.full_move = std::max<std::uint16_t>(*number, 1);
  }
  return board;
}

std::string to_fen(const Engine& engine) {
  FenExtras extras;
  engine.each_active([&](const Preset& preset) {
    if (!preset.fen.write) return;
    std::string text = preset.fen.write(engine);
    if (preset.fen.where == FenPart::Where::holdings)
      extras.holdings = "[" + text + "]";
    else
      extras.before_clock = std::move(text);
  });
  if (const auto column = engine.book().find_attribute(promoted_attribute))
    for (const Square square : squares_of(engine.board().occupied()))
      if (engine.has_attribute(engine.piece_at(square), *column)) extras.promoted |= bit(square);
  return to_fen(engine.board(), engine.book(), extras);
}

tl::expected<void, std::string> Engine::read_extras(const FenExtras& extras) {
  if (extras.empty()) return {};
  bool holdings = extras.holdings.empty();
  bool before_clock = extras.before_clock.empty();
  for (std::uint8_t i = 0; ruled_ && i < position_->active_count; ++i) {
    const FenPart& part = book_->preset(position_->active[i].preset).fen;
    const bool held = part.where == FenPart::Where::holdings;
    if (!part.read || (held ? holdings : before_clock)) continue;
    const std::string& text = held ? extras.holdings : extras.before_clock;
    const SelfScope self(*this, i);
    if (!part.read(*this, text)) return Problem(fmt::format("`{}` makes no sense here", text));
    (held ? holdings : before_clock) = true;
  }
  if (!holdings) return Problem("pieces in hand, but no rule in force keeps any");
  if (!before_clock) return Problem(fmt::format("`{}` means nothing here", extras.before_clock));
  if (const auto column = book_->find_attribute(promoted_attribute))
    for (const Square square : squares_of(extras.promoted))
      set_attribute(piece_at(square), *column, 1);
  update_extra_key();
  return {};
}

std::string to_fen(const Board& board, const Rulebook& book, const FenExtras& extras) {
  std::string out;
  for (int rank = board_ranks - 1; rank >= 0; --rank) {
    int gap = 0;
    const auto close_gap = [&] {
      if (gap != 0) out += std::to_string(gap);
      gap = 0;
    };
    for (int file = 0; file < board_files; ++file) {
      const Square square = square_at(file, rank);
      if (board.empty(square)) {
        ++gap;
        continue;
      }
      close_gap();
      const char letter = book.type(board.type_on(square)).letter;
      out += board.side_on(square) == white
                 ? letter
                 : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      if (has(extras.promoted, square)) out += '~';
    }
    close_gap();
    if (rank != 0) out += '/';
  }
  if (extras.holdings.starts_with('['))
    out += extras.holdings;
  else if (!extras.holdings.empty())
    out += "[" + extras.holdings + "]";
  std::string ep = "-";
  if (board.ep != no_square) {
    ep = square_name(board.ep);
    if (file_of(board.ep_victim) != file_of(board.ep)) ep += square_name(board.ep_victim);
  }
  if (!extras.before_clock.empty()) ep += " " + extras.before_clock;
  return fmt::format("{} {} {} {} {} {}", out, board.turn == white ? 'w' : 'b',
                     castling_text(board), ep, board.clock, board.full_move);
}

// ---- Set-ups

namespace {

std::vector<Layout> layouts_of_this_board() {
  if constexpr (board_files == 10 && board_ranks == 8)
    return {{"capablanca", "archbishop and chancellor between knights and bishops",
             "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1", "capablanca"}};
  if constexpr (board_files == 10 && board_ranks == 10)
    return {{"grand-chess", "rooks behind everybody else",
             "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1",
             "grand-chess"}};
  return {
      {"classic", "the FIDE starting position",
       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
      {"pawns-only", "kings and pawns", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"},
      {"pawns-only-no-kings", "nothing but pawns", "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"},
      {"dual-classic", "a second king in place of the queen",
       "rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w KQkq - 0 1"},
      {"knightmate", "a royal knight on the e-file, kings in place of knights",
       "rkbqnbkr/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBKR w KQkq - 0 1", "knightmate-rules"},
      {"monster", "White has a king and four pawns",
       "rnbqkbnr/pppppppp/8/8/8/8/2PPPP2/4K3 w kq - 0 1"},
      {"horde", "White has thirty-six pawns and no king",
       "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1", "horde"},
      {"racing-kings", "everybody stands on the first two ranks",
       "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "racing-kings"},
      {"empty", "an empty board", "8/8/8/8/8/8/8/8 w - - 0 1"},
  };
}

}  // namespace

const std::vector<Layout>& named_layouts() {
  static const std::vector<Layout> layouts = layouts_of_this_board();
  return layouts;
}

std::string chess960_back_rank(int number) {
  std::string rank(8, ' ');
  const auto place = [&](char piece, int nth) {  // on the nth square that is still free
    for (char& square : rank)
      if (square == ' ' && nth-- == 0) {
        square = piece;
        return;
      }
  };
  rank[static_cast<std::size_t>(number % 4 * 2 + 1)] = 'B';
  number /= 4;
  rank[static_cast<std::size_t>(number % 4 * 2)] = 'B';
  number /= 4;
  place('Q', number % 6);
  number /= 6;
  constexpr std::array<std::pair<int, int>, 10> knights{
      {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};
  const auto [one, two] = knights[static_cast<std::size_t>(number)];
  place('N', two);  // the later one first: it does not shift the other
  place('N', one);
  for (const char piece : {'R', 'K', 'R'}) place(piece, 0);
  return rank;
}

tl::expected<Layout, Diagnostic> find_layout(std::string_view name) {
  for (const Layout& layout : named_layouts())
    if (layout.name == name) return layout;
  if (name.starts_with("chess960")) {
    std::string_view digits = name.substr(8);
    if (!digits.empty() && (digits[0] == ':' || digits[0] == '-')) digits.remove_prefix(1);
    int number = -1;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (failure == std::errc{} && end == digits.data() + digits.size() && number >= 0 &&
        number < 960) {
      const std::string rank = chess960_back_rank(number);
      std::string small = rank;
      for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return Layout{fmt::format("chess960:{}", number), "Fischer random chess",
                    fmt::format("{}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", small, rank)};
    }
  }
  std::vector<std::string> names{"chess960:518"};
  for (const Layout& layout : named_layouts()) names.push_back(layout.name);
  Diagnostic out{.code = Code::CHESS_LAYOUT_UNKNOWN,
                 .message = fmt::format("there is no layout `{}`", name)};
  if (name.starts_with("chess960")) out.message += "; chess960 is numbered from 0 to 959";
  out.alternatives = did_you_mean(name, names);
  if (out.alternatives.empty()) out.alternatives = names;
  return tl::unexpected(std::move(out));
}

}  // namespace parlor::chess::inline PARLOR_BOARD
