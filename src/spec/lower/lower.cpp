#include "spec/lower/lower.h"

#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/sections.h"

namespace parlor::spec {
namespace {

void check_required_sections(lower::Context& cx) {
  struct Required {
    Section section;
    std::string_view hint;
  };
  constexpr Required sections[] = {
      {Section::metadata, "e.g. metadata: {id: my-game, players: {min: 2, max: 2}}"},
      {Section::turnStructure, "e.g. turnStructure: {phases: [{id: main}]}"},
      {Section::actions, "list what players can do"},
      {Section::terminal, "say when the game ends: terminal: {conditions: […]}"}};
  for (const auto& [section, hint] : sections) {
    const Node* node = cx.doc.find(section);
    if (node != nullptr && !(node->is_list() && node->items.empty())) continue;
    Diagnostic& d = cx.error_at(Code::SECTION_MISSING, {}, std::string{section_name(section)},
                                fmt::format("the game has no section `{}`", section_name(section)));
    d.suggestion = hint;
    d.span.file = std::string{cx.doc.source.file(0)};
  }
}

}  // namespace

GameDef lower_document(GameSpecDoc& doc, Diagnostics& diagnostics, Completeness completeness,
                       std::multimap<Place, Node>* resolved) {
  GameDef game;
  lower::Context cx{doc, game, diagnostics};
  cx.resolved = resolved;
  check_required_sections(cx);

  lower::lower_metadata(cx);
  lower::lower_teams(cx);
  lower::lower_variables(cx);
  lower::lower_zones(cx);
  lower::lower_token_types(cx);
  lower::declare_markers(cx);
  lower::lower_tables(cx);
  lower::declare_turn_structure(cx);
  lower::declare_actions(cx);
  lower::lower_timed_effects(cx);

  lower::lower_marker_rules(cx);
  lower::lower_stacking(cx);
  lower::read_section(cx, Section::setup);
  lower::lower_actions(cx);
  lower::lower_triggers(cx);
  lower::read_section(cx, Section::terminal);
  lower::lower_rounds_and_hooks(cx);
  lower::lower_data_sections(cx);
  lower::lower_turn_structure(cx);  // after all effects: it warns about phases nothing enters
  if (completeness == Completeness::whole) lower::check_filter_values(cx);
  return game;
}

}  // namespace parlor::spec
