#include "chess/network.h"

#include <cstring>
#include <type_traits>

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

// Eight numbers at once: what every machine has registers for.
using Lane [[gnu::vector_size(16)]] = std::int16_t;
constexpr std::size_t lanes = Network::width / 8;
constexpr std::int16_t unit = Network::seen_unit;
constexpr Lane most{unit, unit, unit, unit, unit, unit, unit, unit};

Lane lane_of(const Network::View& view, std::size_t index) {
  Lane out;
  std::memcpy(&out, view.data() + 8 * index, sizeof out);
  return out;
}
void keep(const Lane& lane, Network::View& view, std::size_t index) {
  std::memcpy(view.data() + 8 * index, &lane, sizeof lane);
}

// What one side sees, in registers while pieces come and go.
struct Eye {
  Side viewer;
  bool turned;
  std::array<Lane, lanes> seen;

  Eye(Side side, bool mirrored, const Network::View& before) : viewer(side), turned(mirrored) {
    for (std::size_t i = 0; i < lanes; ++i) seen[i] = lane_of(before, i);
  }
  const Network::View& column(PieceCode code, Square square) const {
    return learnt_network.column[Network::column_of(code, square, viewer, turned)];
  }
  void add(PieceCode code, Square square) {
    const Network::View& more = column(code, square);
    for (std::size_t i = 0; i < lanes; ++i) seen[i] += lane_of(more, i);
  }
  void remove(PieceCode code, Square square) {
    const Network::View& less = column(code, square);
    for (std::size_t i = 0; i < lanes; ++i) seen[i] -= lane_of(less, i);
  }
  void keep_in(Network::View& view) const {
    for (std::size_t i = 0; i < lanes; ++i) keep(seen[i], view, i);
  }
};

bool turned_for(Side side, const Board& board) {
  return Network::turns(first(board.of(side, king)));
}

Bitboard changed_squares(const Board& board, const Board& before) {
  Bitboard out = board.of(white) ^ before.of(white);
  for (const PieceType type : {pawn, knight, bishop, rook, queen, king})
    out |= board.of(type) ^ before.of(type);
  return out;
}

// Each number within bounds and squared, times what it is worth.
std::int64_t weigh(const Network::View& seen, const Network::View& worth) {
  alignas(16) Network::View squared;
  for (std::size_t i = 0; i < lanes; ++i) {
    Lane bounded = lane_of(seen, i);
    bounded = bounded > 0 ? bounded : Lane{};
    bounded = bounded < most ? bounded : most;
    keep(bounded * bounded, squared, i);
  }
  std::int32_t out = 0;
  for (std::size_t i = 0; i < Network::width; ++i) out += std::int32_t{squared[i]} * worth[i];
  return out;
}

// One number after the other.
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : text_(text) {}
  template <class Numbers>
  void fill(Numbers& numbers) {
    for (auto& number : numbers)
      if constexpr (std::is_integral_v<std::remove_reference_t<decltype(number)>>)
        number = static_cast<std::remove_reference_t<decltype(number)>>(next());
      else
        fill(number);
  }

 private:
  int next() {
    const int high = digit(text_[at_]);
    const int low = digit(text_[at_ + 1]);
    at_ += 2;
    return 64 * high + low - 2048;
  }
  static int digit(char letter) {
    if (letter >= 'A' && letter <= 'Z') return letter - 'A';
    if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9') return letter - '0' + 52;
    return letter == '+' ? 62 : 63;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

Network read_network() {
  Network out;
  if (!one_word) return out;  // it plays on 8×8 only
  NumberReader reader(network_numbers());
  reader.fill(out.column);
  reader.fill(out.before);
  reader.fill(out.worth);
  reader.fill(out.base);
  return out;
}

}  // namespace

const Network learnt_network = read_network();

void Sight::look_for(Side viewer, const Board& board) {
  turned_[viewer] = turned_for(viewer, board);
  Eye eye(viewer, turned_[viewer], learnt_network.before);
  pieces_ = 0;
  for (const Square square : squares_of(board.occupied())) {
    eye.add(board.piece_on[square], square);
    ++pieces_;
  }
  eye.keep_in(seen_[viewer]);
}

void Sight::look(const Board& board) {
  for (const Side viewer : both_sides) look_for(viewer, board);
}

void Sight::look(const Board& board, const Board& before, const Sight& seen_before) {
  const Bitboard changed = changed_squares(board, before);
  int pieces = seen_before.pieces_;
  for (const Square square : squares_of(changed))
    pieces += (board.empty(square) ? 0 : 1) - (before.empty(square) ? 0 : 1);
  for (const Side viewer : both_sides) {
    if (turned_for(viewer, board) != seen_before.turned_[viewer]) {
      look_for(viewer, board);
      continue;
    }
    turned_[viewer] = seen_before.turned_[viewer];
    Eye eye(viewer, turned_[viewer], seen_before.seen_[viewer]);
    for (const Square square : squares_of(changed)) {
      if (!before.empty(square)) eye.remove(before.piece_on[square], square);
      if (!board.empty(square)) eye.add(board.piece_on[square], square);
    }
    eye.keep_in(seen_[viewer]);
  }
  pieces_ = pieces;
}

int Sight::judge(const Board& board) const {
  const std::size_t stage = Network::stage_of(pieces_);
  const auto& worth = learnt_network.worth[stage];
  constexpr std::int64_t square = std::int64_t{unit} * unit;
  const std::int64_t sum = weigh(seen_[board.turn], worth[0]) +
                           weigh(seen_[other(board.turn)], worth[1]) +
                           learnt_network.base[stage] * square;
  return static_cast<int>(sum * Network::pawn_unit / (square * Network::worth_unit));
}

}  // namespace parlor::chess::inline PARLOR_BOARD
