#include <cassert>

#include "chess/presets/presets.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace presets {

Preset describe(std::string id, std::string name, std::string category, std::string description) {
  Preset out;
  out.module.id = std::move(id);
  out.module.name = std::move(name);
  out.module.category = std::move(category);
  out.module.description = std::move(description);
  return out;
}

}  // namespace presets

namespace {

// Pairs that contradict each other. Named once here, declared on both sides.
constexpr std::array<std::pair<std::string_view, std::string_view>, 49> exclusions{{
    {"weak-dual-king", "dual-king"},
    {"weak-dual-king", "knightmate-rules"},
    {"weak-dual-king", "coregal"},
    {"suicide-chess", "knightmate-rules"},
    {"suicide-chess", "coregal"},
    {"suicide-chess", "dual-king"},
    {"suicide-chess", "weak-dual-king"},
    {"suicide-chess", "capture-all"},
    {"suicide-chess", "extinction-chess"},
    {"suicide-chess", "last-piece-standing"},
    {"suicide-chess", "capture-to-win"},
    {"suicide-chess", "piece-hp"},
    {"capture-all", "knightmate-rules"},
    {"capture-all", "coregal"},
    {"capture-all", "dual-king"},
    {"capture-all", "weak-dual-king"},
    {"capture-all", "last-piece-standing"},
    {"last-piece-standing", "knightmate-rules"},
    {"last-piece-standing", "coregal"},
    {"last-piece-standing", "dual-king"},
    {"last-piece-standing", "weak-dual-king"},
    {"double-move", "monster-rules"},
    {"berolina-pawns", "berolina-pawns-2"},
    {"bouncing-pieces", "bouncing-pieces-2"},
    {"knight-immunity", "knightmate-rules"},
    {"cannon", "knightmate-rules"},
    {"atomic", "knightmate-rules"},
    {"atomic", "coregal"},
    {"atomic", "dual-king"},
    {"atomic", "weak-dual-king"},
    {"atomic", "suicide-chess"},
    {"atomic", "capture-all"},
    {"atomic", "last-piece-standing"},
    {"atomic", "explosive-rook"},
    {"atomic", "queen-splits"},
    {"atomic", "racing-kings"},
    {"atomic", "piece-hp"},
    {"atomic", "piece-shield"},
    {"atomic", "berserker"},
    {"racing-kings", "suicide-chess"},
    {"racing-kings", "capture-all"},
    {"racing-kings", "last-piece-standing"},
    {"racing-kings", "three-check"},
    {"racing-kings", "berserker"},
    {"racing-kings", "piece-hp"},
    {"horde", "berolina-pawns"},
    {"horde", "berolina-pawns-2"},
    {"horde", "wrap-board"},
    {"crazyhouse", "suicide-chess"},
}};

Rulebook make_standard() {
  Rulebook book;
  std::vector<Preset> all;
  presets::royalty(all);
  presets::objectives(all);
  presets::turns(all);
  presets::movement(all);
  presets::damage(all);
  presets::variants(all);
  presets::pieces(book, all);
  presets::large_boards(book, all);
  all.push_back(presets::describe(std::string(room_for_rules), "House rules", "other",
                                  "Nothing by itself: other rules may be added while playing."));
  for (Preset& preset : all) {
    for (const auto& [one, two] : exclusions) {
      if (one == preset.module.id) preset.module.incompatible_with.emplace_back(two);
      if (two == preset.module.id) preset.module.incompatible_with.emplace_back(one);
    }
    [[maybe_unused]] const Diagnostics problems = book.add(std::move(preset));
    assert(problems.empty());
  }
  [[maybe_unused]] const Diagnostics problems = book.seal();
  assert(problems.empty());
  return book;
}

}  // namespace

const Rulebook& standard_rulebook() {
  static const Rulebook book = make_standard();
  return book;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
