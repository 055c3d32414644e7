// Rows of zones (`lineOf`) as operations on zone sets.
#include <algorithm>

#include "kernel/link/linker.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

namespace {

using Places = Table<ZoneId, int>;  // of each zone in a set that is laid out; -1: in none
using Board = Table<ZoneId, bool>;

// By how much a step in the direction changes the place, if it is the same everywhere; else -1.
int turn_of(const Program& p, const Places& places, std::size_t direction, int bits) {
  int turn = -1;
  for (const ZoneId z : p.zones.ids()) {
    const ZoneId to = p.zones[z].steps[direction];
    if (places[z] < 0 || to.is_none()) continue;
    if (places[to] < 0) return -1;
    const int here = (places[to] - places[z] + bits) % bits;
    if (turn >= 0 && turn != here) return -1;
    turn = here;
  }
  return turn;
}

// Zones one after the other by two of their numbers, row after row; nothing if they do not have
// them, or two zones have the same.
Places by_rows(const Program& p, const Board& board, std::size_t row, std::size_t column,
               int bits) {
  std::int64_t low[2] = {INT64_MAX, INT64_MAX}, high[2] = {INT64_MIN, INT64_MIN};
  for (const ZoneId z : board.ids())
    for (int k = 0; k < 2 && board[z]; ++k) {
      const Value n = p.attribute(z, k == 0 ? row : column);
      if (!n.is_int()) return {};
      low[k] = std::min(low[k], n.payload());
      high[k] = std::max(high[k], n.payload());
    }
  if (low[0] > high[0] || high[0] - low[0] >= bits || high[1] - low[1] >= bits) return {};
  const std::int64_t width = high[1] - low[1] + 1;
  if ((high[0] - low[0] + 1) * width > bits) return {};
  Places out(board.size(), -1);
  std::vector<bool> taken(bits);
  for (const ZoneId z : board.ids()) {
    if (!board[z]) continue;
    const std::int64_t at = (p.attribute(z, row).payload() - low[0]) * width +
                            p.attribute(z, column).payload() - low[1];
    if (taken[at]) return {};
    taken[at] = true;
    out[z] = at;
  }
  return out;
}

void add_place(std::vector<ShiftInfo::Group>& groups, int from, int to, int bits) {
  const int turn = (from - to + bits) % bits;  // what is at `from` comes to `to`
  auto group = std::ranges::find(groups, turn, &ShiftInfo::Group::turn);
  if (group == groups.end()) {
    groups.emplace_back().turn = turn;
    group = std::prev(groups.end());
  }
  put_zone(group->from, ZoneId(to));
}

std::vector<ShiftInfo::Group> groups_of(const Places& places, int bits) {
  std::vector<ShiftInfo::Group> out;
  for (const ZoneId z : places.ids())
    if (places[z] >= 0) add_place(out, z.value, places[z], bits);
  return out;
}

// Where zones lie so that each way is one turn, and as few turns as possible bring them there;
// nothing: that was not found.
Places lie_of(const Program& p, const Board& board, const LineTable& table, int bits) {
  Places best;
  std::size_t fewest = 0;
  for (std::size_t row = 0; row < p.attributes.size(); ++row)
    for (std::size_t column = 0; column < p.attributes.size(); ++column) {
      if (row == column) continue;
      Places places = by_rows(p, board, row, column, bits);
      if (places.empty() || !std::ranges::all_of(table.ways, [&](const LineTable::Way& way) {
            return turn_of(p, places, way.direction, bits) >= 0;
          }))
        continue;
      const std::size_t groups = groups_of(places, bits).size();
      if (!best.empty() && groups >= fewest) continue;
      best = std::move(places);
      fewest = groups;
    }
  return best;
}

// Where some way is several turns, all zones are first put where they lie, if that is less to do.
void lay_out(const Program& p, LineTable& table, const Board& board, int bits) {
  std::size_t groups = 0;
  for (const LineTable::Way& way : table.ways) groups += p.shifts[way.direction].groups.size();
  if (groups == table.ways.size()) return;
  const Places places = lie_of(p, board, table, bits);
  if (places.empty()) return;
  table.order = groups_of(places, bits);
  if (table.order.size() >= groups * (table.length - 1)) {
    table.order.clear();
    return;
  }
  for (LineTable::Way& way : table.ways) {
    way.turn = turn_of(p, places, way.direction, bits);
    std::uint64_t starts[most_words] = {};
    for (const ZoneId z : places.ids())
      if (places[z] >= 0 && has_zone(way.starts, z)) put_zone(starts, ZoneId(places[z]));
    std::ranges::copy(starts, way.starts);
  }
}

}  // namespace

// Rows of a fixed length along fixed directions.
NodeId Linker::plan_lines(NodeId set, NodeId length, NodeId along, std::uint32_t at) {
  const Node& size = p_.nodes[length];
  const Node& list = p_.nodes[along];
  if (size.op != Ex::constant || list.op != Ex::d_list) return NodeId::none();
  const Value n = p_.constants[size.a];
  if (!n.is_int() || n.payload() < 1 || n.payload() > 64) return NodeId::none();
  LineTable table;
  table.length = n.index();
  spec::ZonesQuery board;
  board.board_only = true;
  table.board = zone_set(board);
  std::vector<bool> done(p_.directions.size());
  for (const Value d : p_.lists[list.a]) {
    const int direction = d.index();
    if (done[direction]) continue;
    done[direction] = true;
    if (p_.opposite[direction] >= 0) done[p_.opposite[direction]] = true;
    LineTable::Way way;
    way.direction = direction;
    if (const auto& groups = p_.shifts[direction].groups; groups.size() == 1)
      way.turn = groups[0].turn;
    for (const ZoneId z : p_.zones.ids()) {
      ZoneId end = z;
      for (int k = 1; k < table.length && !end.is_none(); ++k) end = p_.zones[end].steps[direction];
      if (!end.is_none()) put_zone(way.starts, z);
    }
    table.ways.push_back(way);
  }
  Board counts(p_.zones.size());
  for (const ZoneId z : counts.ids()) counts[z] = p_.zones[z].kind == spec::ZoneKind::board;
  lay_out(p_, table, counts, 64 * p_.words);
  p_.lines.push_back(std::move(table));
  return add({.op = Ex::line_bits, .a = set, .b = length, .c = p_.lines.size() - 1, .place = at});
}

}  // namespace parlor::kernel
