// Writes random words to standard output for ever, as `dieharder -g 200` reads them (T-02):
//
//   bench_random_words one SEED           one generator
//   bench_random_words interleaved SEED   64 generators of consecutive seeds in turns
//   bench_random_words first SEED         the first word of every seed from SEED on
//   bench_random_words streams SEED       the first word of every stream of SEED
//
// Ends when nobody reads any more.
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/rng.h"

namespace {

using parlor::Rng;

template <class Draw>
int write_words(Draw draw) {
  std::array<std::uint64_t, 4096> words;
  for (;;) {
    for (std::uint64_t& word : words) word = draw();
    if (std::fwrite(words.data(), sizeof words, 1, stdout) != 1) return 0;
  }
}

}  // namespace

int main(int count, char** texts) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::string_view what = count > 1 ? texts[1] : "";
  const std::uint64_t seed = count > 2 ? std::strtoull(texts[2], nullptr, 10) : 0;
  if (what == "one") return write_words([rng = Rng(seed)]() mutable { return rng.next(); });
  if (what == "interleaved") {
    std::vector<Rng> all;
    for (std::uint64_t i = 0; i < 64; ++i) all.emplace_back(seed + i);
    return write_words([all, turn = std::size_t{0}]() mutable { return all[turn++ % 64].next(); });
  }
  if (what == "first") return write_words([next = seed]() mutable { return Rng(next++).next(); });
  if (what == "streams")
    return write_words(
        [seed, next = std::uint64_t{0}]() mutable { return Rng(seed, next++).next(); });
  std::fputs(
      "usage: bench_random_words one|interleaved|first|streams [SEED] | dieharder -a -g 200\n",
      stderr);
  return 2;
}
