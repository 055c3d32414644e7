#include "kernel/know/knowledge.h"

#include <bit>

#include "kernel/know/course.h"

namespace parlor::kernel {

namespace {

// What state/follows.h asks of a game.
struct Sights {
  const Memory& m;
  const Program& p = m.program();

  int viewers() const { return p.secrets.viewers; }
  int set_bytes() const { return p.secrets.set_bytes; }
  std::uint32_t mask_bytes() const { return p.layout.mask_bytes; }
  std::uint32_t bit_of(int viewer) const {
    if (p.players > 13) return Knowledge::bit_of(p, viewer);
    return 1u << (viewer < p.players ? viewer : p.players + 1);
  }
  std::uint32_t made() const { return m.header().tokens; }
  std::uint8_t* sight_bytes(TokenId t) const { return m.sight_bytes(t); }
  std::size_t token_bytes() const { return p.layout.token_size; }
  std::uint32_t sees(ZoneId z) const {
    return z.is_none() ? 0 : Memory::narrow(p.players, p.zones[z].sight);
  }
  int place_of(ZoneId z) const { return z.is_none() ? p.secrets.places - 1 : p.zones[z].place; }
  bool hides_count(ZoneId z) const { return p.zones[z].count_hidden; }
  template <class F>
  void each_zone_of(int place, F&& f) const {
    for (const ZoneId z : p.secrets.zones_of_place[place]) f(z);
  }
  const ZoneRecord& zone(ZoneId z) const { return m.zone(z); }
  const TokenRecord& token(TokenId t) const { return m.token(t); }
};

}  // namespace

std::uint32_t Knowledge::seen_by(TokenId t) const {
  return sight_of(m_.zone_of(t)) | Memory::widen(p_.players, m_.narrow_sight(t).shown);
}

void Knowledge::created(TokenId t, bool everybody) const {
  const ZoneId z = m_.zone_of(t);
  const std::uint32_t known = everybody && !in_cloud(z) ? ~std::uint32_t{0} : sight_of(z);
  for (std::size_t k = 0; k < p_.secrets.props.size(); ++k) m_.ranges(t)[k] = no_doubt;
  const Sights sights{m_};
  Follows<Sights>(sights, m_.mixed()).created(t, narrow(known));
  if (p_.secrets.course) Course(m_).created(t, known);
}

void Knowledge::moved(TokenId t, ZoneId from, Taken how, std::uint32_t pickers) const {
  const Sights sights{m_};
  const std::uint32_t follow =
      Follows<Sights>(sights, m_.mixed()).moved(t, from, how, narrow(pickers));
  if (p_.secrets.course)
    Course(m_).moved(t, from, m_.sight(t).known, Memory::widen(p_.players, follow));
}

bool Knowledge::can_follow_openly(ZoneId to) const {
  const Sights sights{m_};
  return !p_.secrets.course && Follows<Sights>(sights, m_.mixed()).is_open(to);
}

void Knowledge::moved_openly(ZoneId from, ZoneId to, int count) const {
  const Sights sights{m_};
  Follows<Sights>(sights, m_.mixed()).moved_openly(from, to, count);
}

void Knowledge::shuffled(ZoneId z) const {
  const Sights sights{m_};
  const std::uint32_t losers = Follows<Sights>(sights, m_.mixed()).shuffled(z);
  if (p_.secrets.course && losers != 0) Course(m_).shuffled(z, Memory::widen(p_.players, losers));
}

void Knowledge::revealed(TokenId t, std::uint32_t to) const {
  const TokenSight sight = m_.sight(t);
  const ZoneId z = m_.zone_of(t);
  const std::uint32_t news = to & ~sight.known;
  m_.write_sight(t, {sight.known | to, sight.shown | to});
  const Sights sights{m_};
  Follows<Sights> follows(sights, m_.mixed());
  for (int v = 0; v < p_.secrets.viewers; ++v)
    if ((news & bit_of(p_, v)) != 0) follows.put(t, v, place_of(z));
  follows.close_place(z, narrow(news));
  if (p_.secrets.course && news != 0) Course(m_).revealed(t, news);
}

void Knowledge::concealed(TokenId t, std::uint32_t from) const {
  const TokenSight sight = m_.sight(t);
  m_.write_sight(t, {sight.known, sight.shown & ~from});
}

void Knowledge::blurred(TokenId t, std::uint32_t knowers) const {
  const TokenSight sight = m_.sight(t);
  const std::uint32_t lost = sight.known & ~(seen_by(t) | knowers);
  m_.write_sight(t, {sight.known & ~lost, sight.shown});
  const Sights sights{m_};
  Follows<Sights> follows(sights, m_.mixed());
  for (int v = 0; v < p_.secrets.viewers; ++v)
    if ((lost & bit_of(p_, v)) != 0) follows.put_unknown(t, v, place_of(m_.zone_of(t)));
  if (p_.secrets.course && lost != 0) Course(m_).blurred(t, lost);
}

}  // namespace parlor::kernel
