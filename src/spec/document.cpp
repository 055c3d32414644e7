#include "spec/document.h"

namespace parlor::spec {
namespace {

struct SectionEntry {
  std::string_view name;
  SectionShape shape;
};

constexpr SectionEntry section_entries[] = {
#define SECTION(name, shape) {#name, SectionShape::shape},
#include "spec/sections.def"
#undef SECTION
};

constexpr Section section_values[] = {
#define SECTION(name, shape) Section::name,
#include "spec/sections.def"
#undef SECTION
};

}  // namespace

std::string_view section_name(Section section) {
  return section_entries[static_cast<std::size_t>(section)].name;
}

SectionShape section_shape(Section section) {
  return section_entries[static_cast<std::size_t>(section)].shape;
}

std::optional<Section> find_section(std::string_view name) {
  for (const Section section : all_sections())
    if (section_name(section) == name) return section;
  return std::nullopt;
}

std::span<const Section> all_sections() {
  return section_values;
}

const Node* GameSpecDoc::find(Section section) const {
  const auto& node = sections[static_cast<std::size_t>(section)];
  return node ? &*node : nullptr;
}

Node* GameSpecDoc::find(Section section) {
  auto& node = sections[static_cast<std::size_t>(section)];
  return node ? &*node : nullptr;
}

Node& GameSpecDoc::need(Section section) {
  auto& node = sections[static_cast<std::size_t>(section)];
  if (!node)
    node = section_shape(section) == SectionShape::list ? Node::of_list({}) : Node::of_map({});
  return *node;
}

}  // namespace parlor::spec
