#include "kernel/tell/draw.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "kernel/know/observers.h"

namespace parlor::kernel {
namespace {

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t own = width_of(text);
  return own < width ? std::string(width - own, ' ') + text : text;
}

std::string centred(const std::string& text, std::size_t width) {
  const std::size_t own = width_of(text);
  if (own >= width) return text;
  const std::size_t before = (width - own) / 2;
  return std::string(before, ' ') + text + std::string(width - own - before, ' ');
}

void end_line(std::string& out) {
  out.resize(out.find_last_not_of(' ') + 1);
  out += '\n';
}

std::string cell_text(Machine& machine, const Wording& wording, const Eyes& eyes, ZoneId z) {
  // From the bottom to the top, those that look the same together with their number.
  if (!eyes.see_count(z)) return "?";
  std::vector<std::pair<std::string, int>> groups;
  for (TokenId t = machine.memory().last(z); !t.is_none(); t = machine.memory().previous(t)) {
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
    auto [text, count] = groups[i];
    if (i == 1) cell += '+';
    if (const std::size_t at = text.find("{count}"); at != std::string::npos) {
      cell += text.replace(at, 7, std::to_string(count));
      continue;
    }
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

void draw_squares(const Grid& board, const std::map<ZoneId, std::string>& cells, std::size_t widest,
                  std::string& out) {
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (const auto& [row, in_row] : board.rows) {
    first = std::min(first, in_row.begin()->first);
    last = std::max(last, in_row.rbegin()->first);
  }
  std::vector<std::int64_t> columns;
  for (std::int64_t c = first; c <= last; ++c) columns.push_back(c);
  const bool letters = board.kind == Grid::Kind::squares && last - first < 26 && last > first &&
                       board.rows.size() > 1;
  const bool numbers_need_room =
      board.kind == Grid::Kind::squares && !letters && widest == 1 && last > 9;
  const std::size_t wide = widest + (numbers_need_room ? 2 : 1);
  const std::int64_t bottom = board.rows.rbegin()->first;
  for (const auto& [row, in_row] : board.rows) {
    out += fmt::format("{:>3} ", board.kind == Grid::Kind::named ? -row
                                 : letters                       ? bottom - row + 1
                                                                 : row);
    for (const std::int64_t c : columns)
      out += padded(in_row.contains(c) ? cells.at(in_row.at(c)) : "", wide);
    end_line(out);
  }
  out += "    ";
  for (const std::int64_t c : columns)
    out += padded(board.kind == Grid::Kind::named ? std::string(1, static_cast<char>(c))
                  : letters ? std::string(1, static_cast<char>('a' + c - first))
                            : std::to_string(c),
                  wide);
  out += '\n';
}

// Squares with grooves between them, and what stands in a groove as a line.
void draw_gaps(const Grid& board, const std::map<ZoneId, std::string>& cells, std::string& out) {
  const std::int64_t bottom = board.rows.rbegin()->first;
  std::string letters = "    ";
  for (const auto& [row, in_row] : board.rows) {
    const bool groove = row % 2 != 0;
    out += groove ? "    " : fmt::format("{:>3} ", (bottom - row) / 2 + 1);
    for (const auto& [column, z] : in_row) {
      const bool taken = cells.at(z) != ".";
      const auto wall_at = [&](std::int64_t r, std::int64_t c) {
        const auto found = board.rows.find(r);
        if (found == board.rows.end()) return false;
        const auto cell = found->second.find(c);
        return cell != found->second.end() && cells.at(cell->second) != ".";
      };
      if (!groove && column % 2 == 0)
        out += centred(cells.at(z), 3);
      else if (groove && column % 2 == 0)
        out += taken ? "───" : "   ";
      else if (!groove)
        out += taken ? "│" : " ";
      else if (!taken)
        out += "·";
      else
        out += wall_at(row, column - 1) && wall_at(row, column + 1) ? "─" : "│";
      if (row == bottom)
        letters += column % 2 == 0 ? fmt::format(" {} ", static_cast<char>('a' + column / 2)) : " ";
    }
    end_line(out);
  }
  out += letters;
  end_line(out);
}

// A board whose cells lie where the game says: in the rows and columns they make, each row with
// the names of its cells over it.
bool draw_as_told(const Program& p, const Wording& wording,
                  const std::map<ZoneId, std::string>& cells, Table<ZoneId, bool>& drawn,
                  std::string& out) {
  constexpr std::size_t most_rows = 12, widest_page = 100;
  std::map<std::int64_t, std::map<std::int64_t, ZoneId>> rows;
  std::set<std::int64_t> columns;
  for (const DrawnBoard& board : drawn_boards(p))
    for (const Cell& cell : board.cells) {
      if (!rows[cell.at.y].emplace(cell.at.x, cell.zone).second) return false;
      columns.insert(cell.at.x);
    }
  std::map<std::int64_t, std::size_t> width;
  std::size_t wide = 0;
  const auto name = [&](ZoneId z) { return zone_label(p, wording, z); };
  for (const auto& [y, in_row] : rows)
    for (const auto& [x, z] : in_row)
      width[x] = std::max({width[x], width_of(name(z)), width_of(cells.at(z))});
  for (const auto& [x, w] : width) wide += w + 2;
  // A map is no table: most of its cells have a row of their own.
  if (rows.size() > most_rows || wide > widest_page || rows.size() * 2 > cells.size()) return false;
  for (const auto& [y, in_row] : rows)
    for (const bool names : {true, false}) {
      out += "  ";
      for (const std::int64_t x : columns) {
        const auto found = in_row.find(x);
        out += centred(found == in_row.end() ? ""
                       : names               ? name(found->second)
                                             : cells.at(found->second),
                       width[x] + 2);
      }
      end_line(out);
    }
  for (const auto& [z, text] : cells) drawn[z] = true;
  return true;
}

void draw_hexes(const Grid& board, const std::map<ZoneId, std::string>& cells, std::size_t widest,
                std::string& out) {
  std::int64_t first = INT64_MAX;
  std::size_t most = 0;
  for (const auto& [r, in_row] : board.rows) {
    first = std::min(first, in_row.begin()->first);
    most = std::max(most, in_row.size());
  }
  const std::size_t half = (widest + 2) / 2;
  const auto put = [&](std::string& line, std::int64_t column, const std::string& text) {
    const std::size_t at = 4 + (column - first) * half;
    if (width_of(line) < at) line.append(at - width_of(line), ' ');
    line += text;
  };
  // As cells are called (boards.h): a rhombus by columns and rows, other boards by rows and places.
  const auto& [top, in_top] = *board.rows.begin();
  const bool rhombus = std::ranges::all_of(board.rows, [&](const auto& row) {
    return row.second.size() == most && row.second.begin()->first - row.first == first - top;
  });
  if (rhombus && most <= 26) {
    std::string line;
    char letter = 'a';
    for (const auto& [c, z] : in_top) put(line, c, std::string(1, letter++));
    out += line + '\n';
  }
  std::int64_t number = 0;
  for (const auto& [r, in_row] : board.rows) {
    const bool letters = !rhombus && board.rows.size() <= 26;
    std::string line = letters ? fmt::format("  {} ", static_cast<char>('A' + number))
                               : fmt::format("{:>3} ", rhombus ? number + 1 : r);
    for (const auto& [c, z] : in_row) put(line, c, cells.at(z));
    out += line + '\n';
    ++number;
  }
  if (!rhombus && board.rows.size() <= 26)
    out += fmt::format("  cells: A1 to A{} from the left, and so on\n", in_top.size());
}

// What the letters mean, where several kinds of things lie on the board.
void add_legend(Machine& machine, const Wording& wording, const Eyes& eyes,
                const Table<ZoneId, bool>& drawn, std::string& out) {
  constexpr std::size_t most = 32, page = 78;
  const Program& p = machine.program();
  std::map<std::string, std::string> meaning;
  std::set<int> types;
  std::set<std::string> of_nobody;  // whose pieces are whose, colours tell
  for (const ZoneId z : p.zones.ids()) {
    if (!drawn[z]) continue;
    for (const TokenId t : machine.memory().tokens_in(z)) {
      if (!eyes.see(machine.memory(), t)) continue;
      const int type = machine.memory().token(t).type;
      const int owner = owner_property(p, type);
      const Value whose = owner < 0 ? Value{} : machine.memory().prop(t, owner);
      std::string text = token_label(machine, wording, t, true);
      if (whose.is_int() && whose.payload() >= 0 && whose.payload() < p.players)
        text =
            fmt::format("{} of {}", label(wording, p.types[type].id), seat_label(p, whose.index()));
      else
        of_nobody.insert(text);
      types.insert(type);
      std::string glyph = token_glyph(machine, wording, t);
      if (glyph.find("{count}") != std::string::npos) continue;  // a number explains itself
      // A piece that is called by what it looks like is what its type is.
      if (glyph == text) text = label(wording, p.types[type].id);
      meaning.emplace(std::move(glyph), std::move(text));
    }
  }
  if (meaning.empty() || (types.size() < 2 && of_nobody.empty()) || meaning.size() > most) return;
  std::string line = "  where";
  for (const auto& [glyph, text] : meaning) {
    const std::string item = fmt::format(" {} is {},", glyph, text);
    if (width_of(line) + width_of(item) > page) {
      out += line + '\n';
      line = "       ";
    }
    line += item;
  }
  line.back() = '\n';
  out += line;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
}

void add_list(std::string heading, const std::vector<std::string>& items,
              std::string_view separator, std::string& out) {
  constexpr std::size_t page = 78;  // columns
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

void add_words(const std::string& heading, std::string_view text, std::string& out) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  add_list(heading, words, "", out);
}

Table<ZoneId, bool> draw_board(Machine& machine, const Wording& wording, const Eyes& eyes,
                               std::string& out) {
  Table<ZoneId, bool> drawn(machine.program().zones.size());
  const Program& p = machine.program();
  std::size_t told = 0, of_boards = 0;
  std::map<ZoneId, std::string> there;
  for (const ZoneId z : p.zones.ids()) {
    const ZoneInfo& zone = p.zones[z];
    if (zone.internal || zone.kind != spec::ZoneKind::board || zone.owner >= 0) continue;
    const std::string base = zone.id.substr(0, zone.id.find(':'));
    ++of_boards;
    const spec::CellLook* look = display_of(p.def).cells.find(base);
    told += look != nullptr && !look->at.empty() ? 1 : 0;
    there[z] = cell_text(machine, wording, eyes, z);
  }
  if (told > 0 && told == of_boards && draw_as_told(p, wording, there, drawn, out))
    return add_legend(machine, wording, eyes, drawn, out), drawn;
  const Grid board = find_grid(p);
  // A picture far wider than any terminal shows less than a list of zones does.
  constexpr std::int64_t most_columns = 400, widest_line = 4'000;
  if (board.rows.empty() || columns_of(board) > most_columns) return drawn;
  std::map<ZoneId, std::string> cells;
  std::size_t widest = 1;
  for (const auto& [row, in_row] : board.rows)
    for (const auto& [column, z] : in_row) {
      cells[z] = cell_text(machine, wording, eyes, z);
      widest = std::max(widest, width_of(cells[z]));
    }
  const std::int64_t wide = widest;
  if (columns_of(board) * wide > widest_line) return drawn;
  for (const auto& [z, text] : cells) drawn[z] = true;
  if (board.kind == Grid::Kind::squares && has_gaps(p))
    draw_gaps(board, cells, out);
  else if (board.kind == Grid::Kind::hexes)
    draw_hexes(board, cells, widest, out);
  else
    draw_squares(board, cells, widest, out);
  if (!has_gaps(p)) add_legend(machine, wording, eyes, drawn, out);
  return drawn;
}

}  // namespace parlor::kernel
