#include "spec/expand/constants.h"

#include <fmt/core.h>
#include <unordered_map>

#include "spec/read/scalar.h"

namespace parlor::spec {
namespace {

std::vector<std::string> constant_names(const GameSpecDoc& doc) {
  std::vector<std::string> out;
  if (const Node* constants = doc.find(Section::constants))
    for (const Entry& entry : constants->entries) out.push_back(entry.key);
  return out;
}

std::string_view type_name(const Node& value) {
  return value.is_integer() ? "integer" : value.is_boolean() ? "boolean" : "string";
}

// `{default: 11, min: 3, max: 19}` becomes 11, and the range is remembered.
void settle_range(Expander& expander, Entry& entry) {
  const Node declared = std::move(entry.value);
  const std::string path = "constants." + entry.key;
  entry.value = Node::of_integer(0, declared.origin);
  constexpr std::string_view keys[] = {"default", "min", "max"};
  if (!only_keys(declared, keys, "a constant with a range", path, expander.report)) return;
  for (const std::string_view key : keys) {
    const Node* const number = declared.find(key);
    if (number != nullptr && number->is_integer()) continue;
    expander.report
        .error(Code::CONSTANT_TYPE, number != nullptr ? number->origin : declared.origin,
               fmt::format("the constant `{}` has a range and needs a whole number as its `{}`",
                           entry.key, key),
               path)
        .suggestion = fmt::format("write `{}: {{default: 11, min: 3, max: 19}}`", entry.key);
    return;
  }
  const ConstantRange range{declared.find("min")->integer, declared.find("max")->integer};
  const Node& usual = *declared.find("default");
  entry.value = usual;
  if (usual.integer < range.min || usual.integer > range.max)
    expander.report.error(Code::NUMBER_RANGE, usual.origin,
                          fmt::format("the constant `{}` is {}, which is not from {} to {}",
                                      entry.key, usual.integer, range.min, range.max),
                          path);
  else
    expander.doc.constant_ranges.insert_or_assign(entry.key, range);
}

void override_constant(Expander& expander, const std::string& name, const std::string& text) {
  Node* constants = expander.doc.find(Section::constants);
  Node* present = constants != nullptr ? constants->find(name) : nullptr;
  if (present == nullptr) {
    Diagnostic& d = expander.report.error(
        Code::CONSTANT_UNKNOWN, {},
        fmt::format("`--set {}={}`: the game has no constant `{}`", name, text, name));
    const std::vector<std::string> names = constant_names(expander.doc);
    d.alternatives = did_you_mean(name, names);
    if (d.alternatives.empty())
      d.suggestion = names.empty() ? "this game has no constants"
                                   : fmt::format("its constants are {}", name_list(names));
    return;
  }
  ScalarProblem problem;
  Node value = present->is_string() ? Node::of_string(text, present->origin)
                                    : resolve_plain(text, present->origin, problem);
  if (value.kind != present->kind || problem.out_of_range) {
    Diagnostic& d = expander.report.error(
        Code::CONSTANT_TYPE, present->origin,
        fmt::format("`--set {}={}`: the constant is declared as {} {}", name, text,
                    type_name(*present) == "integer" ? "an" : "a", type_name(*present)),
        "constants." + name);
    d.suggestion = fmt::format("give a value like {}", to_text(*present));
    return;
  }
  if (const auto range = expander.doc.constant_ranges.find(name);
      range != expander.doc.constant_ranges.end() &&
      (value.integer < range->second.min || value.integer > range->second.max)) {
    expander.report.error(Code::NUMBER_RANGE, present->origin,
                          fmt::format("`--set {}={}`: the constant must be from {} to {}", name,
                                      text, range->second.min, range->second.max),
                          "constants." + name);
    return;
  }
  *present = std::move(value);
}

class Folder {
 public:
  explicit Folder(Expander& expander) : expander_(expander) {
    if (const Node* constants = expander.doc.find(Section::constants))
      for (const Entry& entry : constants->entries) values_.emplace(entry.key, &entry.value);
  }

  void fold(Node& node, Path& path) {
    if (const Node* ref = node.find("ref"); ref != nullptr && ref->is("constant"))
      return replace(node, path);
    each_branch(node, path, [&](Node& child) { fold(child, path); });
  }

  bool waits() const { return waits_; }

 private:
  void replace(Node& node, const Path& path) {
    constexpr std::string_view keys[] = {"ref", "name"};
    const bool fine = only_keys(node, keys, "a constant reference", path.text(), expander_.report);
    const Node* name = node.find("name");
    if (name != nullptr && name->is_map() && name->has("param")) {
      waits_ = true;
      return;
    }
    if (name == nullptr && !fine) {  // a key of another name holds it
      node = Node::of_integer(0, node.origin);
      return;
    }
    if (name == nullptr || !name->is_string()) {
      expander_.report
          .error(Code::CONSTANT_REFERENCE, name != nullptr ? name->origin : node.origin,
                 "a constant reference needs the constant's `name`", path.text())
          .suggestion = "write `{ref: constant, name: handSize}`";
      node = Node::of_integer(0, node.origin);
      return;
    }
    const auto value = values_.find(name->text);
    if (value == values_.end()) {
      unknown(*name, path);
      node = Node::of_integer(0, node.origin);
      return;
    }
    if (!take_nodes(expander_, count_nodes(*value->second) - 1, node.origin, path.text())) {
      node = Node::of_integer(0, node.origin);
      return;
    }
    Node literal = *value->second;
    literal.origin = node.origin;  // the use is what later diagnostics are about
    node = std::move(literal);
  }

  void unknown(const Node& name, const Path& path) {
    if (!expander_.first_time(Code::CONSTANT_UNKNOWN, name.origin.place)) return;
    Diagnostic& d = expander_.report.error(Code::CONSTANT_UNKNOWN, name.origin,
                                           fmt::format("there is no constant `{}`", name.text),
                                           path.text() + ".name");
    if (expander_.report.flooded()) return;
    const std::vector<std::string> names = constant_names(expander_.doc);
    d.alternatives = did_you_mean(name.text, names);
    if (d.alternatives.empty())
      d.suggestion = names.empty() ? "declare it in the `constants` section"
                                   : fmt::format("the constants are {}", name_list(names));
  }

  Expander& expander_;
  std::unordered_map<std::string_view, const Node*> values_;  // only asked, never gone through
  bool waits_ = false;
};

}  // namespace

void prepare_constants(Expander& expander,
                       const std::vector<std::pair<std::string, std::string>>& overrides) {
  if (Node* constants = expander.doc.find(Section::constants)) {
    for (Entry& entry : constants->entries) {
      if (entry.value.is_map()) settle_range(expander, entry);
      const Node& value = entry.value;
      if (value.is_integer() || value.is_string() || value.is_boolean()) continue;
      Diagnostic& d =
          expander.report.error(Code::CONSTANT_TYPE, value.origin,
                                fmt::format("the constant `{}` is {}", entry.key, describe(value)),
                                "constants." + entry.key);
      d.suggestion =
          "a constant is an integer, a string, true or false, or `{default: 11, min: 3, max: 19}`";
    }
  }
  for (const auto& [name, text] : overrides) override_constant(expander, name, text);
}

bool fold_constants(Expander& expander) {
  Folder folder{expander};
  for (const Section section : all_sections()) {
    if (section == Section::constants) continue;
    Node* node = expander.doc.find(section);
    if (node == nullptr) continue;
    Path path{std::string{section_name(section)}};
    folder.fold(*node, path);
  }
  return !folder.waits();
}

}  // namespace parlor::spec
