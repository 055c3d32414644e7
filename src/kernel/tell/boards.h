// Where the zones of a board lie. The kernel itself knows only neighbours; for people a board has
// rows, columns, hexes or a map, found in this order: what the section `display` says, attributes
// row and col or q and r, names like squares (a1), else a lay-out of the neighbour graph.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "game/graph_layout.h"
#include "kernel/program/program.h"
#include "kernel/tell/display.h"

namespace parlor::kernel {

// Zones in rows and columns, as a terminal draws them.
struct Grid {
  enum class Kind { squares, hexes, named } kind = Kind::squares;
  std::map<std::int64_t, std::map<std::int64_t, ZoneId>> rows;
};
// Zones that know row and column, or q and r; or that are called like the squares of a chess board.
Grid find_grid(const Program& program);
// Squares with grooves between them (`display: {board: {gaps: true}}`): even rows and columns are
// squares.
bool has_gaps(const Program& program);
// What people call the cells of a board, empty where they have no such name. Squares are
// called as on a chess board, "a1" below on the left; hexes by column and row where all rows have
// the same columns, else by row and place in it ("C3"). What `display` calls a cell comes first.
Table<ZoneId, std::string> cell_names(const Program& program);

// A board as a page draws it; lengths in thousandths of a cell.
struct Cell {
  ZoneId zone = {};
  Point at;                       // its middle
  std::int64_t row = 0, col = 0;  // of squares; of hexes r and q
  std::string label;
};
struct DrawnBoard {
  enum class Shape { square, hex, points, graph } shape = Shape::square;
  std::string id;
  std::vector<Cell> cells;
  std::vector<std::pair<ZoneId, ZoneId>> edges;  // zones that a line joins
  std::vector<std::string> columns, rows;        // their names, where cells are squares
};
std::vector<DrawnBoard> drawn_boards(const Program& program);

}  // namespace parlor::kernel
