#include "spec/expand/builtins.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/expand/table_effects.h"

namespace parlor::spec {
namespace {

class Builtins : BuiltinTools {
 public:
  explicit Builtins(Expander& expander) : BuiltinTools{expander}, table_(expander) {}

  void expand(Node& node, Path& path) {
    each_branch(node, path, [&](Node& child) { expand(child, path); });
    if (Node* create = node.find("createToken")) table_.give_face(*create);
    if (node.is_map() && node.entries.size() == 1 && node.has("distance"))
      table_.measure(node, path);
    if (node.is_map() && node.entries.size() == 1 &&
        (node.has("components") || node.has("largestComponent")))
      table_.group(node, path);
    if (std::ranges::none_of(node.items, is_builtin)) return;
    std::vector<Node> out;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const auto step = path.index(i);
      if (is_builtin(node.items[i]))
        write_out(std::move(node.items[i]), path, out);
      else
        out.push_back(std::move(node.items[i]));
    }
    node.items = std::move(out);
  }

 private:
  static bool is_each(const Node& item) {
    const Node* draw = item.find("draw");
    return draw != nullptr && draw->find_string("to").value_or("").ends_with(":each");
  }
  static bool is_several(const Node& item) {
    const Node* create = item.find("createToken");
    return create != nullptr && create->has("count");
  }
  static bool is_builtin(const Node& item) {
    return item.is_map() &&
           (item.has("refillToSize") || item.has("discardDownTo") || item.has("distributeTokens") ||
            is_table_effect(item) || is_several(item) || is_each(item));
  }

  void write_out(Node item, const Path& path, std::vector<Node>& out);
  void refill(const Node& body, const Path& path, const Build& build, std::vector<Node>& out);
  void discard(const Node& body, const Path& path, const Build& build, std::vector<Node>& out);
  void distribute(const Node& body, const Path& path, const Build& build, std::vector<Node>& out);
  void create(Node body, const Path& path, const Build& build, std::vector<Node>& out);
  void deal(const Node& draw, const Path& path, const Build& build, std::vector<Node>& out);

  TableEffects table_;
};

void Builtins::write_out(Node item, const Path& path, std::vector<Node>& out) {
  const std::string name = item.entries.front().key;
  const Node& body = item.entries.front().value;
  const ExpansionIndex expansion = expander.report.source().add_expansion(
      {ExpansionKind::builtin,
       is_each(item) ? item.find("draw")->find("to")->text : name,
       item.origin.place,
       {},
       item.origin.expansion});
  const Build build{{item.origin.place, expansion}};
  if (item.entries.size() != 1) {
    fail(item, path,
         fmt::format("an effect has one key; this one has `{}` and `{}`", item.entries[0].key,
                     item.entries[1].key),
         "write two list items");
    return;
  }
  if (!body.is_map()) {
    fail(body, path, fmt::format("`{}` needs a mapping, not {}", name, describe(body)), "");
    return;
  }
  if (is_table_effect(item)) {
    std::vector<Node> written = table_.write_out(name, body, path, build);
    std::move(written.begin(), written.end(), std::back_inserter(out));
    return;
  }
  if (name == "refillToSize") refill(body, path, build, out);
  if (name == "discardDownTo") discard(body, path, build, out);
  if (name == "distributeTokens") distribute(body, path, build, out);
  if (name == "createToken") create(body, path, build, out);
  if (name == "draw") deal(body, path, build, out);
}

void Builtins::refill(const Node& body, const Path& path, const Build& build,
                      std::vector<Node>& out) {
  constexpr std::string_view keys[] = {"zone", "fromZone", "size"};
  if (!only_keys(body, keys, "`refillToSize`", path.text() + ".refillToSize", expander.report))
    return;
  if (!need(body, "refillToSize", "zone", path) || !need(body, "refillToSize", "fromZone", path))
    return;
  const auto count = size(body, "refillToSize", path);
  if (!count || !take(static_cast<std::size_t>(*count) * 2, body, path) ||
      !take_nodes(expander, static_cast<std::size_t>(*count) * count_nodes(body), body.origin,
                  path.text()))
    return;
  const Node& zone = *body.find("zone");
  for (std::int64_t i = 0; i < *count; ++i) {
    Node draw = build.map({{"draw", build.map({{"from", *body.find("fromZone")},
                                               {"to", zone},
                                               {"count", build.number(1)}})}});
    Node when = build.map({{"op", build.text("<")},
                           {"left", build.map({{"ref", build.text("zoneCount")}, {"zone", zone}})},
                           {"right", *body.find("size")}});
    std::vector<Node> then;
    then.push_back(std::move(draw));
    out.push_back(build.map(
        {{"if", build.map({{"when", std::move(when)}, {"then", build.list(std::move(then))}})}}));
  }
}

void Builtins::discard(const Node& body, const Path& path, const Build& build,
                       std::vector<Node>& out) {
  constexpr std::string_view keys[] = {"zone", "size", "to"};
  if (!only_keys(body, keys, "`discardDownTo`", path.text() + ".discardDownTo", expander.report))
    return;
  if (!need(body, "discardDownTo", "zone", path) || !size(body, "discardDownTo", path)) return;
  if (!take(3, body, path)) return;
  const Node& zone = *body.find("zone");
  const Node token = build.text(fresh("discard", path));
  Node when = build.map({{"op", build.text(">")},
                         {"left", build.map({{"ref", build.text("zoneCount")}, {"zone", zone}})},
                         {"right", *body.find("size")}});
  std::vector<Node> then;
  if (const Node* to = body.find("to"))
    then.push_back(
        build.map({{"moveToken", build.map({{"token", token}, {"from", zone}, {"to", *to}})}}));
  else
    then.push_back(build.map({{"destroyToken", build.map({{"token", token}})}}));
  std::vector<Node> effects;
  effects.push_back(build.map(
      {{"if", build.map({{"when", std::move(when)}, {"then", build.list(std::move(then))}})}}));
  out.push_back(build.map(
      {{"forEach",
        build.map({{"bind", token},
                   {"over", build.map({{"query", build.text("tokensInZone")}, {"zone", zone}})},
                   {"effects", build.list(std::move(effects))}})}}));
}

void Builtins::distribute(const Node& body, const Path& path, const Build& build,
                          std::vector<Node>& out) {
  constexpr std::string_view keys[] = {"tokens", "destinations", "n", "max", "min", "chooser"};
  if (!only_keys(body, keys, "`distributeTokens`", path.text() + ".distributeTokens",
                 expander.report))
    return;
  if (!need(body, "distributeTokens", "tokens", path) ||
      !need(body, "distributeTokens", "destinations", path))
    return;
  if (body.has("n") == body.has("max")) {
    fail(body, path, "`distributeTokens` needs either `n` or `max`", "write `n: 2` or `max: 2`");
    return;
  }
  if (!take(4, body, path)) return;
  const Node chosen = build.text(fresh("tokens", path));
  const Node token = build.text(fresh("token", path));
  const Node place = build.text(fresh("destination", path));
  Node choose = build.map({{"bind", chosen}, {"options", *body.find("tokens")}});
  for (const std::string_view key : {"n", "max", "min", "chooser"})
    if (const Node* node = body.find(key)) choose.set(key, *node);
  out.push_back(build.map({{"chooseN", std::move(choose)}}));
  Node destination = build.map({{"bind", place}, {"options", *body.find("destinations")}});
  if (const Node* chooser = body.find("chooser")) destination.set("chooser", *chooser);
  Node from =
      build.map({{"zoneExpr", build.map({{"ref", build.text("tokenZone")}, {"token", token}})}});
  std::vector<Node> effects;
  effects.push_back(build.map({{"chooseOne", std::move(destination)}}));
  effects.push_back(build.map(
      {{"moveToken", build.map({{"token", token}, {"from", std::move(from)}, {"to", place}})}}));
  out.push_back(build.map(
      {{"forEach",
        build.map({{"bind", token},
                   {"over", build.map({{"query", build.text("binding")}, {"name", chosen}})},
                   {"effects", build.list(std::move(effects))}})}}));
}

// {createToken: {…, count}}: several tokens alike.
void Builtins::create(Node body, const Path& path, const Build& build, std::vector<Node>& out) {
  if (!take(2, body, path)) return;
  Node count = *body.find("count");
  body.erase("count");
  out.push_back(build.map(
      {{"forEach",
        build.map({{"bind", build.text(fresh("copy", path))},
                   {"over", build.map({{"query", build.text("intsInRange")},
                                       {"min", build.number(1)},
                                       {"max", std::move(count)}})},
                   {"effects", build.list({build.map({{"createToken", std::move(body)}})})}})}}));
}

void Builtins::deal(const Node& draw, const Path& path, const Build& build,
                    std::vector<Node>& out) {
  if (!take(2, draw, path)) return;
  const std::string player = fresh("player", path);
  Node one = draw;
  const Node& each = *draw.find("to");
  *one.find("to") =
      Node::of_string(each.text.substr(0, each.text.rfind(':') + 1) + player, each.origin);
  std::vector<Node> effects;
  effects.push_back(build.map({{"draw", std::move(one)}}));
  out.push_back(
      build.map({{"forEach", build.map({{"bind", build.text(player)},
                                        {"over", build.map({{"query", build.text("players")}})},
                                        {"effects", build.list(std::move(effects))}})}}));
}

}  // namespace

void expand_builtins(Expander& expander) {
  Builtins builtins{expander};
  for (const Section section : rule_sections()) {
    Node* node = expander.doc.find(section);
    if (node == nullptr) continue;
    Path path{std::string{section_name(section)}};
    builtins.expand(*node, path);
  }
}

}  // namespace parlor::spec
