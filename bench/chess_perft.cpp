// How fast chess counts moves: plain, next to Debian's stockfish and fairy-stockfish in the same
// run, and with house rules. Nodes per second of CPU time, one thread, the best of at least three
// runs.
//
//   build/bench/bench_chess_perft [--quick]
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fmt/core.h>
#include <string>

#include "chess/chess.h"
#include "uci_perft.h"

using namespace parlor;
using namespace parlor::chess;

namespace {

constexpr const char* start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* kiwipete =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

using Answer = bench::PerftAnswer;
using Speed = bench::PerftSpeed;
using bench::uci_perft;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Speed ours(const std::vector<std::string>& rules, const std::string& layout, const std::string& fen,
           int depth) {
  OpenOptions options;
  options.rules = rules;
  options.layout = layout;
  options.position = fen;
  const auto game = open_chess(options);
  if (!game) return {};
  const State state = (*game)->start(0).value();
  Speed best;
  double total = 0;  // a few hundredths of a second alone would say little
  for (int run = 0; run < 3 || total < 0.5; ++run) {
    const double begin = cpu_seconds();
    const std::uint64_t nodes = perft(state, depth);
    const Speed speed{nodes, cpu_seconds() - begin};
    total += speed.seconds;
    if (run == 0 || speed.seconds < best.seconds) best = speed;
  }
  return best;
}

// Berolina pawns as fairy-stockfish describes pieces. Versions before custom pieces (Debian's 11.1)
// make a set-up without pawns of it, or crash.
Answer fairy_berolina(int depth) {
  const std::string file = "/tmp/parlor_berolina.ini";
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (out == nullptr) return tl::unexpected(std::string("cannot be told the rule"));
  std::fputs(
      "[berolina:chess]\npawn = -\ncustomPiece1 = p:mfFcfeWimfnA\npromotionPawnTypes = p\n"
      "enPassantTypes = p\nnMoveRuleTypes = p\n",
      out);
  std::fclose(out);
  const std::string options = fmt::format(
      "setoption name VariantPath value {}\\nsetoption name UCI_Variant value berolina\\n", file);
  const auto known = uci_perft("/usr/games/fairy-stockfish", "startpos", 3, options);
  if (!known) return tl::unexpected("cannot be told the rule: " + known.error());
  if (known->nodes != 28328) return tl::unexpected(std::string("does not know the rule"));
  return uci_perft("/usr/games/fairy-stockfish", "startpos", depth, options);
}

void row(const std::string& name, const Answer& speed, double unit) {
  if (!speed) return fmt::print("{:<44} {}\n", name, speed.error());
  fmt::print("{:<44} {:>12} nodes {:>8.2f} s {:>8.1f} M/s {:>8.2f}x\n", name, speed->nodes,
             speed->seconds, speed->per_second() / 1e6,
             unit > 0 ? speed->per_second() / unit : 0.0);
}

void copies(const std::string& name, const std::vector<std::string>& rules) {
  OpenOptions options;
  options.rules = rules;
  const auto game = open_chess(options);
  const State state = (*game)->start(0).value();
  State copy = state;
  constexpr int rounds = 2'000'000;
  const double begin = cpu_seconds();
  for (int i = 0; i < rounds; ++i) {
    copy = state;
    asm volatile("" : : "g"(copy.block().data()) : "memory");
  }
  fmt::print("{:<44} {:>12} bytes {:>7.1f} ns per copy\n", name, state.block().size(),
             (cpu_seconds() - begin) / rounds * 1e9);
}

}  // namespace

int main(int count, char** arguments) {
  const bool quick = count > 1 && std::strcmp(arguments[1], "--quick") == 0;
  const int less = quick ? 1 : 0;
  fmt::print("the last column is relative to plain chess from the start\n");
  const std::string kiwi = fmt::format("fen {}", kiwipete);
  const Speed plain = ours({}, "", start_fen, 6 - less);
  const double unit = plain.per_second();
  row("plain, start", plain, unit);
  row("  stockfish", uci_perft("/usr/games/stockfish", "startpos", 6 - less), unit);
  row("  fairy-stockfish", uci_perft("/usr/games/fairy-stockfish", "startpos", 5), unit);
  row("plain, kiwipete", ours({}, "", kiwipete, 5 - less), unit);
  row("  stockfish", uci_perft("/usr/games/stockfish", kiwi, 5 - less), unit);
  row("  fairy-stockfish", uci_perft("/usr/games/fairy-stockfish", kiwi, 4), unit);
  row("royalty: coregal", ours({"coregal"}, "", start_fen, 6 - less), unit);
  row("royalty: knightmate", ours({"knightmate-rules"}, "knightmate", "", 6 - less), unit);
  row("  fairy-stockfish",
      uci_perft("/usr/games/fairy-stockfish", "startpos", 5,
                "setoption name UCI_Variant value knightmate\\n"),
      unit);
  row("movement: berolina-pawns", ours({"berolina-pawns"}, "", start_fen, 5), unit);
  row("  fairy-stockfish", fairy_berolina(5), unit);
  row("filter: knight-immunity", ours({"knight-immunity"}, "", start_fen, 5), unit);
  row("damage: piece-hp", ours({"piece-hp"}, "", start_fen, 5), unit);
  row("eight presets at once",
      ours({"piece-hp", "piece-shield", "king-heals", "poisoned-squares", "stamina", "wrap-board",
            "knights-leap-twice", "berolina-pawns"},
           "", start_fen, 4),
      unit);
  copies("state, plain", {});
  copies("state, piece-hp", {"piece-hp"});
  return 0;
}
