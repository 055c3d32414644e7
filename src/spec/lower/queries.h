// The query readers, one per kind; queries.cpp has the list.
#pragma once

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

struct QueryResult {
  QueryNode node;
  Type item;
};

QueryResult read_zones(Context& cx, Fields& fields);
QueryResult read_map_spaces(Context& cx, Fields& fields);
QueryResult read_adjacent_zones(Context& cx, Fields& fields);
QueryResult read_connected_zones(Context& cx, Fields& fields);
QueryResult read_step(Context& cx, Fields& fields);
QueryResult read_zones_in_direction(Context& cx, Fields& fields);
QueryResult read_ray(Context& cx, Fields& fields);
QueryResult read_direction_names(Context& cx, Fields& fields);

QueryResult read_tokens_in_zone(Context& cx, Fields& fields);
QueryResult read_tokens_in_map_spaces(Context& cx, Fields& fields);
QueryResult read_tokens_in_adjacent_zones(Context& cx, Fields& fields);
QueryResult read_token_zones(Context& cx, Fields& fields);

}  // namespace parlor::spec::lower
