// Fits the network of chess (src/chess/network.h) to what the evaluation lacks: the difference to
// what a strong engine says about positions. Prints src/chess/network_numbers.cpp.
//
//   build/bench/bench_chess_positions 350000 | bench/chess_labels.py > positions.txt
//   build/bench/bench_chess_fit positions.txt 5 > src/chess/network_numbers.cpp
//
// Five: how often every position is looked at; more learns them by heart. Says on the way how far
// it is off, on positions it learns from and on those of other games: the mean square of the
// difference of expected results.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "chess/chess.h"
#include "chess/evaluate.h"
#include "chess/network.h"
#include "chess/notation.h"

using namespace parlor;
using namespace parlor::chess;

namespace {

constexpr std::size_t width = Network::width;
constexpr float result_unit = 200;         // hundredths of a pawn that make a result likely
constexpr std::size_t most_children = 12;  // of one position
constexpr std::size_t batch_size = 2048;
constexpr float first_rate = 0.002F;  // how far a step goes; less and less
constexpr float last_rate = 1e-5F;
constexpr float fading = 0.3F;  // what is not confirmed again and again is forgotten

// A position as columns of the network: of the side to move, then of the other.
struct Sample {
  std::array<std::array<std::uint16_t, 32>, 2> columns;
  std::uint8_t pieces;
  std::int16_t said;
  std::int16_t ours;
};

float likely(float pawns_hundredths) {
  return 1 / (1 + std::exp(-pawns_hundredths / result_unit));
}

// Whether the side to move could take something at once.
bool settled(const Engine& engine) {
  if (engine.in_check(engine.turn())) return false;
  MoveList noisy;
  engine.noisy_moves(noisy);
  return std::ranges::none_of(noisy, [&](Move move) {
    return move.promotion() != no_type || exchange_holds(engine.board(), move, 1);
  });
}

void add_sample(const Board& board, int said, int ours, std::vector<Sample>& out) {
  Sample sample{};
  const std::array<Side, 2> viewers{board.turn, other(board.turn)};
  for (const Square square : squares_of(board.occupied())) {
    for (std::size_t i = 0; i < 2; ++i)
      sample.columns[i][sample.pieces] = static_cast<std::uint16_t>(
          Network::column_of(board.piece_on[square], square, viewers[i],
                             Network::turns(first(board.of(viewers[i], king)))));
    ++sample.pieces;
  }
  sample.said = static_cast<std::int16_t>(said);
  sample.ours = static_cast<std::int16_t>(std::clamp(ours, -30000, 30000));
  out.push_back(sample);
}

// A line is a position, and what was said about the positions behind its moves.
void read_line(const std::string& line, Rng& rng, std::vector<Sample>& out) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(';', at), line.size());
    words.push_back(std::string_view(line).substr(at, end - at));
    at = end + 1;
  }
  const Rulebook& book = standard_rulebook();
  const auto board = parse_fen(words[0], book);
  if (!board) return;
  auto position = std::make_unique<Position>();
  position->board = *board;
  seat_pieces(*position);
  const Engine engine(book, *position, false);
  auto next = std::make_unique<Position>();
  for (std::size_t taken = 0; taken < most_children && words.size() > 1; ++taken) {
    const std::size_t pick = 1 + rng.below(static_cast<std::uint32_t>(words.size() - 1));
    const std::string word(words[pick]);
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(pick));
    const std::size_t blank = word.find(' ');
    const auto move = parse_move(engine, word.substr(0, blank));
    const int said = -std::atoi(word.c_str() + blank);
    if (!move || std::abs(said) > 3000) continue;
    next->board = *board;
    make_move(next->board, *move);
    next->result = Result::ongoing;
    const Engine child(book, *next, false);
    if (settled(child)) add_sample(next->board, said, known_worth(child, outlook_of(child)), out);
  }
}

// All numbers of the network as fractions, their slopes, and what Adam remembers of those.
struct Parameters {
  std::array<std::array<float, width>, Network::inputs> column{};
  std::array<float, width> before{};
  std::array<std::array<std::array<float, width>, 2>, Network::stages> worth{};
  std::array<float, Network::stages> base{};
};
constexpr std::size_t parameter_count = sizeof(Parameters) / sizeof(float);
float* numbers(Parameters& parameters) {
  return reinterpret_cast<float*>(&parameters);
}

class Learner {
 public:
  Learner() {
    Rng rng(7);
    const auto about = [&](float size) {
      return size * (static_cast<float>(rng.below(20001)) / 10000 - 1);
    };
    for (auto& column : now_->column)
      for (float& number : column) number = about(0.15F);
    for (float& number : now_->before) number = 0.1F + about(0.1F);
    for (auto& stage : now_->worth)
      for (auto& view : stage)
        for (float& number : view) number = about(0.2F);
  }

  // The square of how far it is off.
  float look(const Sample& sample, bool learn) {
    const std::size_t stage = Network::stage_of(sample.pieces);
    std::array<std::array<float, width>, 2> seen;
    float out = now_->base[stage];
    for (std::size_t view = 0; view < 2; ++view) {
      seen[view] = now_->before;
      for (std::size_t i = 0; i < sample.pieces; ++i) {
        const auto& column = now_->column[sample.columns[view][i]];
        for (std::size_t k = 0; k < width; ++k) seen[view][k] += column[k];
      }
      for (std::size_t k = 0; k < width; ++k) {
        const float bounded = std::clamp(seen[view][k], 0.0F, 1.0F);
        out += bounded * bounded * now_->worth[stage][view][k];
      }
    }
    const float found = likely(out * Network::pawn_unit + static_cast<float>(sample.ours));
    const float off = found - likely(sample.said);
    if (learn) go_back(sample, stage, seen, off * found * (1 - found));
    return off * off;
  }

  void step(float rate) {
    ++steps_;
    const float first_bias = 1 - std::pow(0.9F, static_cast<float>(steps_));
    const float second_bias = 1 - std::pow(0.999F, static_cast<float>(steps_));
    float* now = numbers(*now_);
    float* slope = numbers(*slope_);
    float* mean = numbers(*mean_);
    float* square = numbers(*square_);
    for (std::size_t i = 0; i < parameter_count; ++i) {
      const float s = slope[i] / static_cast<float>(batch_size);
      mean[i] = 0.9F * mean[i] + 0.1F * s;
      square[i] = 0.999F * square[i] + 0.001F * s * s;
      now[i] -= rate * (mean[i] / first_bias) / (std::sqrt(square[i] / second_bias) + 1e-8F);
      now[i] = std::clamp(now[i] - rate * fading * now[i], -7.9F, 7.9F);
      slope[i] = 0;
    }
  }
  const Parameters& found() const { return *now_; }

 private:
  void go_back(const Sample& sample, std::size_t stage,
               const std::array<std::array<float, width>, 2>& seen, float slope) {
    slope_->base[stage] += slope;
    for (std::size_t view = 0; view < 2; ++view) {
      std::array<float, width> back;
      for (std::size_t k = 0; k < width; ++k) {
        const float bounded = std::clamp(seen[view][k], 0.0F, 1.0F);
        slope_->worth[stage][view][k] += slope * bounded * bounded;
        const bool inside = seen[view][k] > 0 && seen[view][k] < 1;
        back[k] = inside ? slope * 2 * bounded * now_->worth[stage][view][k] : 0.0F;
        slope_->before[k] += back[k];
      }
      for (std::size_t i = 0; i < sample.pieces; ++i) {
        auto& column = slope_->column[sample.columns[view][i]];
        for (std::size_t k = 0; k < width; ++k) column[k] += back[k];
      }
    }
  }

  std::unique_ptr<Parameters> now_ = std::make_unique<Parameters>();
  std::unique_ptr<Parameters> slope_ = std::make_unique<Parameters>();
  std::unique_ptr<Parameters> mean_ = std::make_unique<Parameters>();
  std::unique_ptr<Parameters> square_ = std::make_unique<Parameters>();
  std::uint64_t steps_ = 0;
};

// Numbers of the network as text, in lines.
class Printer {
 public:
  void add(float number, int unit) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
    const auto whole = static_cast<int>(std::lround(number * static_cast<float>(unit)));
    const auto raised = static_cast<std::size_t>(std::clamp(whole, -2048, 2047) + 2048);
    text_ += digits[raised / 64];
    text_ += digits[raised % 64];
  }
  void print() const {
    constexpr std::size_t line = 92;
    fmt::print(
        "// What the network of network.h has learnt, written by bench/chess_fit.cpp: the columns "
        "of its\n// inputs, an empty board, the last layer by stage, its base.\n"
        "#include \"chess/network.h\"\n\nnamespace parlor::chess::inline PARLOR_BOARD {{\n\n"
        "namespace {{\n// clang-format off\nconstexpr std::string_view numbers =");
    for (std::size_t at = 0; at < text_.size(); at += line)
      fmt::print("\n      \"{}\"", text_.substr(at, line));
    fmt::print(
        ";\n// clang-format on\n}}  // namespace\n\n// Boards of other sizes have none.\n"
        "std::string_view network_numbers() {{\n"
        "  return one_word ? numbers : std::string_view();\n}}\n\n"
        "}}  // namespace parlor::chess::inline PARLOR_BOARD\n");
  }

 private:
  std::string text_;
};
void print_numbers(const Parameters& found) {
  Printer printer;
  for (const auto& column : found.column)
    for (const float number : column) printer.add(number, Network::seen_unit);
  for (const float number : found.before) printer.add(number, Network::seen_unit);
  for (const auto& stage : found.worth)
    for (const auto& view : stage)
      for (const float number : view) printer.add(number, Network::worth_unit);
  for (const float number : found.base) printer.add(number, Network::worth_unit);
  printer.print();
}

// Looks at all positions once, in another order every time; how far it is off.
double learn_once(Learner& learner, std::vector<Sample>& samples, Rng& rng, float begin,
                  float end) {
  for (std::size_t i = samples.size() - 1; i > 0; --i)
    std::swap(samples[i], samples[rng.below(static_cast<std::uint32_t>(i + 1))]);
  const std::size_t batches = samples.size() / batch_size;
  double off = 0;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    for (std::size_t i = 0; i < batch_size; ++i)
      off += learner.look(samples[batch * batch_size + i], true);
    const float done =
        begin + (end - begin) * static_cast<float>(batch) / static_cast<float>(batches);
    learner.step(first_rate * (0.5F + 0.5F * std::cos(done * 3.14159F)) + last_rate);
  }
  return off / static_cast<double>(batches * batch_size);
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    fmt::print(stderr, "usage: bench_chess_fit POSITIONS ROUNDS\n");
    return 2;
  }
  std::ifstream file(words[1]);
  const int rounds = std::atoi(words[2]);
  Rng rng(1);
  std::vector<Sample> samples, others;
  std::string line;
  // Positions of one game are alike: games are either learnt from or not.
  for (std::size_t number = 0; std::getline(file, line); ++number)
    read_line(line, rng, number / 2000 % 20 == 0 ? others : samples);
  if (samples.size() < batch_size || others.empty()) {
    fmt::print(stderr, "{}: too few positions to learn from (some thousand lines are needed)\n",
               words[1]);
    return 2;
  }
  const auto mean = [&](auto off) {
    double sum = 0;
    for (const Sample& sample : others) sum += off(sample);
    return sum / static_cast<double>(others.size());
  };
  fmt::print(stderr, "{} positions, {} others, where the evaluation is {:.6f} off\n",
             samples.size(), others.size(), mean([](const Sample& sample) {
               const float off = likely(sample.ours) - likely(sample.said);
               return off * off;
             }));
  Learner learner;
  for (int round = 0; round < rounds; ++round) {
    const auto part = [&](int number) {
      return static_cast<float>(number) / static_cast<float>(rounds);
    };
    const double off = learn_once(learner, samples, rng, part(round), part(round + 1));
    fmt::print(stderr, "round {}: {:.6f} off, of others {:.6f}\n", round + 1, off,
               mean([&](const Sample& sample) { return learner.look(sample, false); }));
  }
  print_numbers(learner.found());
  return 0;
}
