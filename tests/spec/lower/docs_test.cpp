// The examples of docs/language.md compile. A comment before a block says what it is:
//   game        a whole game; the first one is the world of the other examples
//   sections    sections to add to the world; those that exist once replace the world's
//   effects, values, conditions, queries      lists of them
#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "source_dir.h"
#include "spec/gamedef/language.h"
#include "spec/lower/json_schema.h"
#include "spec/spec.h"
#include "spec/text/phrases.h"

namespace parlor::spec {
namespace {

struct Example {
  std::string kind, yaml;
  std::size_t line = 0;
};

std::vector<Example> examples(const std::string& file) {
  std::ifstream in{std::filesystem::path{PARLOR_SOURCE_DIR} / "docs" / file};
  std::vector<Example> out;
  std::string line, kind;
  bool inside = false;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (!inside && line.starts_with("<!-- ") && line.ends_with(" -->")) {
      kind = line.substr(5, line.size() - 9);
    } else if (!inside && line == "```yaml") {
      inside = true;
      out.push_back({kind, "", number + 1});
      kind.clear();
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      out.back().yaml += line + "\n";
    }
  }
  return out;
}

std::string page(const std::string& file) {
  std::ifstream in{std::filesystem::path{PARLOR_SOURCE_DIR} / "docs" / file};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A game's text by its top-level keys.
std::map<std::string, std::string> by_section(const std::string& yaml) {
  std::map<std::string, std::string> out;
  std::string key;
  std::istringstream in{yaml};
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != ' ' && line[0] != '#') key = line.substr(0, line.find(':'));
    out[key] += line + "\n";
  }
  return out;
}

std::string indented(const std::string& yaml, std::size_t blanks) {
  std::string out;
  std::istringstream in{yaml};
  for (std::string line; std::getline(in, line);) out += fmt::format("{:{}}{}\n", "", blanks, line);
  return out;
}

// Effects that use each item of a list of values, conditions or queries.
std::string effects_for(const Example& example) {
  if (example.kind == "effects") return indented(example.yaml, 6);
  std::string out;
  std::istringstream in{example.yaml};
  std::string item;
  std::size_t count = 0;
  const auto flush = [&] {
    if (item.empty()) return;
    const std::string name = fmt::format("$x{}", ++count);
    const std::string body = fmt::format("  {}", item.substr(2));
    if (example.kind == "values")
      out += fmt::format("      - bindValue:\n          bind: {}\n          value:\n{}", name,
                         indented(body, 12));
    if (example.kind == "conditions")
      out +=
          fmt::format("      - if:\n          then: []\n          when:\n{}", indented(body, 12));
    if (example.kind == "queries")
      out += fmt::format(
          "      - forEach:\n          bind: {}\n          effects: []\n          over:\n{}", name,
          indented(body, 12));
    item.clear();
  };
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("- ")) flush();
    item += line + "\n";
  }
  flush();
  return out;
}

constexpr std::string_view action = R"(actions:
  - id: example
    phase: [main]
    params:
      - { name: $tok, domain: { query: tokensInZone, zone: deck } }
      - { name: $cell, domain: { query: mapSpaces } }
      - { name: $who, domain: { query: players } }
      - { name: $num, domain: { query: intsInRange, min: 1, max: 3 } }
      - { name: $blind, domain: { query: assetRows, tableId: settings.blinds } }
    effects:
      - bindValue: { bind: $list, value: [1, 2, 3] }
)";

std::string fenced(const std::string& yaml) {
  return fmt::format("```yaml\n{}```\n", yaml);
}

std::string whole_game(const Example& world, const Example& example) {
  auto sections = by_section(world.yaml);
  std::string added;
  if (example.kind == "sections") {
    for (const auto& [key, text] : by_section(example.yaml))
      if (const auto section = find_section(key);
          section && section_shape(*section) == SectionShape::singleton)
        sections.erase(key);
    added = fenced(example.yaml);
  } else {
    added = fenced(std::string{action} + effects_for(example));
  }
  std::string out;
  for (const auto& [key, text] : sections) out += fenced(text);
  return out + added;
}

TEST(LanguageReference, EveryExampleCompiles) {
  const std::vector<Example> all = examples("language.md");
  const auto world = std::ranges::find(all, "game", &Example::kind);
  ASSERT_NE(world, all.end());
  const testing::JsonSchema schema{gamedef_schema()};
  for (const Example& example : all) {
    if (example.kind == "text") continue;  // shows something that is no game
    SCOPED_TRACE(fmt::format("docs/language.md:{}", example.line));
    const CompileResult result =
        compile_text(example.kind == "game" ? fenced(example.yaml) : whole_game(*world, example));
    EXPECT_FALSE(example.kind.empty()) << "say what kind of example this is";
    EXPECT_TRUE(std::ranges::all_of(result.diagnostics.all(), [](const Diagnostic& d) {
      return d.severity == Severity::info;
    })) << render(result.diagnostics, result.texts, Colour::never);
    ASSERT_TRUE(result.game);
    const nlohmann::json json = to_json(*result.game);
    EXPECT_EQ(schema.violation(json), "");
    const auto back = gamedef_from_json(json);
    ASSERT_TRUE(back) << back.error();
    EXPECT_TRUE(*back == *result.game);
  }
  EXPECT_GT(all.size(), 20u);
}

// The rows of the tables that show what is said in both notations.
struct BothWays {
  std::string kind, tree, text;
};
std::vector<BothWays> both_ways() {
  std::ifstream in{std::filesystem::path{PARLOR_SOURCE_DIR} / "docs/language.md"};
  std::vector<BothWays> out;
  std::string line, kind;
  constexpr std::string_view head = "<!-- both ways: ";
  while (std::getline(in, line)) {
    if (line.starts_with(head)) kind = line.substr(head.size(), line.find(" -->") - head.size());
    if (line.empty() || !line.starts_with("| `")) {
      if (line.empty()) kind.clear();
      continue;
    }
    const std::size_t middle = line.find("` | `");
    if (kind.empty() || middle == std::string::npos) continue;
    out.push_back(
        {kind, line.substr(3, middle - 3), line.substr(middle + 5, line.rfind('`') - middle - 5)});
  }
  return out;
}

TEST(LanguageReference, BothNotationsOfARowSayTheSame) {  // E-12
  const std::vector<Example> all = examples("language.md");
  const auto world = std::ranges::find(all, "game", &Example::kind);
  ASSERT_NE(world, all.end());
  const std::vector<BothWays> rows = both_ways();
  EXPECT_GT(rows.size(), 70u);
  const auto compiled = [&](const std::string& kind, const std::string& item) {
    return compile_text(whole_game(*world, {kind, "- " + item + "\n", 0}));
  };
  for (const BothWays& row : rows) {
    SCOPED_TRACE(row.tree);
    // A text in single quotes: YAML takes nothing out of it.
    std::string text = row.kind == "values" ? "= " + row.text : row.text;
    for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2)
      text.insert(at, 1, '\'');
    const CompileResult tree = compiled(row.kind, row.tree),
                        said = compiled(row.kind, fmt::format("'{}'", text));
    ASSERT_TRUE(tree.game) << render(tree.diagnostics, tree.texts, Colour::never);
    ASSERT_TRUE(said.game) << render(said.diagnostics, said.texts, Colour::never);
    EXPECT_EQ(rules_hash(*tree.game), rules_hash(*said.game)) << row.text;
  }
}

// What a construct of the language looks like at the beginning of its node.
std::string opening(const Construct& construct) {
  if (construct.tag.value.empty()) return fmt::format("{{ {}: ", construct.tag.key);
  const bool sign = std::ranges::none_of(construct.tag.value,
                                         [](unsigned char c) { return std::isalpha(c) != 0; });
  return fmt::format("{{ {}: {}{}{}", construct.tag.key, sign ? "\"" : "", construct.tag.value,
                     sign ? "\"" : "");
}

TEST(LanguageReference, ShowsEveryConditionValueAndQueryBothWays) {  // E-12
  const std::vector<BothWays> rows = both_ways();
  std::size_t constructs = 0;
  for (const Construct& construct : language()) {
    if (construct.family == Family::effect || construct.family == Family::record) continue;
    if (construct.name() == "activeSeat") continue;  // of games with seats: shown below the tables
    ++constructs;
    const std::string kind = construct.family == Family::condition ? "conditions"
                             : construct.family == Family::value   ? "values"
                                                                   : "queries";
    const std::string text = opening(construct);
    EXPECT_TRUE(std::ranges::any_of(rows,
                                    [&](const BothWays& row) {
                                      const std::size_t at = row.tree.find(text);
                                      return at != std::string::npos &&
                                             (row.kind == kind || at > 0);
                                    }))
        << "no row with `" << text << "`";
  }
  EXPECT_GE(constructs, 75u);
}

// Every example is text, but for the chapter about trees (E-31).
TEST(Documentation, ShowsTreesInTheirChapterAlone) {
  std::vector<std::string> nodes{"op:", "ref:", "query:", "conditionMacro:", "zoneCount:"};
  for (const Construct& construct : language())
    if (construct.family == Family::effect &&
        !text::phrases_for(text::Family::effect, construct.name()).empty())
      nodes.push_back(fmt::format("{}:", construct.name()));
  nodes.insert(nodes.end(),
               {"setVar:", "addVar:", "setTokenProp:", "setMarker:", "shiftMarker:",
                "setGlobalMarker:", "shiftGlobalMarker:", "setActivePlayer:", "forEach:"});
  const std::filesystem::path docs = std::filesystem::path{PARLOR_SOURCE_DIR} / "docs";
  std::size_t pages = 0, blocks = 0;
  for (const auto& entry : std::filesystem::directory_iterator{docs}) {
    if (entry.path().extension() != ".md" || entry.path().filename() == "house-rules.md") continue;
    ++pages;
    const std::string name = entry.path().filename().string();
    const std::string text = page(name);
    const std::size_t begin = text.find("\n## The tree notation\n"),
                      end = begin == std::string::npos ? begin : text.find("\n## ", begin + 1);
    const auto line_of = [&](std::size_t at) {
      return static_cast<std::size_t>(
          std::count(text.begin(),
                     text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size())), '\n'));
    };
    for (const Example& example : examples(name)) {
      ++blocks;
      if (begin != std::string::npos && example.line > line_of(begin) &&
          example.line < line_of(end))
        continue;
      std::istringstream in{example.yaml};
      for (std::string line; std::getline(in, line);)
        for (const std::string& node : nodes)
          for (const std::string_view before : {"{", "{ ", "- "})
            EXPECT_EQ(line.find(fmt::format("{}{} ", before, node)), std::string::npos)
                << name << ":" << example.line << " " << line;
    }
  }
  EXPECT_GE(pages, 18u);
  EXPECT_GE(blocks, 80u);
}

// What docs/modules.md says about hooks and offers, in the same world. Its house rule for hold'em
// is played in tests/games.
TEST(ModulesGuide, EveryExampleCompiles) {  // M-04, M-11, M-40
  const std::vector<Example> reference = examples("language.md"), all = examples("modules.md");
  const auto world = std::ranges::find(reference, "game", &Example::kind);
  ASSERT_NE(world, reference.end());
  for (const Example& example : all) {
    if (example.kind == "straddle") continue;
    SCOPED_TRACE(fmt::format("docs/modules.md:{}", example.line));
    ASSERT_EQ(example.kind, "sections");
    const CompileResult result = compile_text(whole_game(*world, example));
    EXPECT_TRUE(result.game) << render(result.diagnostics, result.texts, Colour::never);
  }
  EXPECT_GE(all.size(), 3u);
}

// How the constructs of a family look in the text: "setVar:", "query: players", "op: exists".
template <class... Nodes>
void add_names(const std::variant<Nodes...>*, std::vector<std::string>& out) {
  const auto add = [&]<class Node>(const Node*) {
    if constexpr (requires { Node::tag; })
      out.push_back(Node::tag.value.empty()
                        ? fmt::format("{}:", Node::tag.key)
                        : fmt::format("{}: {}", Node::tag.key, Node::tag.value));
  };
  (add(static_cast<const Nodes*>(nullptr)), ...);
}

// The examples of the reference, not its prose: an example for every construct.
TEST(LanguageReference, HasAnExampleOfEveryConstruct) {
  std::string shown;
  for (const Example& example : examples("language.md")) shown += example.yaml;
  for (const BothWays& row : both_ways()) shown += row.tree + "\n";
  std::vector<std::string> names;
  add_names(static_cast<const EffectNode*>(nullptr), names);
  add_names(static_cast<const QueryNode*>(nullptr), names);
  add_names(static_cast<const ConditionNode*>(nullptr), names);
  add_names(static_cast<const ValueNode*>(nullptr), names);
  EXPECT_GT(names.size(), 90u);
  for (const char* op : {"\"==\"", "\"!=\"", "\"<\"", "\"<=\"", "\">\"", "\">=\"", "\"+\"", "\"-\"",
                         "\"*\"", "\"/\"", "floorDiv", "ceilDiv", "mod", "min", "max"})
    names.push_back(fmt::format("op: {}", op));
  names.insert(names.end(), {"concat:", "zoneExpr:", "query: mapSpaces", "query: zonesInDirection",
                             "ref: namedSet",
                             "refillToSize:", "discardDownTo:", "distributeTokens:", "hand:each"});
  for (const std::string& name : names)
    EXPECT_NE(shown.find(name), std::string::npos) << "no example of `" << name << "`";
}

TEST(LanguageReference, NamesEverySection) {
  const std::string pages = page("language.md") + page("files-and-macros.md") +
                            page("house-rules.md") + page("modules.md");
  for (const Section section : all_sections())
    EXPECT_NE(pages.find(fmt::format("\n{}:", section_name(section))), std::string::npos)
        << section_name(section);
}

// The mistake the tutorial asks for gives the message it shows.
TEST(Tutorial, ShowsTheRealMessage) {
  std::ifstream in{std::filesystem::path{PARLOR_SOURCE_DIR} / "docs/tutorial.md"};
  std::ostringstream text;
  text << in.rdbuf();
  std::string game = text.str();
  game.replace(game.rfind("heap == 0, win"), 4, "heep");
  const CompileResult result = compile_text(game, {}, "last-stone.md");
  ASSERT_EQ(result.diagnostics.all().size(), 1u);
  std::istringstream message{render(result.diagnostics.all()[0], result.texts, Colour::never)};
  for (std::string line; std::getline(message, line);)
    EXPECT_NE(text.str().find("    " + line + "\n"), std::string::npos) << line;
}

}  // namespace
}  // namespace parlor::spec
