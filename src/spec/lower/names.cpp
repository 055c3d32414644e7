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

// One thing that a word may be.
struct Claim {
  std::string what;  // "the variable `gold` of players"
  Node node;
  Type type;
  std::string otherwise;  // how to say exactly this
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
          {{"ref", build_.text("pvar")}, {"player", owner_}, {"var", name_}});
  }
  void game() {
    if (const VarType* type = declared(cx_.symbols.global_vars))
      add("a variable of the game", variable_type(*type),
          {{"ref", build_.text("gvar")}, {"var", name_}});
  }
  void zone() {
    if (const Kind* kind = find(cx_.symbols.attributes))
      add("an attribute of zones", plain(*kind), zone_prop());
    else if (name_.is("category"))
      add("the category of a zone", plain(Kind::string), zone_prop());
    if (const MarkerInfo* marker = find(cx_.symbols.markers); marker != nullptr)
      add("a marker", plain(Kind::string),
          {{"ref", build_.text("markerState")}, {"space", owner_}, {"marker", name_}});
    if (const VarType* type = declared(cx_.symbols.zone_vars))
      add("a variable of zones", variable_type(*type),
          {{"ref", build_.text("zoneVar")}, {"zone", owner_}, {"var", name_}});
    if (name_.is("id") && cx_.symbols.attributes.find("id") == cx_.symbols.attributes.end())
      add("the id of a zone", plain(Kind::zone), zone_prop());
  }
  void token() {
    if (!owner_.is_string()) return;
    const std::vector<std::pair<std::string_view, Node>> prop{
        {"ref", build_.text("tokenProp")}, {"token", owner_}, {"prop", name_}};
    if (const Kind* kind = find(cx_.symbols.props))
      add("a property of tokens", plain(*kind), prop);
    else if (!name_.is_string() && sure_)
      add("a property of tokens", {}, prop);
    else if (name_.is("zone"))
      add("the zone of a token", plain(Kind::zone),
          {{"ref", build_.text("tokenZone")}, {"token", owner_}});
    else if (name_.is("type") || name_.is("id"))
      add("what every token has", plain(Kind::string), prop);
  }
  void row(const std::string& table) {
    const TableInfo* info = find_in(cx_.symbols.tables, table);
    const Kind* kind = info != nullptr ? find(info->fields) : nullptr;
    if (kind == nullptr) return;
    add("a field of rows", plain(*kind),
        {{"ref", build_.text("assetField")},
         {"row", owner_},
         {"tableId", build_.text(table)},
         {"field", name_}});
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
  std::vector<std::pair<std::string_view, Node>> zone_prop() const {
    return {{"ref", build_.text("zoneProp")}, {"zone", owner_}, {"prop", name_}};
  }
  void add(std::string_view what, Type type,
           std::vector<std::pair<std::string_view, Node>> entries) {
    const std::string owner = owner_.is_string() ? owner_.text : "it";
    const std::string name = name_.is_string() ? name_.text : "…";
    out_.push_back({fmt::format("{} (`{}.{}`)", what, owner, name),
                    build_.map(std::move(entries)),
                    std::move(type),
                    {}});
  }

  Context& cx_;
  const Node& owner_;
  const Node& name_;
  Build build_;
  Claims& out_;
  bool sure_ = false;  // what the thing is is known
};

// ---- Texts that the game declares somewhere: states, values of properties, fields of tables.

void collect_strings(const Node& node, std::set<std::string, std::less<>>& out) {
  if (node.is_string()) out.insert(node.text);
  for (const Node& item : node.items) collect_strings(item, out);
  for (const Entry& entry : node.entries) {
    out.insert(entry.key);
    collect_strings(entry.value, out);
  }
}

void collect_texts(const Node& node, std::set<std::string, std::less<>>& out) {
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
    if (texts) collect_strings(entry.value, out);
    if (!texts || entry.key == "set") collect_texts(entry.value, out);
  }
}

const std::set<std::string, std::less<>>& declared_texts(Context& cx) {
  if (cx.declared_texts) return *cx.declared_texts;
  auto& out = cx.declared_texts.emplace();
  for (const Section section : all_sections()) {
    const Node* node = cx.doc.find(section);
    if (node == nullptr) continue;
    if (section == Section::dataAssets)
      collect_strings(*node, out);
    else
      collect_texts(*node, out);
  }
  for (const Node* list : {&cx.doc.derived.marker_lattices, &cx.doc.derived.tracks})
    collect_strings(*list, out);
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
    out.push_back({fmt::format("the binding `{}`", dollar),
                   b.map({{"ref", b.text("binding")}, {"name", b.text(dollar)}}), binding->type,
                   dollar});
  if (const VarType* type = find_in(cx.symbols.global_vars, word))
    out.push_back({"a variable of the game", b.map({{"ref", b.text("gvar")}, {"var", name}}),
                   variable_type(*type), "game." + word});
  const Node* constants = cx.doc.find(Section::constants);
  if (const Node* value = constants != nullptr ? constants->find(word) : nullptr) {
    Node literal = *value;
    literal.origin = name.origin;
    const Kind kind = value->is_integer()   ? Kind::integer
                      : value->is_boolean() ? Kind::boolean
                                            : Kind::string;
    out.push_back({"a constant", std::move(literal), plain(kind), {}});
  }
  if (const VarType* type = find_in(cx.symbols.per_player_vars, word))
    out.push_back({"a variable of players",
                   b.map({{"ref", b.text("pvar")}, {"player", b.text("actor")}, {"var", name}}),
                   variable_type(*type), "actor." + word});
  if (cx.symbols.named_sets.contains(word))
    out.push_back({"a named set",
                   b.map({{"ref", b.text("namedSet")}, {"name", name}}),
                   list_of(plain(Kind::string)),
                   {}});
  if (cx.symbols.global_markers.contains(word))
    out.push_back({"a marker",
                   b.map({{"ref", b.text("globalMarkerState")}, {"marker", name}}),
                   plain(Kind::string),
                   {}});
  if (const ZoneInfo* zone = find_in(cx.symbols.zones, word);
      zone != nullptr && zone->owner == ZoneOwner::none)
    out.push_back({"a zone", b.text(word + ":none"), plain(Kind::zone), word + ":none"});
  if (std::ranges::find(cx.symbols.seats, word) != cx.symbols.seats.end())
    out.push_back({"a seat", b.map({{"ref", b.text("player")}, {"player", name}}),
                   plain(Kind::player), fmt::format("player({})", word)});
}

// The claims that fit, if some do.
void narrow(Claims& claims, const Type& wanted) {
  if (claims.size() < 2 || !wanted.known()) return;
  Claims fitting;
  for (const Claim& claim : claims)
    if (compatible(claim.type, wanted)) fitting.push_back(claim);
  if (!fitting.empty()) claims = std::move(fitting);
}

void report_ambiguous(Context& cx, const Node& name, const Claims& claims) {
  Diagnostic& d =
      cx.error(Code::NAME_AMBIGUOUS, name,
               fmt::format("`{}` may be {} or {}", name.text, claims[0].what, claims[1].what));
  std::vector<std::string> forms;
  for (const Claim& claim : claims)
    if (!claim.otherwise.empty()) forms.push_back(claim.otherwise);
  d.alternatives = forms;
  d.suggestion =
      "say which: `game.NAME` and `actor.NAME` are variables, `$NAME` is a binding, "
      "\"NAME\" is text";
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
  if (dash != std::string::npos && d.alternatives.empty())
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
  if (const Node* elements = word.find("of"))
    for (const Node& element : elements->items) {
      const Binding* binding = cx.scope.find(element.text);
      if (binding == nullptr) continue;
      Members{cx, element, name, claims}.of(binding->type);
      if (!claims.empty()) break;
    }
  const bool of_element = !claims.empty();
  claims_of_name(cx, name, claims, word.find("local"));
  const bool direction =
      cx.wants_direction &&
      std::ranges::find(cx.symbols.directions, name.text) != cx.symbols.directions.end();
  if (!of_element && (direction || declared_texts(cx).contains(name.text)) &&
      (claims.empty() || wanted.kind == Kind::string)) {
    // Where a text is wanted a seat, a zone or a token of that name is none.
    std::erase_if(claims, [](const Claim& claim) {
      return claim.type.known() && claim.type.kind != Kind::string;
    });
    // The name of a marker is among the texts of its declaration; as a word it is the marker.
    if (!cx.symbols.global_markers.contains(name.text)) {
      Node text = name;
      text.origin = word.origin;
      claims.push_back(
          {"a text", std::move(text), plain(Kind::string), fmt::format("\"{}\"", name.text)});
    }
  }
  if (!claims.empty()) return chosen(cx, name, std::move(claims), wanted);
  report_unknown_name(cx, name, {});
  return std::nullopt;
}

// What the thing before the dot is. Words that are no thing give nothing.
std::optional<Type> type_of_owner(Context& cx, Node& owner) {
  if (owner.is_map()) {
    const auto inner = is_word(owner) ? resolve(cx, owner) : std::optional{owner};
    if (!inner) return std::nullopt;
    const Type type = read_value(cx, *inner).type;
    const Node* ref = inner->find("ref");
    if (ref != nullptr && ref->is("binding"))
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
  Diagnostic& d = cx.error(
      Code::NAME_UNKNOWN, name,
      fmt::format("{} has nothing called `{}`",
                  type->known() ? describe(*type) : fmt::format("`{}`", owner.text), name.text));
  d.alternatives = did_you_mean(name.text, member_names(cx, *type));
  return std::nullopt;
}

}  // namespace

bool is_word(const Node& node) {
  return refers(node, "name") || refers(node, "field");
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

Node settle(Context& cx, const Node& node, const Type& wanted) {
  if (!is_word(node)) return node;
  std::optional<Node> out = resolve(cx, node, wanted);
  if (out) return std::move(*out);
  // It has been reported: what comes out fits everywhere.
  return Build{node.origin}.map({{"ref", Build{node.origin}.text("unknown")}});
}

Node as_selector(Context& cx, const Node& node) {
  if (!node.is_map() || !node.has("ref")) return node;
  const Node settled = settle(cx, node);
  Node out = settled;
  if (refers(settled, "binding") && settled.find("name") != nullptr)
    out = *settled.find("name");
  else if (refers(settled, "player") && settled.find("player") != nullptr)
    out = *settled.find("player");
  else if (refers(settled, "activePlayer"))
    out = Node::of_string("active", node.origin);
  out.origin = node.origin;
  return out;
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
  if (!refers(left, "name") || left.find("of") == nullptr) return std::nullopt;
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
