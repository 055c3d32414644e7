// A state and its options as text, for people at a terminal.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "kernel/kernel.h"
#include "kernel/run/machine.h"
#include "kernel/tell/boards.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {
namespace {

constexpr std::size_t page = 78;  // columns

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t own = width_of(text);
  return own < width ? std::string(width - own, ' ') + text : text;
}

void end_line(std::string& out) {
  out.resize(out.find_last_not_of(' ') + 1);
  out += '\n';
}

// ---- Boards

std::string cell_text(Machine& machine, const Wording& wording, const Eyes& eyes, int z) {
  // From the bottom to the top, those that look the same together with their number.
  if (!eyes.see_count(z)) return "?";
  std::vector<std::pair<std::string, int>> groups;
  for (int t = machine.memory().last(z); t >= 0; t = machine.memory().previous(t)) {
    const std::string text = eyes.see(machine.memory(), t) ? token_glyph(machine, wording, t) : "?";
    const auto same = std::ranges::find(groups, text, &std::pair<std::string, int>::first);
    if (same == groups.end())
      groups.emplace_back(text, 1);
    else
      ++same->second;
  }
  if (groups.empty()) return ".";
  std::string cell;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& [text, count] = groups[i];
    if (i == 1) cell += '+';
    const bool letter = width_of(text) == 1;
    if (i > 1 && !letter) cell += '+';
    cell += text;
    if (count == 1) continue;
    // On a tile a few pieces stand side by side; after a digit a number would be read with it.
    const bool digit = text.back() >= '0' && text.back() <= '9';
    if (i > 0 && letter && count <= 3)
      for (int k = 1; k < count; ++k) cell += text;
    else
      cell += (digit ? "×" : "") + std::to_string(count);
  }
  return cell;
}

// How many columns a drawing has; hexes lie half a column apart.
std::int64_t columns_of(const Grid& board) {
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (const auto& [row, in_row] : board.rows) {
    first = std::min(first, in_row.begin()->first);
    last = std::max(last, in_row.rbegin()->first);
  }
  return last - first + 1;
}

void draw_squares(const Grid& board, const std::map<int, std::string>& cells, std::size_t widest,
                  std::string& out) {
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (const auto& [row, in_row] : board.rows) {
    first = std::min(first, in_row.begin()->first);
    last = std::max(last, in_row.rbegin()->first);
  }
  std::vector<std::int64_t> columns;
  for (std::int64_t c = first; c <= last; ++c) columns.push_back(c);
  const bool numbers_need_room = board.kind == Grid::Kind::squares && widest == 1 && last > 9;
  const std::size_t wide = widest + (numbers_need_room ? 2 : 1);
  for (const auto& [row, in_row] : board.rows) {
    out += fmt::format("{:>3} ", board.kind == Grid::Kind::named ? -row : row);
    for (const std::int64_t c : columns)
      out += padded(in_row.contains(c) ? cells.at(in_row.at(c)) : "", wide);
    end_line(out);
  }
  out += "    ";
  for (const std::int64_t c : columns)
    out += padded(
        board.kind == Grid::Kind::named ? std::string(1, static_cast<char>(c)) : std::to_string(c),
        wide);
  out += '\n';
}

void draw_hexes(const Grid& board, const std::map<int, std::string>& cells, std::size_t widest,
                std::string& out) {
  std::int64_t first = INT64_MAX;
  std::size_t most = 0;
  for (const auto& [r, in_row] : board.rows) {
    first = std::min(first, in_row.begin()->first);
    most = std::max(most, in_row.size());
  }
  const std::size_t half = (widest + 2) / 2;
  const auto put = [&](std::string& line, std::int64_t column, const std::string& text) {
    const std::size_t at = 4 + static_cast<std::size_t>(column - first) * half;
    if (width_of(line) < at) line.append(at - width_of(line), ' ');
    line += text;
  };
  // Where the first row has every column, their numbers stand over it.
  const auto& [top, in_top] = *board.rows.begin();
  if (in_top.size() == most && in_top.begin()->first == first) {
    std::string line;
    for (const auto& [c, z] : in_top) put(line, c, std::to_string((c - top) / 2));
    out += line + '\n';
  }
  for (const auto& [r, in_row] : board.rows) {
    std::string line = fmt::format("{:>3} ", r);
    for (const auto& [c, z] : in_row) put(line, c, cells.at(z));
    out += line + '\n';
  }
}

// Gives the zones that were drawn.
std::vector<bool> draw_board(Machine& machine, const Wording& wording, const Eyes& eyes,
                             std::string& out) {
  std::vector<bool> drawn(machine.program().zones.size());
  const Grid board = find_grid(machine.program());
  // A picture far wider than any terminal shows less than a list of zones does.
  constexpr std::int64_t most_columns = 400, widest_line = 4'000;
  if (board.rows.empty() || columns_of(board) > most_columns) return drawn;
  std::map<int, std::string> cells;
  std::size_t widest = 1;
  for (const auto& [row, in_row] : board.rows)
    for (const auto& [column, z] : in_row) {
      cells[z] = cell_text(machine, wording, eyes, z);
      widest = std::max(widest, width_of(cells[z]));
    }
  if (columns_of(board) * static_cast<std::int64_t>(widest) > widest_line) return drawn;
  for (const auto& [z, text] : cells) drawn[static_cast<std::size_t>(z)] = true;
  if (board.kind == Grid::Kind::hexes)
    draw_hexes(board, cells, widest, out);
  else
    draw_squares(board, cells, widest, out);
  return drawn;
}

// ---- Lists

// Words after a heading, with line breaks where a page ends.
void add_list(std::string heading, const std::vector<std::string>& items,
              std::string_view separator, std::string& out) {
  std::size_t column = width_of(heading);
  out += heading;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + std::string(i + 1 < items.size() ? separator : "");
    if (column + 1 + width_of(item) > page && i > 0) {
      out += "\n     ";
      column = 5;
    }
    out += ' ' + item;
    column += 1 + width_of(item);
  }
  out += '\n';
}

// The tokens of a zone that the viewer sees. Those that look the same stand together with their
// number; where order matters only neighbours do.
void list_zone(Machine& machine, const Wording& wording, const Eyes& eyes, int z,
               std::string& out) {
  constexpr std::size_t most = 24;
  const Program& p = machine.program();
  const bool any_order = p.zones[static_cast<std::size_t>(z)].ordering == spec::Ordering::set;
  std::vector<std::pair<std::string, int>> groups;
  const int count = machine.memory().zone(z).count;
  int shown = 0;
  for (int t = machine.memory().first(z); t >= 0; t = machine.memory().next(t)) {
    if (!eyes.see(machine.memory(), t)) continue;
    std::string text = token_label(machine, wording, t, false);
    auto same = any_order ? std::ranges::find(groups, text, &std::pair<std::string, int>::first)
                          : groups.end();
    if (!any_order && !groups.empty() && groups.back().first == text) same = groups.end() - 1;
    if (same == groups.end() && groups.size() == most) break;
    if (same == groups.end())
      groups.emplace_back(std::move(text), 1);
    else
      ++same->second;
    ++shown;
  }
  std::vector<std::string> items;
  bool words = false;
  for (const auto& [text, number] : groups) {
    items.push_back(number == 1 ? text : fmt::format("{} ×{}", text, number));
    words |= items.back().find(' ') != std::string::npos;
  }
  const bool counted = eyes.see_count(z);
  if (shown < count || !counted) items.push_back(shown == 0 ? "hidden" : "…");
  add_list(
      fmt::format("  {} ({}):", zone_label(p, wording, z), counted ? std::to_string(count) : "?"),
      items, words ? ";" : "", out);
}

void list_vars(const std::string& heading, const Wording& wording, const std::vector<VarInfo>& vars,
               auto read, auto sees, std::string& out) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < vars.size(); ++i) {
    if (!vars[i].material || wording.omit.contains(vars[i].name)) continue;
    if (!sees(static_cast<int>(i))) continue;
    const std::int64_t v = read(static_cast<int>(i));
    items.push_back(fmt::format("{}={}", label(wording, vars[i].name),
                                vars[i].boolean ? (v != 0 ? "yes" : "no") : std::to_string(v)));
  }
  if (!items.empty()) add_list(heading, items, "", out);
}

std::string heading(const Program& p, const Header& h, const Decision& decision,
                    const std::string& name) {
  std::string out = fmt::format("{}: turn {}, round {}", name, h.turn, h.round);
  if (p.phases.size() > 1)
    out += fmt::format(", phase {}", p.phases[static_cast<std::size_t>(h.phase)].id);
  if (decision.kind == DecisionKind::finished) return out + ", over\n";
  const bool chance = decision.kind == DecisionKind::chance;
  return out +
         fmt::format(", {} to act\n", chance ? "chance" : seat_label(p, decision.player.value));
}

}  // namespace

std::string KernelGame::describe(const StateBlock& block, const Viewer& viewer) const {
  const Program& p = *program_;
  const Wording& wording = *wording_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  const Eyes eyes(p, profiles_, viewer);
  const Memory& memory = machine.memory();
  std::string out = heading(p, machine.header(), decision_told(block, viewer), info_.name);
  const std::vector<bool> drawn = draw_board(machine, wording, eyes, out);
  for (int z = 0; z < p.zone_count; ++z) {
    const auto index = static_cast<std::size_t>(z);
    const std::string& id = p.zones[index].id;
    if (!drawn[index] && !p.zones[index].internal &&
        !wording.omit.contains(id.substr(0, id.rfind(':'))) &&
        (memory.zone(z).count != 0 || !eyes.see_count(z)))
      list_zone(machine, wording, eyes, z, out);
  }
  list_vars(
      "  game:", wording, p.gvars, [&](int v) { return memory.gvar(v); },
      [&](int v) { return eyes.see_gvar(v); }, out);
  for (int i = 0; i < p.players; ++i)
    list_vars(
        fmt::format("  {}:", seat_label(p, i)), wording, p.pvars,
        [&](int v) { return memory.pvar(i, v); }, [&](int v) { return eyes.see_pvar(i, v); }, out);
  out += markers_text(machine, wording);
  if (p.flow.cards) out += cards_text(machine, wording);
  if (p.simultaneous) out += describe_submissions(block, eyes);
  return out;
}

// Who has handed in a move, and one's own.
std::string KernelGame::describe_submissions(const StateBlock& block, const Eyes& eyes) const {
  std::vector<std::string> done;
  std::string own;
  for (const Json& entry : submissions_json(block, eyes)) {
    if (!entry["handedIn"].get<bool>()) continue;
    done.push_back(seat_label(*program_, entry["player"].get<int>()));
    if (entry["player"] == eyes.player() && entry.contains("move"))
      own = fmt::format("  your move: {}\n", canonical(entry["move"]));
  }
  std::string out;
  if (!done.empty()) add_list("  handed in:", done, ",", out);
  return out + own;
}

// `closed_too`: also what only the decider may know.
namespace {
const char* class_label(ActionClass action_class) {
  switch (action_class) {
    case ActionClass::limited_operation:
      return "limited";
    case ActionClass::operation_plus_special_activity:
      return "with special activity";
    case ActionClass::special_activity:
      return "special activity";
    case ActionClass::operation:
      return "operation";
    default:
      return "other";
  }
}
}  // namespace

std::string KernelGame::label_for(const StateBlock& block, Option option, const Eyes& eyes,
                                  bool closed_too) const {
  constexpr const char* secret = "something hidden";
  const Secrets& secrets = program_->secrets;
  StateBlock room;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(at_hand(block, room)));
  machine.set_asker(&eyes);
  const auto hides_count = [&](Value v) {
    return v.is_symbol() && v.payload() < program_->zone_count &&
           program_->zones[static_cast<std::size_t>(v.payload())].count_hidden;
  };
  if (block.as<Header>().decision != DecisionKind::action) {
    if (machine.is_confirm(option)) return label(*wording_, "confirm");
    const bool closed =
        secrets.any && secrets.closed_code[static_cast<std::size_t>(machine.top().pc)];
    if (closed && !closed_too) return secret;
    return kernel::value_label(machine, *wording_, machine.option_value(option));
  }
  std::string action;
  const Json params = machine.move_params(option, action);
  std::string out = label(*wording_, action);
  const auto info = std::ranges::find(program_->actions, action, &ActionInfo::id);
  const auto index = static_cast<std::size_t>(info - program_->actions.begin());
  if (static_cast<int>(index) == program_->flow.event_action) return event_label(out, params);
  for (std::size_t k = 0; k < info->params.size(); ++k) {
    const ParamInfo& param = info->params[k];
    if (!params.contains(param.name)) continue;
    const Json& v = params[param.name];
    out += ' ';
    const bool buried = v.is_string() && hides_count(machine.value_of_text(v.get<std::string>()));
    if (!closed_too && secrets.any &&
        (secrets.closed_params[index][k] || (secrets.buried_params[index][k] && buried)))
      out += secret;
    else if (v.is_object())
      out += place_label(*program_, *wording_, v);
    else if (param.kind == ItemKind::player && v.is_number_integer())
      out += seat_label(*program_, v.get<int>());
    else if (v.is_string())
      out += kernel::value_label(machine, *wording_, machine.value_of_text(v.get<std::string>()));
    else
      out += canonical(v);
  }
  const Machine::Variant variant = machine.variant_of(option);
  if (program_->flow.cards && variant.action_class != program_->flow.class_of[index])
    out += fmt::format(" ({})", class_label(variant.action_class));
  if (variant.grant == 0) return out;
  const std::string grant = machine.grant_told(static_cast<int>(index), variant);
  return out + (grant.empty() ? ", free" : ", free: " + grant);
}

// A card by its title; the side only where it has two.
std::string KernelGame::event_label(const std::string& action, const Json& params) const {
  for (const spec::EventDeckDef& deck : program_->def.event_decks)
    for (const spec::EventCardDef& card : deck.cards) {
      if (params.value("eventCardId", "") != card.id) continue;
      std::string out = action + " " + (card.title.empty() ? card.id : card.title);
      if (card.unshaded && card.shaded) out += ", " + params.value("side", "");
      if (params.contains("branch")) out += ": " + label(*wording_, params.value("branch", ""));
      return out;
    }
  return action;
}

std::string KernelGame::option_label(const StateBlock& block, Option option,
                                     const Viewer& viewer) const {
  return label_for(block, option, Eyes(*program_, profiles_, viewer), true);
}

std::string KernelGame::choice_told(const StateBlock& before, Option option,
                                    const StateBlock& after, const Viewer& viewer) const {
  Eyes eyes(*program_, profiles_, viewer);
  const Decision decision = this->decision(before);
  const bool own = eyes.see_all() || viewer.is(decision.player);
  if (!own && program_->simultaneous && !decision.player.is_none()) return "something hidden";
  const Memory later(*program_, readable(after));
  eyes.remember(later);
  return label_for(before, option, eyes, own);
}

std::string KernelGame::value_label(const StateBlock& block, const Json& value,
                                    const Viewer& viewer) const {
  if (!value.is_string()) return Game::value_label(block, value, viewer);
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  const Eyes eyes(*program_, profiles_, viewer);
  const Value v = machine.value_of_text(value.get<std::string>());
  if (v.is_token() && v.payload() < machine.header().tokens &&
      !eyes.see(machine.memory(), static_cast<int>(v.payload())))
    return "something hidden";
  return v.is_token() ? token_label(machine, *wording_, static_cast<int>(v.payload()), true)
                      : kernel::value_label(machine, *wording_, v);
}

std::string KernelGame::question(const StateBlock& block, const Viewer& viewer) const {
  const DecisionKind kind = block.as<Header>().decision;
  if (!viewer.sees_all() && !viewer.is(decision(block).player)) return {};
  if (kind != DecisionKind::choose_one && kind != DecisionKind::choose_n) return {};
  StateBlock room;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(at_hand(block, room)));
  const std::string* bound = machine.chosen_name();
  if (bound == nullptr) return {};
  std::string name = bound->substr(bound->starts_with('$') ? 1 : 0);
  if (name.starts_with("__macro_")) name.erase(0, name.rfind('_') + 1);  // see hygiene of macros
  name.resize(std::min(name.size(), name.find('{')));  // placeholders mean nothing to people
  while (!name.empty() && (name.back() == '_' || name.back() == '-' || name.back() == '@'))
    name.pop_back();
  return label(*wording_, name);
}

}  // namespace parlor::kernel
