#include "spec/expand/memories.h"

#include <array>
#include <fmt/core.h>
#include <map>
#include <optional>

#include "spec/expand/build.h"

namespace parlor::spec {
namespace {

// A fingerprint is two numbers below 2^31, each of which takes in one zone after the other:
// number * factor + content, modulo a prime. Products stay below 2^53.
struct MemoryPart {
  std::string_view name;
  std::int64_t factor, prime;
};
constexpr std::array<MemoryPart, 2> parts{
    {{"high", 1'000'003, 2'147'483'647}, {"low", 999'983, 2'147'483'629}}};

class Memories {
 public:
  explicit Memories(Expander& expander) : expander_(expander) {}

  void declare();
  void expand(Node& node, Path& path);

 private:
  struct Memory {
    Node of;                 // a query for zones
    Node by;                 // a number that says what lies in $zone
    std::vector<Node> with;  // numbers besides
  };

  bool read(const Node& item, const Path& path);
  void add_declarations(const Node& item);
  const Memory* find(const Node& use, std::string_view what, const Path& path);
  void write_out(const Node& item, const Path& path, std::vector<Node>& out);
  void observe(const std::string& id, const Memory& memory, const Build& build,
               std::vector<Node>& out) const;
  Node times_seen(const std::string& id, const Build& build) const;

  static bool is_use(const Node& item) {
    return item.is_map() && item.entries.size() == 1 &&
           (item.has("observe") || item.has("remember") || item.has("forget"));
  }
  static std::string variable(const std::string& id, const MemoryPart& part) {
    return fmt::format("{}-{}", id, part.name);
  }
  static Node gvar(const std::string& name, const Build& build) {
    return build.map({{"ref", build.text("gvar")}, {"var", build.text(name)}});
  }
  static Node binding(std::string_view name, const Build& build) {
    return build.map({{"ref", build.text("binding")}, {"name", build.text(name)}});
  }
  static Node operation(std::string_view op, Node left, Node right, const Build& build) {
    return build.map(
        {{"op", build.text(op)}, {"left", std::move(left)}, {"right", std::move(right)}});
  }
  // One more number taken into a fingerprint.
  static Node take_in(const MemoryPart& part, Node number, Node content, const Build& build) {
    Node product = operation("*", std::move(number), build.number(part.factor), build);
    Node sum = operation("+", std::move(product), std::move(content), build);
    return operation("mod", std::move(sum), build.number(part.prime), build);
  }
  bool fail(const Node& at, const Path& path, std::string message, std::string suggestion) {
    expander_.report.error(Code::BUILTIN_INVALID, at.origin, std::move(message), path.text())
        .suggestion = std::move(suggestion);
    return false;
  }

  Expander& expander_;
  std::map<std::string, Memory, std::less<>> memories_;
};

bool Memories::read(const Node& item, const Path& path) {
  constexpr std::string_view keys[] = {"macro", "id", "of", "by", "with"};
  if (!only_keys(item, keys, "a memory", path.text(), expander_.report)) return false;
  const Node *id = item.find("id"), *of = item.find("of"), *by = item.find("by"),
             *with = item.find("with");
  if (id == nullptr || !id->is_string() || of == nullptr || by == nullptr)
    return fail(
        item, path,
        "a memory needs an `id`, `of` (a query for zones) and `by` (a number that says what "
        "lies in `$zone`)",
        "write {macro: memory, id: boards, of: {query: mapSpaces}, by: {zoneCount: $zone}}");
  if (with != nullptr && !with->is_list())
    return fail(*with, path, "`with` is a list of numbers", "write [{ref: activePlayer}]");
  if (expander_.doc.find(Section::tokenTypes) == nullptr)
    return fail(item, path, "a memory needs the section `tokenTypes`",
                "declare the token types of the game there");
  Memory memory{*of, *by, with != nullptr ? with->items : std::vector<Node>{}};
  if (!memories_.try_emplace(id->text, std::move(memory)).second)
    return fail(*id, path, fmt::format("there is a memory `{}` already", id->text), "");
  return true;
}

// A token for every position, and two variables for the one last observed.
void Memories::add_declarations(const Node& item) {
  const Build build{item.origin};
  const std::string& id = item.find("id")->text;
  Node props = build.map({});
  for (const MemoryPart& part : parts) {
    props.set(part.name, build.text("int"));
    expander_.doc.need(Section::globalVars)
        .items.push_back(build.map({{"name", build.text(variable(id, part))},
                                    {"type", build.text("int")},
                                    {"init", build.number(0)},
                                    {"min", build.number(0)},
                                    {"max", build.number(part.prime)},
                                    {"material", Node::of_boolean(false, item.origin)}}));
  }
  expander_.doc.need(Section::tokenTypes)
      .items.push_back(build.map({{"id", build.text(id)}, {"props", std::move(props)}}));
}

void Memories::declare() {
  Node* zones = expander_.doc.find(Section::zones);
  if (zones == nullptr) return;
  std::vector<Node> out;
  Path path{"zones"};
  for (std::size_t i = 0; i < zones->items.size(); ++i) {
    const auto step = path.index(i);
    Node& item = zones->items[i];
    const Node* macro = item.find("macro");
    if (macro == nullptr || !macro->is("memory")) {
      out.push_back(std::move(item));
      continue;
    }
    if (!read(item, path)) continue;
    add_declarations(item);
    const Build build{item.origin};
    out.push_back(build.map({{"id", *item.find("id")},
                             {"owner", build.text("none")},
                             {"visibility", build.text("public")},
                             {"ordering", build.text("set")},
                             {"isInternal", Node::of_boolean(true, item.origin)}}));
  }
  expander_.doc.need(Section::zones).items = std::move(out);
}

const Memories::Memory* Memories::find(const Node& use, std::string_view what, const Path& path) {
  const Node* name = use.is_map() ? use.find("memory") : nullptr;
  if (name == nullptr || !name->is_string()) {
    fail(use, path, fmt::format("`{}` needs the name of a memory", what), "write {memory: …}");
    return nullptr;
  }
  const auto found = memories_.find(name->text);
  if (found != memories_.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& [id, memory] : memories_) names.push_back(id);
  Diagnostic& d = expander_.report.error(Code::BUILTIN_INVALID, name->origin,
                                         fmt::format("there is no memory `{}`", name->text),
                                         path.text() + ".memory");
  d.alternatives = did_you_mean(name->text, names);
  d.suggestion = "a memory is declared in `zones`: {macro: memory, id: …, of: …, by: …}";
  return nullptr;
}

// Both parts of the fingerprint of the present position, into the memory's variables.
void Memories::observe(const std::string& id, const Memory& memory, const Build& build,
                       std::vector<Node>& out) const {
  for (const MemoryPart& part : parts) {
    const std::string sum = fmt::format("$__{}_sum", part.name),
                      result = fmt::format("$__{}_result", part.name);
    Node initial = build.number(1);
    for (const Node& value : memory.with) initial = take_in(part, std::move(initial), value, build);
    Node set = build.map({{"setVar", build.map({{"scope", build.text("global")},
                                                {"var", build.text(variable(id, part))},
                                                {"value", binding(result, build)}})}});
    out.push_back(build.map(
        {{"reduce", build.map({{"itemBind", build.text("$zone")},
                               {"accBind", build.text(sum)},
                               {"over", memory.of},
                               {"initial", std::move(initial)},
                               {"next", take_in(part, binding(sum, build), memory.by, build)},
                               {"resultBind", build.text(result)},
                               {"in", build.list({std::move(set)})}})}}));
  }
}

Node Memories::times_seen(const std::string& id, const Build& build) const {
  std::vector<Node> tests;
  for (const MemoryPart& part : parts)
    tests.push_back(build.map({{"prop", build.text(part.name)},
                               {"op", build.text("eq")},
                               {"value", gvar(variable(id, part), build)}}));
  Node filter = build.map({{"op", build.text("and")}, {"args", build.list(std::move(tests))}});
  Node query = build.map({{"query", build.text("tokensInZone")},
                          {"zone", build.text(id)},
                          {"filter", std::move(filter)}});
  return build.map(
      {{"aggregate", build.map({{"op", build.text("count")}, {"query", std::move(query)}})}});
}

void Memories::write_out(const Node& item, const Path& path, std::vector<Node>& out) {
  const std::string& name = item.entries.front().key;
  const Node& body = item.entries.front().value;
  const Memory* memory = find(body, name, path);
  if (memory == nullptr) return;
  constexpr std::string_view keys[] = {"memory"};
  if (!only_keys(body, keys, fmt::format("`{}`", name), path.text(), expander_.report)) return;
  const std::string& id = body.find("memory")->text;
  const Build build{
      {item.origin.place,
       expander_.report.source().add_expansion(
           {ExpansionKind::builtin, name, item.origin.place, {}, item.origin.expansion})}};
  if (name != "forget") observe(id, *memory, build, out);
  if (name == "remember") {
    Node props = build.map({});
    for (const MemoryPart& part : parts) props.set(part.name, gvar(variable(id, part), build));
    out.push_back(build.map({{"createToken", build.map({{"type", build.text(id)},
                                                        {"zone", build.text(id)},
                                                        {"props", std::move(props)}})}}));
  }
  if (name == "forget") {
    const Node token = build.text("$__forgotten");
    Node destroy = build.map({{"destroyToken", build.map({{"token", token}})}});
    Node tokens = build.map({{"query", build.text("tokensInZone")}, {"zone", build.text(id)}});
    out.push_back(
        build.map({{"forEach", build.map({{"bind", token},
                                          {"over", std::move(tokens)},
                                          {"effects", build.list({std::move(destroy)})}})}}));
  }
}

void Memories::expand(Node& node, Path& path) {
  each_branch(node, path, [&](Node& child) { expand(child, path); });
  if (std::ranges::any_of(node.items, is_use)) {
    std::vector<Node> out;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const auto step = path.index(i);
      if (is_use(node.items[i]))
        write_out(node.items[i], path, out);
      else
        out.push_back(std::move(node.items[i]));
    }
    node.items = std::move(out);
  }
  if (!node.is_map() || node.find_string("ref") != "timesSeen") return;
  const Memory* memory = find(node, "timesSeen", path);
  if (memory == nullptr) return;
  node = times_seen(node.find("memory")->text, Build{node.origin});
}

}  // namespace

void expand_memories(Expander& expander) {
  Memories memories{expander};
  memories.declare();
  const auto expand = [&](Section section) {
    Node* node = expander.doc.find(section);
    if (node == nullptr) return;
    Path path{std::string{section_name(section)}};
    memories.expand(*node, path);
  };
  for (const Section section : rule_sections()) expand(section);
  for (const Section section : {Section::effectMacros, Section::conditionMacros,
                                Section::valueMacros, Section::phaseTemplates})
    expand(section);
}

}  // namespace parlor::spec
