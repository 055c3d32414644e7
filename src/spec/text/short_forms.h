// Short declarations: `globalVars: {pot: 0..100}`, `zones: {deck: hidden stack}`, `seats: [x, o]`.
// Each stands for exactly one long form and is replaced by it as soon as it is read; the formatter
// writes them.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "spec/document.h"

namespace parlor::spec::text {

// The section's value in its long form; one that is no short form comes back as it is.
Node long_form(Section section, Node value);
// `seats: [x, o]` at the top of a block: the entry of `dataAssets` it stands for.
Node seat_catalog(Node seats);

// A whole block, section by section, in short forms where they say the same.
void shorten(Node& root, std::string_view only_phase);

// ---- What both directions share

// What `min..max` begins with where nothing is said: the lower bound, or 0 where 0 lies between two
// bounds that are numbers. Points that may be lost are not meant to begin with all of them lost.
Node first_of_range(const Node& min, const Node& max);

// A mapping with no other keys than these.
bool only_has(const Node& node, std::initializer_list<std::string_view> keys);

// {columns: […], rows: [[…], …]}, which stands for a list of mappings, and where in a data asset it
// may stand.
bool is_table(const Node& node);
std::span<const std::string_view> table_paths();

// A line of short_forms.def.
struct Listed {
  std::string_view path, id, alone;
};
std::span<const Listed> listed_forms();
// Whatever lies at a path below a section's value; lists on the way are gone through.
void at_path(Node& node, std::string_view path, const std::function<void(Node&)>& visit);
// The types of macro parameters: as signatures write them, and in the long form.
std::span<const std::pair<std::string_view, std::string_view>> signature_types();
// The sections whose entries are written by signature, and what stands below each:
// `owned(zone point, player who): CONDITION`.
std::string_view signed_body(std::string_view section);

}  // namespace parlor::spec::text
