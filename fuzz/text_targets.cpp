// Rules from outside: game texts, module files, compiled games, custom modifiers, lists of rules.
#include "fuzz/text_targets.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "base/files.h"
#include "chess/chess.h"
#include "chess/fen.h"
#include "chess/modifiers/descriptor.h"
#include "fuzz/play.h"
#include "kernel/kernel.h"
#include "spec/spec.h"
#include "spec/text/parser.h"

namespace parlor::fuzz {
namespace {

constexpr std::size_t decisions = 24;

// Small limits reach the code behind them and keep single runs short.
spec::CompileOptions small_limits() {
  spec::CompileOptions options;
  options.limits.macro_nodes = 20'000;
  options.limits.alias_nodes = 5'000;
  options.limits.board_zones = 400;
  options.limits.built_in_effects = 400;
  options.limits.piece_combinations = 100;
  return options;
}

kernel::KernelOptions small_budgets() {
  kernel::KernelOptions options;
  options.budget = 50'000;
  options.look_ahead = 50'000;
  return options;
}

// Links and plays what compiled, with and without explicit chance, planned and plainly.
void open_and_play(const spec::GameDef& def) {
  for (int way = 0; way < 3; ++way) {
    kernel::KernelOptions options = small_budgets();
    options.explicit_chance = way == 1;
    options.plan = way != 2;
    const auto game = kernel::open_game(def, options);
    if (!game) {
      if (!game.error().has_errors()) broken("a game that does not open says why");
      return;
    }
    (void)(*game)->parts();
    (void)(*game)->listing();
    play(**game, decisions, 7);
  }
}

void check_result(const spec::CompileResult& result) {
  if (result.game.has_value() == result.diagnostics.has_errors())
    broken("a text gives a game exactly if it has no errors");
  (void)render(result.diagnostics, result.texts, Colour::never);
  (void)canonical(to_json(result.diagnostics));
  if (!result.game) return;
  const auto back = spec::gamedef_from_json(spec::to_json(*result.game));
  if (!back) broken("what compiles survives being written as JSON", back.error());
  if (!(*back == *result.game)) broken("what compiles survives being written as JSON");
  open_and_play(*result.game);
}

// ---- module: a game that is sound, and a module file that may be anything.

const std::string& base_game() {
  static const std::string text =
      read_file(source_folder() + "/fuzz/base.md").value_or(std::string{});
  return text;
}

spec::CompileResult compile_with_module(std::string_view module) {
  spec::CompileOptions options = small_limits();
  options.rules = {"m.rules.md"};
  const spec::FileLoader files = [&](std::string_view name) -> std::optional<std::string> {
    if (name == "game.md") return base_game();
    if (name == "m.rules.md" || name == "more.md") return std::string{module};
    return std::nullopt;
  };
  return spec::compile_files("game.md", files, options);
}

}  // namespace

void run_game_text(std::string_view text) {
  const bool markdown = text.find("```") != std::string_view::npos;
  check_result(spec::compile_text(text, small_limits(), markdown ? "game.md" : "game.yaml"));
}

// A rule as text: read as whatever may be expected, it gives nodes or says where it is wrong.
void run_sentence(std::string_view text) {
  spec::text::Names names;
  names.condition_macros["rich"] = {{"who", "playerSelector"}};
  names.effect_macros["reward"] = {{"amount", "value"}};
  names.token_types = {"card", "pawn"};
  using spec::text::Expect;
  for (const Expect expect : {Expect::condition, Expect::number, Expect::query, Expect::statement,
                              Expect::loop, Expect::zone, Expect::filter, Expect::rows}) {
    const auto place = [&](std::size_t begin, std::size_t end) {
      if (begin > text.size() || end > text.size() || end < begin)
        broken("a place outside the text");
      return spec::Origin{};
    };
    const auto result = spec::text::parse({text, expect, names, {}, "$zone", place});
    if (result.node) continue;
    if (result.error.message.empty()) broken("text is refused without a message");
    if (result.error.end > text.size()) broken("a mistake outside the text");
  }
}

std::vector<std::string> sentence_seeds() {
  return {"gold >= 3 and not open or weather == rain",
          "any $c in hand:actor: $c.suit == hearts",
          "count(cards in deck where rank > 10) + sum($c.rank for $c in hand:actor)",
          "line of 3 where owner == left",
          "ray from $cell towards orthogonal while empty until occupied",
          "if pot > 3 then \"{gold} gold\" else 'none'",
          "choose 1..pot ordered as $some from cards in deck",
          "create 5 pawn in north with owner = active, kind = man",
          "pay min(3, gold) gold to left as $paid",
          "start strike for actor until next turn of actor",
          "$p in players where gold > 0",
          "move all from discard to deck where rank > 1",
          "((((((((1))))))))",
          "a.b.c[$d].e",
          "0..gold step 5 including [3] at most 10"};
}

void run_module(std::string_view text) {
  check_result(compile_with_module(text));
}

void run_gamedef(std::string_view text) {
  const auto json = parse_json(text);
  if (!json) return;
  const auto game = spec::gamedef_from_json(*json);
  if (!game) {
    if (game.error().empty()) broken("a refusal says why");
    return;
  }
  const auto back = spec::gamedef_from_json(spec::to_json(*game));
  if (!back || !(*back == *game)) broken("a GameDef survives being written and read");
  open_and_play(*game);
}

std::vector<std::string> gamedef_seeds() {
  std::vector<std::string> out;
  for (const char* name : {"tic-tac-toe", "pig", "kuhn-poker", "leduc-poker", "connect-four"}) {
    const auto result = spec::compile_file(source_folder() + "/games/" + name + ".md");
    if (result.game) out.push_back(canonical(spec::to_json(*result.game)));
  }
  const auto result = spec::compile_text(base_game());
  if (result.game) out.push_back(canonical(spec::to_json(*result.game)));
  return out;
}

void run_modifiers(std::string_view text) {
  const auto refused = [](const Diagnostics& problems) {
    if (!problems.has_errors()) broken("a game that does not open says why");
  };
  auto book = chess::modifiers::with_modifiers(chess::standard_rulebook(), std::string{text},
                                               "modifiers.yaml");
  if (!book) return refused(book.error());
  chess::ChessConfig config;
  config.book = *book;
  config.rules.push_back({"modifiers"});
  config.fen = chess::find_layout("classic")->fen;
  const auto game = chess::ChessGame::open(std::move(config));
  if (!game) return refused(game.error());
  play(**game, decisions, 3);
}

// One list of house rules a line, each for a game of its own. A list that was there already would
// play the same game again: of three hundred empty lines one is played.
void run_rules(std::string_view text) {
  std::istringstream lines{std::string{text}};
  std::set<std::string> played;
  for (std::string line; std::getline(lines, line);) {
    if (!played.insert(line).second) continue;
    OpenOptions options;
    std::istringstream list{line};
    for (std::string rule; std::getline(list, rule, ',');) options.rules.push_back(rule);
    const Opened game = chess::open_chess(options);
    if (game) {
      play(**game, decisions, 5);
    } else if (!game.error().diagnostics.has_errors()) {
      broken("a game that does not open says why");
    }
  }
}

std::vector<std::string> rules_seeds() {
  std::vector<std::string> out;
  std::string all;
  const auto game = chess::open_chess({});
  for (const OfferedRule& rule : (*game)->offered_rules()) {
    out.push_back(rule.id + ":white@3\n");
    all += rule.id + ",";
  }
  out.push_back(all);
  return out;
}

}  // namespace parlor::fuzz
