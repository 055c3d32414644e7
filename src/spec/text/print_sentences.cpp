// Nodes back to sentences: queries, filters and statements.
#include <cctype>

#include "spec/text/printing.h"

namespace parlor::spec::text {

std::string named_source(const Node& query, std::string text, std::string_view name) {
  const Node* kind = query.find("query");
  const bool tokens = kind != nullptr && kind->is("tokensInZone") && !query.has("filter");
  const Node* zone = tokens ? query.find("zone") : nullptr;
  // `$c in hand:actor`; a single word might be something else.
  if (zone != nullptr && zone->is_string() && zone->text.find(':') != std::string::npos &&
      text == fmt::format("tokens in {}", zone->text))
    return zone->text;
  if (text.find(" where ") == std::string::npos) return text;
  const bool asks =
      kind != nullptr && (filters_tokens(query) || kind->is("mapSpaces") || kind->is("zones") ||
                          kind->is("adjacentZones") || kind->is("assetRows"));
  return asks && text.find(name) == std::string::npos ? text : fmt::format("({})", text);
}

// ---- Sentences

Text Printer::phrase_field(const Part& part, const Node& node) {
  switch (part.field) {
    case FieldKind::value:
      return sum(node);
    case FieldKind::cell:
      return cell(node);
    case FieldKind::condition: {
      if (!part.element.empty()) elements_.emplace_back(part.element);
      const MaybePrinted out = condition(node);
      if (!part.element.empty()) elements_.pop_back();
      return out ? Text{out->text} : std::nullopt;
    }
    case FieldKind::filter:
      return filter(node);
    case FieldKind::query:
      return query(node);
    case FieldKind::zone:
      return zone(node);
    case FieldKind::player:
      return player(node);
    case FieldKind::binding:
      return binding(node);
    case FieldKind::token:
      if (node.is_string() && !node.text.starts_with('$') && plain_word(node.text) &&
          context_.claims.count(node.text) == 0)
        return node.text;
      return binding(node);
    case FieldKind::words:
      return list(node);
    case FieldKind::name:
      return node.is_string() ? word(node) : sum(node);
    case FieldKind::directions:
      return directions(node);
    case FieldKind::props: {
      std::string out;
      for (const Entry& entry : node.entries) {
        if (!is_name(entry.key)) return std::nullopt;
        NEED(text,
             context_.claims.holds_text(entry.key) ? wanted_text(entry.value) : sum(entry.value));
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", entry.key, *text);
      }
      return out.empty() ? std::nullopt : Text{out};
    }
    case FieldKind::table:
      if (node.is_string() && std::ranges::all_of(node.text, [](char c) {
            return c == '.' || c == '-' || c == '_' ||
                   std::isalnum(static_cast<unsigned char>(c)) != 0;
          }))
        return node.text;
      return std::nullopt;
    case FieldKind::word:
    case FieldKind::position:
      return word(node);
    case FieldKind::amount:
      break;
  }
  return std::nullopt;
}

Text Printer::amount(const Node& fields, std::vector<std::string>& used) {
  const Node *exactly = fields.find("n"), *min = fields.find("min"), *max = fields.find("max");
  if (exactly != nullptr) {
    used.emplace_back("n");
    return sum(*exactly);
  }
  if (max == nullptr) return std::nullopt;
  used.insert(used.end(), {"min", "max"});
  NEED(low, min != nullptr ? bound(*min) : Text{"0"});
  NEED(high, bound(*max));
  return fmt::format("{}..{}", *low, *high);
}

namespace {

const Node* at_key(const Node& fields, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return fields.find(name);
  const Node* outer = fields.find(name.substr(0, dot));
  return outer == nullptr ? nullptr : outer->find(name.substr(dot + 1));
}

}  // namespace

bool Printer::phrase_parts(const std::vector<Part>& parts, const Node& fields,
                           std::vector<std::string>& used, std::string& out) {
  for (const Part& part : parts) {
    Text text;
    switch (part.kind) {
      case Part::Kind::word:
        text = part.word;
        break;
      case Part::Kind::field: {
        if (part.field == FieldKind::amount) {
          text = amount(fields, used);
        } else {
          const Node* node = part.key.empty() ? &fields : at_key(fields, part.key);
          if (node == nullptr) return false;
          used.emplace_back(part.key);
          text = phrase_field(part, *node);
        }
        if (!text) return false;
        break;
      }
      case Part::Kind::set: {
        const Node* node = at_key(fields, part.key);
        if (node == nullptr || (node->is_string() ? node->text : to_text(*node)) != part.value)
          return false;
        used.emplace_back(part.key);
        continue;
      }
      case Part::Kind::optional: {
        std::vector<std::string> tried = used;
        std::string inner;
        if (!phrase_parts(part.parts, fields, tried, inner)) continue;
        used = std::move(tried);
        text = inner;
        break;
      }
    }
    out += fmt::format("{}{}", out.empty() ? "" : " ", *text);
  }
  return true;
}

// The first phrase that says everything the mapping says.
Text Printer::phrase(Family family, std::string_view name, const Node& fields) {
  for (const Phrase* candidate : phrases_for(family, name)) {
    std::vector<std::string> used{"ref", "op", "query", "chooser"};
    std::string out;
    if (family == Family::effect) used = {"chooser"};
    if (family == Family::value && name == "zoneCount") used = {"ref"};
    if (!phrase_parts(candidate->parts, fields, used, out)) continue;
    const bool whole =
        candidate->parts.back().key.empty() && candidate->parts.back().kind == Part::Kind::field;
    bool said = true;
    if (!whole && fields.is_map())
      for (const Entry& entry : fields.entries) {
        bool found = std::ranges::find(used, entry.key) != used.end();
        if (!found && entry.value.is_map()) {
          found = !entry.value.entries.empty();
          for (const Entry& inner : entry.value.entries)
            found = found && std::ranges::find(used, entry.key + "." + inner.key) != used.end();
        }
        said = said && found;
      }
    if (said) return out;
  }
  return std::nullopt;
}

// ---- Queries

Text Printer::test(const Node& node) {
  const Node *op = node.find("op"), *what = node.find("value"), *prop = node.find("prop"),
             *kind = node.find("field");
  if (op == nullptr || what == nullptr) return std::nullopt;
  std::string left;
  if (kind != nullptr && kind->is_string()) {
    left = kind->text;  // of a row
    if (!plain_word(left) || context_.claims.constants.contains(left)) return std::nullopt;
  } else if (kind != nullptr) {
    const Node& which = *kind->find("kind");
    if (which.is("tokenType"))
      left = "type";
    else if (which.is("tokenZone"))
      left = "zone";
    else if (which.is("zoneProp") && kind->has("prop"))
      left = "zone." + kind->find("prop")->text;
    else
      return std::nullopt;
  } else if (prop != nullptr && prop->is_string() && is_name(prop->text)) {
    const bool bare = plain_word(prop->text) && !context_.claims.constants.contains(prop->text);
    if (prop->is("type") || prop->is("zone")) return std::nullopt;
    left = bare ? prop->text : "$token." + prop->text;
  } else {
    return std::nullopt;
  }
  if (op->is("eq") && what->is_boolean() && what->boolean && prop != nullptr) return left;
  const bool type = left == "type" && what->is_string();
  const bool text =
      what->is_string() &&
      (prop != nullptr ? context_.claims.holds_text(prop->text)
                       : left.starts_with("zone.") && context_.claims.holds_text(left.substr(5)));
  NEED(right, type ? list_item(*what) : text ? wanted_text(*what) : qualified(*what, left));
  const std::string_view sign = op->is("eq")      ? "=="
                                : op->is("neq")   ? "!="
                                : op->is("in")    ? "in"
                                : op->is("notIn") ? "not in"
                                                  : "";
  if (sign.empty()) return std::nullopt;
  return fmt::format("{} {} {}", left, sign, *right);
}

// `level == game.level`: a variable that is called like what it is compared with.
Text Printer::qualified(const Node& node, std::string_view left) {
  const Node* name = node.find("var");
  if (name == nullptr || !name->is(left) || (!refers(node, "gvar") && !refers(node, "pvar")))
    return sum(node);
  if (refers(node, "gvar")) return fmt::format("game.{}", left);
  NEED(who, player(*node.find("player")));
  return fmt::format("{}.{}", *who, left);
}

Text Printer::filter(const Node& node) {
  const Node* op = node.find("op");
  const Node *args = node.find("args"), *arg = node.find("arg");
  if (op != nullptr && args != nullptr && (op->is("and") || op->is("or"))) {
    if (args->items.size() < 2) return std::nullopt;
    std::string out;
    for (const Node& part : args->items) {
      NEED(text, filter(part));
      const bool group = part.has("args");
      const std::string held_text = group ? fmt::format("({})", *text) : *text;
      out += out.empty() ? held_text : fmt::format(" {} {}", op->text, held_text);
    }
    return out;
  }
  if (op != nullptr && arg != nullptr && op->is("not")) {
    NEED(text, filter(*arg));
    if (arg->find("op") != nullptr && arg->find("op")->is("in")) return std::nullopt;
    return arg->has("args") ? fmt::format("not ({})", *text) : fmt::format("not {}", *text);
  }
  elements_.emplace_back("$token");
  const Text out = test(node);
  elements_.pop_back();
  return out;
}

Text Printer::rows(const Node& node) {
  std::string out;
  if (!node.is_list() || node.items.empty()) return std::nullopt;
  for (const Node& item : node.items) {
    NEED(text, test(item));
    out += out.empty() ? *text : " and " + *text;
  }
  return out;
}

Text Printer::range(const Node& node) {
  const Node *min = node.find("min"), *max = node.find("max");
  if (min == nullptr || max == nullptr) return std::nullopt;
  NEED(low, bound(*min));
  NEED(high, bound(*max));
  std::string out = fmt::format("{}..{}", *low, *high);
  if (const Node* step = node.find("step")) {
    NEED(text, sum(*step));
    out += " step " + *text;
  }
  if (const Node* more = node.find("alwaysInclude")) {
    NEED(text, list(*more));
    out += " including " + *text;
  }
  if (const Node* most = node.find("maxResults")) {
    NEED(text, sum(*most));
    out += " at most " + *text;
  }
  return out;
}

Text Printer::filtered(const Node& node) {
  const Node *source = node.find("source"), *bind = node.find("bind"), *where = node.find("where");
  if (source == nullptr || bind == nullptr || where == nullptr || !is_binding(*bind))
    return std::nullopt;
  const Node* kind = source->find("query");
  if (kind == nullptr) return std::nullopt;
  constexpr std::array<std::string_view, 7> own{
      "zones",        "mapSpaces",         "adjacentZones",
      "tokensInZone", "tokensInMapSpaces", "tokensInAdjacentZones",
      "assetRows"};
  const bool implicit = std::ranges::find(own, kind->text) == own.end() &&
                        bind->text == element_name(*source) &&
                        std::ranges::find(elements_, bind->text) == elements_.end();
  NEED(text, query(*source));
  elements_.push_back(implicit ? bind->text : std::string{});
  const MaybePrinted asked = condition(*where);
  elements_.pop_back();
  if (!asked) return std::nullopt;
  const bool nested =
      text->find(" where ") != std::string::npos || kind->is("concat") || kind->is("prioritized");
  const std::string held_text = nested ? fmt::format("({})", *text) : *text;
  if (implicit) {
    if (kind->is("players") && asked->text == "$player != actor") return "others";
    return fmt::format("{} where {}", held_text, asked->text);
  }
  return fmt::format("{} in {} where {}", bind->text, held_text, asked->text);
}

Text Printer::token_query(const Node& node) {
  Node bare = node;
  const Node* asked = node.find("filter");
  bare.erase("filter");
  NEED(text, phrase(Family::query, node.find("query")->text, bare));
  if (asked == nullptr) return text;
  // The first test may be the type, which is said in front.
  const Node* args = asked->find("args");
  const Node& first = args != nullptr && !args->items.empty() && asked->find("op")->is("and")
                          ? args->items.front()
                          : *asked;
  const Node* field = first.find("field");
  const Node* type = first.find("value");
  std::string out = *text;
  Node rest = *asked;
  bool more = true;
  if (field != nullptr && field->is_map() && field->find("kind") != nullptr &&
      field->find("kind")->is("tokenType") && first.find("op")->is("eq") && type != nullptr &&
      type->is_string() && context_.names.token_types.contains(type->text) && is_name(type->text)) {
    const std::string plural = type->text + "s";
    const bool free = phrases_of(Family::query, plural).empty() &&
                      !context_.names.token_types.contains(plural) &&
                      !context_.params.contains(plural);
    if (free) {
      out = plural + out.substr(std::string_view{"tokens"}.size());
      if (&first == asked) return out;
      rest.find("args")->items.erase(rest.find("args")->items.begin());
      if (rest.find("args")->items.size() == 1) {
        Node single = rest.find("args")->items.front();
        // A single `and` inside would be taken apart again.
        if (single.find("op") != nullptr && single.find("op")->is("and")) return std::nullopt;
        rest = std::move(single);
      }
      more = true;
    }
  }
  if (!more) return out;
  NEED(where, filter(rest));
  return fmt::format("{} where {}", out, *where);
}

Text Printer::several(const Node& list, std::string_view sign) {
  std::string out;
  if (!list.is_list() || list.items.size() < 2) return std::nullopt;
  for (const Node& part : list.items) {
    NEED(text, query(part));
    const Node* kind = part.find("query");
    const bool plain = text->find(" where ") == std::string::npos && kind != nullptr &&
                       !kind->is("concat") && !kind->is("prioritized") &&
                       !kind->is("intsInRange") && !kind->is("ray") && !kind->is("connectedZones");
    const std::string held_text = plain ? *text : fmt::format("({})", *text);
    out += out.empty() ? held_text : fmt::format(" {} {}", sign, held_text);
  }
  return out;
}

Text Printer::query(const Node& node) {
  if (node.has("param")) return word(node);
  const Node* kind_node = node.find("query");
  if (kind_node == nullptr || !kind_node->is_string()) return std::nullopt;
  const std::string& kind = kind_node->text;
  if (kind == "binding")
    return node.entries.size() == 2 && node.has("name") ? binding(*node.find("name"))
                                                        : std::nullopt;
  if (kind == "enums" || kind == "booleans") {
    const Node* values = node.find("values");
    if (values == nullptr || !values->is_list() || values->items.empty()) return std::nullopt;
    return list(*values);
  }
  if (kind == "intsInRange") return range(node);
  if (kind == "filter") return filtered(node);
  if (kind == "concat")
    return node.has("sources") ? several(*node.find("sources"), "+") : std::nullopt;
  if (kind == "prioritized") {
    NEED(text, node.has("tiers") ? several(*node.find("tiers"), "then") : std::nullopt);
    const Node* qualifier = node.find("qualifierKey");
    return qualifier == nullptr ? text : Text{fmt::format("{} by {}", *text, qualifier->text)};
  }
  if (filters_tokens(node)) return token_query(node);
  if (kind == "zonesInDirection") {
    Node ray = node;
    ray.set("query", Node::of_string("ray", node.origin));
    return phrase(Family::query, "ray", ray);
  }
  Node bare = node;
  const Node* asked = nullptr;
  const bool zones = kind == "mapSpaces" || kind == "zones" || kind == "adjacentZones";
  if (zones && node.has("filter")) {
    const Node& given = *node.find("filter");
    asked = given.has("condition") || given.has("owner") ? given.find("condition") : &given;
    if (given.has("owner"))
      bare.find("filter")->erase("condition");
    else
      bare.erase("filter");
  }
  if (kind == "assetRows") bare.erase("where");
  NEED(text, phrase(Family::query, kind, bare));
  if (kind == "assetRows" && node.has("where")) {
    NEED(tests, rows(*node.find("where")));
    return fmt::format("{} where {}", *text, *tests);
  }
  if (asked == nullptr) return text;
  elements_.emplace_back("$zone");
  const MaybePrinted where = condition(*asked);
  elements_.pop_back();
  return where ? Text{fmt::format("{} where {}", *text, where->text)} : std::nullopt;
}

// ---- Statements

// {scope, var, …} or a word, as it stands before `=`.
Text Printer::cell(const Node& node) {
  if (node.has("ref")) {
    const MaybePrinted out = reference(node);
    return out ? Text{out->text} : std::nullopt;
  }
  const Node* scope = node.find("scope");
  if (scope == nullptr || !node.has("var")) return std::nullopt;
  Node reference_node = node;
  reference_node.erase("scope");
  for (const std::string_view other : {"value", "delta"}) reference_node.erase(other);
  reference_node.set("ref",
                     Node::of_string(scope->is("global") ? "gvar" : scope->text, node.origin));
  if (scope->is("pvar") && !node.has("player")) return std::nullopt;
  if (scope->is("zoneVar") && !node.has("zone")) return std::nullopt;
  return variable(reference_node);
}

Text Printer::assignment(const std::string& effect, const Node& node) {
  Text left;
  const Node* what = nullptr;
  bool adds = false;
  if (effect == "setVar" || effect == "addVar") {
    left = cell(node);
    adds = effect == "addVar";
    what = node.find(adds ? "delta" : "value");
  } else if (effect == "set" || effect == "add") {
    adds = effect == "add";
    left = node.has("target") ? cell(*node.find("target")) : std::nullopt;
    what = node.find(adds ? "delta" : "value");
  } else if (effect == "setTokenProp" && node.has("token") && node.has("prop")) {
    left = member(*node.find("token"), *node.find("prop"), false);
    what = node.find("value");
  } else if ((effect == "setMarker" || effect == "shiftMarker") && node.has("space") &&
             node.has("marker")) {
    left = member(*node.find("space"), *node.find("marker"), false);
    adds = effect == "shiftMarker";
    what = node.find(adds ? "delta" : "state");
  } else if ((effect == "setGlobalMarker" || effect == "shiftGlobalMarker") && node.has("marker")) {
    const Node& marker = *node.find("marker");
    if (marker.is_string() && sole(marker.text)) left = marker.text;
    adds = effect == "shiftGlobalMarker";
    what = node.find(adds ? "delta" : "state");
  } else if (effect == "setActivePlayer" && node.has("player")) {
    NEED(who, player(*node.find("player")));
    return "active = " + *who;
  }
  if (!left || what == nullptr) return std::nullopt;
  if (!adds) {
    const Node* prop = node.find("prop");
    const bool text_wanted = node.has("marker") || (prop != nullptr && prop->is_string() &&
                                                    context_.claims.holds_text(prop->text));
    NEED(text, what->is_string() && text_wanted ? wanted_text(*what) : sum(*what));
    return fmt::format("{} = {}", *left, *text);
  }
  if (what->is_integer() && what->integer < 0)
    return fmt::format("{} -= {}", *left, -what->integer);
  const Node *op = what->find("op"), *zero = what->find("left"), *rest = what->find("right");
  if (op != nullptr && op->is("-") && zero != nullptr && zero->is_integer() && zero->integer == 0 &&
      rest != nullptr && !rest->is_integer()) {
    NEED(text, sum(*rest));
    return fmt::format("{} -= {}", *left, *text);
  }
  NEED(text, sum(*what));
  return fmt::format("{} += {}", *left, *text);
}

Text Printer::statement(const Node& node) {
  if (!node.is_map() || node.entries.empty()) return std::nullopt;
  if (const Node* macro_name = node.find("macro")) {
    const auto found = context_.names.effect_macros.find(macro_name->text);
    if (!macro_name->is_string() || !(is_name(macro_name->text) || is_dotted(macro_name->text)) ||
        found == context_.names.effect_macros.end())
      return std::nullopt;
    const Node* args = node.find("args");
    if (node.entries.size() > (args != nullptr ? 2U : 1U)) return std::nullopt;
    if (args == nullptr || args->entries.empty()) return "call " + macro_name->text;
    NEED(text, arguments(*args, found->second));
    return fmt::format("call {}({})", macro_name->text, *text);
  }
  if (node.entries.size() != 1) return std::nullopt;
  const std::string& effect = node.entries.front().key;
  const Node& fields = node.entries.front().value;
  if (Text out = assignment(effect, fields)) return out;
  if (effect == "rollRandom") return std::nullopt;  // a block, or what follows belongs to it
  if (effect == "moveToken" && fields.has("from") && fields.has("token")) {
    // The zone a token comes from is left out when it is where the token is.
    const Node* inner = fields.find("from")->find("zoneExpr");
    if (inner != nullptr && refers(*inner, "tokenZone") &&
        inner->find("token")->is(fields.find("token")->text)) {
      Node shorter = fields;
      shorter.erase("from");
      return phrase(Family::effect, effect, shorter);
    }
    if (fields.find("from") == nullptr) return std::nullopt;
  }
  if (effect == "transferVar" && fields.has("from")) {
    const Node& from = *fields.find("from");
    const Node *scope = from.find("scope"), *who = from.find("player"), *var = from.find("var");
    const bool own = scope != nullptr && scope->is("pvar") && who != nullptr && who->is("actor") &&
                     var->is_string() && sole(var->text);
    const auto candidates = phrases_for(Family::effect, effect);
    std::vector<std::string> used;
    std::string out;
    if (own && phrase_parts(candidates.back()->parts, fields, used, out)) return out;
  }
  NEED(text, phrase(Family::effect, effect, fields));
  const Node* chooser = fields.is_map() ? fields.find("chooser") : nullptr;
  if (chooser == nullptr) return text;
  NEED(who, player(*chooser));
  return fmt::format("{} chooses {}", *who, text->substr(text->find(' ') + 1));
}

namespace {

Text text_of(const MaybePrinted& printed) {
  return printed ? Text{printed->text} : std::nullopt;
}

}  // namespace

std::optional<std::string> print_condition(const Node& node, const PrintContext& context,
                                           std::string_view element) {
  return text_of(Printer{context, element}.condition(node));
}
std::optional<std::string> print_value(const Node& node, const PrintContext& context,
                                       std::string_view element) {
  return text_of(Printer{context, element}.value(node));
}
std::optional<std::string> print_query(const Node& node, const PrintContext& context) {
  return Printer{context, {}}.query(node);
}
std::optional<std::string> print_statement(const Node& node, const PrintContext& context) {
  return Printer{context, {}}.statement(node);
}
std::optional<std::string> print_filter(const Node& node, const PrintContext& context) {
  return Printer{context, {}}.filter(node);
}
std::optional<std::string> print_rows(const Node& node, const PrintContext& context) {
  return Printer{context, {}}.rows(node);
}

}  // namespace parlor::spec::text
