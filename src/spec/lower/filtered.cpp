#include "spec/lower/filtered.h"

#include <algorithm>

namespace parlor::spec::lower {
namespace {

// A list of none means any.
template <class T>
bool is_among(const std::vector<T>& list, const T& one) {
  return list.empty() || std::ranges::find(list, one) != list.end();
}

}  // namespace

bool fits(const ZoneDef& zone, const ZoneFilter& filter) {
  return zone.owner == ZoneOwner::none && is_among(filter.ids, zone.base + ":none") &&
         is_among(filter.kinds, zone.kind) && is_among(filter.categories, zone.category) &&
         std::ranges::all_of(filter.attributes, [&](const Attribute& wanted) {
           return std::ranges::find(zone.attributes, wanted) != zone.attributes.end();
         });
}

std::vector<std::string> zones_that_fit(const GameDef& game, const ZoneFilter& filter) {
  std::vector<std::string> out;
  for (const ZoneDef& zone : game.zones)
    if (fits(zone, filter)) out.push_back(zone.base + ":none");
  return out;
}

std::vector<std::string> types_that_fit(const GameDef& game, const PieceFilter& filter) {
  std::vector<std::string> out;
  for (const TokenTypeDef& type : game.token_types)
    if (is_among(filter.types, type.id) && is_among(filter.seats, type.seat))
      out.push_back(type.id);
  return out;
}

}  // namespace parlor::spec::lower
