#include "spec/expand/table_effects.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::spec {

bool BuiltinTools::fail(const Node& at, const Path& path, std::string message,
                        std::string suggestion) const {
  expander.report.error(Code::BUILTIN_INVALID, at.origin, std::move(message), path.text())
      .suggestion = std::move(suggestion);
  return false;
}

bool BuiltinTools::need(const Node& body, std::string_view what, std::string_view key,
                        const Path& path) const {
  if (body.has(key)) return true;
  return fail(body, path, fmt::format("`{}` needs `{}`", what, key), "");
}

std::optional<std::int64_t> BuiltinTools::size(const Node& body, std::string_view what,
                                               const Path& path) const {
  const Node* size = body.find("size");
  const auto value = size != nullptr ? size->as_integer() : std::nullopt;
  if (value && *value >= 0) return value;
  fail(size != nullptr ? *size : body, path,
       fmt::format("the `size` of `{}` must be an integer from 0, written out", what),
       "write a number or a constant");
  return std::nullopt;
}

bool BuiltinTools::take(std::size_t count, const Node& at, const Path& path) const {
  if (count <= expander.effects_left) {
    expander.effects_left -= count;
    return true;
  }
  if (expander.first_time(Code::LIMIT_EFFECTS, {}))
    expander.report
        .error(Code::LIMIT_EFFECTS, at.origin,
               fmt::format("built-in effects write out more than {} effects",
                           expander.limits.built_in_effects),
               path.text())
        .suggestion = "use a smaller size, or forEach";
  return false;
}

std::string BuiltinTools::fresh(std::string_view stem, const Path& path) const {
  std::string out = fmt::format("$__{}_", stem);
  for (const char c : path.text())
    out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return out;
}

bool is_table_effect(const Node& item) {
  if (!item.is_map() || item.entries.empty()) return false;
  const Entry& entry = item.entries.front();
  const auto by_place = [&] { return entry.value.has("top") || entry.value.has("bottom"); };
  if (entry.key == "reveal" || entry.key == "conceal") return by_place();
  constexpr std::string_view names[] = {"peek", "swap",      "swapZones",
                                        "cut",  "drawUntil", "rollDice"};
  return std::ranges::find(names, entry.key) != std::end(names);
}

namespace {

// The nodes these effects are made of.
struct Words : Build {
  Node ref(std::string_view binding) const {
    return map({{"ref", text("binding")}, {"name", text(binding)}});
  }
  Node op(std::string_view name, Node left, Node right) const {
    return map({{"op", text(name)}, {"left", std::move(left)}, {"right", std::move(right)}});
  }
  Node count(const Node& zone) const { return map({{"ref", text("zoneCount")}, {"zone", zone}}); }
  Node tokens(const Node& zone) const {
    return map({{"query", text("tokensInZone")}, {"zone", zone}});
  }
  Node effect(std::string_view name, Parts fields) const { return map({{name, map(fields)}}); }
  Node let(std::string_view name, Node value) const {
    return effect("bindValue", {{"bind", text(name)}, {"value", std::move(value)}});
  }
  Node item(Node query, Node at) const {
    return map({{"item", map({{"query", std::move(query)}, {"at", std::move(at)}})}});
  }
  Node loop(std::string_view bind, Node over, std::vector<Node> effects) const {
    return effect(
        "forEach",
        {{"bind", text(bind)}, {"over", std::move(over)}, {"effects", list(std::move(effects))}});
  }
  Node range(Node from, Node to) const {
    return map({{"query", text("intsInRange")}, {"min", std::move(from)}, {"max", std::move(to)}});
  }
  Node move(const Node& token, Node from, Node to, std::string_view position = {}) const {
    Node out =
        effect("moveToken", {{"token", token}, {"from", std::move(from)}, {"to", std::move(to)}});
    if (!position.empty()) out.entries.front().value.set("position", text(position));
    return out;
  }
  Node zone_of(std::string_view token) const {
    return map({{"ref", text("tokenZone")}, {"token", text(token)}});
  }
};

}  // namespace

TableEffects::TableEffects(Expander& e) : BuiltinTools{e} {
  declare_dice();
}

bool TableEffects::keys(std::string_view name, const Node& body,
                        std::span<const std::string_view> allowed,
                        std::span<const std::string_view> needed, const Path& path) const {
  bool fine = only_keys(body, allowed, fmt::format("`{}`", name),
                        fmt::format("{}.{}", path.text(), name), expander.report);
  for (const std::string_view key : needed) fine = fine && need(body, name, key, path);
  return fine && take(8, body, path);
}

std::vector<Node> TableEffects::write_out(std::string_view name, const Node& body, const Path& path,
                                          const Build& build) const {
  if (name == "peek") return peek(body, path, build);
  if (name == "swap") return swap(body, path, build);
  if (name == "swapZones") return swap_zones(body, path, build);
  if (name == "cut") return cut(body, path, build);
  if (name == "drawUntil") return draw_until(body, path, build);
  if (name == "rollDice") return roll(body, path, build);
  return sight(name, body, path, build);
}

// Those that lie at one end of a zone, one after the other: {reveal: {zone, to, top: 2}}.
std::vector<Node> TableEffects::sight(std::string_view name, const Node& body, const Path& path,
                                      const Build& build) const {
  constexpr std::string_view allowed[] = {"zone", "to", "from", "top", "bottom"};
  constexpr std::string_view needed[] = {"zone"};
  if (!keys(name, body, allowed, needed, path)) return {};
  if (body.has("top") && body.has("bottom")) {
    fail(body, path, fmt::format("`{}` takes `top` or `bottom`, not both", name),
         "write two effects");
    return {};
  }
  const Words w{build};
  const bool top = body.has("top");
  const Node& zone = *body.find("zone");
  const std::string place = fresh("place", path), token = fresh("token", path);
  Node many = w.op("min", *body.find(top ? "top" : "bottom"), w.count(zone));
  Node at = top ? w.ref(place) : w.op("-", w.number(0), w.ref(place));
  Node shown = w.map({{"zone", zone}});
  for (const std::string_view key : {"to", "from"})
    if (const Node* who = body.find(key)) shown.set(key, *who);
  shown.set("filter", w.map({{"prop", w.text("id")},
                             {"op", w.text("eq")},
                             {"value", w.map({{"ref", w.text("tokenProp")},
                                              {"token", w.text(token)},
                                              {"prop", w.text("id")}})}}));
  std::vector<Node> each;
  each.push_back(w.let(token, w.item(w.tokens(zone), std::move(at))));
  each.push_back(w.map({{name, std::move(shown)}}));
  std::vector<Node> out;
  out.push_back(w.loop(place, w.range(w.number(1), std::move(many)), std::move(each)));
  return out;
}

// Seen, and not in sight any more: what one has seen is not forgotten.
std::vector<Node> TableEffects::peek(const Node& body, const Path& path, const Build& build) const {
  constexpr std::string_view allowed[] = {"zone", "to", "top", "bottom"};
  constexpr std::string_view needed[] = {"zone"};
  if (!keys("peek", body, allowed, needed, path)) return {};
  const Words w{build};
  Node shown = body;
  if (!body.has("top") && !body.has("bottom")) shown.set("top", w.number(1));
  if (!body.has("to")) shown.set("to", w.text("actor"));
  Node hidden = shown;
  hidden.set("from", *shown.find("to"));
  hidden.erase("to");
  std::vector<Node> out = sight("reveal", shown, path, build);
  for (Node& node : sight("conceal", hidden, path, build)) out.push_back(std::move(node));
  return out;
}

// Two tokens take each other's place.
std::vector<Node> TableEffects::swap(const Node& body, const Path& path, const Build& build) const {
  constexpr std::string_view allowed[] = {"a", "b"};
  if (!keys("swap", body, allowed, allowed, path)) return {};
  const Words w{build};
  const Node &a = *body.find("a"), &b = *body.find("b");
  if (!a.is_string() || !b.is_string()) {
    fail(body, path, "`swap` takes the bindings of two tokens",
         "write {swap: {a: $mine, b: $yours}}");
    return {};
  }
  const std::string here = fresh("here", path), there = fresh("there", path);
  std::vector<Node> out;
  out.push_back(w.let(here, w.zone_of(a.text)));
  out.push_back(w.let(there, w.zone_of(b.text)));
  out.push_back(w.move(a, w.text(here), w.text(there)));
  out.push_back(w.move(b, w.text(there), w.text(here)));
  return out;
}

// All that lies in two zones, in its order.
std::vector<Node> TableEffects::swap_zones(const Node& body, const Path& path,
                                           const Build& build) const {
  constexpr std::string_view allowed[] = {"a", "b"};
  if (!keys("swapZones", body, allowed, allowed, path)) return {};
  const Words w{build};
  const Node &a = *body.find("a"), &b = *body.find("b");
  const std::string place = fresh("place", path), token = fresh("token", path);
  const std::string many = fresh("many", path);
  const auto carry = [&](const Node& from, const Node& to, Node count) {
    std::vector<Node> each;
    each.push_back(w.let(token, w.item(w.tokens(from), w.number(1))));
    each.push_back(w.move(w.text(token), from, to, "bottom"));
    return w.loop(place, w.range(w.number(1), std::move(count)), std::move(each));
  };
  // What came from `a` lies below what was in `b`: so many from the top go back.
  std::vector<Node> out;
  out.push_back(w.let(many, w.count(b)));
  out.push_back(carry(a, b, w.count(a)));
  out.push_back(carry(b, a, w.ref(many)));
  return out;
}

// The upper part goes below the lower one; where chance cuts, both have something.
std::vector<Node> TableEffects::cut(const Node& body, const Path& path, const Build& build) const {
  constexpr std::string_view allowed[] = {"zone", "at"};
  constexpr std::string_view needed[] = {"zone"};
  if (!keys("cut", body, allowed, needed, path)) return {};
  const Words w{build};
  const Node& zone = *body.find("zone");
  const std::string place = fresh("place", path), token = fresh("token", path);
  const std::string where = fresh("where", path);
  std::vector<Node> each;
  each.push_back(w.let(token, w.item(w.tokens(zone), w.number(1))));
  each.push_back(w.move(w.text(token), zone, zone, "bottom"));
  Node many = body.has("at") ? w.op("min", *body.find("at"), w.count(zone))
                             : w.op("min", w.ref(where), w.count(zone));
  std::vector<Node> out;
  out.push_back(w.loop(place, w.range(w.number(1), std::move(many)), std::move(each)));
  if (body.has("at")) return out;
  Node most = w.op("max", w.number(1), w.op("-", w.count(zone), w.number(1)));
  Node rolled = w.effect("rollRandom", {{"bind", w.text(where)},
                                        {"min", w.number(1)},
                                        {"max", std::move(most)},
                                        {"in", w.list(std::move(out))}});
  out.clear();
  out.push_back(std::move(rolled));
  return out;
}

// One after the other until the condition holds or nothing is left, also none.
std::vector<Node> TableEffects::draw_until(const Node& body, const Path& path,
                                           const Build& build) const {
  constexpr std::string_view allowed[] = {"from", "to", "until"};
  if (!keys("drawUntil", body, allowed, allowed, path)) return {};
  const Words w{build};
  const Node& from = *body.find("from");
  Node left = w.count(from);
  // A deck that fills itself again goes on as long as there is something to fill it with.
  if (const Node* zones = expander.doc.find(Section::zones))
    for (const Node& zone : zones->items) {
      const Node* behavior = zone.find("behavior");
      const Node* more =
          behavior != nullptr ? behavior->find("reshuffleFrom") : zone.find("refillFrom");
      if (more != nullptr && from.is_string() && zone.find_string("id") == from.text)
        left = w.op("+", std::move(left), w.count(*more));
    }
  Node open = w.map({{"op", w.text("not")}, {"arg", *body.find("until")}});
  Node when = w.map({{"op", w.text("and")},
                     {"args", w.list({std::move(open), w.op(">", std::move(left), w.number(0))})}});
  constexpr std::int64_t most = 10'000;  // as many as a zone can have in any case
  std::vector<Node> each;
  each.push_back(
      w.effect("draw", {{"from", from}, {"to", *body.find("to")}, {"count", w.number(1)}}));
  std::vector<Node> out;
  out.push_back(w.effect("while", {{"when", std::move(when)},
                                   {"limit", w.number(most)},
                                   {"effects", w.list(std::move(each))}}));
  return out;
}

// Asked step by step: is it one, two, …, as far as anybody wants to know.
void TableEffects::measure(Node& value, const Path& path) const {
  const Node body = *value.find("distance");
  constexpr std::string_view allowed[] = {"from", "to", "most", "via"};
  constexpr std::string_view needed[] = {"from", "to", "most"};
  constexpr std::int64_t farthest = 100;
  const Words w{{{value.origin.place, value.origin.expansion}}};
  value = w.number(-1);
  if (!body.is_map()) {
    fail(body, path, "`distance` needs a mapping", "write {distance: {from: $a, to: $b, most: 5}}");
    return;
  }
  if (!keys("distance", body, allowed, needed, path)) return;
  const Node& most = *body.find("most");
  if (!most.is_integer() || most.integer < 1 || most.integer > farthest) {
    fail(most, path, fmt::format("`most` is a number from 1 to {}, written out", farthest),
         "say up to which distance you want to know it");
    return;
  }
  const auto part = static_cast<std::size_t>(most.integer);
  if (!take_nodes(expander, part * (8 + count_nodes(body)), body.origin, path.text())) return;
  const auto choice = [&](Node when, Node then, Node otherwise) {
    return w.map({{"if", w.map({{"when", std::move(when)},
                                {"then", std::move(then)},
                                {"else", std::move(otherwise)}})}});
  };
  for (std::int64_t steps = most.integer; steps > 0; --steps) {
    Node near = w.map({{"op", w.text("connected")},
                       {"from", *body.find("from")},
                       {"to", *body.find("to")},
                       {"maxDepth", w.number(steps)}});
    if (const Node* via = body.find("via")) near.set("via", *via);
    value = choice(std::move(near), w.number(steps), std::move(value));
  }
  const auto id = [&](std::string_view key) {
    return w.map({{"ref", w.text("zoneProp")}, {"zone", *body.find(key)}, {"prop", w.text("id")}});
  };
  value = choice(w.op("==", id("from"), id("to")), w.number(0), std::move(value));
}

// Zones a condition holds for, and which of them hang together: as many groups as there are zones
// with the smallest number of theirs, or how many the largest group has.
void TableEffects::group(Node& value, const Path& path) const {
  const std::string name = value.entries.front().key;
  const Node body = value.entries.front().value;
  constexpr std::string_view allowed[] = {"where"};
  const ExpansionIndex expansion = expander.report.source().add_expansion(
      {ExpansionKind::builtin, name, value.origin.place, {}, value.origin.expansion});
  const Words w{{{value.origin.place, expansion}}};
  value = w.number(0);
  if (!body.is_map()) {
    fail(body, path, fmt::format("`{}` needs a mapping", name),
         fmt::format("write {{{}: {{where: …}}}}", name));
    return;
  }
  if (!keys(name, body, allowed, allowed, path)) return;
  const Node& where = *body.find("where");
  if (!take_nodes(expander, 2 * count_nodes(body), body.origin, path.text())) return;
  const std::string one = fresh("zone", path), other = fresh("other", path);
  Node all = w.map({{"query", w.text("mapSpaces")}, {"filter", where}});
  Node together = w.map({{"query", w.text("connectedZones")},
                         {"zone", w.text(one)},
                         {"via", where},
                         {"includeStart", Node::of_boolean(true, w.origin)}});
  const auto number = [&](std::string_view zone) {
    return w.map({{"numberOf", w.map({{"of", w.ref(zone)}})}});
  };
  const auto aggregate = [&](std::string_view op, Node query, std::string_view bind, Node each) {
    Node out = w.map({{"op", w.text(op)}, {"query", std::move(query)}});
    if (!bind.empty()) {
      out.set("bind", w.text(bind));
      out.set("valueExpr", std::move(each));
    }
    return w.map({{"aggregate", std::move(out)}});
  };
  if (name == "largestComponent") {
    Node size = aggregate("count", std::move(together), "", {});
    value = aggregate("max", std::move(all), one, std::move(size));
    return;
  }
  Node least = aggregate("min", std::move(together), other, number(other));
  Node first = w.map({{"query", w.text("filter")},
                      {"source", std::move(all)},
                      {"bind", w.text(one)},
                      {"where", w.op("==", number(one), std::move(least))}});
  value = aggregate("count", std::move(first), "", {});
}

// ---- Dice

namespace {

// `faces: 6` or `faces: [sword, sword, shield]`, also among the properties of the short form.
Node* faces_of(Node& type) {
  if (Node* faces = type.find("faces")) return faces;
  Node* props = type.find("props");
  Node* faces = props != nullptr ? props->find("faces") : nullptr;
  return faces != nullptr && (faces->is_list() || faces->is_integer()) ? faces : nullptr;
}

bool are_faces(const Node& node) {
  constexpr std::int64_t most = 100;
  if (node.is_integer()) return node.integer >= 2 && node.integer <= most;
  const auto same = [&](const Node& face) {
    return (face.is_integer() || face.is_string()) && face.is_string() == node.items[0].is_string();
  };
  return node.is_list() && node.items.size() >= 2 && node.items.size() <= most &&
         std::ranges::all_of(node.items, same);
}

}  // namespace

void TableEffects::declare_dice() {
  Node* types = expander.doc.find(Section::tokenTypes);
  if (types == nullptr) return;
  for (std::size_t i = 0; i < types->items.size(); ++i) {
    Node& type = types->items[i];
    const auto id = type.find_string("id");
    const Node* written = type.is_map() && id ? faces_of(type) : nullptr;
    if (written == nullptr) continue;
    const Node faces = *written;
    type.erase("faces");
    if (Node* props = type.find("props")) props->erase("faces");
    const Build b{faces.origin};
    if (!are_faces(faces)) {
      Path path{fmt::format("tokenTypes.{}.faces", i)};
      fail(faces, path,
           "the faces of a die are a number from 2 to 100, or a list of numbers or of texts",
           "write `faces: 6` or `faces: [sword, sword, shield]`");
      continue;
    }
    Die die;
    die.plain = faces.is_integer();
    for (std::int64_t n = 1; die.plain && n <= faces.integer; ++n) die.faces.push_back(b.number(n));
    if (!die.plain) die.faces = faces.items;
    if (!type.has("props")) type.set("props", b.map({}));
    type.find("props")->set("face", b.text(die.faces[0].is_string() ? "string" : "int"));
    dice_.emplace(std::string{*id}, std::move(die));
  }
}

void TableEffects::give_face(Node& create) const {
  const auto type = create.find_string("type");
  const auto die = type ? dice_.find(*type) : dice_.end();
  if (die == dice_.end()) return;
  const Build b{create.origin};
  if (!create.has("props")) create.set("props", b.map({}));
  if (Node* props = create.find("props"); props->is_map() && !props->has("face"))
    props->set("face", die->second.faces.front());
}

Node TableEffects::roll_one(const Die& die, const Node& token, const Path& path,
                            const Build& build) const {
  const Words w{build};
  const std::string number = fresh("rolled", path);
  Node face = w.ref(number);
  if (!die.plain) {
    face = die.faces.back();
    for (std::size_t i = die.faces.size() - 1; i-- > 0;)
      face = w.map(
          {{"if",
            w.map({{"when", w.op("==", w.ref(number), w.number(static_cast<std::int64_t>(i) + 1))},
                   {"then", die.faces[i]},
                   {"else", std::move(face)}})}});
  }
  Node set = w.effect("setTokenProp",
                      {{"token", token}, {"prop", w.text("face")}, {"value", std::move(face)}});
  return w.effect("rollRandom", {{"bind", w.text(number)},
                                 {"min", w.number(1)},
                                 {"max", w.number(static_cast<std::int64_t>(die.faces.size()))},
                                 {"in", w.list({std::move(set)})}});
}

std::vector<Node> TableEffects::roll(const Node& body, const Path& path, const Build& build) const {
  constexpr std::string_view allowed[] = {"dice"};
  if (!keys("rollDice", body, allowed, allowed, path)) return {};
  if (dice_.empty()) {
    fail(body, path, "there are no dice: no token type has faces",
         "declare one: tokenTypes: {die: {faces: 6}}");
    return {};
  }
  const Words w{build};
  const std::string name = fresh("die", path);
  const Node token = w.text(name);
  std::vector<Node> each;
  for (const auto& [type, die] : dice_) {
    Node rolled = roll_one(die, token, path, build);
    if (dice_.size() == 1) {
      each.push_back(std::move(rolled));
      continue;
    }
    Node kind = w.map({{"ref", w.text("tokenProp")}, {"token", token}, {"prop", w.text("type")}});
    each.push_back(w.effect("if", {{"when", w.op("==", std::move(kind), w.text(type))},
                                   {"then", w.list({std::move(rolled)})}}));
  }
  std::vector<Node> out;
  out.push_back(w.loop(name, *body.find("dice"), std::move(each)));
  return out;
}

}  // namespace parlor::spec
