// {macro: lines, args: {e: [[a, b, c], …], …}}: a hand-made board, given by its lines.
#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>

#include "spec/expand/boards.h"
#include "spec/expand/build.h"

namespace parlor::spec {
namespace {

class LineBoard {
 public:
  LineBoard(Expander& expander, const Node& item, std::string path)
      : expander_(expander), item_(item), path_(std::move(path)) {}

  void make(std::vector<Node>& out) {
    if (!read()) return;
    const Build build{{item_.origin.place, expander_.report.source().add_expansion(
                                               {ExpansionKind::board, "lines", item_.origin.place,
                                                item_.origin.place, item_.origin.expansion})}};
    for (const std::string& point : points_) out.push_back(zone(point, build));
  }

 private:
  bool fail(const Node& at, std::string message, std::string suggestion) {
    expander_.report.error(Code::BOARD_INVALID, at.origin, std::move(message), path_).suggestion =
        std::move(suggestion);
    return false;
  }
  bool read();
  enum class Ways { both, one };
  bool read_lines(const Node& lines, Ways ways);
  bool read_line(const std::string& direction, const Node& line, Ways ways);
  bool read_points();
  bool join(const std::string& from, const std::string& direction, const Node& to);
  std::string opposite(const std::string& direction) const;
  Node zone(const std::string& point, const Build& build) const;
  Node neighbour(const std::string& from, const std::string& to, const Build& build) const;

  Expander& expander_;
  const Node& item_;
  std::string path_;
  std::vector<std::string> points_;  // in the order they are named
  std::map<std::string, std::map<std::string, std::string>> links_;
  std::set<std::pair<std::string, std::string>> one_way_;
};

// As declared in `directions`, or of the compass; empty when there is none.
std::string LineBoard::opposite(const std::string& direction) const {
  if (const Node* declared = expander_.doc.find(Section::directions))
    for (const Node& each : declared->items)
      if (each.find_string("name") == direction)
        return std::string{each.find_string("opposite").value_or("")};
  static const std::map<std::string, std::string> compass{{"n", "s"},   {"s", "n"},   {"e", "w"},
                                                          {"w", "e"},   {"ne", "sw"}, {"sw", "ne"},
                                                          {"nw", "se"}, {"se", "nw"}};
  const auto found = compass.find(direction);
  return found == compass.end() ? "" : found->second;
}

bool LineBoard::join(const std::string& from, const std::string& direction, const Node& to) {
  const auto [link, is_new] = links_[from].try_emplace(direction, to.text);
  if (is_new || link->second == to.text) return true;
  return fail(to,
              fmt::format("from `{}` two lines lead {}: to `{}` and to `{}`", from, direction,
                          link->second, to.text),
              "a point has at most one neighbour in each direction");
}

bool LineBoard::read_line(const std::string& direction, const Node& line, Ways ways) {
  if (!line.is_list() || line.items.size() < 2 ||
      !std::ranges::all_of(line.items, [](const Node& point) { return point.is_string(); }))
    return fail(line, "a line is a list of two or more points", "write [a7, d7, g7]");
  const std::string back = ways == Ways::both ? opposite(direction) : "";
  for (std::size_t i = 0; i < line.items.size(); ++i) {
    const Node& point = line.items[i];
    if (std::ranges::find(points_, point.text) == points_.end()) points_.push_back(point.text);
    if (i == 0) continue;
    const Node& before = line.items[i - 1];
    if (!join(before.text, direction, point)) return false;
    if (ways == Ways::one) one_way_.emplace(before.text, point.text);
    if (!back.empty() && !join(point.text, back, before)) return false;
  }
  return true;
}

bool LineBoard::read() {
  constexpr std::string_view keys[] = {"macro", "args",       "zoneKind", "category", "attributes",
                                       "owner", "visibility", "ordering", "oneWay",   "points"};
  only_keys(item_, keys, "a board", path_, expander_.report);
  const Node* args = item_.find("args");
  if (args == nullptr || !args->is_map() || args->entries.empty())
    return fail(args != nullptr ? *args : item_, "the board `lines` needs lines by direction",
                "write args: {e: [[a7, d7, g7]], s: [[a7, a4, a1]]}");
  const Node* one_way = item_.find("oneWay");
  if (!read_lines(*args, Ways::both)) return false;
  if (one_way != nullptr && !read_lines(*one_way, Ways::one)) return false;
  return read_points();
}

bool LineBoard::read_lines(const Node& lines, Ways ways) {
  if (!lines.is_map())
    return fail(lines, "`oneWay` needs lines by direction", "write oneWay: {e: [[a7, d7]]}");
  for (const Entry& entry : lines.entries) {
    if (!entry.value.is_list())
      return fail(entry.value, fmt::format("`{}` needs a list of lines", entry.key),
                  "write [[a7, d7, g7], [b6, d6, f6]]");
    for (const Node& line : entry.value.items)
      if (!read_line(entry.key, line, ways)) return false;
  }
  return true;
}

// What is said of single points: {a7: {category: corner, attributes: {value: 2}}}.
bool LineBoard::read_points() {
  const Node* points = item_.find("points");
  if (points == nullptr) return true;
  if (!points->is_map()) return fail(*points, "`points` is a mapping by the names of points", "");
  constexpr std::string_view keys[] = {"category", "attributes"};
  for (const Entry& entry : points->entries) {
    if (std::ranges::find(points_, entry.key) == points_.end()) {
      Diagnostic& d = expander_.report.error(
          Code::BOARD_INVALID, {entry.key_place, points->origin.expansion},
          fmt::format("no line of the board has a point `{}`", entry.key), path_);
      d.alternatives = nearest(entry.key, points_);
      return false;
    }
    if (!entry.value.is_map())
      return fail(entry.value, fmt::format("what is said of `{}` must be a mapping", entry.key),
                  "write {category: corner, attributes: {value: 2}}");
    only_keys(entry.value, keys, "a point", path_, expander_.report);
  }
  return true;
}

// Neighbours are so both ways, unless only lines of `oneWay` lead there and nothing back.
Node LineBoard::neighbour(const std::string& from, const std::string& to,
                          const Build& build) const {
  Node out = build.map({{"to", build.text(to)}});
  const auto links = links_.find(to);
  const bool back =
      links != links_.end() &&
      std::ranges::any_of(links->second, [&](const auto& link) { return link.second == from; });
  if (!back && one_way_.contains({from, to})) out.set("direction", build.text("unidirectional"));
  return out;
}

Node LineBoard::zone(const std::string& point, const Build& build) const {
  Node out = build.map({{"id", build.text(point)}});
  constexpr std::pair<std::string_view, std::string_view> usual[] = {
      {"zoneKind", "board"}, {"owner", "none"}, {"visibility", "public"}, {"ordering", "set"}};
  for (const auto& [key, otherwise] : usual) {
    const Node* given = item_.find(key);
    out.set(key, given != nullptr ? *given : build.text(otherwise));
  }
  const Node* points = item_.find("points");
  const Node* own = points != nullptr ? points->find(point) : nullptr;
  if (const Node* given = own != nullptr && own->has("category") ? own : &item_;
      given->has("category"))
    out.set("category", *given->find("category"));
  // What the point has of its own is added to what all have.
  Node attributes = build.map({});
  for (const Node* given : {&item_, own})
    if (const Node* more = given != nullptr ? given->find("attributes") : nullptr)
      for (const Entry& entry : more->entries) attributes.set(entry.key, entry.value);
  if (!attributes.entries.empty()) out.set("attributes", std::move(attributes));
  Node directions = build.map({}), adjacent = build.list({});
  // Several lines may lead to the same neighbour, and from the end of a line with no way back none.
  std::set<std::string> neighbours;
  if (const auto links = links_.find(point); links != links_.end())
    for (const auto& [direction, to] : links->second) {
      directions.set(direction, build.text(to));
      if (neighbours.insert(to).second) adjacent.items.push_back(neighbour(point, to, build));
    }
  out.set("adjacentTo", std::move(adjacent));
  out.set("directions", std::move(directions));
  return out;
}

}  // namespace

void make_line_board(Expander& expander, const Node& item, std::string path,
                     std::vector<Node>& out) {
  LineBoard{expander, item, std::move(path)}.make(out);
}

}  // namespace parlor::spec
