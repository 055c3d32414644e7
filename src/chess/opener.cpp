// `chess` as the catalog opens it.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/core.h>

#include "chess/boards.h"
#include "chess/chess.h"
#include "chess/modifiers/descriptor.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

// The set-up asked for, else the one the first rule that has a wish is meant for.
tl::expected<Layout, Diagnostic> choose_layout(const OpenOptions& options, const Rulebook& book,
                                               const std::vector<rules::Activation>& rules) {
  if (!options.layout.empty()) return find_layout(options.layout);
  for (const rules::Activation& rule : rules)
    if (const Preset* preset = book.find_preset(rule.id);
        preset != nullptr && !preset->layout.empty())
      return find_layout(preset->layout);
  return named_layouts().front();
}

// Modifiers are one more rule, of this id. What was written is preferred to the data, because
// mistakes are shown there.
bool add_modifiers(const Modifiers& given, const std::string& id, ChessConfig& config,
                   OpenFailure& failure) {
  const std::string text = given.text.empty() ? canonical_pretty(given.data) : given.text;
  const std::string name = given.file.empty() ? id : given.file;
  failure.texts.add(name, text);
  auto book = modifiers::with_modifiers(config.book ? *config.book : standard_rulebook(), text,
                                        name, id, &config.hints.diagnostics);
  if (!book) {
    failure.diagnostics.append(book.error());
    return false;
  }
  config.book = *book;
  config.hints.texts.add(name, text);
  return true;
}

// Where the path ends in `queens.yaml:white@9`; 0 for something that is no path.
std::size_t path_length(std::string_view rule) {
  for (const std::string_view ending : {".yaml", ".yml", ".json"})
    if (const auto at = rule.rfind(ending);
        at != rule.npos && (at + ending.size() == rule.size() || rule[at + ending.size()] == ':' ||
                            rule[at + ending.size()] == '@'))
      return at + ending.size();
  return 0;
}

// What a rule given as a file is called: its name in small letters and dashes.
std::string id_of_file(const std::string& path) {
  std::string id;
  for (const char c : std::filesystem::path(path).stem().string()) {
    const char small = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool plain = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9');
    if (plain)
      id += small;
    else if (!id.empty() && id.back() != '-')
      id += '-';
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id.empty() ? "file" : id;
}

void add_rule(std::string text, const ModifierReader& read, ChessConfig& config,
              OpenFailure& failure) {
  if (const std::size_t length = path_length(text); length != 0 && read) {
    const std::string path = text.substr(0, length);
    const std::string id = id_of_file(path);
    auto file = read(path);
    if (!file) {
      failure.diagnostics.append(file.error().diagnostics);
      return;
    }
    if (!add_modifiers(*file, id, config, failure)) return;
    text = id + text.substr(length);
  }
  auto rule = rules::parse_activation(text, seat_names());
  if (rule)
    config.rules.push_back(std::move(*rule));
  else
    failure.diagnostics.add(std::move(rule.error()));
}

// The rules in their order. Those of --modifiers come where `modifiers` stands, else last.
void add_rules(const OpenOptions& options, const ModifierReader& read, ChessConfig& config,
               OpenFailure& failure) {
  bool placed = options.modifiers.empty();
  if (!placed) placed = !add_modifiers(options.modifiers, "modifiers", config, failure);
  for (const std::string& text : options.rules) {
    add_rule(text, read, config, failure);
    placed = placed || (!config.rules.empty() && config.rules.back().id == "modifiers");
  }
  if (!placed) config.rules.push_back({"modifiers"});
}

}  // namespace

Opened open_chess(const OpenOptions& options, const ModifierReader& read) {
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

  if constexpr (one_word)
    if (const BoardServices* other = other_board(options)) return other->open(options, read);

  ChessConfig config;
  const Rulebook& book = standard_rulebook();
  add_rules(options, read, config, failure);
  if (!options.position.empty()) {
    config.fen = options.position;
  } else {
    auto layout = choose_layout(options, book, config.rules);
    if (layout) {
      config.fen = layout->fen;
      const bool unruled = std::ranges::all_of(
          options.rules, [](const std::string& rule) { return rule == room_for_rules; });
      if (unruled && !layout->rules.empty()) config.rules.push_back({layout->rules});
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

void register_chess(Catalog& catalog, ModifierReader read) {
  catalog.add("chess", [read = std::move(read)](const std::string&, const OpenOptions& options) {
    return open_chess(options, read);
  });
}

}  // namespace parlor::chess::inline PARLOR_BOARD

namespace parlor::chess {

template <>
Opened open_on<board_files, board_ranks>(const OpenOptions& options, const ModifierReader& read) {
  return open_chess(options, read);
}

}  // namespace parlor::chess
