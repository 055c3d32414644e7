#include "kernel/know/knowledge.h"

#include <bit>

#include "kernel/know/course.h"

namespace parlor::kernel {

void Knowledge::put(int t, int viewer, int place) const {
  std::uint8_t* set = m_.places(t, viewer);
  std::memset(set, 0, static_cast<std::size_t>(p_.secrets.set_bytes));
  if (place >= 0) set[place >> 3] = static_cast<std::uint8_t>(1 << (place & 7));
}

std::uint32_t Knowledge::seen_by(int t) const {
  return sight_of(m_.token(t).zone) | m_.sight(t).shown;
}

void Knowledge::created(int t, bool everybody) const {
  const int z = m_.token(t).zone;
  TokenSight& sight = m_.sight(t);
  sight = {everybody && !in_cloud(z) ? ~std::uint32_t{0} : sight_of(z), 0};
  for (std::size_t k = 0; k < p_.secrets.props.size(); ++k) m_.ranges(t)[k] = no_doubt;
  for (int v = 0; v < p_.secrets.viewers; ++v) put(t, v, place_of(z));
  if (p_.secrets.course) Course(m_).created(t, sight.known);
}

void Knowledge::forget_order(int z, int viewer) const {
  const std::uint32_t bit = bit_of(p_, viewer);
  for (int u = m_.first(z); u >= 0; u = m_.next(u)) {
    TokenSight& sight = m_.sight(u);
    if ((sight.known & bit) == 0) continue;
    sight.known &= ~bit;
    sight.shown &= ~bit;
    put(u, viewer, place_of(z));
  }
}

// The places of every token this viewer does not know. Records of tokens lie one after the other,
// and this is asked for every card that moves: nothing is looked up twice.
template <class Body>
void Knowledge::each_unknown(int viewer, const Body& body) const {
  const std::uint32_t bit = bit_of(p_, viewer), tokens = m_.header().tokens;
  if (tokens == 0) return;
  auto* sight = reinterpret_cast<std::byte*>(&m_.sight(0));
  const auto places = reinterpret_cast<std::byte*>(m_.places(0, viewer)) - sight;
  const std::size_t size = p_.layout.token_size;
  for (std::uint32_t u = 0; u < tokens; ++u, sight += size)
    if ((reinterpret_cast<TokenSight*>(sight)->known & bit) == 0)
      body(reinterpret_cast<std::uint8_t*>(sight + places));
}

void Knowledge::spread(int viewer, int from, int to) const {
  if (from < 0 || to < 0 || from == to) return;
  each_unknown(viewer, [&](std::uint8_t* places) {
    if (((places[from >> 3] >> (from & 7)) & 1) != 0)
      places[to >> 3] |= static_cast<std::uint8_t>(1 << (to & 7));
  });
}

void Knowledge::close_place(int viewer, int z) const {
  const int place = place_of(z);
  if (place < 0 || z < 0) return;
  const std::uint32_t bit = bit_of(p_, viewer);
  if ((sight_of(z) & bit) != 0) return;
  for (const int zone : p_.secrets.zones_of_place[static_cast<std::size_t>(place)])
    for (int u = m_.first(zone); u >= 0; u = m_.next(u))
      if ((m_.sight(u).known & bit) == 0) return;
  each_unknown(viewer, [&](std::uint8_t* places) {
    places[place >> 3] &= static_cast<std::uint8_t>(~(1 << (place & 7)));
  });
}

void Knowledge::moved(int t, int from, Taken how, std::uint32_t pickers) const {
  const int to = m_.token(t).zone;
  TokenSight& sight = m_.sight(t);
  const std::uint32_t here = sight_of(from) | sight.shown, there = sight_of(to);
  sight.shown = 0;
  const int from_place = place_of(from), to_place = place_of(to);
  const bool was_alone = from >= 0 && !in_cloud(from) && m_.zone(from).count == 0;
  std::uint32_t follow = 0;
  for (int v = 0; v < p_.secrets.viewers; ++v) {
    const std::uint32_t bit = bit_of(p_, v);
    if ((there & bit) != 0) {  // whoever sees it arrive knows what has gone
      sight.known |= bit;
      put(t, v, to_place);
      close_place(v, from);
      continue;
    }
    const bool picked = (pickers & bit) != 0;
    const bool traced =
        (how != Taken::by_pick && !in_cloud(from)) || was_alone || picked || (here & bit) != 0;
    if (traced) follow |= bit;
    if (!traced && from >= 0) forget_order(from, v);
    if ((sight.known & bit) != 0 && !traced) {
      sight.known &= ~bit;
      put(t, v, from_place);
    }
    if ((sight.known & bit) != 0) {
      if (in_cloud(to) && !picked) sight.known &= ~bit;  // which of the zones, is not told
      put(t, v, to_place);
    } else {
      spread(v, from_place, to_place);
    }
    close_place(v, from);
  }
  if (p_.secrets.course) Course(m_).moved(t, from, sight.known, follow);
}

void Knowledge::shuffled(int z) const {
  const std::uint32_t sees = sight_of(z);
  std::uint32_t losers = 0;
  for (int u = m_.first(z); u >= 0; u = m_.next(u)) {
    TokenSight& sight = m_.sight(u);
    const std::uint32_t lost = sight.known & ~sees;
    if (lost == 0) continue;
    losers |= lost;
    sight.known &= sees;
    sight.shown &= sees;
    for (int v = 0; v < p_.secrets.viewers; ++v)
      if ((lost & bit_of(p_, v)) != 0) put(u, v, place_of(z));
  }
  if (p_.secrets.course && losers != 0) Course(m_).shuffled(z, losers);
}

void Knowledge::revealed(int t, std::uint32_t to) const {
  TokenSight& sight = m_.sight(t);
  const int z = m_.token(t).zone;
  const std::uint32_t news = to & ~sight.known;
  sight.shown |= to;
  sight.known |= to;
  for (int v = 0; v < p_.secrets.viewers; ++v) {
    if ((news & bit_of(p_, v)) == 0) continue;
    put(t, v, place_of(z));
    close_place(v, z);
  }
  if (p_.secrets.course && news != 0) Course(m_).revealed(t, news);
}

void Knowledge::concealed(int t, std::uint32_t from) const {
  m_.sight(t).shown &= ~from;
}

void Knowledge::blurred(int t, std::uint32_t knowers) const {
  TokenSight& sight = m_.sight(t);
  const std::uint32_t lost = sight.known & ~(seen_by(t) | knowers);
  sight.known &= ~lost;
  for (int v = 0; v < p_.secrets.viewers; ++v)
    if ((lost & bit_of(p_, v)) != 0) put(t, v, place_of(m_.token(t).zone));
  if (p_.secrets.course && lost != 0) Course(m_).blurred(t, lost);
}

}  // namespace parlor::kernel
