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

INSTANTIATE_TEST_SUITE_P(Specs, Broken, ::testing::ValuesIn(specs()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace parlor::spec
