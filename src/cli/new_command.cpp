#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>

#include "cli/command.h"

namespace parlor::cli {
namespace {

// A whole game on one page: small enough to understand at once, with a board, an action, a trigger
// for an idea and an end. @ID and @NAME are replaced.
constexpr std::string_view start_text = R"(# @NAME

Say here, for people, what the game is about and how it is played. Everything outside the blocks is prose.

This one is a start to change: two players take turns to claim a cell of a board of four by four. Each cell
that lies beside one of your own counts double. When the board is full, the most points win.

```yaml
metadata:
  id: @ID
  name: @NAME
  description: Claim cells beside your own.
  players: 2

constants: {size: 4}  # try: parlor play @ID.md --set size=6
seats: [red, blue]
```

## What there is

```yaml
zones:
  cell: grid(size, size)

tokenTypes: {stone: {owner: player}}
perPlayerVars: {points: 0..1000}
```

## What players do

A turn is one action. `$cell` is what the player chooses: any cell that is empty.

```yaml
turnStructure: {phases: {play: {actionDefaults: {afterEffects: end phase}}}}

actions:
  claim:
    params: {$cell: cells where empty}
    effects:
      - points += if mine-beside($cell) then 2 else 1
      - create stone in $cell with owner = active

conditionMacros: {mine-beside(zone cell): any tokens next to cell where owner == active}
```

## How it ends

```yaml
terminal:
  board-full: {when: no cells where empty, score: true}
  scoring: {method: highest, value: points}
```
)";

std::string title_of(const std::string& id) {
  std::string out = id;
  std::ranges::replace(out, '-', ' ');
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

int run_new(Context& context, const std::string& name) {
  std::filesystem::path path(name);
  if (path.extension() != ".md") path += ".md";
  const std::string id = path.stem().string();
  const bool plain =
      !id.empty() && id[0] >= 'a' && id[0] <= 'z' &&
      id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  if (!plain)
    return fail_usage(context,
                      fmt::format("`{}` cannot be the id of a game: use small letters, digits "
                                  "and `-`, as in `parlor new my-game`",
                                  id));
  if (std::filesystem::exists(path))
    return fail_usage(context,
                      fmt::format("{} is there already; nothing was written", path.string()));
  std::string game(start_text);
  replace_all(game, "@ID", id);
  replace_all(game, "@NAME", title_of(id));
  std::ofstream file(path);
  if (!(file << game) || !file.flush())
    return fail(context, Diagnostic{Code::FILE_NOT_FOUND, Severity::error,
                                    fmt::format("cannot write {}", path.string())});
  if (context.json) {
    print_json(context, {{"ok", true}, {"file", path.string()}, {"id", id}});
    return exit_fine;
  }
  context.out << fmt::format(
      "{0} is a game to start from. Next:\n"
      "  parlor play {0}     play it against a bot\n"
      "  parlor check {0}    after every change: mistakes, with the line and the probable fix\n"
      "  parlor eval {0}     let bots play it and say whether it is fair\n"
      "docs/tutorial.md builds a game from nothing, docs/language.md has every construct.\n",
      path.string());
  return exit_fine;
}

}  // namespace

CommandSpec new_command() {
  return {.name = "new",
          .summary = "Write a game to start from",
          .example = "parlor new my-game",
          .declare = [](CLI::App& app) -> Run {
            auto name = std::make_shared<std::string>();
            app.add_option("NAME", *name, "id of the game; NAME.md is written")->required();
            return [name](Context& context) { return run_new(context, *name); };
          }};
}

}  // namespace parlor::cli
