#include "kernel/know/course.h"

#include <algorithm>

#include "kernel/know/knowledge.h"

namespace parlor::kernel {
namespace {

using Kind = CourseEvent::Kind;

// What somebody is left with who is told nothing but what this viewer knows. False: nothing.
bool cut_down(CourseEvent& event, std::uint32_t bit) {
  event.viewers &= bit;
  event.traced &= bit;
  const bool knows = event.viewers != 0;
  switch (event.kind) {
    case Kind::moved:
      if (knows)
        event.traced = 0;
      else
        event.token = TokenId::none();
      return true;
    case Kind::created:
      return true;
    case Kind::shuffled:
    case Kind::revealed:
    case Kind::blurred:
      return knows;
  }
  return false;
}

}  // namespace

void Course::begin_for(int viewer) const {
  const std::uint32_t bit = Knowledge::bit_of(p_, viewer);
  for (const TokenId t : m_.tokens()) {
    TokenBefore& before = m_.before(t);
    before.known = (before.known & ~bit) | (m_.sight(t).known & bit);
    std::memcpy(m_.places_before(t, viewer), m_.places(t, viewer), p_.secrets.set_bytes);
  }
  record_.begins[viewer] = record_.events;
}

void Course::begin(bool at_decision) const {
  std::fill_n(record_.event, record_.events, CourseEvent{});
  record_.live = 1;
  record_.events = 0;
  record_.settled = at_decision ? ~std::uint32_t{0} : 0;
  for (int v = 0; v < p_.secrets.viewers; ++v) begin_for(v);
}

void Course::reached_decision() const {
  if (record_.events != 0) record_.event[record_.events - 1].settled = 1;
  for (int v = 0; v < p_.secrets.viewers; ++v)
    if (record_.begins[v] == record_.events) record_.settled |= Knowledge::bit_of(p_, v);
}

// When there is no more room, the event is already part of what is known.
void Course::add(const CourseEvent& event) const {
  if (record_.live == 0) return;
  if (record_.events == most_course_events) return begin(false);
  record_.event[record_.events++] = event;
}

void Course::moved(TokenId t, ZoneId from, std::uint32_t known, std::uint32_t traced) const {
  const ZoneId to = m_.zone_of(t);
  if (open(from) && open(to)) return;
  add({t, from, to, Kind::moved, 0, known, traced});
}

void Course::created(TokenId t, std::uint32_t known) const {
  add({t, ZoneId::none(), m_.zone_of(t), Kind::created, 0, known, 0});
}

void Course::shuffled(ZoneId zone, std::uint32_t losers) const {
  add({TokenId::none(), zone, zone, Kind::shuffled, 0, losers, 0});
}

void Course::revealed(TokenId t, std::uint32_t news) const {
  const ZoneId z = m_.zone_of(t);
  add({t, z, z, Kind::revealed, 0, news, 0});
}

void Course::blurred(TokenId t, std::uint32_t losers) const {
  const ZoneId z = m_.zone_of(t);
  add({t, z, z, Kind::blurred, 0, losers, 0});
}

Course::Told Course::told_to(int viewer) const {
  const std::uint32_t bit = Knowledge::bit_of(p_, viewer);
  Told out{(record_.settled & bit) != 0, {}};
  for (std::uint16_t k = record_.begins[viewer]; k < record_.events; ++k) {
    CourseEvent event = record_.event[k];
    if (cut_down(event, bit))
      out.events.push_back(event);
    else if (!out.events.empty())  // it moved nothing: what was before it came to the decision, too
      out.events.back().settled |= event.settled;
    else
      out.settled |= event.settled != 0;
  }
  return out;
}

void Course::keep_for(int viewer) const {
  const Told told = told_to(viewer);
  std::fill_n(record_.event, record_.events, CourseEvent{});
  std::ranges::copy(told.events, record_.event);
  record_.events = told.events.size();
  for (int v = 0; v < p_.secrets.viewers; ++v)
    if (v != viewer) begin_for(v);
  record_.begins[viewer] = 0;
  record_.settled = ~std::uint32_t{0};
  if (!told.settled) record_.settled &= ~Knowledge::bit_of(p_, viewer);
}

}  // namespace parlor::kernel
