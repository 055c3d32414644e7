// How fast chess counts moves: plain, next to stockfish and fairy-stockfish in the same run, and
// with house rules. Nodes per second of CPU time, one thread, the best of at least three runs; the
// other programs without the time they take to start. PARLOR_STOCKFISH and PARLOR_FAIRY_STOCKFISH
// name other programs than Debian's.
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
Answer fairy_berolina(const std::string& fairy, int depth) {
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
  const auto known = uci_perft(fairy, "startpos", 3, options);
  if (!known) return tl::unexpected("cannot be told the rule: " + known.error());
  if (known->nodes != 28328) return tl::unexpected(std::string("does not know the rule"));
  return uci_perft(fairy, "startpos", depth, options);
}

void row(const std::string& name, const Answer& speed, double unit) {
  if (!speed) return fmt::print("{:<44} {}\n", name, speed.error());
  fmt::print("{:<44} {:>12} nodes {:>8.2f} s {:>8.1f} M/s {:>8.2f}x\n", name, speed->nodes,
             speed->seconds, speed->per_second() / 1e6,
             unit > 0 ? speed->per_second() / unit : 0.0);
}

// Four rules that have much to say about every move.
std::vector<std::vector<std::string>> combinations() {
  return {{"wrap-board", "bouncing-pieces-2", "knights-leap-twice", "berolina-pawns"},
          {"wrap-board", "cannon", "berserker", "stamina"},
          {"coregal", "knight-immunity", "bouncing-pieces", "explosive-rook"},
          {"piece-shield", "queen-splits", "double-move", "wrap-board"}};
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
  const std::string stock = bench::stockfish();
  const std::string fairy = bench::fairy_stockfish();
  fmt::print("the last column is relative to plain chess from the start; compared with {} and {}\n",
             bench::name_of(stock), bench::name_of(fairy));
  const std::string kiwi = fmt::format("fen {}", kiwipete);
  const Speed plain = ours({}, "", start_fen, 6 - less);
  const double unit = plain.per_second();
  row("plain, start", plain, unit);
  row("  stockfish", uci_perft(stock, "startpos", 6 - less), unit);
  row("  fairy-stockfish", uci_perft(fairy, "startpos", 5), unit);
  row("plain, kiwipete", ours({}, "", kiwipete, 5 - less), unit);
  row("  stockfish", uci_perft(stock, kiwi, 5 - less), unit);
  row("  fairy-stockfish", uci_perft(fairy, kiwi, 4), unit);
  row("royalty: coregal", ours({"coregal"}, "", start_fen, 6 - less), unit);
  row("royalty: knightmate", ours({"knightmate-rules"}, "knightmate", "", 6 - less), unit);
  row("  fairy-stockfish",
      uci_perft(fairy, "startpos", 5, "setoption name UCI_Variant value knightmate\\n"), unit);
  row("movement: berolina-pawns", ours({"berolina-pawns"}, "", start_fen, 5), unit);
  row("  fairy-stockfish", fairy_berolina(fairy, 5), unit);
  row("movement: wrap-board", ours({"wrap-board"}, "", start_fen, 5), unit);
  row("movement: bouncing-pieces", ours({"bouncing-pieces"}, "", start_fen, 5), unit);
  row("movement: bouncing-pieces-2", ours({"bouncing-pieces-2"}, "", start_fen, 5), unit);
  row("movement: knights-leap-twice", ours({"knights-leap-twice"}, "", start_fen, 5), unit);
  row("pieces: cannon", ours({"cannon"}, "", start_fen, 5), unit);
  row("royalty: weak-dual-king", ours({"weak-dual-king"}, "", "", 5), unit);
  row("filter: knight-immunity", ours({"knight-immunity"}, "", start_fen, 5), unit);
  row("damage: piece-hp", ours({"piece-hp"}, "", start_fen, 5), unit);
  for (const std::vector<std::string>& four : combinations()) {
    std::string name = "four: ";
    for (const std::string& rule : four) name += (name.size() > 6 ? " + " : "") + rule;
    row(name, ours(four, "", start_fen, 4), unit);
  }
  row("eight presets at once",
      ours({"piece-hp", "piece-shield", "king-heals", "poisoned-squares", "stamina", "wrap-board",
            "knights-leap-twice", "berolina-pawns"},
           "", start_fen, 4),
      unit);
  copies("state, plain", {});
  copies("state, piece-hp", {"piece-hp"});
  return 0;
}
