// `parlor native` and --native at the outermost door (V-10, V-12): the real program, a cache of its
// own.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/child.h"
#include "cli/program.h"

namespace parlor::test {
namespace {

namespace fs = std::filesystem;

const std::string traced = "trace tic-tac-toe --seed 7";

fs::path new_folder() {
  std::string name = (fs::temp_directory_path() / "parlor-native-XXXXXX").string();
  return mkdtemp(name.data());
}

// A folder for one test's cache. What these tests are about is what is kept and loaded, not how it
// is compiled: but for one of them the compiler is asked not to optimize, and does nothing where it
// is given the same source again. What it made of tic-tac-toe is handed to every test that begins
// with compiled code.
class NativeProgram : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = new_folder();
    std::ofstream(quick_compiler()) << R"(#!/bin/sh
for source; do object=$last; last=$source; done
case $source in *.cpp) ;; *) exec c++ "$@" ;; esac
kept=$(dirname "$0")/$(cksum <"$source" | tr ' ' -).o
[ -f "$kept" ] || { c++ "$@" -O0 && cp "$object" "$kept.$$" && mv "$kept.$$" "$kept"; } || exit
cp "$kept" "$object"
)";
    fs::permissions(quick_compiler(), fs::perms::owner_all);
    run_in(shared_, traced + " --native");
  }
  static void TearDownTestSuite() { fs::remove_all(shared_); }
  NativeProgram() : folder_(new_folder()) {}
  ~NativeProgram() override { fs::remove_all(folder_); }

  static fs::path quick_compiler() { return shared_ / "quick-compiler"; }
  static fs::path cache_in(const fs::path& folder) { return folder / "parlor" / "native"; }
  fs::path cache() const { return cache_in(folder_); }
  static std::string environment(const fs::path& folder) {
    return "XDG_CACHE_HOME=" + folder.string() + " PARLOR_CXX=" + quick_compiler().string();
  }
  // What the program says, errors included, with these variables set.
  static std::string run_in(const fs::path& folder, const std::string& arguments,
                            const std::string& variables = "") {
    const std::string command =
        environment(folder) + " " + variables + " " + program_path() + " " + arguments + " 2>&1";
    std::FILE* const pipe = popen(command.c_str(), "r");
    std::string out;
    char bytes[4096];
    for (std::size_t n = 0; (n = std::fread(bytes, 1, sizeof bytes, pipe)) > 0;)
      out.append(bytes, n);
    EXPECT_EQ(pclose(pipe), 0) << command << "\n" << out;
    return out;
  }
  std::string run(const std::string& arguments, const std::string& variables = "") const {
    return run_in(folder_, arguments, variables);
  }
  // As after `run(traced + " --native")`.
  void have_it_compiled() const {
    fs::create_directories(cache());
    for (const fs::path& folder : {cache().parent_path(), cache()})
      fs::permissions(folder, fs::perms::owner_all);
    for (const auto& entry : fs::directory_iterator(cache_in(shared_)))
      fs::copy(entry.path(), cache());
  }
  std::vector<fs::path> kept() const { return kept_in(folder_); }
  static std::vector<fs::path> kept_in(const fs::path& folder) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(cache_in(folder))) out.push_back(entry.path());
    return out;
  }
  fs::path folder_;
  static inline fs::path shared_;
};

TEST_F(NativeProgram, TracesTheSameBytesAndCompilesOnce) {
  const std::string plain = run(traced);
  const std::string first = run(traced + " --native", "PARLOR_CXX=");  // optimized, as ever
  EXPECT_NE(first.find("native: compiling tic-tac-toe"), std::string::npos) << first;
  EXPECT_TRUE(first.ends_with(plain)) << first;
  ASSERT_EQ(kept().size(), 1u);
  // Nothing is compiled again, nothing is said.
  EXPECT_EQ(run(traced + " --native", "PARLOR_CXX="), plain);
}

TEST_F(NativeProgram, KeepsItsCacheToItself) {
  struct stat about {};
  ASSERT_EQ(stat(cache_in(shared_).c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0700u);
  ASSERT_EQ(kept_in(shared_).size(), 1u);
  ASSERT_EQ(stat(kept_in(shared_)[0].c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 022, 0u);
}

TEST_F(NativeProgram, LoadsNoFileThatOthersMayWriteTo) {
  have_it_compiled();
  fs::permissions(kept()[0], fs::perms::others_write, fs::perm_options::add);
  EXPECT_NE(run(traced + " --native").find("native: compiling"), std::string::npos);
  struct stat about {};
  ASSERT_EQ(stat(kept()[0].c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 022, 0u);  // made anew
}

TEST_F(NativeProgram, UsesNoFolderThatOthersMayWriteTo) {
  fs::create_directories(cache());
  fs::permissions(cache(), fs::perms::all);
  const std::string plain = run(traced), said = run(traced + " --native");
  EXPECT_NE(said.find("note: not native, the interpreter plays"), std::string::npos) << said;
  EXPECT_TRUE(said.ends_with(plain));
}

// V-12: cut off anywhere, or changed anywhere. The loader itself would map half a file, and crash.
TEST_F(NativeProgram, MakesADamagedFileAnew) {
  const std::string plain = run(traced);
  have_it_compiled();
  const fs::path file = kept()[0];
  const std::uintmax_t size = fs::file_size(file);
  for (const std::uintmax_t length : {std::uintmax_t{100}, size / 2}) {
    fs::resize_file(file, length);
    const std::string said = run(traced + " --native");
    EXPECT_NE(said.find("native: compiling"), std::string::npos) << length;
    EXPECT_TRUE(said.ends_with(plain)) << length;
    EXPECT_EQ(fs::file_size(file), size);
  }
  std::fstream change(file, std::ios::in | std::ios::out | std::ios::binary);
  change.seekp(static_cast<std::streamoff>(size / 3));
  change << "something else";
  change.close();
  EXPECT_NE(run(traced + " --native").find("native: compiling"), std::string::npos);
  EXPECT_EQ(run(traced + " --native"), plain);
}

// V-12: what was not used for long goes when something new is compiled, and nothing but compiled
// code does.
TEST_F(NativeProgram, KeepsNoMoreThanTheCodeUsedLast) {
  have_it_compiled();
  const fs::path first = kept()[0];
  const auto hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (int i = 0; i < 70; ++i) {
    const fs::path old = cache() / fmt::format("{:016x}-{:016x}-{:016x}.so", i, i, i);
    std::ofstream(old) << "code of long ago";
    fs::last_write_time(old, hour_ago - std::chrono::minutes(i));
  }
  std::ofstream(cache() / "notes.txt") << "not ours";
  fs::last_write_time(first, hour_ago - std::chrono::hours(5));
  EXPECT_EQ(run(traced + " --native"), run(traced));  // used again just now
  EXPECT_EQ(kept().size(), 72u);
  run("trace connect-four --seed 7 --native");
  EXPECT_EQ(kept().size(), 65u);  // 64 and the notes
  EXPECT_TRUE(fs::exists(first));
  EXPECT_TRUE(fs::exists(cache() / fmt::format("{:016x}-{:016x}-{:016x}.so", 61, 61, 61)));
  EXPECT_FALSE(fs::exists(cache() / fmt::format("{:016x}-{:016x}-{:016x}.so", 62, 62, 62)));
  EXPECT_TRUE(fs::exists(cache() / "notes.txt"));
}

// V-12: whoever is stopped while compiling leaves a folder behind.
TEST_F(NativeProgram, ClearsAwayWhatWasLeftHalfMadeLongAgo) {
  const fs::path old = cache() / "making-abcdef", fresh = cache() / "making-ghijkl";
  fs::create_directories(old / "kernel");
  fs::create_directories(fresh);
  for (const fs::path& folder : {cache().parent_path(), cache()})
    fs::permissions(folder, fs::perms::owner_all);
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(30));
  run(traced + " --native");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(NativeProgram, PlaysOnWithoutACompiler) {
  const std::string plain = run(traced);
  for (const char* compiler : {"PARLOR_CXX=/no/such/compiler", "PARLOR_CXX=/bin/false"}) {
    const std::string said = run(traced + " --native", compiler);
    EXPECT_NE(said.find("note: not native, the interpreter plays"), std::string::npos) << said;
    EXPECT_TRUE(said.ends_with(plain)) << said;
  }
}

TEST_F(NativeProgram, LetsSeveralCompileAtOnce) {
  const std::string one = program_path() + " " + traced + " --native >/dev/null 2>&1";
  const std::string all =
      "export " + environment(folder_) + "; (" + one + ") & (" + one + ") & (" + one + ") & wait";
  ASSERT_EQ(std::system(all.c_str()), 0);
  ASSERT_EQ(kept().size(), 1u);  // and no half-made ones
  EXPECT_EQ(run(traced + " --native"), run(traced));
}

TEST_F(NativeProgram, CountsTheSameSimulations) {
  const std::string sim = "sim kuhn-poker --games 500 --seed 3 --threads 1 --json";
  const auto checksum = [](const std::string& text) {
    const Json json = parse_json(text.substr(text.find('{'))).value();
    return json.at("outcomes").dump() + json.at("seats").dump();
  };
  EXPECT_EQ(checksum(run(sim + " --native")), checksum(run(sim + " --native=no")));
}

TEST(NativeCommand, PrintsReadableSource) {
  const Result result = test::run({"native", "tic-tac-toe"}, "", shipped());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("int end_three_in_a_row_"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("tic-tac-toe.md:"), std::string::npos);
  EXPECT_NE(result.out.find("namespace parlor_games::tic_tac_toe"), std::string::npos);
}

TEST(NativeCommand, HasNothingToPrintOfChess) {
  EXPECT_EQ(test::run({"native", "chess"}, "", shipped()).exit_code, 2);
}

TEST(NativeCommand, RefusesAnotherWord) {
  EXPECT_EQ(test::run({"perft", "tic-tac-toe", "1", "--native=perhaps"}, "", shipped()).exit_code,
            2);
}

}  // namespace
}  // namespace parlor::test
