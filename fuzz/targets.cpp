#include "fuzz/targets.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "fuzz/play_targets.h"
#include "fuzz/text_targets.h"
#include "fuzz/wire_targets.h"

namespace parlor::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> none() {
  return {};
}

}  // namespace

std::span<const Target> targets() {
  static const std::vector<Target> all{
      {"game",
       "a game's text",
       run_game_text,
       none,
       {{"games", ".md"}, {"tests/spec/broken", ".md"}, {"fuzz", "base.md"}},
       40'000},
      {"sentence", "a rule written as text", run_sentence, sentence_seeds, {}, 2'000},
      {"module",
       "a module file",
       run_module,
       none,
       {{"games/coalition", ".rules.md"}, {"games", ".rules.md"}, {"fuzz", "module.md"}}},
      {"gamedef", "a compiled game", run_gamedef, gamedef_seeds, {}, 200'000},
      {"modifiers",
       "custom modifiers of chess",
       run_modifiers,
       none,
       {{"fuzz/modifiers", ".yaml"}}},
      {"rules", "lists of house rules", run_rules, rules_seeds, {}, 400},
      {"fen", "a chess position", run_fen, fen_seeds, {}, 200},
      {"pgn", "a chess game", run_pgn, pgn_seeds, {}, 6'000},
      {"uci", "commands to a chess engine", run_uci, uci_seeds, {}, 2'000},
      {"save", "a saved state", run_save, save_seeds, {}, 60'000},
      {"trace", "a trace", run_trace, trace_seeds, {}, 20'000},
      {"moves", "a list of moves", run_moves, moves_seeds, {}, 4'000},
      {"session", "a stored session", run_session, session_seeds, {}, 30'000},
      {"wire", "frames of a client", run_frames, frames_seeds, {}, 4'000},
      {"http", "a request to the server", run_http, http_seeds, {}, 2'000},
  };
  return all;
}

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  return found == targets().end() ? nullptr : &*found;
}

std::vector<std::string> starting_points(const Target& target) {
  std::vector<std::string> out = target.seeds();
  std::vector<fs::path> paths;
  const auto add = [&](const fs::path& folder, std::string_view ending) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator{folder, ignored})
      if (entry.is_regular_file() && entry.path().string().ends_with(ending))
        paths.push_back(entry.path());
  };
  for (const auto& [folder, ending] : target.files) add(fs::path{source_folder()} / folder, ending);
  add(fs::path{source_folder()} / "fuzz/corpus" / target.name, "");
  std::ranges::sort(paths);
  for (const fs::path& path : paths)
    if (auto text = read_file(path)) out.push_back(std::move(*text));
  return out;
}

std::string source_folder() {
  return PARLOR_SOURCE_DIR;
}

void broken(std::string_view promise, std::string_view details) {
  std::fprintf(stderr, "BROKEN PROMISE: %.*s\n%.*s\n", static_cast<int>(promise.size()),
               promise.data(), static_cast<int>(std::min<std::size_t>(details.size(), 4'000)),
               details.data());
  std::abort();
}

}  // namespace parlor::fuzz
