#include "spec/expand/boards.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <map>

namespace parlor::spec {
namespace {

struct Cell {
  std::int64_t x, y;  // col and row, or q and r
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

struct Direction {
  std::string_view name;
  std::int64_t dx, dy;
  bool diagonal;
};

// Row 0 is the north edge, so north is one row less.
constexpr std::array<Direction, 8> grid_directions{{{"n", 0, -1, false},
                                                    {"e", 1, 0, false},
                                                    {"s", 0, 1, false},
                                                    {"w", -1, 0, false},
                                                    {"ne", 1, -1, true},
                                                    {"se", 1, 1, true},
                                                    {"sw", -1, 1, true},
                                                    {"nw", -1, -1, true}}};
constexpr std::array<Direction, 6> hex_directions{{{"e", 1, 0, false},
                                                   {"ne", 1, -1, false},
                                                   {"nw", 0, -1, false},
                                                   {"w", -1, 0, false},
                                                   {"sw", -1, 1, false},
                                                   {"se", 0, 1, false}}};

enum class Wrap : std::uint8_t { none, rows, columns, both };

class Board {
 public:
  Board(Expander& expander, const Node& item, std::string path)
      : expander_(expander), item_(item), path_(std::move(path)) {}

  void make(std::vector<Node>& out) {
    if (!read()) return;
    expansion_ =
        expander_.report.source().add_expansion({ExpansionKind::board, kind_, item_.origin.place,
                                                 item_.origin.place, item_.origin.expansion});
    for (const Cell& cell : cells_) out.push_back(zone(cell));
  }

 private:
  bool fail(const Node& at, std::string message, std::string suggestion) {
    expander_.report.error(Code::BOARD_INVALID, at.origin, std::move(message), path_).suggestion =
        std::move(suggestion);
    return false;
  }

  bool read();
  bool read_kind();
  bool read_sizes(std::vector<std::int64_t>& sizes);
  bool read_wrap();
  bool lay_out(const std::vector<std::int64_t>& sizes);
  std::span<const Direction> directions() const;
  std::string id(const Cell& cell) const;
  const Cell* neighbour(const Cell& cell, const Direction& direction, Cell& found) const;
  Node zone(const Cell& cell) const;
  Node text(std::string value) const { return Node::of_string(std::move(value), origin()); }
  Origin origin() const { return {item_.origin.place, expansion_}; }

  Expander& expander_;
  const Node& item_;
  std::string path_;
  std::string kind_;  // grid or hex
  std::string prefix_;
  bool hexagon_ = false;
  bool diagonals_ = false;
  Wrap wrap_ = Wrap::none;
  std::int64_t columns_ = 0, rows_ = 0;
  std::vector<Cell> cells_;  // in order
  ExpansionIndex expansion_ = 0;
};

bool Board::read_kind() {
  const Node& name = *item_.find("macro");
  if (name.is("grid") || name.is("hex")) {
    kind_ = name.text;
    return true;
  }
  Diagnostic& d =
      expander_.report.error(Code::BOARD_UNKNOWN, name.origin,
                             fmt::format("there is no board {}",
                                         name.is_string() ? "`" + name.text + "`" : describe(name)),
                             path_ + ".macro");
  d.alternatives = did_you_mean(name.text, std::vector<std::string>{"grid", "hex", "lines"});
  d.suggestion = "the boards are `grid`, `hex` and `lines`";
  return false;
}

bool Board::read_sizes(std::vector<std::int64_t>& sizes) {
  const Node* args = item_.find("args");
  const std::size_t count = hexagon_ ? 1 : 2;
  const std::string example = hexagon_ ? "`hex(3)`, or `args: [3]`: the radius"
                                       : "`grid(8, 8)`, or `args: [8, 8]`: rows and columns";
  if (args == nullptr || !args->is_list() || args->items.size() != count)
    return fail(args != nullptr ? *args : item_,
                fmt::format("the board `{}` needs {} size{}", kind_, count, count == 1 ? "" : "s"),
                "write " + example);
  for (const Node& arg : args->items) {
    constexpr std::int64_t largest = 100'000;
    const auto size = arg.as_integer();
    if (!size || *size < (hexagon_ ? 0 : 1) || *size > largest)
      return fail(arg,
                  fmt::format("a board size must be a positive integer, not {}", describe(arg)),
                  "write " + example);
    sizes.push_back(*size);
  }
  return true;
}

bool Board::read_wrap() {
  const Node* wrap = item_.find("wrap");
  if (wrap == nullptr || wrap->is_null()) return true;
  if (hexagon_)
    return fail(*wrap, "a hexagon cannot wrap around", "use `shape: rhombus`, or leave `wrap` out");
  if (wrap->is_boolean())
    wrap_ = wrap->boolean ? Wrap::both : Wrap::none;
  else if (wrap->is("rows"))
    wrap_ = Wrap::rows;
  else if (wrap->is("columns"))
    wrap_ = Wrap::columns;
  else
    return fail(*wrap, fmt::format("`wrap` is {}", describe(*wrap)),
                "write `true`, `rows` (the north edge joins the south) or `columns`");
  return true;
}

bool Board::read() {
  if (!read_kind()) return false;
  constexpr std::array<std::string_view, 12> keys{
      "macro", "args",     "id",         "diagonals", "wrap",       "zoneKind",
      "shape", "category", "attributes", "owner",     "visibility", "ordering"};
  only_keys(item_, keys, "a board", path_, expander_.report);
  const Node* shape = item_.find("shape");
  if (shape != nullptr && (kind_ == "grid" || !(shape->is("rhombus") || shape->is("hexagon"))))
    return fail(*shape, fmt::format("`shape` is {}", describe(*shape)),
                "a hex board is `hexagon` (args: [radius]) or `rhombus` (args: [rows, columns])");
  hexagon_ = kind_ == "hex" && (shape == nullptr || shape->is("hexagon"));
  const Node* prefix = item_.find("id");
  prefix_ = prefix != nullptr && prefix->is_string() ? prefix->text
            : kind_ == "grid"                        ? "cell"
                                                     : "hex";
  const Node* diagonals = item_.find("diagonals");
  if (diagonals != nullptr && !diagonals->is_boolean())
    return fail(*diagonals, "`diagonals` must be true or false", "");
  diagonals_ = diagonals != nullptr && diagonals->boolean;
  std::vector<std::int64_t> sizes;
  return read_sizes(sizes) && read_wrap() && lay_out(sizes);
}

bool Board::lay_out(const std::vector<std::int64_t>& sizes) {
  const auto most = static_cast<std::int64_t>(expander_.limits.board_zones);
  const std::int64_t radius = sizes[0];
  const std::int64_t count =
      hexagon_ ? (radius > most ? most + 1 : 3 * radius * (radius + 1) + 1) : sizes[0] * sizes[1];
  if (count > most)
    return fail(*item_.find("args"), fmt::format("this board has more than {} cells", most),
                "choose a smaller size");
  // Every cell has what the board says about its zones, and its name stands in those around it.
  if (!take_nodes(expander_,
                  static_cast<std::size_t>(count) * (count_nodes(item_) + prefix_.size() / 16),
                  item_.origin, path_))
    return false;
  if (hexagon_) {
    for (std::int64_t q = -radius; q <= radius; ++q)
      for (std::int64_t r = std::max(-radius, -q - radius); r <= std::min(radius, -q + radius); ++r)
        cells_.push_back({q, r});
    return true;
  }
  rows_ = sizes[0];
  columns_ = sizes[1];
  for (std::int64_t y = 0; y < rows_; ++y)
    for (std::int64_t x = 0; x < columns_; ++x) cells_.push_back({x, y});
  return true;
}

std::span<const Direction> Board::directions() const {
  if (kind_ == "grid") return grid_directions;
  return hex_directions;
}

std::string Board::id(const Cell& cell) const {
  const auto number = [](std::int64_t n) {
    return n < 0 ? fmt::format("n{}", -n) : std::to_string(n);
  };
  // A grid counts rows first, a hex board q first.
  if (kind_ == "grid") return fmt::format("{}_{}_{}", prefix_, number(cell.y), number(cell.x));
  return fmt::format("{}_{}_{}", prefix_, number(cell.x), number(cell.y));
}

const Cell* Board::neighbour(const Cell& cell, const Direction& direction, Cell& found) const {
  found = {cell.x + direction.dx, cell.y + direction.dy};
  if (hexagon_) {
    const std::int64_t radius = -cells_.front().x;
    const std::int64_t z = -found.x - found.y;
    const bool inside =
        std::abs(found.x) <= radius && std::abs(found.y) <= radius && std::abs(z) <= radius;
    return inside ? &found : nullptr;
  }
  if (wrap_ == Wrap::columns || wrap_ == Wrap::both) found.x = (found.x + columns_) % columns_;
  if (wrap_ == Wrap::rows || wrap_ == Wrap::both) found.y = (found.y + rows_) % rows_;
  const bool inside = found.x >= 0 && found.x < columns_ && found.y >= 0 && found.y < rows_;
  return inside && found != cell ? &found : nullptr;
}

Node Board::zone(const Cell& cell) const {
  Node out = Node::of_map(origin());
  out.set("id", text(id(cell)));
  const auto copy_or = [&](std::string_view key, std::string_view otherwise) {
    const Node* given = item_.find(key);
    out.set(key, given != nullptr ? *given : text(std::string{otherwise}));
  };
  copy_or("zoneKind", "board");
  copy_or("owner", "none");
  copy_or("visibility", "public");
  copy_or("ordering", "set");
  if (const Node* category = item_.find("category")) out.set("category", *category);
  Node attributes = Node::of_map(origin());
  attributes.set(kind_ == "grid" ? "row" : "q",
                 Node::of_integer(kind_ == "grid" ? cell.y : cell.x, origin()));
  attributes.set(kind_ == "grid" ? "col" : "r",
                 Node::of_integer(kind_ == "grid" ? cell.x : cell.y, origin()));
  if (const Node* more = item_.find("attributes"); more != nullptr && more->is_map())
    for (const Entry& entry : more->entries) attributes.set(entry.key, entry.value);
  out.set("attributes", std::move(attributes));
  std::vector<std::string> neighbours;
  Node links = Node::of_map(origin());
  for (const Direction& direction : directions()) {
    Cell other{};
    if (neighbour(cell, direction, other) == nullptr) continue;
    const std::string target = id(other);
    links.set(direction.name, text(target));
    if (!direction.diagonal || diagonals_) neighbours.push_back(target);
  }
  std::ranges::sort(neighbours);
  const auto repeated = std::ranges::unique(neighbours);  // a narrow board that wraps around
  neighbours.erase(repeated.begin(), repeated.end());
  Node adjacent = Node::of_list(origin());
  for (std::string& target : neighbours) {
    Node edge = Node::of_map(origin());
    edge.set("to", text(std::move(target)));
    adjacent.items.push_back(std::move(edge));
  }
  out.set("adjacentTo", std::move(adjacent));
  out.set("directions", std::move(links));
  return out;
}

}  // namespace

void expand_boards(Expander& expander) {
  Node* zones = expander.doc.find(Section::zones);
  if (zones == nullptr) return;
  std::vector<Node> out;
  for (std::size_t i = 0; i < zones->items.size(); ++i) {
    Node& item = zones->items[i];
    const auto origin = item.origin;
    if (const Node* kind = item.find("macro"); kind != nullptr && kind->is("lines")) {
      make_line_board(expander, item, fmt::format("zones.{}", i), out);
    } else if (kind != nullptr) {
      Board{expander, item, fmt::format("zones.{}", i)}.make(out);
    } else {
      out.push_back(std::move(item));
    }
    if (out.size() <= expander.limits.board_zones) continue;
    expander.report
        .error(Code::LIMIT_ZONES, origin,
               fmt::format("the game has more than {} zones", expander.limits.board_zones),
               fmt::format("zones.{}", i))
        .suggestion = "use smaller boards";
    break;
  }
  zones->items = std::move(out);
}

}  // namespace parlor::spec
