// What viewers know follows the same way whether it is kept up at every step, spared where nothing
// can change, or put off until somebody asks (state/follows.h).
#include "kernel/state/follows.h"

#include <gtest/gtest.h>
#include <vector>

#include "base/rng.h"

namespace parlor::kernel {
namespace {

// A game of a few zones, some of which hide how much lies in them, by seats.
struct Room {
  struct Zone {
    std::uint32_t sees;  // by bit
    int place;           // -1: everybody sees it
    bool hides_count;
  };
  int viewers, mask_bytes;
  std::vector<Zone> zones;
  int places;

  std::size_t set_bytes() const { return (static_cast<std::size_t>(places) + 7) / 8; }
  std::size_t sight() const {
    const auto masks = static_cast<std::size_t>(mask_bytes);
    const std::size_t bytes = 2 * masks + static_cast<std::size_t>(viewers) * set_bytes();
    return (bytes + 3) / 4 * 4;  // whole cells, as in a state
  }
};

// Where tokens lie, and what is known of them.
struct Table {
  const Room& room;
  std::vector<std::vector<int>> lies = std::vector<std::vector<int>>(room.zones.size());
  std::vector<ZoneRecord> zone_records = std::vector<ZoneRecord>(room.zones.size());
  std::vector<TokenRecord> token_records = {};
  std::vector<std::uint8_t> sights = {};
  Mixed mixed = {};

  // Records of what lies where.
  void write_records() {
    for (std::size_t z = 0; z < lies.size(); ++z) {
      const auto& order = lies[z];
      const auto link = [&](std::size_t i) {
        return static_cast<std::uint16_t>(i < order.size() ? order[i] + 1 : 0);
      };
      zone_records[z] = {link(0), link(order.size() - 1), static_cast<std::uint16_t>(order.size())};
      for (std::size_t i = 0; i < order.size(); ++i)
        token_records[static_cast<std::size_t>(order[i])] = {link(i + 1), link(i - 1),
                                                             static_cast<std::int16_t>(z), 0};
    }
  }
  void put(int token, int zone) {
    for (auto& order : lies) std::erase(order, token);
    token_records[static_cast<std::size_t>(token)].zone = -1;
    if (zone >= 0)
      lies[static_cast<std::size_t>(zone)].insert(lies[static_cast<std::size_t>(zone)].begin(),
                                                  token);
    write_records();
  }
};

// What Follows asks.
struct Seen {
  Table& t;
  int viewers() const { return t.room.viewers; }
  int set_bytes() const { return static_cast<int>(t.room.set_bytes()); }
  std::uint32_t mask_bytes() const { return static_cast<std::uint32_t>(t.room.mask_bytes); }
  std::uint32_t bit_of(int viewer) const { return 1u << viewer; }
  std::uint32_t made() const { return static_cast<std::uint32_t>(t.token_records.size()); }
  std::uint8_t* sight_bytes(TokenId token) const {
    return t.sights.data() + token.index() * token_bytes();
  }
  std::size_t token_bytes() const { return t.room.sight(); }
  std::uint32_t sees(ZoneId z) const { return z.is_none() ? 0 : t.room.zones[z.index()].sees; }
  int place_of(ZoneId z) const {
    return z.is_none() ? t.room.places - 1 : t.room.zones[z.index()].place;
  }
  bool hides_count(ZoneId z) const { return t.room.zones[z.index()].hides_count; }
  template <class F>
  void each_zone_of(int place, F&& f) const {
    for (std::size_t z = 0; z < t.room.zones.size(); ++z)
      if (t.room.zones[z].place == place) f(ZoneId(static_cast<int>(z)));
  }
  const ZoneRecord& zone(ZoneId z) const { return t.zone_records[z.index()]; }
  const TokenRecord& token(TokenId k) const { return t.token_records[k.index()]; }
};

enum class Way { plainly, sparing, putting_off };

std::vector<TokenId> lying_in(const Table& t, int zone) {
  std::vector<TokenId> out;
  for (const int token : t.lies[static_cast<std::size_t>(zone)]) out.emplace_back(token);
  return out;
}

// Everything in one zone on top of an open one: in one go, or plainly one after the other.
void move_openly(Table& t, Follows<Seen>& follows, int from, int to, Way way) {
  const std::vector<TokenId> tokens = lying_in(t, from);
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
    t.put(token->value, to);
    if (way == Way::plainly) follows.moved(*token, ZoneId(from), Taken::by_place, 0);
  }
  if (way != Way::plainly && !tokens.empty())
    follows.moved_openly(ZoneId(from), ZoneId(to), static_cast<int>(tokens.size()));
}

// What everybody knows goes back into a pile, which is shuffled.
void gather(Table& t, Follows<Seen>& follows, int from, int to, Way way) {
  const std::vector<TokenId> tokens = lying_in(t, from);
  if (!follows.can_gather(ZoneId(from), tokens, ZoneId(to))) return;
  if (way != Way::plainly) follows.gathered(tokens, ZoneId(to));
  for (const TokenId token : tokens) {
    t.put(token.value, to);
    if (way == Way::plainly) follows.moved(token, ZoneId(from), Taken::by_place, 0);
  }
  if (way == Way::plainly)
    follows.shuffled(ZoneId(to));
  else
    follows.shuffled(ZoneId(to), lying_in(t, to));
}

// It is shown to these, for as long as it lies there.
void reveal(Table& t, Follows<Seen>& follows, TokenId token, std::uint32_t to) {
  const Seen seen{t};
  const ZoneId z(t.token_records[token.index()].zone);
  if (z.is_none() || seen.place_of(z) < 0) return;
  std::uint8_t* const sight = seen.sight_bytes(token);
  const std::uint32_t width = seen.mask_bytes(), known = read_mask(sight, width);
  write_mask(sight, width, known | to);
  write_mask(sight + width, width, read_mask(sight + width, width) | to);
  for (int v = 0; v < seen.viewers(); ++v)
    if ((to & ~known & seen.bit_of(v)) != 0) follows.put(token, v, seen.place_of(z));
  follows.close_place(z, to & ~known);
}

// One random step, the same for the same luck.
void take_step(Table& t, Rng& rng, Way way) {
  if (way == Way::plainly) t.mixed = {};
  t.mixed.puts_off = way == Way::putting_off;
  const Seen seen{t};
  Follows<Seen> follows(seen, t.mixed);
  const auto zones = static_cast<std::int64_t>(t.room.zones.size());
  const auto made = static_cast<std::int64_t>(t.token_records.size());
  const std::int64_t what = rng.between(0, 12);
  const int to = static_cast<int>(rng.between(what < 2 ? 0 : -1, zones - 1));
  const int other = static_cast<int>(rng.between(0, zones - 1));
  const auto everybody = (1u << t.room.viewers) - 1;
  const auto picks = static_cast<std::uint32_t>(rng.between(0, everybody));
  const Taken how = static_cast<Taken>(rng.between(0, 2));
  const int token = static_cast<int>(rng.between(0, std::max<std::int64_t>(made - 1, 0)));
  if (made == 0 || (what < 2 && made < 14)) {
    const int fresh = static_cast<int>(made);
    t.token_records.push_back({});
    t.sights.resize(t.sights.size() + t.room.sight());
    t.put(fresh, std::max(to, 0));
    const ZoneId z(std::max(to, 0));
    const bool hides = seen.hides_count(z);
    follows.created(TokenId(fresh), hides || picks % 2 == 0 ? seen.sees(z) : everybody);
  } else if (what == 9) {
    if (to >= 0) follows.shuffled(ZoneId(to));
  } else if (what == 10) {
    if (to >= 0 && to != other && follows.is_open(ZoneId(to)))
      move_openly(t, follows, other, to, way);
  } else if (what == 11) {
    if (to >= 0 && to != other) gather(t, follows, other, to, way);
  } else if (what == 12) {
    reveal(t, follows, TokenId(token), picks);
  } else if (const int from = t.token_records[static_cast<std::size_t>(token)].zone; from != to) {
    t.put(token, to);
    follows.moved(TokenId(token), ZoneId(from), how, picks);
  }
}

// Rooms for few and for many, so that what is known of a token is eight bytes, fewer and more.
std::vector<Room> rooms() {
  std::vector<Room> out;
  for (const int viewers : {2, 3, 6, 9})
    for (const int more : {0, 6}) {
      const auto everybody = (1u << viewers) - 1;
      Room room{viewers, viewers > 8 ? 2 : 1, {{everybody, -1, false}, {everybody, -1, false}}, 0};
      for (int v = 0; v < 2 + more && v < viewers; ++v)
        room.zones.push_back({1u << v, room.places++, false});
      room.zones.push_back({0, room.places++, false});
      room.zones.push_back({0, room.places, true});
      room.zones.push_back({0, room.places++, true});
      ++room.places;  // out of play
      out.push_back(room);
    }
  return out;
}

TEST(Follows, TheSameHoweverMuchIsSparedOrPutOff) {
  int steps = 0, mixed = 0;
  for (const Room& room : rooms())
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(testing::Message()
                   << room.viewers << " viewers, " << room.places << " places, seed " << seed);
      Table plain{room}, spared{room}, late{room};
      Rng luck(seed);
      for (int step = 0; step < 120; ++step, ++steps) {
        Rng a = luck, b = luck, c = luck;
        take_step(plain, a, Way::plainly);
        take_step(spared, b, Way::sparing);
        take_step(late, c, Way::putting_off);
        luck = a;
        mixed += late.mixed.put_off != 0;
        ASSERT_EQ(plain.sights, spared.sights) << "step " << step;
        if (step % 5 != 4) continue;
        const Seen seen{late};
        Follows<Seen>(seen, late.mixed).catch_up();
        ASSERT_EQ(plain.sights, late.sights) << "step " << step;
      }
    }
  EXPECT_GT(steps, 50'000);
  EXPECT_GT(mixed, steps / 20) << "something is put off often enough";
}

}  // namespace
}  // namespace parlor::kernel
