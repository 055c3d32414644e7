// Values: section 11 of the language.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

constexpr Int safe = (Int{1} << 53) - 1;

}  // namespace

Val::Val() : v(Int{0}) {}
Val::Val(const Val&) = default;
Val::Val(Val&&) noexcept = default;
Val& Val::operator=(const Val&) = default;
Val& Val::operator=(Val&&) noexcept = default;
Val::~Val() = default;
Val::Val(Int value) : v(value) {}
Val::Val(int value) : v(Int{value}) {}
Val::Val(bool value) : v(value) {}
Val::Val(std::string value) : v(std::move(value)) {}
Val::Val(const char* value) : v(std::string(value)) {}
Val::Val(TokenItem value) : v(std::move(value)) {}
Val::Val(RowItem value) : v(std::move(value)) {}
Val::Val(List value) : v(std::move(value)) {}
Val::Val(const Scalar& value) {
  std::visit([this](const auto& x) { v = x; }, value);
}
bool operator==(const Val& a, const Val& b) {
  return a.v == b.v;
}

std::string type_name(const Val& value) {
  static const char* const names[] = {"int", "boolean", "string", "token", "row", "list"};
  return names[value.v.index()];
}

std::string text_of(const Val& value) {
  if (const auto* i = std::get_if<Int>(&value.v)) return std::to_string(*i);
  if (const auto* b = std::get_if<bool>(&value.v)) return *b ? "true" : "false";
  if (const auto* s = std::get_if<std::string>(&value.v)) return *s;
  if (const auto* t = std::get_if<TokenItem>(&value.v)) return t->id;
  throw RuntimeError("TYPE_MISMATCH", "a " + type_name(value) + " has no text");
}

Scalar scalar_of(const Val& value) {
  if (const auto* i = std::get_if<Int>(&value.v)) return *i;
  if (const auto* b = std::get_if<bool>(&value.v)) return *b;
  return text_of(value);
}

Json json_of(const Val& value) {
  if (const auto* list = std::get_if<List>(&value.v)) {
    Json out = Json::array();
    for (const Val& item : *list) out.push_back(json_of(item));
    return out;
  }
  return std::visit([](const auto& x) { return Json(x); }, scalar_of(value));
}

// What a name means: what is bound to it here, else a choice of this move.
const Val* Run::lookup(const std::string& name, const Context& c) const {
  if (const auto found = c.names.find(name); found != c.names.end()) return &found->second;
  const auto chosen = chosen_.find(name);
  return chosen == chosen_.end() ? nullptr : &chosen->second;
}

// Placeholders may hold names with placeholders; one that means nothing stays.
std::string Run::fill_in(const std::string& name, const Context& c) const {
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t close = std::string::npos;
    for (std::size_t k = i, depth = 0; name[i] == '{' && k < name.size(); ++k) {
      if (name[k] == '{') ++depth;
      if (name[k] == '}' && --depth == 0) {
        close = k;
        break;
      }
    }
    if (close != std::string::npos) {
      const Val* found = lookup(fill_in(name.substr(i + 1, close - i - 1), c), c);
      if (found && found->v.index() <= 3) {
        out += text_of(*found);
        i = close + 1;
        continue;
      }
    }
    out += name[i++];
  }
  return out;
}

Val Run::binding(const std::string& name, const Context& c) const {
  const Val* found = lookup(fill_in(name, c), c);
  if (!found) throw RuntimeError("MISSING_BINDING", name + " is not bound");
  return *found;
}

std::string Run::name(const Name& name, const Context& c) const {
  if (name.kind == Name::Kind::literal) return name.text;
  if (name.kind == Name::Kind::grant_context) {
    const Val* found = granted(name.text);
    if (!found) throw RuntimeError("MISSING_VAR", "no grant knows " + name.text);
    return text_of(*found);
  }
  const Val bound = binding(name.text, c);
  const auto* text = std::get_if<std::string>(&bound.v);
  if (!text) throw RuntimeError("TYPE_MISMATCH", name.text + " does not hold a name");
  return *text;
}

Int Run::integer(const Value& node, const Context& c) {
  const Val result = value(node, c);
  const auto* i = std::get_if<Int>(&result.v);
  if (!i) throw RuntimeError("TYPE_MISMATCH", "wanted an int, got a " + type_name(result));
  if (*i > safe || *i < -safe) throw RuntimeError("TYPE_MISMATCH", "int out of range");
  return *i;
}

std::string Run::text(const Value& node, const Context& c) {
  const Val result = value(node, c);
  const auto* s = std::get_if<std::string>(&result.v);
  if (!s) throw RuntimeError("TYPE_MISMATCH", "wanted text, got a " + type_name(result));
  return *s;
}

Val Run::zone_prop(const std::string& zone, const std::string& prop) const {
  const ZoneDef& definition = *rules_.zones.at(zone);
  if (prop == "id") return zone;
  if (prop == "category" && !definition.category.empty()) return definition.category;
  for (const Attribute& attribute : definition.attributes) {
    if (attribute.name != prop) continue;
    if (const auto* list = std::get_if<std::vector<std::string>>(&attribute.value))
      return List(list->begin(), list->end());
    if (const auto* i = std::get_if<Int>(&attribute.value)) return *i;
    if (const auto* b = std::get_if<bool>(&attribute.value)) return *b;
    return std::get<std::string>(attribute.value);
  }
  throw RuntimeError("ZONE_PROP_NOT_FOUND", zone + " has no " + prop);
}

Val Run::arithmetic(const Arith& node, const Context& c) {
  const Int a = integer(*node.left, c);
  const Int b = integer(*node.right, c);
  const bool divides = node.op == ArithOp::divide || node.op == ArithOp::floor_div ||
                       node.op == ArithOp::ceil_div || node.op == ArithOp::modulo;
  if (divides && b == 0) throw RuntimeError("DIVISION_BY_ZERO", "the divisor is 0");
  const auto floor_div = [](Int x, Int y) {
    return x / y - ((x % y != 0) && ((x < 0) != (y < 0)));
  };
  __extension__ __int128 result = 0;
  switch (node.op) {
    case ArithOp::add:
      result = a + b;
      break;
    case ArithOp::subtract:
      result = a - b;
      break;
    case ArithOp::multiply:
      result = static_cast<decltype(result)>(a) * b;
      break;
    case ArithOp::divide:
      result = a / b;
      break;
    case ArithOp::floor_div:
      result = floor_div(a, b);
      break;
    case ArithOp::ceil_div:
      result = -floor_div(-a, b);
      break;
    case ArithOp::modulo:
      result = a - floor_div(a, b) * b;
      break;
    case ArithOp::min:
      result = std::min(a, b);
      break;
    case ArithOp::max:
      result = std::max(a, b);
      break;
  }
  if (result > safe || result < -safe) throw RuntimeError("TYPE_MISMATCH", "result out of range");
  return static_cast<Int>(result);
}

Val Run::aggregate(const Aggregate& node, const Context& c) {
  if (node.op == AggregateOp::count) {
    const auto* tiered = std::get_if<PrioritizedQuery>(&node.query->node);
    if (tiered && !tiered->qualifier.empty())
      return static_cast<Int>(admissible(tiers(*node.query, c), tiered->qualifier, {}).size());
    return static_cast<Int>(query(*node.query, c).size());
  }
  std::optional<Int> result;
  for (const Val& item : query(*node.query, c)) {
    Context inner = c;
    inner.names[fill_in(node.bind, c)] = item;
    const Int x = integer(node.value.at(0), inner);
    if (!result)
      result = x;
    else if (node.op == AggregateOp::sum)
      *result += x;
    else
      result = node.op == AggregateOp::min ? std::min(*result, x) : std::max(*result, x);
    if (*result > safe || *result < -safe) throw RuntimeError("TYPE_MISMATCH", "sum out of range");
  }
  return result.value_or(0);
}

// K-30: scalars to text, or lists to one list; mixing is an error, nothing at all is "".
Val Run::concatenation(const ConcatValue& node, const Context& c) {
  std::string text;
  List list;
  std::size_t lists = 0;
  for (const Value& part : node.parts) {
    const Val item = value(part, c);
    if (const auto* items = std::get_if<List>(&item.v)) {
      list.insert(list.end(), items->begin(), items->end());
      ++lists;
    } else {
      text += text_of(item);
    }
  }
  if (lists != 0 && lists != node.parts.size())
    throw RuntimeError("TYPE_MISMATCH", "concat of text and lists");
  if (text.size() > 4096) throw RuntimeError("TYPE_MISMATCH", "a text that is too long");
  return lists != 0 ? Val(list) : Val(text);
}

// Zones in the order of their ids, tokens as they were made.
Int Run::number_of(const Value& thing, const Context& c) {
  const auto* bound = std::get_if<BindingRef>(&thing.node);
  const Val item = bound != nullptr ? binding(bound->name, c) : value(thing, c);
  const auto number_in = [](const std::string& id) {
    return std::stoll(id.substr(id.rfind('_') + 1));
  };
  if (const auto* token = std::get_if<TokenItem>(&item.v)) return number_in(token->id);
  std::string id = text_of(item);
  if (id == "nowhere" || id == "nothing") return -1;
  // Parameters of actions are kept as texts: a token by its id.
  for (const auto& [zone, tokens] : w.zones)
    for (const Token& token : tokens)
      if (token.id == id) return number_in(id);
  if (!w.zones.contains(id)) id += ":none";
  const auto found = w.zones.find(id);
  if (found == w.zones.end()) throw RuntimeError("MISSING_VAR", "no zone " + id);
  return std::distance(w.zones.begin(), found);
}

Val Run::token_at_number(Int number) const {
  for (const auto& [zone, tokens] : w.zones)
    for (const Token& token : tokens)
      if (token.id.ends_with("_" + std::to_string(number))) return TokenItem{token.id};
  return std::string{"nothing"};
}

// Every way there is, one after the other.
Int Run::longest_path(const LongestPath& node, const Context& c) {
  std::set<std::string> open;
  for (const auto& [id, zone] : rules_.zones)
    if (zone->kind == ZoneKind::board && holds(*node.where, with(c, "$zone", id))) open.insert(id);
  const std::function<Int(const std::string&)> from = [&](const std::string& zone) -> Int {
    if (!open.contains(zone)) return 0;
    open.erase(zone);
    Int best = 0;
    for (const std::string& next : rules_.neighbours(zone)) best = std::max(best, from(next));
    open.insert(zone);
    return best + 1;
  };
  if (node.from) return from(one_zone(*node.from, c));
  Int best = 0;
  const std::set<std::string> all = open;
  for (const std::string& zone : all) best = std::max(best, from(zone));
  return best;
}

Val Run::value(const Value& node, const Context& c) {
  const auto var = [](const std::map<std::string, Val>& vars, const std::string& name) {
    const auto found = vars.find(name);
    if (found == vars.end()) throw RuntimeError("MISSING_VAR", "no variable " + name);
    return found->second;
  };
  return std::visit(
      Cases{
          [](const Int& x) { return Val(x); },
          [](const bool& x) { return Val(x); },
          [&](const std::string& x) {
            return Val(asked_ && !asked_->filled.empty() ? fill_in(x, c) : x);  // G-06
          },
          [](const ListLiteral& x) { return Val(List(x.items.begin(), x.items.end())); },
          [&](const GvarRef& x) { return var(w.globals, name(x.var, c)); },
          [&](const PvarRef& x) {
            const int player = one_player(x.player, c);
            return var(w.players.at(static_cast<std::size_t>(player)), name(x.var, c));
          },
          [&](const ZoneVarRef& x) {
            return var(w.zone_vars[one_zone(x.zone, c)], name(x.var, c));
          },
          [&](const ZoneCountRef& x) {
            return Val(static_cast<Int>(w.zones.at(one_zone(x.zone, c)).size()));
          },
          [&](const TokenPropRef& x) {
            const Spot spot = find_token(token_id(x.token, c));
            const Token& token = token_at(spot);
            const auto props = seen_props(token, spot.zone);
            if (x.prop == "id") return Val(token.id);
            if (x.prop == "type" && !props.contains("type")) return Val(token.type);
            const auto found = props.find(x.prop);
            if (found == props.end())
              throw RuntimeError("MISSING_VAR", token.id + " has no " + x.prop);
            return Val(found->second);
          },
          [&](const ComputedPropRef& x) {
            const std::string prop = text_of(value(*x.prop, c));
            if (std::ranges::find(x.among, prop) == x.among.end())
              throw RuntimeError("MISSING_VAR", "no property " + prop);
            return value(Value{TokenPropRef{x.token, prop}}, c);
          },
          [&](const NumberOf& x) { return Val(number_of(*x.of, c)); },
          [&](const ZoneAt& x) {
            const Int number = integer(*x.number, c);
            if (number == -1) return Val(std::string{"nowhere"});
            if (number < 0 || number >= static_cast<Int>(w.zones.size()))
              throw RuntimeError("MISSING_VAR", "no zone of this number");
            return Val(std::next(w.zones.begin(), number)->first);
          },
          [&](const TokenAt& x) { return token_at_number(integer(*x.number, c)); },
          [&](const LongestPath& x) { return Val(longest_path(x, c)); },
          [&](const TokenZoneRef& x) { return Val(find_token(token_id(x.token, c)).zone); },
          [&](const ZonePropRef& x) {
            Val result = zone_prop(one_zone(x.zone, c), x.prop);
            if (!result.is_scalar()) throw RuntimeError("TYPE_MISMATCH", x.prop + " is a list");
            return result;
          },
          [&](const BindingRef& x) {
            Val result = binding(x.name, c);
            const auto is_thing = [](const Val& v) { return v.v.index() == 3 || v.v.index() == 4; };
            const auto* list = std::get_if<List>(&result.v);
            if (is_thing(result) || (list && std::any_of(list->begin(), list->end(), is_thing)))
              throw RuntimeError("TYPE_MISMATCH", x.name + " holds a token or row");
            return result;
          },
          [&](const AssetFieldRef& x) {
            const Val bound = binding(x.row, c);
            const auto* row = std::get_if<RowItem>(&bound.v);
            if (!row) throw RuntimeError("TYPE_MISMATCH", x.row + " is not a row");
            for (const TableDef& table : def().tables) {
              if (table.id != row->table) continue;
              for (std::size_t i = 0; i < table.columns.size(); ++i)
                if (table.columns[i].name == x.field) return Val(table.rows[row->row][i]);
            }
            throw RuntimeError("MISSING_VAR", "no field " + x.field);
          },
          [&](const MarkerStateRef& x) {
            return Val(marker_state(lattice(x.marker), one_zone(x.space, c)));
          },
          [&](const GlobalMarkerStateRef& x) {
            global_lattice(x.marker);
            return Val(w.global_markers.at(x.marker));
          },
          [&](const ActivePlayerRef&) { return Val(c.active); },
          [&](const ActiveSeatRef&) {
            if (static_cast<std::size_t>(c.active) >= def().seats.size())
              throw RuntimeError("MISSING_VAR", "the active player has no seat");
            return Val(def().seats[static_cast<std::size_t>(c.active)]);
          },
          [&](const PlayerRef& x) { return Val(one_player(x.player, c)); },
          [&](const ClockRef& x) {
            if (x.field == "turn") return Val(w.turn);
            if (x.field == "round") return Val(w.round);
            if (x.field == "turnInRound") return Val(w.turn_in_round);
            if (x.field == "roundStartPlayer") return Val(w.round_start);
            if (x.field == "playerCount") return Val(rules_.players);
            throw RuntimeError("MISSING_VAR", "the clock has no " + x.field);
          },
          [&](const GrantContextRef& x) -> Val {
            if (const Val* found = granted(x.key)) return *found;
            throw RuntimeError("MISSING_VAR", "no grant knows " + x.key);
          },
          [&](const CapturedZonesRef& x) -> Val {
            if (const auto found = captured(x.key, c)) return *found;
            throw RuntimeError("MISSING_VAR", "nothing captured: " + x.key.text);
          },
          [&](const StepRef& x) {
            std::string zone = one_zone(x.zone, c);
            const std::vector<std::string> way = directions(x.direction, c);
            if (way.size() != 1)
              throw RuntimeError("SELECTOR_CARDINALITY", "a step needs one direction");
            for (Int i = integer(*x.count, c); i > 0; --i) {
              const auto next = rules_.step(zone, way[0]);
              if (!next) throw RuntimeError("MISSING_VAR", "a step leads off the board");
              zone = *next;
            }
            return Val(zone);
          },
          [&](const EffectModifierRef& x) { return effect_modifier(x, c); },
          [&](const Arith& x) { return arithmetic(x, c); },
          [&](const Aggregate& x) { return aggregate(x, c); },
          [&](const ItemOf& x) {
            const Int at = integer(*x.at, c);
            const List all = query(*x.query, c);
            const auto size = static_cast<Int>(all.size());
            const Int index = at < 0 ? size + at : at - 1;
            if (at == 0 || index < 0 || index >= size)
              throw RuntimeError("MISSING_VAR", "no result at this place");
            return all[static_cast<std::size_t>(index)];
          },
          [&](const RankOf& x) {
            const auto worth = [&](const Val& item) {
              Context inner = c;
              inner.names[fill_in(x.bind, c)] = item;
              return integer(*x.by, inner);
            };
            const Int mine = worth(value(*x.of, c));
            Int place = 1;
            for (const Val& other : query(*x.query, c)) {
              const Int theirs = worth(other);
              if (x.descending ? theirs > mine : theirs < mine) ++place;
            }
            return Val(place);
          },
          [&](const ConcatValue& x) { return concatenation(x, c); },
          [&](const IfValue& x) { return value(holds(*x.when, c) ? *x.then : *x.otherwise, c); },
      },
      node.node);
}

}  // namespace parlor::reference
