#include "spec/read/modules.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "spec/read/sections.h"

namespace parlor::spec {
namespace {

Node* part_of(Sections& sections, Section section) {
  auto& node = sections[static_cast<std::size_t>(section)];
  return node ? &*node : nullptr;
}

// The sections whose items have names, and under which key the name stands.
struct Named {
  Section section;
  std::string_view key;
};
constexpr Named named_sections[] = {
    {Section::globalVars, "name"},
    {Section::perPlayerVars, "name"},
    {Section::zoneVars, "name"},
    {Section::zones, "id"},
    {Section::tokenTypes, "id"},
    {Section::actions, "id"},
    {Section::actionPipelines, "id"},
    {Section::operationProfiles, "id"},
    {Section::triggers, "id"},
    {Section::hooks, "id"},
    {Section::effects, "id"},
    {Section::offers, "id"},
    {Section::effectMacros, "id"},
    {Section::conditionMacros, "id"},
    {Section::valueMacros, "id"},
    {Section::phaseTemplates, "id"},
    {Section::globalMarkerLattices, "id"},
    {Section::dataAssets, "id"},
    {Section::eventDecks, "id"},
    {Section::derivedMetrics, "id"},
    {Section::directions, "name"},
};

// One module while it is taken in.
class Newcomer {
 public:
  Newcomer(std::string id, Sections& sections, Report& report)
      : id_(std::move(id)), sections_(sections), report_(report) {}

  void check_names() {
    for (const auto& [section, key] : named_sections) {
      Node* list = part_of(sections_, section);
      if (list == nullptr) continue;
      for (std::size_t i = 0; i < list->items.size(); ++i)
        check_item(list->items[i], key, fmt::format("{}.{}", section_name(section), i));
    }
    if (const Node* constants = part_of(sections_, Section::constants))
      for (const Entry& entry : constants->entries)
        check(entry.key, {entry.key_place}, fmt::format("constants.{}", entry.key));
  }

  void sign_hooks() {
    Node* hooks = part_of(sections_, Section::hooks);
    if (hooks == nullptr) return;
    for (Node& hook : hooks->items)
      if (hook.is_map()) hook.set("module", Node::of_string(id_, hook.origin));
  }

 private:
  void check_item(const Node& item, std::string_view key, const std::string& path) {
    if (const Node* batch = item.find("batch")) {
      for (const std::string_view list : {"names", "ids"})
        if (const Node* names = batch->find(list))
          for (const Node& name : names->items)
            if (name.is_string()) check(name.text, name.origin, path + ".batch");
      return;
    }
    if (const Node* name = item.find(key)) {
      if (name->is_string()) check(name->text, name->origin, path);
    } else if (item.has("macro")) {
      // Boards are named cell_… unless they say otherwise.
      report_
          .error(
              Code::MODULE_NAME_UNOWNED, item.origin,
              fmt::format("a board of module `{}` needs an `id` that begins with `{}.`", id_, id_),
              path)
          .suggestion = fmt::format("write `id: {}.cell`", id_);
    }
  }

  void check(const std::string& name, const Origin& origin, const std::string& path) {
    if (name.starts_with(id_ + ".")) return;
    Diagnostic& d = report_.error(
        Code::MODULE_NAME_UNOWNED, origin,
        fmt::format("`{}` is declared by module `{}`, so it must begin with `{}.`", name, id_, id_),
        path);
    d.suggestion = fmt::format("write `{}.{}`", id_, name);
    d.alternatives = {fmt::format("{}.{}", id_, name)};
  }

  std::string id_;
  Sections& sections_;
  Report& report_;
};

// What the game says itself stays; the rest of `more` comes to it.
void add_to(Node& own, Node& more) {
  if (own.is_list() && more.is_list()) std::ranges::move(more.items, std::back_inserter(own.items));
  if (!own.is_map() || !more.is_map()) return;
  for (Entry& entry : more.entries)
    if (Node* same = own.find(entry.key))
      add_to(*same, entry.value);
    else
      own.entries.push_back(std::move(entry));
}

// Constants, what is reset each round, and the words for things are sections of the game that
// modules may add to.
void join(GameSpecDoc& doc, Sections& module, Report& report) {
  if (Node* constants = part_of(module, Section::constants)) {
    Node& all = doc.need(Section::constants);
    for (Entry& entry : constants->entries) {
      if (const Entry* same = all.find_entry(entry.key)) {
        Diagnostic& d = report.error(Code::DUPLICATE_ID, {entry.key_place},
                                     fmt::format("the constant `{}` exists already", entry.key),
                                     fmt::format("constants.{}", entry.key));
        relate(d, report.source(), "first given here", same->key_place);
      } else {
        all.entries.push_back(std::move(entry));
      }
    }
    module[static_cast<std::size_t>(Section::constants)].reset();
  }
  for (const Section section : {Section::verbalization, Section::display}) {
    Node* more = part_of(module, section);
    Node* own = doc.find(section);
    if (own == nullptr || more == nullptr) continue;
    add_to(*own, *more);
    module[static_cast<std::size_t>(section)].reset();
  }
  Node* rounds = part_of(module, Section::rounds);
  Node* own = doc.find(Section::rounds);
  Node* resets = rounds != nullptr ? rounds->find("resetEachRound") : nullptr;
  if (own == nullptr || resets == nullptr || rounds->entries.size() != 1 || !resets->is_list())
    return;
  if (Node* all = own->find("resetEachRound"); all != nullptr && all->is_list())
    std::ranges::move(resets->items, std::back_inserter(all->items));
  else
    own->set("resetEachRound", std::move(*resets));
  module[static_cast<std::size_t>(Section::rounds)].reset();
}

std::string id_of(const Sections& sections) {
  const auto& module = sections[static_cast<std::size_t>(Section::module)];
  const auto id = module ? module->find_string("id") : std::nullopt;
  return id ? std::string{*id} : std::string{};
}

std::int64_t order_of(const Sections& sections) {
  const auto& module = sections[static_cast<std::size_t>(Section::module)];
  const Node* order = module ? module->find("order") : nullptr;
  return order != nullptr && order->is_integer() ? order->integer : 0;
}

// Any place in a file, to name it.
Origin somewhere(const Sections& sections) {
  for (const auto& section : sections)
    if (section) return section->origin;
  return {};
}

}  // namespace

void compose(GameSpecDoc& doc, std::vector<Sections>&& modules, Report& report) {
  std::ranges::stable_sort(modules, {}, [](const Sections& sections) {
    return std::pair{order_of(sections), id_of(sections)};
  });
  std::set<std::string> seen;
  for (Sections& sections : modules) {
    const std::string id = id_of(sections);
    if (id.empty()) {
      report
          .error(Code::MODULE_MISSING, somewhere(sections), "this file is no module of a game",
                 "module")
          .suggestion = "add a block `module: {id: my-rule, name: …, description: …}`";
      continue;
    }
    if (!seen.insert(id).second) {
      report.error(Code::RULE_DUPLICATE, somewhere(sections),
                   fmt::format("module `{}` is given twice", id), "module");
      continue;
    }
    Newcomer newcomer{id, sections, report};
    newcomer.check_names();
    newcomer.sign_hooks();
  }
  for (Sections& sections : modules) {
    if (id_of(sections).empty()) continue;
    doc.modules.push_back(std::move(*part_of(sections, Section::module)));
    sections[static_cast<std::size_t>(Section::module)].reset();
    join(doc, sections, report);
    merge_fragment(std::move(sections), doc.sections, Code::MODULE_SECTION_CONFLICT, report);
  }
}

}  // namespace parlor::spec
