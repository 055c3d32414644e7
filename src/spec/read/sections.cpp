#include "spec/read/sections.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/slips.h"
#include "spec/text/short_forms.h"

namespace parlor::spec {
namespace {

std::vector<std::string> section_names() {
  std::vector<std::string> out;
  for (const Section section : all_sections()) out.emplace_back(section_name(section));
  return out;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

void report_unknown(const Entry& entry, Report& report) {
  Diagnostic& d = report.error(Code::SECTION_UNKNOWN, {entry.key_place},
                               fmt::format("there is no section `{}`", entry.key), entry.key);
  d.alternatives = did_you_mean(entry.key, section_names());
  if (correct_slip(d, SlipOf::section, entry.key, section_names())) {
    // Some of these do exist, one level down.
    for (const std::string_view inner :
         {"phases", "interrupts", "players", "name", "id", "conditions", "scoring"})
      if (entry.key == inner)
        d.suggestion = fmt::format("`{}:` stands below `{}:`", inner, d.alternatives.front());
    if (entry.key == "seats" || entry.key == "scenario" || entry.key == "map")
      d.suggestion = "a map, the seats and a scenario are entries of `dataAssets`";
  } else if (d.alternatives.empty()) {
    d.suggestion = "the keys at the top of a block are section names such as `zones` or `actions`";
  }
}

// How the section is written whose value has the wrong shape.
std::string section_form(Section section, const Node& value) {
  const std::string_view name = section_name(section);
  if (section_shape(section) == SectionShape::list) {
    constexpr std::string_view usual = "write each entry as a list item that starts with `- `";
    if (!value.is_map() || value.entries.empty()) return std::string{usual};
    const Entry& first = value.entries.front();
    if (first.value.is_list()) return fmt::format("put the list directly below `{}:`", name);
    // Entries under their names, as in many other languages.
    if (!first.value.is_map() || section == Section::setup) return std::string{usual};
    const bool variables = section == Section::globalVars || section == Section::perPlayerVars ||
                           section == Section::zoneVars;
    return fmt::format("write each entry as a list item with its name in it: `- {}: {}`",
                       variables ? "name" : "id", first.key);
  }
  if (section == Section::terminal && value.is_list())
    return "put `conditions:` above the list and indent it";
  if (section == Section::turnStructure && value.is_list())
    return "put `phases:` above the list and indent it";
  if (section == Section::turnOrder && value.is_string())
    return fmt::format("write `turnOrder: {{type: {}}}`", value.text);
  return "write `key: value` lines below the section name";
}

// Adds one section's value to the fragment.
void add_section(Section section, const Place& key_place, Node value, Fragment& fragment,
                 Report& report) {
  if (value.is_null()) return;  // `actions:` with nothing below says nothing
  value = text::long_form(section, std::move(value));
  const std::string name{section_name(section)};
  const bool list = section_shape(section) == SectionShape::list;
  if (list ? !value.is_list() : !value.is_map()) {
    Diagnostic& d = report.error(Code::SECTION_SHAPE, value.origin,
                                 fmt::format("the section `{}` must be {}, not {}", name,
                                             list ? "a list" : "a mapping", describe(value)),
                                 name);
    d.suggestion = section_form(section, value);
    return;
  }
  auto& slot = fragment[static_cast<std::size_t>(section)];
  if (!slot) {
    if (!list) value.origin.place = key_place;
    slot = std::move(value);
    return;
  }
  if (list) {
    std::ranges::move(value.items, std::back_inserter(slot->items));
    return;
  }
  Diagnostic& d = report.error(Code::SECTION_DUPLICATE, {key_place},
                               fmt::format("the section `{}` is given twice", name), name);
  d.suggestion = "put everything into one of the two";
  relate(d, report.source(), "first given here", slot->origin.place);
}

// ---- way 1: a `section:` key

void add_named_section(Node root, Fragment& fragment, Report& report) {
  const Entry* entry = root.find_entry("section");
  const std::string name{trim(entry->value.text)};
  const std::optional<Section> section = find_section(name);
  if (!section) {
    Diagnostic& d = report.error(Code::SECTION_UNKNOWN, entry->value.origin,
                                 fmt::format("there is no section `{}`", name), "section");
    d.alternatives = did_you_mean(name, section_names());
    return;
  }
  const Place place = entry->value.origin.place;
  if (section_shape(*section) == SectionShape::list) {
    report
        .error(Code::SECTION_SHAPE, entry->value.origin,
               fmt::format("`section: {}` cannot hold a list section", name), name)
        .suggestion =
        fmt::format("write `{}:` at the top of the block and the items below it", name);
    return;
  }
  root.erase("section");
  add_section(*section, place, std::move(root), fragment, report);
}

// ---- way 3: by shape

bool all_numbers(const Node& root) {
  return !root.entries.empty() && std::ranges::all_of(root.entries, [](const Entry& entry) {
    return entry.value.is_integer() || entry.value.is_real();
  });
}

bool has_list(const Node& root, std::string_view key) {
  const Node* node = root.find(key);
  return node != nullptr && node->is_list();
}

bool looks_like_terminal(const Node& root) {
  const Node* conditions = root.find("conditions");
  return conditions != nullptr && conditions->is_list() && !conditions->items.empty() &&
         std::ranges::all_of(conditions->items,
                             [](const Node& c) { return c.has("when") && c.has("result"); });
}

bool looks_like_turn_order(const Node& root) {
  constexpr std::array<std::string_view, 4> kinds{"roundRobin", "fixedOrder", "simultaneous",
                                                  "cardDriven"};
  const auto type = root.find_string("type");
  return type && std::ranges::find(kinds, *type) != kinds.end();
}

std::vector<Section> sections_by_shape(const Node& root) {
  std::vector<Section> out;
  if (root.has("id") && root.has("players")) out.push_back(Section::metadata);
  if (has_list(root, "phases")) out.push_back(Section::turnStructure);
  if (looks_like_turn_order(root)) out.push_back(Section::turnOrder);
  if (all_numbers(root)) out.push_back(Section::constants);
  if (looks_like_terminal(root)) out.push_back(Section::terminal);
  if (root.has("observers")) out.push_back(Section::observability);
  if (root.has("labels")) out.push_back(Section::verbalization);
  return out;
}

void add_by_shape(Node root, bool labelled, Fragment& fragment, Report& report) {
  const std::vector<Section> fits = sections_by_shape(root);
  if (fits.size() == 1) {
    const Place place = root.origin.place;
    add_section(fits.front(), place, std::move(root), fragment, report);
    return;
  }
  if (!labelled) return;
  if (fits.size() > 1) {
    std::vector<std::string> names;
    for (const Section section : fits) names.emplace_back(section_name(section));
    report
        .warning(Code::SECTION_AMBIGUOUS, root.origin,
                 fmt::format("this block could be {}; it is not used", name_list(names, "or")))
        .suggestion = "put the section's name above it";
    return;
  }
  // A slip of the pen in a section name must not lose the section; other blocks may be examples.
  bool slip = false;
  for (const Entry& entry : root.entries) {
    if (did_you_mean(entry.key, section_names()).empty()) continue;
    report_unknown(entry, report);
    slip = true;
  }
  if (slip) return;
  Diagnostic& d = report.warning(Code::SECTION_AMBIGUOUS, root.origin,
                                 "this block is none of the sections of a game; it is not used");
  if (!root.entries.empty())
    correct_slip(d, SlipOf::section, root.entries.front().key, section_names());
  d.suggestion = "put the section's name above it, or label the block `text` if it is an example";
}

// ---- merging

std::string deck_id(const Node& deck) {
  const auto id = deck.find_string("id");
  return id ? std::string{trim(*id)} : std::string{};
}

void merge_decks(Node&& decks, Node& into, Report& report) {
  for (Node& deck : decks.items) {
    const std::string id = deck_id(deck);
    const auto same = std::ranges::find_if(
        into.items, [&](const Node& other) { return !id.empty() && deck_id(other) == id; });
    if (same == into.items.end()) {
      into.items.push_back(std::move(deck));
      continue;
    }
    bool agree = true;
    for (const std::string_view key : {"drawZone", "discardZone", "shuffleOnSetup"}) {
      const Node* a = same->find(key);
      const Node* b = deck.find(key);
      if (b == nullptr) continue;
      if (a == nullptr) {
        same->set(key, *b);
        continue;
      }
      if (same_value(*a, *b)) continue;
      agree = false;
      Diagnostic& d = report.error(
          Code::IMPORT_DECK_CONFLICT, b->origin,
          fmt::format("event deck `{}` is given twice with different `{}`", id, key), "eventDecks");
      d.suggestion = "parts of one deck must agree on drawZone, discardZone and shuffleOnSetup";
      relate(d, report.source(), "the other part is here", same->origin.place);
    }
    Node* cards = deck.find("cards");
    Node* all = same->find("cards");
    if (!agree || cards == nullptr || !cards->is_list()) continue;
    if (all == nullptr)
      same->set("cards", std::move(*cards));
    else if (all->is_list())
      std::ranges::move(cards->items, std::back_inserter(all->items));
  }
}

}  // namespace

void add_block(Node root, bool labelled, Fragment& fragment, Report& report) {
  if (root.is_null()) return;
  if (!root.is_map()) {
    if (!labelled) return;
    if (root.is_list())
      report.error(Code::SECTION_SHAPE, root.origin, "this block is a list without a section name")
          .suggestion = "put the section's name above it, for example `actions:`";
    else
      report.warning(
          Code::SECTION_AMBIGUOUS, root.origin,
          fmt::format("this block is {}, not a section; it is not used", describe(root)));
    return;
  }
  if (const Node* named = root.find("section"); named != nullptr && named->is_string())
    return add_named_section(std::move(root), fragment, report);
  const auto is_seats = [](const Entry& entry) {
    return entry.key == "seats" && entry.value.is_list();
  };
  const bool canonical = std::ranges::any_of(root.entries, [&](const Entry& entry) {
    return find_section(entry.key).has_value() || is_seats(entry);
  });
  if (!canonical) return add_by_shape(std::move(root), labelled, fragment, report);
  for (Entry& entry : root.entries) {
    if (is_seats(entry)) {
      Node list = Node::of_list(entry.value.origin);
      list.items.push_back(text::seat_catalog(std::move(entry.value)));
      add_section(Section::dataAssets, entry.key_place, std::move(list), fragment, report);
    } else if (const auto section = find_section(entry.key))
      add_section(*section, entry.key_place, std::move(entry.value), fragment, report);
    else
      report_unknown(entry, report);
  }
}

void merge_fragment(Fragment&& fragment, Sections& into, Code conflict, Report& report) {
  for (const Section section : all_sections()) {
    auto& part = fragment[static_cast<std::size_t>(section)];
    auto& whole = into[static_cast<std::size_t>(section)];
    if (!part || section == Section::imports) continue;
    if (!whole && section != Section::eventDecks) {
      whole = std::move(part);
    } else if (section == Section::eventDecks) {
      if (!whole) whole = Node::of_list(part->origin);
      merge_decks(std::move(*part), *whole, report);
    } else if (section_shape(section) == SectionShape::list) {
      std::ranges::move(part->items, std::back_inserter(whole->items));
    } else {
      const std::string name{section_name(section)};
      Diagnostic& d =
          report.error(conflict, part->origin,
                       fmt::format("the section `{}` is given in two files", name), name);
      d.suggestion = "keep it in one of the files";
      relate(d, report.source(), "also given here", whole->origin.place);
    }
  }
}

}  // namespace parlor::spec
