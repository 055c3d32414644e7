#include "spec/lower/names.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/expand/build.h"

namespace parlor::spec::lower {
namespace {

bool refers(const Node& node, std::string_view kind) {
  const Node* ref = node.find("ref");
  return ref != nullptr && ref->is(kind);
}

// One thing that a word may be. Nearly always there is one, so nothing is put into words before
// somebody has to be told.
struct Claim {
  std::string_view what;  // "a variable of players"
  Node node;
  Type type;
  std::string_view before = {}, after = {};  // around the word they say exactly this; none: nothing
  std::string owner = {};                    // of what belongs to something
};
using Claims = std::vector<Claim>;

Type variable_type(VarType type) {
  return type_of_var(type);
}

// What belongs to a thing, by the kind the thing is.
class Members {
 public:
  Members(Context& cx, const Node& owner, const Node& name, Claims& out)
      : cx_(cx), owner_(owner), name_(name), build_{name.origin}, out_(out) {}

  void of(const Type& type) {
    const bool any = !type.known() || type.kind == Kind::string || type.kind == Kind::record;
    sure_ = !any;
    if (any || type.kind == Kind::token) token();
    if (any || type.kind == Kind::zone) zone();
    if (!type.known() || type.kind == Kind::player || type.kind == Kind::integer) player();
    if (type.kind == Kind::row) row(type.table);
  }

  void player() {
    if (const VarType* type = declared(cx_.symbols.per_player_vars))
      add("a variable of players", variable_type(*type),
          build_.map({{"ref", build_.text("pvar")}, {"player", owner_}, {"var", name_}}));
  }
  void game() {
    if (const VarType* type = declared(cx_.symbols.global_vars))
      add("a variable of the game", variable_type(*type),
          build_.map({{"ref", build_.text("gvar")}, {"var", name_}}));
  }
  void zone() {
    if (const Kind* kind = find(cx_.symbols.attributes))
      add("an attribute of zones", plain(*kind), zone_prop());
    else if (name_.is("category"))
      add("the category of a zone", plain(Kind::string), zone_prop());
    if (const MarkerInfo* marker = find(cx_.symbols.markers); marker != nullptr)
      add("a marker", plain(Kind::string),
          build_.map({{"ref", build_.text("markerState")}, {"space", owner_}, {"marker", name_}}));
    if (const VarType* type = declared(cx_.symbols.zone_vars))
      add("a variable of zones", variable_type(*type),
          build_.map({{"ref", build_.text("zoneVar")}, {"zone", owner_}, {"var", name_}}));
    if (name_.is("id") && cx_.symbols.attributes.find("id") == cx_.symbols.attributes.end())
      add("the id of a zone", plain(Kind::zone), zone_prop());
  }
  void token() {
    if (!owner_.is_string()) return;
    const auto prop = [&] {
      return build_.map({{"ref", build_.text("tokenProp")}, {"token", owner_}, {"prop", name_}});
    };
    if (const Kind* kind = find(cx_.symbols.props))
      add("a property of tokens", plain(*kind), prop());
    else if (!name_.is_string() && sure_)
      add("a property of tokens", {}, prop());
    else if (name_.is("zone"))
      add("the zone of a token", plain(Kind::zone),
          build_.map({{"ref", build_.text("tokenZone")}, {"token", owner_}}));
    else if (name_.is("type") || name_.is("id"))
      add("what every token has", plain(Kind::string), prop());
  }
  void row(const std::string& table) {
    const TableInfo* info = find_in(cx_.symbols.tables, table);
    const Kind* kind = info != nullptr ? find(info->fields) : nullptr;
    if (kind == nullptr) return;
    add("a field of rows", plain(*kind),
        build_.map({{"ref", build_.text("assetField")},
                    {"row", owner_},
                    {"tableId", build_.text(table)},
                    {"field", name_}}));
  }

 private:
  template <class Info>
  const Info* find(const Table<Info>& table) const {
    return name_.is_string() ? find_in(table, name_.text) : nullptr;
  }
  // A name that is computed may be that of any variable.
  const VarType* declared(const Table<VarType>& table) const {
    static constexpr VarType number = VarType::integer;
    if (name_.is_string()) return find_in(table, name_.text);
    return table.empty() ? nullptr : &number;
  }
  Node zone_prop() const {
    return build_.map({{"ref", build_.text("zoneProp")}, {"zone", owner_}, {"prop", name_}});
  }
  void add(std::string_view what, Type type, Node node) {
    out_.push_back({what,
                    std::move(node),
                    std::move(type),
                    {},
                    {},
                    owner_.is_string() ? owner_.text : std::string{"it"}});
  }

  Context& cx_;
  const Node& owner_;
  const Node& name_;
  Build build_;
  Claims& out_;
  bool sure_ = false;  // what the thing is is known
};

// ---- Texts that the game declares somewhere: states, values of properties, fields of tables.

void collect_strings(const Node& node, std::set<std::string_view>& out, bool keys) {
  if (node.is_string()) out.insert(node.text);
  for (const Node& item : node.items) collect_strings(item, out, keys);
  for (const Entry& entry : node.entries) {
    if (keys) out.insert(entry.key);
    collect_strings(entry.value, out, keys);
  }
}

void collect_texts(const Node& node, std::set<std::string_view>& out) {
  for (const Node& item : node.items) collect_texts(item, out);
  for (const Entry& entry : node.entries) {
    // `set` is what a token gets when it enters a zone, or an assignment of the text notation.
    if (entry.key == "set" && entry.value.has("target")) {
      collect_texts(entry.value, out);
      continue;
    }
    const bool given = entry.key == "value" && (node.has("token") || node.has("target"));
    bool texts = given;
    for (const std::string_view key :
         {"props", "values", "states", "attributes", "category", "namedSets", "set", "assign"})
      texts = texts || entry.key == key;
    if (texts) collect_strings(entry.value, out, false);
    if (!texts || entry.key == "set") collect_texts(entry.value, out);
  }
}

const std::set<std::string_view>& declared_texts(Context& cx) {
  if (cx.declared_texts) return *cx.declared_texts;
  auto& out = cx.declared_texts.emplace();
  for (const Section section : all_sections()) {
    const Node* node = cx.doc.find(section);
    if (node == nullptr) continue;
    if (section == Section::dataAssets)
      collect_strings(*node, out, true);
    else
      collect_texts(*node, out);
  }
  for (const Node* list : {&cx.doc.derived.marker_lattices, &cx.doc.derived.tracks})
    collect_strings(*list, out, true);
  for (const auto* vars :
       {&cx.symbols.global_vars, &cx.symbols.per_player_vars, &cx.symbols.zone_vars})
    for (const auto& [name, type] : *vars) {
      if (type == VarType::zone) out.insert("nowhere");
      if (type == VarType::token) out.insert("nothing");
    }
  return out;
}

// ---- Names

bool is_player_word(const Context& cx, std::string_view word) {
  for (const std::string_view known :
       {"actor", "active", "left", "right", "next", "previous", "opponent"})
    if (word == known) return true;
  return std::ranges::find(cx.symbols.seats, word) != cx.symbols.seats.end();
}

// `local`: how the binding of a macro's body is called that the word may mean.
void claims_of_name(Context& cx, const Node& name, Claims& out, const Node* local = nullptr) {
  const Build b{name.origin};
  const std::string& word = name.text;
  // Bindings are called with `$`, those of old files perhaps without.
  const bool whole = word.starts_with('$') || cx.scope.find(word) != nullptr;
  const std::string dollar = local != nullptr ? local->text : whole ? word : "$" + word;
  if (const Binding* binding = cx.scope.find(dollar))
    out.push_back({"the binding", b.map({{"ref", b.text("binding")}, {"name", b.text(dollar)}}),
                   binding->type, whole ? "" : "$"});
  if (const VarType* type = find_in(cx.symbols.global_vars, word))
    out.push_back({"a variable of the game", b.map({{"ref", b.text("gvar")}, {"var", name}}),
                   variable_type(*type), "game."});
  const Node* constants = cx.doc.find(Section::constants);
  if (const Node* value = constants != nullptr ? constants->find(word) : nullptr) {
    Node literal = *value;
    literal.origin = name.origin;
    const Kind kind = value->is_integer()   ? Kind::integer
                      : value->is_boolean() ? Kind::boolean
                                            : Kind::string;
    out.push_back({"a constant", std::move(literal), plain(kind)});
  }
  if (const VarType* type = find_in(cx.symbols.per_player_vars, word))
    out.push_back({"a variable of players",
                   b.map({{"ref", b.text("pvar")}, {"player", b.text("actor")}, {"var", name}}),
                   variable_type(*type), "actor."});
  if (cx.symbols.named_sets.contains(word))
    out.push_back({"a named set", b.map({{"ref", b.text("namedSet")}, {"name", name}}),
                   list_of(plain(Kind::string))});
  if (cx.symbols.global_markers.contains(word))
    out.push_back({"a marker", b.map({{"ref", b.text("globalMarkerState")}, {"marker", name}}),
                   plain(Kind::string)});
  if (const ZoneInfo* zone = find_in(cx.symbols.zones, word);
      zone != nullptr && zone->owner == ZoneOwner::none)
    out.push_back({"a zone", b.text(word + ":none"), plain(Kind::zone), "", ":none"});
  if (std::ranges::find(cx.symbols.seats, word) != cx.symbols.seats.end())
    out.push_back({"a seat", b.map({{"ref", b.text("player")}, {"player", name}}),
                   plain(Kind::player), "player(", ")"});
}

// The claims that fit, if some do.
void narrow(Claims& claims, const Type& wanted) {
  if (claims.size() < 2 || !wanted.known()) return;
  const auto fits = [&](const Claim& claim) { return compatible(claim.type, wanted); };
  if (std::ranges::any_of(claims, fits))
    std::erase_if(claims, [&](const Claim& claim) { return !fits(claim); });
}

// "the binding `$pot`", "a property of tokens (`$card.rank`)", "a marker"
std::string described(const Claim& claim, const Node& name) {
  const std::string word = name.is_string() ? name.text : "…";
  if (!claim.owner.empty()) return fmt::format("{} (`{}.{}`)", claim.what, claim.owner, word);
  if (refers(claim.node, "binding"))
    return fmt::format("{} `{}{}`", claim.what, claim.before, word);
  return std::string{claim.what};
}

void report_ambiguous(Context& cx, const Node& name, const Claims& claims) {
  Diagnostic& d = cx.error(Code::NAME_AMBIGUOUS, name,
                           fmt::format("`{}` may be {} or {}", name.text,
                                       described(claims[0], name), described(claims[1], name)));
  for (const Claim& claim : claims)
    if (!claim.before.empty() || !claim.after.empty())
      d.alternatives.push_back(fmt::format("{}{}{}", claim.before, name.text, claim.after));
  d.suggestion =
      "say which: `game.NAME` and `actor.NAME` are variables, `$NAME` is a binding, "
      "\"NAME\" is text";
}

// Words that people write for something that is said otherwise.
std::string meant_by_word(const Context& cx, std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"True", "write `true`"},
      {"TRUE", "write `true`"},
      {"always", "write `true`"},
      {"False", "write `false`"},
      {"FALSE", "write `false`"},
      {"never", "write `false`"},
      {"my", "the player who acts is the `actor`"},
      {"me", "the player who acts is the `actor`"},
      {"self", "the player who acts is the `actor`"},
      {"player", "say which: `actor`, `active`, `next`, or a name of yours such as `$p`"},
      {"opponents", "go through them: `$p in others`"},
      {"others", "go through them: `- for: $p in others`, with `do:` below it"},
      {"players", "go through them: `- for: $p in players`, with `do:` below it"},
      {"phase", "an action says in which `phase` it is possible; conditions cannot ask for it"},
      {"none", "for nobody write -1, for nothing 0"},
      {"a", "leave out the article"},
      {"an", "leave out the article"},
      {"the", "leave out the article"},
      {"one", "write 1"},
      {"two", "write 2"},
      {"three", "write 3"},
      {"four", "write 4"},
      {"five", "write 5"},
  };
  for (const auto& [written, meant] : words)
    if (word == written) return std::string{meant};
  if (cx.symbols.per_player_vars.contains(word) || cx.symbols.global_vars.contains(word))
    return fmt::format(
        "`{0}` is a variable and has no parts; of a player it is written `actor.{0}`", word);
  if (cx.symbols.props.contains(word))
    return fmt::format("`{0}` is a property of tokens: say of which, as in `$token.{0}`", word);
  return {};
}

void report_unknown_name(Context& cx, const Node& name, const std::vector<std::string>& members) {
  Diagnostic& d =
      cx.error(Code::NAME_UNKNOWN, name, fmt::format("nothing is called `{}`", name.text));
  if (cx.flooded()) return;
  std::vector<std::string> known = members;
  const auto add = [&](const std::vector<std::string>& more) {
    known.insert(known.end(), more.begin(), more.end());
  };
  add(names_of(cx.symbols.global_vars));
  add(names_of(cx.symbols.per_player_vars));
  add(names_of(cx.symbols.named_sets));
  add(names_of(cx.symbols.global_markers));
  add(names_of(cx.symbols.zones));
  add(cx.symbols.seats);
  if (const Node* constants = cx.doc.find(Section::constants))
    for (const Entry& entry : constants->entries) known.push_back(entry.key);
  for (const std::string& binding : cx.scope.visible_names()) known.push_back(binding);
  const auto& texts = declared_texts(cx);
  if (texts.size() < 2000) known.insert(known.end(), texts.begin(), texts.end());
  d.alternatives = did_you_mean(name.text, known);
  const std::size_t dash = name.text.find('-');
  if (std::string meant = meant_by_word(cx, name.text); !meant.empty()) {
    d.suggestion = std::move(meant);
    d.alternatives.clear();
  } else if (dash != std::string::npos && d.alternatives.empty())
    d.suggestion = fmt::format("a minus stands between blanks: `{} - {}`",
                               name.text.substr(0, dash), name.text.substr(dash + 1));
  else if (d.alternatives.empty())
    d.suggestion = fmt::format("put text in quotes: \"{}\"", name.text);
}

std::optional<Node> chosen(Context& cx, const Node& name, Claims claims, const Type& wanted) {
  narrow(claims, wanted);
  if (claims.size() == 1) return std::move(claims.front().node);
  report_ambiguous(cx, name, claims);
  return std::nullopt;
}

std::optional<Node> resolve_name(Context& cx, const Node& word, const Type& wanted) {
  const Node& name = *word.find("name");
  Claims claims;
  bool of_player = false;
  if (const Node* elements = word.find("of"))
    for (const Node& element : elements->items) {
      const Binding* binding = cx.scope.find(element.text);
      // A number has nothing of its own, even where it may be a player's.
      if (binding == nullptr || binding->type.kind == Kind::integer) continue;
      Members{cx, element, name, claims}.of(binding->type);
      of_player = !claims.empty() && binding->type.kind == Kind::player;
      if (!claims.empty()) break;
    }
  const bool of_element = !claims.empty();
  claims_of_name(cx, name, claims, word.find("local"));
  // `players where gold > 0` asks each player; whoever means the actor's says `actor.gold`.
  if (of_player) std::erase_if(claims, [](const Claim& claim) { return claim.before == "actor."; });
  const bool direction =
      cx.wants_direction &&
      std::ranges::find(cx.symbols.directions, name.text) != cx.symbols.directions.end();
  if (!of_element && (claims.empty() || wanted.kind == Kind::string) &&
      (direction || declared_texts(cx).contains(name.text))) {
    // Where a text is wanted a seat, a zone or a token of that name is none.
    std::erase_if(claims, [](const Claim& claim) {
      return claim.type.known() && claim.type.kind != Kind::string;
    });
    // The name of a marker is among the texts of its declaration; as a word it is the marker.
    if (!cx.symbols.global_markers.contains(name.text)) {
      Node text = name;
      text.origin = word.origin;
      claims.push_back({"a text", std::move(text), plain(Kind::string), "\"", "\""});
    }
  }
  if (!claims.empty()) return chosen(cx, name, std::move(claims), wanted);
  if (cx.compared_with != nullptr)
    report_text_of(cx, name, *cx.compared_with);
  else
    report_unknown_name(cx, name, {});
  return std::nullopt;
}

// A variable of zones stands for the zone it holds (selectors.cpp).
bool holds_zone(const Context& cx, std::string_view name) {
  for (const auto* vars : {&cx.symbols.global_vars, &cx.symbols.per_player_vars})
    if (const VarType* type = find_in(*vars, name)) return *type == VarType::zone;
  return false;
}

// What the thing before the dot is. Words that are no thing give nothing.
std::optional<Type> type_of_owner(Context& cx, Node& owner) {
  if (owner.is_map()) {
    const auto inner = is_word(owner) ? resolve(cx, owner) : std::optional{owner};
    if (!inner) return std::nullopt;
    const Type type = read_value(cx, *inner).type;
    const Node* ref = inner->find("ref");
    if (ref != nullptr && ref->is("binding") && inner->has("name"))
      owner = *inner->find("name");
    else
      owner = Build{owner.origin}.map({{"zoneExpr", *inner}});
    return type;
  }
  if (!owner.is_string()) return Type{Kind::player};
  if (owner.text.starts_with('$')) return use_binding(cx, owner, owner.text, Strictness::lenient);
  if (is_player_word(cx, owner.text)) return Type{Kind::player};
  const std::string_view base = std::string_view{owner.text}.substr(0, owner.text.find(':'));
  if (cx.symbols.zones.contains(base)) return Type{Kind::zone};
  const std::string dollar = cx.scope.find(owner.text) != nullptr ? owner.text : "$" + owner.text;
  const Binding* binding = cx.scope.find(dollar);
  if (binding == nullptr && holds_zone(cx, owner.text)) return Type{Kind::zone};
  if (binding == nullptr) return std::nullopt;
  owner.text = dollar;
  return binding->type;
}

std::vector<std::string> member_names(const Context& cx, const Type& type) {
  std::vector<std::string> out;
  const auto add = [&](const std::vector<std::string>& more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  if (type.kind == Kind::token || !type.known()) add(names_of(cx.symbols.props));
  if (type.kind == Kind::token) out.insert(out.end(), {"zone", "type"});
  if (type.kind == Kind::zone || !type.known()) {
    add(names_of(cx.symbols.attributes));
    add(names_of(cx.symbols.markers));
    add(names_of(cx.symbols.zone_vars));
  }
  if (type.kind == Kind::player || type.kind == Kind::integer)
    add(names_of(cx.symbols.per_player_vars));
  if (const TableInfo* table = find_in(cx.symbols.tables, type.table)) add(names_of(table->fields));
  return out;
}

// What people ask of a zone with a dot, and how it is said.
std::string asked_of_zone(const Context& cx, const Node& zone, std::string_view name) {
  const Node* computed = zone.find("zoneExpr");
  const std::string what = zone.is_string()                               ? zone.text
                           : computed != nullptr && computed->is_string() ? computed->text
                                                                          : "ZONE";
  for (const std::string_view count : {"count", "size", "length", "cards", "tokens"})
    if (name == count) return fmt::format("write `size of {}`", what);
  if (name == "empty" || name == "occupied") return fmt::format("write `{}({})`", name, what);
  if (name == "neighbours" || name == "neighbors")
    return fmt::format("write `neighbours of {}`, and `count(…)` around it for their number", what);
  if (cx.symbols.props.contains(name))
    return fmt::format("tokens have it: ask `any tokens in {} where {} == …`", what, name);
  return {};
}

std::optional<Node> resolve_field(Context& cx, const Node& word, const Type& wanted) {
  Node owner = *word.find("of");
  const Node& name = *word.find("name");
  Claims claims;
  if (owner.is("game")) {
    Members{cx, owner, name, claims}.game();
    if (!claims.empty()) return std::move(claims.front().node);
  }
  // Names of modules have dots of their own.
  if (owner.is_string() && name.is_string() && !owner.text.starts_with('$')) {
    Node whole = name;
    whole.text = fmt::format("{}.{}", owner.text, name.text);
    whole.origin = word.origin;
    claims_of_name(cx, whole, claims);
    if (!claims.empty()) return chosen(cx, whole, std::move(claims), wanted);
  }
  const std::size_t before = cx.errors();
  const std::optional<Type> type = type_of_owner(cx, owner);
  if (cx.errors() > before) return std::nullopt;
  if (!type) {
    report_unknown_name(cx, owner, {});
    return std::nullopt;
  }
  Members{cx, owner, name, claims}.of(*type);
  if (claims.size() > 1 && !type->known()) narrow(claims, wanted);
  if (!claims.empty()) return chosen(cx, name, std::move(claims), wanted);
  const std::vector<std::string> members = member_names(cx, *type);
  if (!owner.is_string() && std::ranges::find(members, name.text) != members.end()) {
    cx.error(Code::NAME_UNKNOWN, name,
             fmt::format("`.{}` is asked of {} that has no name", name.text, describe(*type)))
        .suggestion = fmt::format(
        "give it one first: `- let $it = …`, and in the next sentence `$it.{}`", name.text);
    return std::nullopt;
  }
  Diagnostic& d = cx.error(
      Code::NAME_UNKNOWN, name,
      fmt::format("{} has nothing called `{}`",
                  type->known() ? describe(*type) : fmt::format("`{}`", owner.text), name.text));
  d.alternatives = did_you_mean(name.text, members);
  if (type->kind == Kind::zone || type->kind == Kind::string)
    d.suggestion = asked_of_zone(cx, owner, name.text);
  return std::nullopt;
}

}  // namespace

bool is_word(const Node& node) {
  return (refers(node, "name") || (refers(node, "field") && node.has("of"))) && node.has("name");
}

std::optional<Node> resolve(Context& cx, const Node& word, const Type& wanted) {
  std::optional<Node> out =
      refers(word, "name") ? resolve_name(cx, word, wanted) : resolve_field(cx, word, wanted);
  if (out) {
    out->origin = word.origin;
    if (cx.resolved != nullptr) cx.resolved->emplace(word.origin.place, *out);
  }
  return out;
}

Settled settle(Context& cx, const Node& node, const Type& wanted) {
  if (!is_word(node)) return Settled{&node};
  std::optional<Node> out = resolve(cx, node, wanted);
  if (out) return Settled{std::move(*out)};
  // It has been reported: what comes out fits everywhere.
  return Settled{Build{node.origin}.map({{"ref", Build{node.origin}.text("unknown")}})};
}

Settled as_selector(Context& cx, const Node& node) {
  if (!node.is_map() || !node.has("ref")) return Settled{&node};
  const Settled settled = settle(cx, node);
  const Node& meant = settled;
  Node out = refers(meant, "binding") && meant.has("name")    ? *meant.find("name")
             : refers(meant, "player") && meant.has("player") ? *meant.find("player")
             : refers(meant, "activePlayer") ? Node::of_string("active", node.origin)
                                             : meant;
  out.origin = node.origin;
  return Settled{std::move(out)};
}

Node noted(Context& cx, const Node& word, Node meaning) {
  if (cx.resolved != nullptr) cx.resolved->emplace(word.origin.place, meaning);
  return meaning;
}

std::optional<Node> asked_of_tokens(Context& cx, const Node& condition) {
  const Node* op = condition.find("op");
  const bool single = op == nullptr;
  const Node* asked = single ? &condition : condition.find(op->is("in") ? "item" : "left");
  const Node* other = single ? &condition : condition.find(op->is("in") ? "set" : "right");
  if (asked == nullptr || other == nullptr) return std::nullopt;  // which is reported
  const Node& left = *asked;
  if (!is_word(left) || !refers(left, "name") || !left.has("of")) return std::nullopt;
  const Node& name = *left.find("name");
  const Node* place = nullptr;
  for (const Node& element : left.find("of")->items) {
    const Binding* binding = cx.scope.find(element.text);
    if (binding != nullptr && binding->type.kind == Kind::zone) {
      place = &element;
      break;
    }
    if (binding != nullptr) return std::nullopt;
  }
  Claims claims;
  if (place != nullptr) {
    Members{cx, *place, name, claims}.zone();
    claims_of_name(cx, name, claims);
  }
  if (place == nullptr || !claims.empty() || !cx.symbols.props.contains(name.text))
    return std::nullopt;
  const Build b{condition.origin};
  Node tokens = b.map({{"query", b.text("tokensInZone")}, {"zone", *place}});
  Node value = single ? Node::of_boolean(true, condition.origin)
                      : *condition.find(op->is("in") ? "set" : "right");
  const std::string_view test = single || op->is("==") ? "eq"
                                : op->is("!=")         ? "neq"
                                : op->is("in")         ? "in"
                                                       : "";
  if (!test.empty()) {
    tokens.set("filter",
               b.map({{"prop", name}, {"op", b.text(test)}, {"value", std::move(value)}}));
    return noted(cx, condition, b.map({{"op", b.text("exists")}, {"query", std::move(tokens)}}));
  }
  Node prop = b.map({{"ref", b.text("tokenProp")}, {"token", b.text("$token")}, {"prop", name}});
  Node where = b.map({{"op", *op}, {"left", std::move(prop)}, {"right", std::move(value)}});
  return noted(cx, condition,
               b.map({{"op", b.text("exists")},
                      {"query", std::move(tokens)},
                      {"bind", b.text("$token")},
                      {"where", std::move(where)}}));
}

}  // namespace parlor::spec::lower
