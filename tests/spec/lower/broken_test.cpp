// One hundred broken games: for each mistake people make, the diagnostics they get, with codes,
// places and the text as it is shown. To accept changed texts: PARLOR_REGENERATE=1 test_spec
// --gtest_filter='*Broken*' (or `make broken`), then read the difference.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::spec {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path{PARLOR_SOURCE_DIR} / "tests/spec/broken";

std::string contents(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> specs() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator{folder})
    if (entry.path().extension() == ".md") out.push_back(entry.path().stem().string());
  std::ranges::sort(out);
  return out;
}

// The codes with their places first, so that a change of wording is easy to tell from a change of
// meaning.
std::string report(const fs::path& spec) {
  CompileOptions options;
  options.unused = true;
  const CompileResult result = compile_file(spec, options);
  std::string out;
  for (const Diagnostic& d : result.diagnostics.all())
    out += fmt::format("{} {} {}:{}\n", severity_name(d.severity), code_name(d.code), d.span.line,
                       d.span.column);
  return out + "\n" + render(result.diagnostics, result.texts, Colour::never);
}

class Broken : public ::testing::TestWithParam<std::string> {};

TEST_P(Broken, SpecGetsTheExpectedDiagnostics) {
  const fs::path expected = folder / (GetParam() + ".expected");
  const std::string actual = report(folder / (GetParam() + ".md"));
  if (std::getenv("PARLOR_REGENERATE") != nullptr)
    std::ofstream{expected, std::ios::binary} << actual;
  EXPECT_EQ(contents(expected), actual);
  EXPECT_NE(actual.find_first_not_of('\n'), std::string::npos) << "nothing is wrong with this game";
}

// What the compiler can say is said at least once in the tests, so that somebody has read it.
TEST(BrokenSpecs, ShowEveryCodeOfTheCompiler) {
  const auto texts = [](const char* where) {
    std::string out;
    for (const auto& entry :
         fs::recursive_directory_iterator{fs::path{PARLOR_SOURCE_DIR} / where}) {
      const fs::path extension = entry.path().extension();
      if (extension == ".cpp" || extension == ".expected") out += contents(entry.path());
    }
    return out;
  };
  const std::string sources = texts("src/spec"), tests = texts("tests");
  const auto names = [](const std::string& text, const std::string& name) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const char next = at + name.size() < text.size() ? text[at + name.size()] : ' ';
      if (std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_') return true;
    }
    return false;
  };
  for (const Code code : all_codes()) {
    const std::string name{code_name(code)};
    EXPECT_TRUE(!names(sources, "Code::" + name) || names(tests, name)) << name;
  }
}

// The codes with their places at the beginning of what is expected.
std::vector<std::string> reports_of(const std::string& number) {
  for (const std::string& name : specs()) {
    if (!name.starts_with(number)) continue;
    std::istringstream in{contents(folder / (name + ".expected"))};
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line) && !line.empty();) out.push_back(line);
    return out;
  }
  return {};
}

// L-21, L-22: the mistakes with the worst messages are each told once, under one code, at the place
// where they were made.
TEST(BrokenSpecs, TellTheWorstMistakesOnceAndWhereTheyAre_L21_L22) {
  const std::pair<const char*, std::vector<std::string>> told[] = {
      {"486", {"error YAML_INDENTATION 10:1"}},   // a no-break space in the indentation
      {"312", {"error YAML_KEY 19:18"}},          // `// comment` in brackets
      {"354", {"error SHAPE_WRONG 8:11"}},        // and behind a value
      {"487", {"error YAML_COLON_MISSING 9:3"}},  // and between sections
      {"205", {"error YAML_QUOTES 6:9"}},         // a missing quote
      {"617", {"error YAML_QUOTES 6:15"}},        // in braces
      {"622", {"error YAML_QUOTES 4:56"}},        // in brackets
      {"490", {"error YAML_DASH 12:9"}},          // a stray dash in a parameter
      {"491", {"error YAML_DASH 14:9"}},          // in an effect
      {"492", {"error YAML_DASH 9:5"}},           // in a zone
      {"329", {"error SECTION_SHAPE 24:3"}},      // `terminal` as a list
      {"493", {"error ZONE_ID_BLANK 6:10"}},      // an id with a blank, mentioned five times
      {"488", {"error PLAYER_SEVERAL 11:33"}},    // `hand:each` where one zone is needed
      {"494", {"warning NEIGHBOUR_TWICE 7:53"}},  // a board whose neighbours are all listed twice
      {"489", {"error ZONE_UNKNOWN 11:22"}},      // a wrong zone in `refill`
      {"562", {"error YAML_BRACKETS 30:32"}},     // a sentence with two commas in braces
      {"485",
       {"error EFFECT_MACRO_ARG_TYPE 19:20",    // an effect for a value
        "error EFFECT_MACRO_ARG_TYPE 19:48"}},  // a value for an effect
  };
  for (const auto& [number, reports] : told) EXPECT_EQ(reports_of(number), reports) << number;
}

// L-21: whoever is asked "did you mean" is told what.
TEST(BrokenSpecs, AskWhatWasMeantOnlyWithAnAnswer_L21) {
  for (const std::string& name : specs()) {
    std::istringstream in{contents(folder / (name + ".expected"))};
    for (std::string line; std::getline(in, line);)
      for (const std::string head : {"did you mean:", "help:", "help: use", "help: the types are"})
        EXPECT_TRUE(line.find_last_not_of(' ') + 1 != head.size() || !line.starts_with(head))
            << name << ": " << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Specs, Broken, ::testing::ValuesIn(specs()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace parlor::spec
