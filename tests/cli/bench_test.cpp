// `parlor bench`, and bench/compare.py on what it prints.
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/child.h"
#include "cli/program.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;

TEST(Bench, OneTableHasEveryMeasure) {
  const Json report =
      run({"bench", "tic-tac-toe", "kuhn-poker", "chess", "--seconds", "0.001", "--json"}, "",
          shipped())
          .json();
  ASSERT_EQ(report["games"].size(), 3U);
  for (const Json& row : report["games"])
    for (const char* key : {"playoutsPerSecond", "decisionsPerSecond", "bytesPerState",
                            "mctsIterationsPerSecond", "nsPerCopy", "nsPerList", "meanLength"})
      EXPECT_GT(row[key].get<double>(), 0) << row["game"] << ' ' << key;
  EXPECT_GT(report["games"][0]["ratio"], 0);
  EXPECT_GT(report["baselines"]["tic-tac-toe"], 0);
}

// By default every game the catalog has is measured.
TEST(SlowBench, MeasuresEveryShippedGame) {
  const std::string table = run({"bench", "--seconds", "0.001"}, "", shipped()).out;
  for (const std::string& game : shipped().names())
    EXPECT_THAT(table, HasSubstr(fmt::format("  {} ", game)));
}

class Compare : public testing::Test {
 protected:
  Compare()
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("parlor_compare_{}", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~Compare() override { std::filesystem::remove_all(folder_); }

  static Json row(const char* game, double decisions, double bytes) {
    return {{"game", game}, {"decisionsPerSecond", decisions}, {"bytesPerState", bytes}};
  }
  std::string file(const char* name, const std::vector<Json>& rows) {
    const auto path = folder_ / name;
    std::ofstream{path} << Json{{"games", rows}}.dump();
    return path.string();
  }
  static int compare(const std::string& old, const std::string& now, std::string& out) {
    Child child({"python3", source_dir() + "/bench/compare.py", old, now});
    const int code = child.wait();
    out = child.out + child.err;
    return code;
  }

  std::filesystem::path folder_;
};

TEST_F(Compare, ShowsChangesAndFailsWhenSomethingGotWorse) {
  const std::string old = file("old.json", {row("go", 1000, 200), row("hex", 500, 100)});
  std::string out;
  EXPECT_EQ(compare(old, file("same.json", {row("go", 1010, 200), row("hex", 490, 100)}), out), 0);
  EXPECT_THAT(out, HasSubstr("+1.0%"));
  EXPECT_THAT(out, HasSubstr("-2.0%"));
  EXPECT_EQ(compare(old, file("slow.json", {row("go", 800, 200), row("hex", 500, 100)}), out), 1);
  EXPECT_THAT(out, HasSubstr("-20.0% !"));
  EXPECT_THAT(out, HasSubstr("worse by more than 5%"));
  EXPECT_EQ(compare(old, file("fat.json", {row("go", 1000, 300), row("hex", 500, 100)}), out), 1);
  EXPECT_THAT(out, HasSubstr("+50.0% !")) << "more bytes are worse";
}

// What bench/python.py --json prints.
TEST_F(Compare, GuardsTheFiguresOfThePythonPackage_P36) {
  const auto steps = [](double raw, double masks, double seen, double threads, double loop) {
    return Json{{"game", "chess"},           {"raw_per_second", raw},
                {"masks_per_second", masks}, {"masks_of_raw", masks / raw},
                {"steps_per_second", seen},  {"two_threads", threads},
                {"state_per_second", loop},  {"wanted", 5e5}};
  };
  const std::string old = file("old.json", {steps(2e6, 1.5e6, 1e6, 1.9, 5e5)});
  std::string out;
  EXPECT_EQ(compare(old, file("same.json", {steps(2e6, 1.5e6, 1e6, 1.9, 5e5)}), out), 0) << out;
  EXPECT_THAT(out, Not(HasSubstr("playouts/s"))) << "nobody measured those";
  for (const Json& worse : {steps(1.8e6, 1.5e6, 1e6, 1.9, 5e5), steps(2e6, 1.3e6, 1e6, 1.9, 5e5),
                            steps(2e6, 1.5e6, 8e5, 1.9, 5e5), steps(2e6, 1.5e6, 1e6, 1.5, 5e5),
                            steps(2e6, 1.5e6, 1e6, 1.9, 4e5)})
    EXPECT_EQ(compare(old, file("worse.json", {worse}), out), 1) << out;
}

TEST_F(Compare, GamesThatCameOrWentAreNamed) {
  std::string out;
  EXPECT_EQ(
      compare(file("old.json", {row("go", 1000, 200)}), file("new.json", {row("hex", 1, 1)}), out),
      0);
  EXPECT_THAT(out, testing::ContainsRegex("go +only in old"));
  EXPECT_THAT(out, testing::ContainsRegex("hex +only in new"));
}

}  // namespace
}  // namespace parlor::test
