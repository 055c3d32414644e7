// `chess` as the catalog opens it.
#include <fmt/core.h>

#include "chess/chess.h"
#include "chess/modifiers/descriptor.h"

namespace parlor::chess {
namespace {

// The set-up asked for, else the one the first rule that has a wish is meant for.
tl::expected<Layout, Diagnostic> choose_layout(const OpenOptions& options, const Rulebook& book,
                                               const std::vector<rules::Activation>& rules) {
  if (!options.layout.empty()) return find_layout(options.layout);
  for (const rules::Activation& rule : rules)
    if (const Preset* preset = book.find_preset(rule.id);
        preset != nullptr && !preset->layout.empty())
      return find_layout(preset->layout);
  return find_layout("classic");
}

// Modifiers are one more active preset. What was written is preferred to the data, because
// mistakes are shown there.
void add_modifiers(const Modifiers& given, ChessConfig& config, OpenFailure& failure) {
  const std::string text = given.text.empty() ? canonical_pretty(given.data) : given.text;
  const std::string name = given.file.empty() ? "modifiers" : given.file;
  failure.texts.add(name, text);
  auto book = modifiers::with_modifiers(standard_rulebook(), text, name);
  if (book) {
    config.book = *book;
    config.rules.push_back({"modifiers"});
  } else {
    failure.diagnostics.append(book.error());
  }
}

}  // namespace

Opened open_chess(const OpenOptions& options) {
  OpenFailure failure;
  Diagnostics& problems = failure.diagnostics;
  if (options.players != 0 && options.players != 2)
    problems.add({.code = Code::PLAYERS_UNSUPPORTED, .message = "chess is for two players"});
  for (const auto& [name, value] : options.constants)
    problems.add({.code = Code::CHESS_OPTION_UNUSED,
                  .message = fmt::format("chess has no constant `{}`", name)});
  if (!options.position.empty() && !options.layout.empty())
    problems.add(
        {.code = Code::CHESS_OPTION_UNUSED, .message = "give a position or a layout, not both"});

  ChessConfig config;
  const Rulebook& book = standard_rulebook();
  if (!options.modifiers.empty()) add_modifiers(options.modifiers, config, failure);
  for (const std::string& text : options.rules) {
    auto rule = rules::parse_activation(text, seat_names());
    if (rule)
      config.rules.push_back(std::move(*rule));
    else
      problems.add(std::move(rule.error()));
  }
  if (!options.position.empty()) {
    config.fen = options.position;
  } else {
    auto layout = choose_layout(options, book, config.rules);
    if (layout) {
      config.fen = layout->fen;
      if (options.rules.empty() && !layout->rules.empty()) config.rules.push_back({layout->rules});
    } else {
      problems.add(std::move(layout.error()));
    }
  }
  if (problems.has_errors()) return tl::unexpected(std::move(failure));
  auto game = ChessGame::open(std::move(config));
  if (game) return *game;
  failure.diagnostics = std::move(game.error());
  return tl::unexpected(std::move(failure));
}

void register_chess(Catalog& catalog) {
  catalog.add("chess",
              [](const std::string&, const OpenOptions& options) { return open_chess(options); });
}

}  // namespace parlor::chess
