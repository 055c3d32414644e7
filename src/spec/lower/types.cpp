#include "spec/lower/types.h"

#include <fmt/core.h>

namespace parlor::spec::lower {
namespace {

// Kinds that share a representation are interchangeable where only that matters.
Kind family(Kind kind) {
  switch (kind) {
    case Kind::player:
      return Kind::integer;
    case Kind::zone:
    case Kind::token:
      return Kind::string;
    default:
      return kind;
  }
}

std::string_view one(Kind kind) {
  switch (kind) {
    case Kind::unknown:
      return "something";
    case Kind::integer:
      return "a whole number";
    case Kind::boolean:
      return "true or false";
    case Kind::string:
      return "text";
    case Kind::zone:
      return "a zone";
    case Kind::token:
      return "a token";
    case Kind::player:
      return "a player";
    case Kind::row:
      return "a table row";
    case Kind::list:
      return "a list";
    case Kind::record:
      return "an event record";
  }
  return {};
}

std::string_view many(Kind kind) {
  switch (kind) {
    case Kind::integer:
      return "whole numbers";
    case Kind::boolean:
      return "truth values";
    case Kind::string:
      return "texts";
    case Kind::zone:
      return "zones";
    case Kind::token:
      return "tokens";
    case Kind::player:
      return "players";
    case Kind::row:
      return "table rows";
    default:
      return "things";
  }
}

}  // namespace

Type list_of(const Type& item) {
  return {Kind::list, item.kind, item.table};
}

Type item_of(const Type& list) {
  if (list.kind != Kind::list) return {};
  return {list.item, Kind::unknown, list.table};
}

bool is_number(const Type& type) {
  return !type.known() || family(type.kind) == Kind::integer;
}
bool is_text(const Type& type) {
  return !type.known() || family(type.kind) == Kind::string;
}

bool compatible(const Type& a, const Type& b) {
  if (!a.known() || !b.known()) return true;
  if (family(a.kind) != family(b.kind)) return false;
  // A zone id and a token id are both text but never the same one.
  if ((a.kind == Kind::zone && b.kind == Kind::token) ||
      (a.kind == Kind::token && b.kind == Kind::zone))
    return false;
  if (a.kind == Kind::list)
    return compatible({a.item, Kind::unknown, {}}, {b.item, Kind::unknown, {}});
  return true;
}

Type either(const Type& a, const Type& b) {
  if (a.kind == b.kind && a.item == b.item && a.table == b.table) return a;
  if (a.kind == Kind::list && b.kind == Kind::list) return {Kind::list, Kind::unknown, {}};
  if (!a.known() || !b.known()) return {};
  if (family(a.kind) == family(b.kind)) return {family(a.kind), Kind::unknown, {}};
  return {};
}

std::string describe(const Type& type) {
  if (type.kind == Kind::list && type.item != Kind::unknown)
    return fmt::format("a list of {}", many(type.item));
  return std::string{one(type.kind)};
}

}  // namespace parlor::spec::lower
