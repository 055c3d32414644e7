// Every shipped game: it compiles, its GameDef fits the published schema, survives JSON, and is the
// same to the byte each time.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "base/json.h"
#include "source_dir.h"
#include "spec/lower/json_schema.h"
#include "spec/spec.h"

namespace parlor::spec {
namespace {

namespace fs = std::filesystem;
const fs::path root = PARLOR_SOURCE_DIR;

std::vector<fs::path> games() {
  std::vector<fs::path> out;
  if (!fs::exists(root / "games")) return out;
  for (const auto& entry : fs::recursive_directory_iterator{root / "games"}) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream in{entry.path()};
    std::ostringstream text;
    text << in.rdbuf();
    // Module files and imported parts have no metadata of their own.
    if (text.str().find("\nmetadata:") != std::string::npos) out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

class ShippedGame : public ::testing::TestWithParam<fs::path> {};

TEST_P(ShippedGame, CompilesFitsTheSchemaAndSurvivesJson) {
  const CompileResult result = compile_file(GetParam());
  ASSERT_TRUE(result.game) << render(result.diagnostics, result.texts, Colour::never);
  EXPECT_TRUE(result.diagnostics.empty())
      << render(result.diagnostics, result.texts, Colour::never);
  const nlohmann::json json = to_json(*result.game);
  EXPECT_EQ(testing::JsonSchema{gamedef_schema()}.violation(json), "");
  const auto back = gamedef_from_json(json);
  ASSERT_TRUE(back) << back.error();
  EXPECT_TRUE(*back == *result.game);
  EXPECT_EQ(canonical(to_json(*back)), canonical(json));
  EXPECT_EQ(canonical(to_json(*compile_file(GetParam()).game)), canonical(json));
}

INSTANTIATE_TEST_SUITE_P(Games, ShippedGame, ::testing::ValuesIn(games()), [](const auto& info) {
  std::string name = fs::relative(info.param, root / "games").replace_extension().string();
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(GameDefSchemaFile, IsWhatTheCodeSays) {
  const fs::path path = root / "docs/gamedef.schema.json";
  const std::string wanted = gamedef_schema().dump(2) + "\n";
  if (std::getenv("PARLOR_REGENERATE") != nullptr) std::ofstream{path, std::ios::binary} << wanted;
  std::ifstream in{path, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), wanted) << "run the tests with PARLOR_REGENERATE=1 and commit the file";
}

}  // namespace
}  // namespace parlor::spec
