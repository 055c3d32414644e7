// A game's text after reading and merging: one node per section. Expansion and derivation work on
// the same struct and fill in what follows from data assets, so that later stages find every zone,
// token type, variable and setup effect in the ordinary sections.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/gamedef/looks.h"
#include "spec/node.h"
#include "spec/place.h"

namespace parlor::spec {

enum class Section : std::uint8_t {
#define SECTION(name, shape) name,
#include "spec/sections.def"
#undef SECTION
};
inline constexpr std::size_t section_count = 0
#define SECTION(name, shape) +1
#include "spec/sections.def"
#undef SECTION
    ;

enum class SectionShape : std::uint8_t { singleton, list };

std::string_view section_name(Section section);
SectionShape section_shape(Section section);
std::optional<Section> find_section(std::string_view name);
std::span<const Section> all_sections();

// A table of run-time data: a list of flat objects somewhere in an asset's payload.
struct RuntimeTable {
  enum class Type : std::uint8_t { integer, string, boolean };
  struct Field {
    std::string name;
    Type type;
    bool optional;  // some rows lack it
  };
  std::string id;  // "<asset>::<dotted.path>"
  std::string asset_id;
  std::string path;  // "settings.blindSchedule"
  std::vector<Field> fields;
  std::vector<std::vector<std::string>> unique_by;  // declared by a contract or found to hold
  Node rows;                                        // list of maps
};

// A text handed to a macro as the value of a token property. Which values tokens can have is known
// only when all rules are.
struct TraitArgument {
  std::string prop, value;
  Origin origin;
  std::string path;
};

// What derivation found out besides the material it put into the sections.
struct Derived {
  std::string scenario_id;  // of the selected scenario; empty without one
  std::string map_id, piece_catalog_id, seat_catalog_id;
  std::vector<std::string> seats;    // seat i is player i
  Node tracks;                       // list of {id, scope, seat?, min, max, initial}
  Node marker_lattices;              // list of {id, states, defaultState, constraints?}
  Node space_markers;                // list of {spaceId, markerId, state}
  Node stacking_constraints;         // list, as authored in the map
  Node seat_pools;                   // list, as authored in the scenario
  std::vector<RuntimeTable> tables;  // in order of id
};

using Sections = std::array<std::optional<Node>, section_count>;

struct GameSpecDoc {
  Sections sections;
  std::map<std::string, ConstantRange> constant_ranges;  // of those that declare one
  std::vector<Node> modules;  // the `module` sections of merged module files, in order
  Derived derived;            // filled by derive
  // Ids of macros, for messages: the macros themselves are gone after expansion.
  std::vector<std::string> effect_macros, condition_macros;
  std::vector<TraitArgument> trait_arguments;
  SourceMap source;

  // The section's node, or nothing. A list section is always a list node, a singleton a map node.
  const Node* find(Section section) const;
  Node* find(Section section);
  // Same, made (empty) when absent.
  Node& need(Section section);
  void drop(Section section) { sections[static_cast<std::size_t>(section)].reset(); }
};

}  // namespace parlor::spec
