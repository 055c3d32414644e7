#include "kernel/tell/boards.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace parlor::kernel {
namespace {

constexpr std::int64_t cell_width = 1000;
constexpr std::int64_t gap_step = 600;        // from a square to the groove beside it
constexpr std::int64_t furthest = 1'000'000;  // whatever numbers a game gives its cells
constexpr std::int64_t hex_row = 866;  // from one row of hexes to the next: half the root of 3

std::optional<std::int64_t> whole_attribute(const Program& p, ZoneId z, const char* name) {
  for (std::size_t a = 0; a < p.attributes.size(); ++a) {
    const Value v = p.attribute(z, a);
    if (p.attributes[a] == name && v.is_int()) return v.payload();
  }
  return std::nullopt;
}

// "a1" is column 0 of row 1.
std::optional<std::pair<std::int64_t, std::int64_t>> square_named(const std::string& zone) {
  const std::string name = zone.substr(0, zone.find(':'));
  if (name.size() < 2 || name.size() > 3 || name[0] < 'a' || name[0] > 'z') return std::nullopt;
  if (name.find_first_not_of("0123456789", 1) != std::string::npos) return std::nullopt;
  return std::pair<std::int64_t, std::int64_t>{name[0] - 'a', std::stoll(name.substr(1))};
}

// Cells made together are called alike: "cell_3_4" and "cell_n2_0" belong to the board "cell".
std::string family(const std::string& zone) {
  std::string name = zone.substr(0, zone.find(':'));
  for (int part = 0; part < 2; ++part) {
    const auto mark = name.rfind('_');
    if (mark == std::string::npos ||
        name.find_first_not_of("n0123456789", mark + 1) != std::string::npos)
      break;
    name.resize(mark);
  }
  return name;
}

std::optional<Point> given_place(const Program& p, const ZoneInfo& zone) {
  const std::string base = zone.id.substr(0, zone.id.find(':'));
  const auto near = [](spec::Int length) { return std::abs(length) <= 1'000'000; };
  for (const std::string& name : {zone.id, base})
    if (const spec::CellLook* told = display_of(p.def).cells.find(name))
      if (const auto& at = told->at; at.size() == 2 && near(at[0]) && near(at[1]))
        return Point{at[0], at[1]};
  return std::nullopt;
}

// Zones of boards, by the board they belong to, in the order of zones.
using BoardZones = std::pair<std::string, std::vector<ZoneId>>;
std::vector<BoardZones> board_zones(const Program& p) {
  std::vector<BoardZones> out;
  const auto add = [&](const std::string& board, ZoneId zone) {
    auto found = std::ranges::find(out, board, &BoardZones::first);
    if (found == out.end()) found = out.insert(out.end(), {board, {}});
    found->second.push_back(zone);
  };
  for (const ZoneId z : p.zones.ids()) {
    const ZoneInfo& zone = p.zones[z];
    if (zone.internal) continue;
    const bool squares = whole_attribute(p, z, "row") && whole_attribute(p, z, "col");
    const bool hexes = whole_attribute(p, z, "q") && whole_attribute(p, z, "r");
    if (squares || hexes)
      add(family(zone.id), z);
    else if (zone.kind == spec::ZoneKind::board && zone.owner < 0)
      add("main", z);
  }
  return out;
}

// "a" to "z".
std::string letter(std::int64_t number, char first = 'a') {
  return std::string(1, static_cast<char>(first + number));
}
constexpr std::int64_t most_letters = 26;

void put_squares(const Program& p, DrawnBoard& board) {
  std::int64_t first_row = INT64_MAX, last_row = INT64_MIN, first = INT64_MAX, last = INT64_MIN;
  for (Cell& cell : board.cells) {
    const ZoneId z = cell.zone;
    cell.row = *whole_attribute(p, z, "row");
    cell.col = *whole_attribute(p, z, "col");
    cell.label = fmt::format("{},{}", cell.row, cell.col);
    first_row = std::min(first_row, cell.row), last_row = std::max(last_row, cell.row);
    first = std::min(first, cell.col), last = std::max(last, cell.col);
  }
  for (Cell& cell : board.cells)
    cell.at = {std::min(cell.col - first, furthest) * cell_width,
               std::min(cell.row - first_row, furthest) * cell_width};
  if (has_gaps(p)) {
    for (Cell& cell : board.cells)
      cell.at = {(cell.col - first) * gap_step, (cell.row - first_row) * gap_step};
    return;
  }
  constexpr std::int64_t most_names = 100;
  if (last - first > most_names || last_row - first_row > most_names) return;
  const bool letters = last - first < most_letters;
  for (std::int64_t c = first; c <= last; ++c)
    board.columns.push_back(letters ? letter(c - first) : std::to_string(c));
  for (std::int64_t r = first_row; r <= last_row; ++r)
    board.rows.push_back(std::to_string(letters ? last_row - r + 1 : r));
  for (Cell& cell : board.cells)
    if (letters) cell.label = letter(cell.col - first) + std::to_string(last_row - cell.row + 1);
}

void put_hexes(const Program& p, DrawnBoard& board) {
  board.shape = DrawnBoard::Shape::hex;
  Point least{INT64_MAX, INT64_MAX};
  for (Cell& cell : board.cells) {
    const ZoneId z = cell.zone;
    cell.col = std::clamp(*whole_attribute(p, z, "q"), -furthest, furthest);
    cell.row = std::clamp(*whole_attribute(p, z, "r"), -furthest, furthest);
    cell.label = fmt::format("{},{}", cell.col, cell.row);
    cell.at = {cell.col * cell_width + cell.row * cell_width / 2, cell.row * hex_row};
    least = {std::min(least.x, cell.at.x), std::min(least.y, cell.at.y)};
  }
  for (Cell& cell : board.cells) cell.at = {cell.at.x - least.x, cell.at.y - least.y};
}

// Squares by their names; where some are missing, points joined by lines.
void put_named(const Program& p, DrawnBoard& board) {
  std::int64_t top = 0, left = INT64_MAX;
  std::set<std::int64_t> columns, rows;
  for (Cell& cell : board.cells) {
    const auto [column, row] = *square_named(p.zones[cell.zone].id);
    cell.col = column, cell.row = row;
    top = std::max(top, row), left = std::min(left, column);
    columns.insert(column), rows.insert(row);
  }
  for (Cell& cell : board.cells)
    cell.at = {(cell.col - left) * cell_width, (top - cell.row) * cell_width};
  if (board.cells.size() < columns.size() * rows.size()) board.shape = DrawnBoard::Shape::points;
  for (const std::int64_t c : columns) board.columns.emplace_back(1, static_cast<char>('a' + c));
  for (auto r = rows.rbegin(); r != rows.rend(); ++r) board.rows.push_back(std::to_string(*r));
}

void put_graph(const Program& p, DrawnBoard& board) {
  board.shape = DrawnBoard::Shape::graph;
  std::map<ZoneId, int> number;
  for (const Cell& cell : board.cells) number.emplace(cell.zone, number.size());
  std::vector<std::vector<int>> neighbours(board.cells.size());
  for (std::size_t i = 0; i < board.cells.size(); ++i)
    for (const ZoneId next : p.zones[board.cells[i].zone].neighbours)
      if (const auto found = number.find(next); found != number.end())
        neighbours[i].push_back(found->second);
  constexpr std::size_t most_nodes = 1024;  // a picture of more shows nothing
  if (neighbours.size() > most_nodes) return;
  const std::vector<Point> places = lay_out_graph(neighbours);
  for (std::size_t i = 0; i < board.cells.size(); ++i)
    board.cells[i].at = {places[i].x * 2, places[i].y * 2};
}

void join_neighbours(const Program& p, DrawnBoard& board) {
  std::set<ZoneId> own;
  for (const Cell& cell : board.cells) own.insert(cell.zone);
  for (const Cell& cell : board.cells)
    for (const ZoneId next : p.zones[cell.zone].neighbours)
      if (next > cell.zone && own.contains(next)) board.edges.emplace_back(cell.zone, next);
}

// What the game says about single cells has the last word.
void put_as_told(const Program& p, DrawnBoard& board) {
  std::size_t told = 0;
  for (Cell& cell : board.cells)
    if (const auto at = given_place(p, p.zones[cell.zone])) {
      cell.at = *at;
      ++told;
    }
  if (told == 0) return;
  if (board.shape != DrawnBoard::Shape::graph) board.shape = DrawnBoard::Shape::points;
  board.columns.clear();
  board.rows.clear();
}

DrawnBoard lay_out_board(const Program& p, const std::string& id,
                         const std::vector<ZoneId>& zones) {
  DrawnBoard board;
  board.id = id;
  bool squares = true, hexes = true, named = true, told = true;
  for (const ZoneId z : zones) {
    Cell cell;
    cell.zone = z;
    cell.label = p.zones[z].id.substr(0, p.zones[z].id.find(':'));
    board.cells.push_back(std::move(cell));
    squares = squares && whole_attribute(p, z, "row") && whole_attribute(p, z, "col");
    hexes = hexes && whole_attribute(p, z, "q") && whole_attribute(p, z, "r");
    named = named && square_named(p.zones[z].id);
    told = told && given_place(p, p.zones[z]);
  }
  if (squares)
    put_squares(p, board);
  else if (hexes)
    put_hexes(p, board);
  else if (named)
    put_named(p, board);
  else if (told)
    board.shape = DrawnBoard::Shape::graph;
  else
    put_graph(p, board);
  put_as_told(p, board);
  const bool lines = display_of(p.def).board.lines.value_or(true);
  if (lines && !squares && !hexes && board.shape != DrawnBoard::Shape::square)
    join_neighbours(p, board);
  return board;
}

}  // namespace

Grid find_grid(const Program& p) {
  Grid board;
  for (const ZoneId z : p.zones.ids()) {
    const auto row = whole_attribute(p, z, "row"), column = whole_attribute(p, z, "col");
    const auto q = whole_attribute(p, z, "q"), r = whole_attribute(p, z, "r");
    if (row && column) board.rows[*row][*column] = z;
    if (row && column) continue;
    if (!q || !r) continue;
    board.kind = Grid::Kind::hexes;
    board.rows[*r][2 * *q + *r] = z;
  }
  if (!board.rows.empty()) return board;
  for (const ZoneId z : p.zones.ids()) {
    if (p.zones[z].kind != spec::ZoneKind::board) continue;
    const auto square = square_named(p.zones[z].id);
    if (!square) return {};
    board.rows[-square->second]['a' + square->first] = z;
  }
  board.kind = Grid::Kind::named;
  return board;
}

bool has_gaps(const Program& program) {
  return display_of(program.def).board.gaps.value_or(false);
}

namespace {

void name_squares(const Grid& grid, bool gaps, Table<ZoneId, std::string>& out) {
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (const auto& [row, in_row] : grid.rows) {
    first = std::min(first, in_row.begin()->first);
    last = std::max(last, in_row.rbegin()->first);
  }
  const std::int64_t bottom = grid.rows.rbegin()->first, step = gaps ? 2 : 1;
  if (last == first || bottom == grid.rows.begin()->first || (last - first) / step >= most_letters)
    return;
  for (const auto& [row, in_row] : grid.rows)
    for (const auto& [column, zone] : in_row)
      out[zone] = letter((column - first) / step) + std::to_string((bottom - row) / step + 1);
}

void name_hexes(const Grid& grid, Table<ZoneId, std::string>& out) {
  const std::size_t width = grid.rows.begin()->second.size();
  const bool rhombus = std::ranges::all_of(grid.rows, [&](const auto& row) {
    return row.second.size() == width &&
           row.second.begin()->first - row.first ==
               grid.rows.begin()->second.begin()->first - grid.rows.begin()->first;
  });
  if (std::cmp_greater(std::max(width, grid.rows.size()), most_letters)) return;
  std::int64_t number = 0;
  for (const auto& [row, in_row] : grid.rows) {
    std::int64_t place = 0;
    for (const auto& [column, zone] : in_row) {
      out[zone] = rhombus ? letter(place) + std::to_string(number + 1)
                          : letter(number, 'A') + std::to_string(place + 1);
      ++place;
    }
    ++number;
  }
}

}  // namespace

Table<ZoneId, std::string> cell_names(const Program& p) {
  Table<ZoneId, std::string> out(p.zones.size());
  const Grid grid = find_grid(p);
  std::size_t drawn = 0, known = 0;
  for (const auto& [row, in_row] : grid.rows) drawn += in_row.size();
  for (const ZoneId z : p.zones.ids())
    known += (whole_attribute(p, z, "row") && whole_attribute(p, z, "col")) ||
             (whole_attribute(p, z, "q") && whole_attribute(p, z, "r"));
  // Where two boards lie over each other a name would mean two cells.
  if (drawn == known && drawn > 0) {
    if (grid.kind == Grid::Kind::squares) name_squares(grid, has_gaps(p), out);
    if (grid.kind == Grid::Kind::hexes) name_hexes(grid, out);
  }
  for (const ZoneId z : p.zones.ids()) {
    const std::string base = p.zones[z].id.substr(0, p.zones[z].id.find(':'));
    for (const std::string& id : {base, p.zones[z].id})
      if (const spec::CellLook* told = display_of(p.def).cells.find(id);
          told != nullptr && !told->label.empty())
        out[z] = told->label;
  }
  return out;
}

std::vector<DrawnBoard> drawn_boards(const Program& program) {
  std::vector<DrawnBoard> out;
  for (const auto& [id, zones] : board_zones(program))
    out.push_back(lay_out_board(program, id, zones));
  return out;
}

}  // namespace parlor::kernel
