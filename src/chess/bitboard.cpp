#include "chess/bitboard.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

// Factors that spread every blocker pattern of a square into its own slot (or one with the same
// attacks). Found by trial with sparse random words; the table builder needs nothing else.
constexpr std::array<std::uint64_t, 64> bishop_factors{
    0x0008220808002284, 0x0004818801010100, 0x4010010861020010, 0x0091041080010000,
    0x0901104080008808, 0x020208020a004020, 0x8000410808400000, 0x1102018401093000,
    0x0008409004810040, 0x42004808c8088020, 0x0200462802108000, 0x1429110414800002,
    0x00806a1210042020, 0x0801011002111010, 0x48002a0804048406, 0x0104c23088041000,
    0x0504840aa0082200, 0x0108181218014411, 0x0001100800440080, 0x2020840812004020,
    0x0001022820080040, 0x020e010022100200, 0x0454040202322254, 0x040a511023041001,
    0x0120100049024800, 0x8a01100008104108, 0x2290444010110200, 0x2902080004004108,
    0x4002002002008044, 0x104e041006004214, 0x3082320100480201, 0x000c104c40221200,
    0x8202382402222008, 0x2001180230081080, 0x0004004408880030, 0x10841c0401880210,
    0x0000408020420200, 0x0010100c41008044, 0x0024014200044802, 0x8400811440110400,
    0xd002021040040480, 0x608a220220808200, 0x4802020224000a00, 0x1008204200800801,
    0x880020020c000081, 0x001002080240080c, 0x4020010111000200, 0x005282040b080020,
    0x8804042402080401, 0x001020880808084c, 0x8000020100881200, 0x0818000220882803,
    0x0100001202020000, 0x00a220a022008844, 0x2004101002408004, 0x00128808150d4002,
    0x4082808401014003, 0x0404024262101004, 0x1040000100809000, 0x4008008030840400,
    0x0140400091020200, 0x0100102005011201, 0x4840040842080201, 0x00101400b0860200,
};
constexpr std::array<std::uint64_t, 64> rook_factors{
    0x0080021620804001, 0x0040001000200041, 0x0200102200088040, 0x4080040800821000,
    0x2200020004200810, 0x4b00020c000d0008, 0x01000c4183000600, 0x2080010000402c80,
    0x8002800826864000, 0x0410802000884000, 0x0c01004010200100, 0x020300100100203c,
    0x0450800801040080, 0x4010800200040080, 0x8804000208048110, 0x0c40800080004100,
    0xa2018880024004a0, 0x0080848020004004, 0x1010410010200101, 0x2010008008008010,
    0x0a08010004110008, 0x0802080104209040, 0x0080040090010802, 0x0280020000841069,
    0x080c400080248000, 0x2048850100224008, 0x00200800c0300040, 0x11400d0100201000,
    0x0041001100080204, 0x4802000200040810, 0x0100080c00103601, 0x0020084200043085,
    0x0100804000800022, 0x0460401000402002, 0x8309002001001044, 0x0000800800801000,
    0x0000800800800400, 0xb542040080800200, 0x1041000401000200, 0x000318b04a000401,
    0x0280082000484000, 0x0080400081010030, 0x0010002000108080, 0x012010002101000a,
    0x0801000408010012, 0x0004008002008004, 0x0ad1005200110014, 0x4000004110820004,
    0x9400400080003080, 0x0000802200490200, 0x1521100080200280, 0x9021000824100100,
    0x0081080080840280, 0x0002000904100200, 0x0130024801302400, 0x0102008100442200,
    0x0080984063800101, 0x0016810201412812, 0x40200101603008c1, 0x2851100004082101,
    0x1049001002880005, 0x0081000804000201, 0x100020901208410c, 0x0101064400813102,
};

struct Step {
  int file, rank;
};
constexpr std::array<Step, 4> diagonals{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr std::array<Step, 4> orthogonals{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

[[maybe_unused]] Bitboard slide(Square from, const std::array<Step, 4>& steps, Bitboard occupied) {
  Bitboard out = 0;
  for (const Step step : steps) out |= ray(from, step.file, step.rank, occupied);
  return out;
}

// The squares whose occupation changes the attacks: the edge never does.
[[maybe_unused]] Bitboard relevant(Square from, const std::array<Step, 4>& steps) {
  Bitboard out = 0;
  for (const Step step : steps) {
    Bitboard along = ray(from, step.file, step.rank, 0);
    for (const Square square : squares_of(along))
      if (on_board(file_of(square) + step.file, rank_of(square) + step.rank)) out |= bit(square);
  }
  return out;
}

std::array<std::uint64_t, one_word ? 5248 : 1> bishop_slots;
std::array<std::uint64_t, one_word ? 102400 : 1> rook_slots;

// All subsets of what can block a slider, or its rays.
template <class Table>
void fill_sliders(BySquare<Table>& tables,
                  [[maybe_unused]] const std::array<std::uint64_t, 64>& factors,
                  const std::array<Step, 4>& steps, [[maybe_unused]] std::uint64_t* slots) {
  for (Square from = 0; from < board_squares; ++from) {
    Table& table = tables[from];
    if constexpr (std::is_same_v<Table, Magic>) {
      table.mask = relevant(from, steps);
      table.factor = factors[from];
      table.shift = static_cast<unsigned>(64 - count(table.mask));
      table.table = slots;
      auto blockers = table.mask;
      blockers = 0;
      do {
        slots[(blockers * table.factor) >> table.shift] = slide(from, steps, blockers);
        blockers = (blockers - table.mask) & table.mask;
      } while (blockers != 0);
      slots += std::size_t{1} << count(table.mask);
    } else {
      std::size_t up = 0, down = 2;
      for (const Step step : steps) {
        const bool higher = step.rank > 0 || (step.rank == 0 && step.file > 0);
        table.ray[higher ? up++ : down++] = ray(from, step.file, step.rank, 0);
      }
    }
  }
}

Bitboard leaps(Square from, const std::array<Step, 8>& steps) {
  Bitboard out = 0;
  for (const Step step : steps) {
    const int file = file_of(from) + step.file;
    const int rank = rank_of(from) + step.rank;
    if (on_board(file, rank)) out |= bit(square_at(file, rank));
  }
  return out;
}

void fill_lines(AttackTables& out) {
  for (Square a = 0; a < board_squares; ++a)
    for (const auto* steps : {&diagonals, &orthogonals})
      for (const Step step : *steps) {
        const Bitboard forward = ray(a, step.file, step.rank, 0);
        const Bitboard whole = forward | ray(a, -step.file, -step.rank, 0) | bit(a);
        for (const Square b : squares_of(forward)) {
          out.line[a][b] = whole;
          out.between[a][b] = ray(a, step.file, step.rank, bit(b)) & ~bit(b);
        }
      }
}

AttackTables make_tables() {
  AttackTables out{};
  fill_sliders(out.bishop, bishop_factors, diagonals, bishop_slots.data());
  fill_sliders(out.rook, rook_factors, orthogonals, rook_slots.data());
  for (Square from = 0; from < board_squares; ++from) {
    out.knight[from] =
        leaps(from, {{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}});
    out.king[from] =
        leaps(from, {{{1, 1}, {1, 0}, {1, -1}, {0, 1}, {0, -1}, {-1, 1}, {-1, 0}, {-1, -1}}});
    out.pawn[0][from] = north(east(bit(from)) | west(bit(from)));
    out.pawn[1][from] = south(east(bit(from)) | west(bit(from)));
  }
  fill_lines(out);
  return out;
}

}  // namespace

namespace detail {
AttackTables attack_tables = make_tables();
}

Bitboard ray(Square from, int file_step, int rank_step, Bitboard occupied) {
  Bitboard out = 0;
  int file = file_of(from) + file_step;
  int rank = rank_of(from) + rank_step;
  for (; on_board(file, rank); file += file_step, rank += rank_step) {
    const Square square = square_at(file, rank);
    out |= bit(square);
    if (has(occupied, square)) break;
  }
  return out;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
