#include "kernel/know/knowledge.h"

#include <bit>

#include "kernel/know/course.h"

namespace parlor::kernel {

void Knowledge::put(TokenId t, int viewer, int place) const {
  std::uint8_t* set = m_.places(t, viewer);
  if (p_.secrets.set_bytes == 1) {
    *set = static_cast<std::uint8_t>(place >= 0 ? 1 << place : 0);
    return;
  }
  std::memset(set, 0, static_cast<std::size_t>(p_.secrets.set_bytes));
  if (place >= 0) set[place >> 3] = static_cast<std::uint8_t>(1 << (place & 7));
}

std::uint32_t Knowledge::seen_by(TokenId t) const {
  return sight_of(m_.zone_of(t)) | Memory::widen(p_.players, m_.narrow_sight(t).shown);
}

void Knowledge::created(TokenId t, bool everybody) const {
  const ZoneId z = m_.zone_of(t);
  const std::uint32_t known = everybody && !in_cloud(z) ? ~std::uint32_t{0} : sight_of(z);
  m_.write_sight(t, {known, 0});
  for (std::size_t k = 0; k < p_.secrets.props.size(); ++k) m_.ranges(t)[k] = no_doubt;
  for (int v = 0; v < p_.secrets.viewers; ++v) put(t, v, place_of(z));
  if (p_.secrets.course) Course(m_).created(t, known);
}

void Knowledge::forget_order(ZoneId z, int viewer) const {
  const std::uint32_t bit = narrow_bit(viewer);
  for (const TokenId u : m_.tokens_in(z)) {
    const NarrowSight sight = m_.narrow_sight(u);
    if ((sight.known & bit) == 0) continue;
    m_.write_narrow_sight(u, {sight.known & ~bit, sight.shown & ~bit});
    put(u, viewer, place_of(z));
  }
}

// The places of every token this viewer does not know. Records of tokens lie one after the other,
// and this is asked for every card that moves: nothing is looked up twice.
template <class Body>
void Knowledge::each_unknown(int viewer, const Body& body) const {
  const std::uint32_t bit = narrow_bit(viewer), tokens = m_.header().tokens;
  if (tokens == 0) return;
  std::uint8_t* const sight = m_.sight_bytes(TokenId(0));
  const auto places = m_.places(TokenId(0), viewer) - sight;
  const std::size_t size = p_.layout.token_size;
  const auto look = [&]<std::uint32_t width>(std::integral_constant<std::uint32_t, width>) {
    std::uint8_t* at = sight;
    for (std::uint32_t u = 0; u < tokens; ++u, at += size)
      if ((Memory::read_mask(at, width) & bit) == 0) body(at + places);
  };
  if (p_.layout.mask_bytes == 1) return look(std::integral_constant<std::uint32_t, 1>());
  if (p_.layout.mask_bytes == 2) return look(std::integral_constant<std::uint32_t, 2>());
  look(std::integral_constant<std::uint32_t, 4>());
}

void Knowledge::spread(std::uint32_t viewers, int from, int to) const {
  if (viewers == 0 || from < 0 || to < 0 || from == to) return;
  if (spread_at_once(viewers, from, to)) return;
  const int in = from >> 3, out = to >> 3;
  const auto may = static_cast<std::uint8_t>(1 << (from & 7)),
             then = static_cast<std::uint8_t>(1 << (to & 7));
  for (; viewers != 0; viewers &= viewers - 1)
    each_unknown(std::countr_zero(viewers), [=](std::uint8_t* places) {
      if ((places[in] & may) != 0) places[out] |= then;
    });
}

// Where the masks and sets of a token take eight bytes (five to eight, which are laid out as whole
// words of four: Linker::lay_out_token), all viewers are looked at together. Mostly nothing is new:
// the places are as mixed as they can be.
bool Knowledge::spread_at_once(std::uint32_t viewers, int from, int to) const {
  if (std::endian::native != std::endian::little || p_.layout.mask_bytes != 1 ||
      p_.secrets.set_bytes != 1 || p_.secrets.viewers < 3 || p_.secrets.viewers > 6)
    return false;
  constexpr int masks = 16;  // bits before the sets
  std::uint64_t lanes = 0;
  for (std::uint32_t left = viewers; left != 0; left &= left - 1)
    lanes |= std::uint64_t{1} << (8 * std::countr_zero(left));
  const std::uint32_t tokens = m_.header().tokens;
  std::uint8_t* at = tokens == 0 ? nullptr : m_.sight_bytes(TokenId(0));
  for (std::uint32_t u = 0; u < tokens; ++u, at += p_.layout.token_size) {
    std::uint64_t record = 0;
    std::memcpy(&record, at, sizeof record);
    std::uint64_t news = record >> (masks + from) & ~(record >> (masks + to)) & lanes;
    if (news == 0) [[likely]]
      continue;
    for (; news != 0; news &= news - 1) {
      const int lane = std::countr_zero(news);
      if ((record & narrow_bit(lane / 8)) == 0) record |= std::uint64_t{1} << (masks + lane + to);
    }
    std::memcpy(at, &record, sizeof record);
  }
  return true;
}

void Knowledge::close_place(int viewer, ZoneId z) const {
  const int place = place_of(z);
  if (place < 0 || z.is_none()) return;
  if ((sight_of(z) & bit_of(p_, viewer)) != 0) return;
  const std::uint32_t bit = narrow_bit(viewer);
  for (const ZoneId zone : p_.secrets.zones_of_place[place])
    for (const TokenId u : m_.tokens_in(zone))
      if ((m_.narrow_known(u) & bit) == 0) return;
  const int in = place >> 3;
  const auto left = static_cast<std::uint8_t>(~(1 << (place & 7)));
  each_unknown(viewer, [=](std::uint8_t* places) { places[in] &= left; });
}

void Knowledge::moved(TokenId t, ZoneId from, Taken how, std::uint32_t pickers) const {
  const ZoneId to = m_.zone_of(t);
  NarrowSight sight = m_.narrow_sight(t);
  const std::uint32_t here = narrow(sight_of(from)) | sight.shown, there = narrow(sight_of(to));
  if (sight.shown != 0) {
    sight.shown = 0;
    m_.write_narrow_sight(t, sight);
  }
  const int from_place = place_of(from), to_place = place_of(to);
  const bool was_alone = !from.is_none() && !in_cloud(from) && m_.zone(from).count == 0;
  const bool all_trace = (how != Taken::by_pick && !in_cloud(from)) || was_alone;
  const std::uint32_t picks = narrow(pickers);
  std::uint32_t follow = 0, unsure = 0;  // the latter by number
  for (int v = 0; v < p_.secrets.viewers; ++v) {
    const std::uint32_t bit = narrow_bit(v);
    if ((there & bit) != 0) {  // whoever sees it arrive knows what has gone
      if ((sight.known & bit) == 0) {
        sight.known |= bit;
        m_.write_narrow_sight(t, sight);
      }
      put(t, v, to_place);
      continue;
    }
    const bool picked = (picks & bit) != 0;
    const bool traced = all_trace || picked || (here & bit) != 0;
    if (traced) follow |= bit;
    if (!traced && !from.is_none()) {
      forget_order(from, v);
      sight = m_.narrow_sight(t);  // it may lie there again
    }
    if ((sight.known & bit) != 0 && !traced) {
      sight.known &= ~bit;
      m_.write_narrow_sight(t, sight);
      put(t, v, from_place);
    }
    if ((sight.known & bit) != 0) {
      if (in_cloud(to) && !picked) {  // which of the zones, is not told
        sight.known &= ~bit;
        m_.write_narrow_sight(t, sight);
      }
      put(t, v, to_place);
    } else {
      unsure |= 1u << v;
    }
  }
  spread(unsure, from_place, to_place);
  for (int v = 0; v < p_.secrets.viewers; ++v) close_place(v, from);
  if (p_.secrets.course)
    Course(m_).moved(t, from, m_.sight(t).known, Memory::widen(p_.players, follow));
}

void Knowledge::shuffled(ZoneId z) const {
  const std::uint32_t sees = narrow(sight_of(z));
  std::uint32_t losers = 0;
  const int place = place_of(z);
  for (const TokenId u : m_.tokens_in(z)) {
    const NarrowSight sight = m_.narrow_sight(u);
    const std::uint32_t lost = sight.known & ~sees;
    if (lost == 0) continue;
    losers |= lost;
    m_.write_narrow_sight(u, {sight.known & sees, sight.shown & sees});
    for (int v = 0; v < p_.secrets.viewers; ++v)
      if ((lost & narrow_bit(v)) != 0) put(u, v, place);
  }
  if (p_.secrets.course && losers != 0) Course(m_).shuffled(z, Memory::widen(p_.players, losers));
}

void Knowledge::revealed(TokenId t, std::uint32_t to) const {
  const TokenSight sight = m_.sight(t);
  const ZoneId z = m_.zone_of(t);
  const std::uint32_t news = to & ~sight.known;
  m_.write_sight(t, {sight.known | to, sight.shown | to});
  for (int v = 0; v < p_.secrets.viewers; ++v) {
    if ((news & bit_of(p_, v)) == 0) continue;
    put(t, v, place_of(z));
    close_place(v, z);
  }
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
  for (int v = 0; v < p_.secrets.viewers; ++v)
    if ((lost & bit_of(p_, v)) != 0) put(t, v, place_of(m_.zone_of(t)));
  if (p_.secrets.course && lost != 0) Course(m_).blurred(t, lost);
}

}  // namespace parlor::kernel
