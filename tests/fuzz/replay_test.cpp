// The fuzz targets over everything they begin with and everything that was ever found, as it is and
// with some damage (T-30, T-33): a short run of what `make fuzz` and `make soak` do for hours.
// FUZZ_ROUNDS=N damages N texts instead of a few, FUZZ_SEED=S other ones.
#include <cstdlib>

#include "base/hash.h"
#include "base/rng.h"
#include "fuzz/mutate.h"
#include "fuzz/targets.h"
#include "rounds.h"

namespace parlor::fuzz {
namespace {

class FuzzTargets : public testing::TestWithParam<Target> {};

// A target that breaks a promise ends the process; getting through is the test.
TEST_P(FuzzTargets, AnswerEverythingTheyBeginWith) {
  const std::vector<std::string> texts = starting_points(GetParam());
  ASSERT_GE(texts.size(), 1u);
  for (const std::string& text : texts) GetParam().run(text);
}

TEST_P(FuzzTargets, AnswerDamagedTexts) {
  const Target& target = GetParam();
  const std::vector<std::string> texts = starting_points(target);
  const auto setting = [](const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
  };
  Rng rng{hash_text(target.name, setting("FUZZ_SEED", 0))};
  for (std::uint64_t round = setting("FUZZ_ROUNDS", test::rounds(100u)); round > 0; --round) {
    const std::string& text = texts[rng.below(texts.size())];
    target.run(mutate(text, texts[rng.below(texts.size())], target.longest, rng));
  }
}

TEST_P(FuzzTargets, AnswerBytesThatAreNoText) {
  for (const std::string_view bytes :
       {std::string_view{}, std::string_view{"\0", 1}, std::string_view{"\xff\xfe\0a", 4},
        std::string_view{"@"}, std::string_view{"@chess"}, std::string_view{"@chess\n"},
        std::string_view{"[1e999]"}, std::string_view{"{"}, std::string_view{"\xef\xbb\xbf{}"}})
    GetParam().run(bytes);
  for (const char bracket : {'[', '{', '(', '-', '"'})
    GetParam().run(std::string(test::rounds(100'000u), bracket));
  std::string nested;
  for (int i = 0; i < 20'000; ++i) nested += "{\"a\":[";
  GetParam().run(nested);
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTargets, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& info) { return std::string{info.param.name}; });

TEST(FuzzTargets, ThereIsOneForEverythingThatIsRead) {
  for (const char* name : {"game", "module", "gamedef", "modifiers", "fen", "pgn", "save", "trace",
                           "moves", "rules", "uci", "session", "wire", "http"})
    EXPECT_NE(find_target(name), nullptr) << name;
}

}  // namespace
}  // namespace parlor::fuzz
