#include "spec/expand/walk.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <unordered_map>

namespace parlor::spec {

std::span<const Section> rule_sections() {
  static constexpr std::array sections{
      Section::setup,           Section::turnStructure,
      Section::turnOrder,       Section::actions,
      Section::actionPipelines, Section::triggers,
      Section::terminal,        Section::eventDecks,
      Section::derivedMetrics,  Section::effects,
      Section::hooks,           Section::offers,
      Section::rounds,          Section::victoryStandings,
      Section::phaseBoundaries,
  };
  return sections;
}

bool take_nodes(Expander& expander, std::size_t count, const Origin& at, const std::string& path) {
  if (count <= expander.nodes_left && !expander.exhausted) {
    expander.nodes_left -= count;
    return true;
  }
  if (expander.first_time(Code::LIMIT_EXPANSION, {}))
    expander.report
        .error(Code::LIMIT_EXPANSION, at, "macros and templates blow the game up beyond its limit",
               path)
        .suggestion = "look for macros that use each other several times over";
  expander.exhausted = true;
  return false;
}

std::string fill_text(std::string_view text, const Fillings& values) {
  std::string out;
  while (!text.empty()) {
    const auto filling = std::ranges::find_if(values, [&](const auto& value) {
      return text.size() > value.first.size() + 1 && text.front() == '{' &&
             text[value.first.size() + 1] == '}' &&
             text.substr(1, value.first.size()) == value.first;
    });
    if (filling == values.end()) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += filling->second;
      text.remove_prefix(filling->first.size() + 2);
    }
  }
  return out;
}

std::vector<std::pair<std::string, std::size_t>> declared_ids(Expander& expander, Section section,
                                                              std::string_view what, Code missing,
                                                              Code duplicate) {
  std::vector<std::pair<std::string, std::size_t>> out;
  std::unordered_map<std::string, std::size_t> seen;
  const Node* list = expander.doc.find(section);
  if (list == nullptr) return out;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Node& item = list->items[i];
    const std::string path = fmt::format("{}.{}", section_name(section), i);
    const auto id = item.find_string("id");
    if (!id || id->empty()) {
      const Node* node = item.find("id");
      expander.report
          .error(missing, node != nullptr ? node->origin : item.origin,
                 item.is_map() ? fmt::format("a {} needs an `id`", what)
                               : fmt::format("a {} is a mapping, not {}", what, describe(item)),
                 path)
          .suggestion = "write `id: some-name`";
      continue;
    }
    const auto [same, first] = seen.emplace(*id, i);
    if (!first) {
      Diagnostic& d = expander.report.error(
          duplicate, item.find("id")->origin,
          fmt::format("the {} `{}` is declared twice; the first one counts", what, *id),
          path + ".id");
      d.suggestion = "rename or remove one of them";
      relate(d, expander.report.source(), "first declared here",
             list->items[same->second].find("id")->origin.place);
      continue;
    }
    out.emplace_back(*id, i);
  }
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace parlor::spec
