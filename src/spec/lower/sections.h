// The sections of a game: first everything that declares names, then everything that uses them.
#pragma once

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

// ---- Declarations
void lower_metadata(Context& cx);  // and constants
void lower_teams(Context& cx);
void lower_variables(Context& cx);
void lower_zones(Context& cx);  // and directions
void lower_token_types(Context& cx);
void declare_markers(Context& cx);
void lower_tables(Context& cx);
void declare_turn_structure(Context& cx);
// The type of the turn order as it is written: `roundRobin` if nothing is.
std::string_view turn_order_word(const Context& cx);
void declare_actions(Context& cx);
void lower_timed_effects(Context& cx);

// ---- Rules
void lower_marker_rules(Context& cx);
void lower_stacking(Context& cx);
void lower_actions(Context& cx);  // and pipelines
void lower_turn_structure(Context& cx);
void lower_triggers(Context& cx);
void lower_rounds_and_hooks(Context& cx);
void lower_data_sections(Context& cx);
void lower_verbalization(Context& cx);
void check_filter_values(Context& cx);  // after everything that gives tokens their properties

// ---- Shared by several sections
// Visits the elements of a list section, each at its path.
template <std::invocable<const Node&> Read>
void each_of_section(Context& cx, Section section, Read&& read) {
  const Node* list = cx.doc.find(section);
  if (list == nullptr) return;
  const auto step = cx.step(section_name(section));
  each_item(cx, *list, "a list", std::forward<Read>(read));
}

// Reports the second and later uses of an id.
class UniqueIds {
 public:
  UniqueIds(Context& cx, std::string_view what) : cx_(cx), what_(what) {}
  // `key`: where the id stands in what lies at the current path.
  bool add(const std::string& id, const Node& node, std::string_view key = {});

 private:
  Context& cx_;
  std::string_view what_;
  std::map<std::string, Origin, std::less<>> seen_;
};

// Every move has these; event moves have the card's too.
void declare_move_bindings(Context& cx);

}  // namespace parlor::spec::lower
