#include "spec/text/printing.h"

namespace parlor::spec::text {

// ---- Selectors

Text Printer::zone(const Node& node) {
  if (node.has("param")) return word(node);
  if (const Node* inner = node.find("zoneExpr")) {
    if (refers(*inner, "tokenZone") && is_binding(*inner->find("token")))
      return fmt::format("{}.zone", inner->find("token")->text);
    const Node* parts = inner->find("concat");
    if (parts != nullptr && parts->items.size() == 2 && parts->items[0].is_string() &&
        parts->items[0].text.ends_with(':') && parts->items[1].has("param"))
      if (const Text param = word(parts->items[1])) return parts->items[0].text + *param;
    NEED(computed, value(*inner));
    return fmt::format("({})", computed->text);
  }
  if (!node.is_string()) return std::nullopt;
  const auto tokens = split(node.text);
  const bool one = tokens.size() == 2 && tokens[0].text.size() == node.text.size();
  if (one && (tokens[0].kind == Token::Kind::zone || tokens[0].kind == Token::Kind::binding)) {
    const std::string owner = node.text.substr(node.text.find(':') + 1);
    return context_.params.contains(owner) ? std::nullopt : Text{node.text};
  }
  if (one && tokens[0].kind == Token::Kind::word && node.text != "if" && node.text != "step" &&
      !context_.params.contains(node.text) && node.text.front() != '{')
    return node.text;
  return quoted(node.text);
}

Text Printer::list_item(const Node& node) const {
  if (node.is_string())
    return plain_word(node.text) && !context_.claims.constants.contains(node.text)
               ? Text{node.text}
               : quoted(node.text);
  if (node.is_integer()) return std::to_string(node.integer);
  if (node.is_boolean()) return node.boolean ? "true" : "false";
  return std::nullopt;
}

Text Printer::list(const Node& node) {
  std::string out;
  for (const Node& item : node.items) {
    NEED(text, list_item(item));
    out += fmt::format("{}{}", out.empty() ? "" : ", ", *text);
  }
  return fmt::format("[{}]", out);
}

// ---- Values

// `$card.rank`; of the element itself just `rank`.
Text Printer::member(const Node& owner, const Node& name, bool player_owner) {
  if (!name.is_string()) {
    NEED(computed, value(name));
    NEED(whose, owner.is("game") ? Text{"game"} : player_owner ? player(owner) : zone(owner));
    return fmt::format("{}[{}]", *whose, computed->text);
  }
  if (!is_name(name.text)) return std::nullopt;
  if (owner.is_string() && !elements_.empty() && owner.text == elements_.back() && sole(name.text))
    return name.text;
  if (owner.has("param")) {
    NEED(param, word(owner));
    return fmt::format("{}.{}", *param, name.text);
  }
  if (!owner.is_string() && !owner.has("zoneExpr")) return std::nullopt;
  NEED(whose, player_owner ? player(owner) : zone(owner));
  if (whose->front() == '"') return std::nullopt;
  return fmt::format("{}.{}", *whose, name.text);
}

Text Printer::variable(const Node& node) {
  const Node& name = *node.find("var");
  if (refers(node, "zoneVar")) return member(*node.find("zone"), name, false);
  if (refers(node, "gvar")) {
    if (name.is_string() && sole(name.text)) return name.text;
    if (name.is_string() && name.text.find('.') != std::string::npos) return name.text;
    return member(Node::of_string("game", node.origin), name, false);
  }
  const Node& player_node = *node.find("player");
  // What is asked of players, or of something with a name, is not asked of the actor.
  const bool own = std::ranges::none_of(elements_, [](const std::string& element) {
    return element.empty() || element.starts_with("$player");
  });
  if (player_node.is("actor") && name.is_string() && own && sole(name.text)) return name.text;
  if (player_node.is("actor") && name.is_string() && is_dotted(name.text)) return name.text;
  return member(player_node, name, true);
}

MaybePrinted Printer::reference(const Node& node) {
  const auto printed = [](Text text) -> MaybePrinted {
    return text ? MaybePrinted{Printed{std::move(*text), tight}} : std::nullopt;
  };
  const std::string& kind = node.find("ref")->text;
  const auto field = [&](std::string_view name) -> const Node& { return *node.find(name); };
  if (kind == "name") return printed(field("name").text);
  if (kind == "field") return printed(member(field("of"), field("name"), true));
  if (kind == "gvar" || kind == "pvar" || kind == "zoneVar") return printed(variable(node));
  if (kind == "binding") {
    const Node* param = field("name").find("param");
    const auto type = param != nullptr ? context_.params.find(param->text) : context_.params.end();
    if (param != nullptr && (type == context_.params.end() || !names_binding(type->second)))
      return std::nullopt;
    if (node.has("displayName")) return std::nullopt;
    const Node& name = field("name");
    // Bindings of old files may be called without `$`.
    if (name.is_string() && !name.text.starts_with('$') && plain_word(name.text) &&
        context_.claims.count(name.text) == 0)
      return printed(name.text);
    return printed(binding(name));
  }
  if (kind == "tokenProp") return printed(member(field("token"), field("prop"), false));
  if (kind == "tokenZone")
    return printed(member(field("token"), Node::of_string("zone", node.origin), false));
  if (kind == "zoneProp") return printed(member(field("zone"), field("prop"), false));
  if (kind == "markerState") return printed(member(field("space"), field("marker"), false));
  if (kind == "assetField") return printed(member(field("row"), field("field"), false));
  if (kind == "globalMarkerState" || kind == "constant" || kind == "namedSet") {
    const Node* name = node.find(kind == "globalMarkerState" ? "marker" : "name");
    return name->is_string() && sole(name->text) ? printed(name->text) : std::nullopt;
  }
  if (kind == "activePlayer") return printed("active");
  if (kind == "activeSeat") return printed("activeSeat");
  if (kind == "clock") return printed(field("field").text);
  if (kind == "zoneCount") return printed(phrase(Family::value, kind, node));
  if (kind == "player") {
    const Node& who = field("player");
    for (const char* word : {"actor", "left", "right", "next", "previous", "opponent"})
      if (who.is(word)) return printed(who.text);
    if (who.is_string() && context_.claims.seats.contains(who.text) && sole(who.text))
      return printed(who.text);
    NEED(text, player(who));
    const Node* param = who.find("param");
    const auto type = param != nullptr ? context_.params.find(param->text) : context_.params.end();
    if (type != context_.params.end() && type->second == "playerSelector") return printed(*text);
    return printed(fmt::format("player({})", *text));
  }
  return printed(phrase(Family::value, kind, node));
}

MaybePrinted Printer::arithmetic(const Node& node) {
  const Node *op = node.find("op"), *left = node.find("left"), *right = node.find("right");
  if (op == nullptr || left == nullptr || right == nullptr || !op->is_string()) return std::nullopt;
  NEED(a, value(*left));
  NEED(b, value(*right));
  if (op->is("min") || op->is("max")) {
    NEED(x, sum(*left));
    NEED(y, sum(*right));
    return Printed{fmt::format("{}({}, {})", op->text, *x, *y), tight};
  }
  if (op->is("-") && left->is_integer() && left->integer == 0 && !right->is_integer())
    return Printed{fmt::format("-{}", held(*b, tight)), by_product};
  if (op->is("+") || op->is("-"))
    return Printed{fmt::format("{} {} {}", held(*a, by_sum), op->text, held(*b, by_product)),
                   by_sum};
  const std::string product = fmt::format("{} {} {}", held(*a, by_product),
                                          op->is("floorDiv") ? "//"
                                          : op->is("mod")    ? "%"
                                          : op->is("*")      ? "*"
                                                             : "/",
                                          held(*b, tight));
  if (op->is("ceilDiv")) return Printed{fmt::format("ceil({})", product), tight};
  if (op->is("*") || op->is("/") || op->is("floorDiv") || op->is("mod"))
    return Printed{product, by_product};
  return std::nullopt;
}

Text Printer::aggregate(const Node& node) {
  const Node *op = node.find("op"), *source = node.find("query");
  if (op == nullptr || !op->is_string() || source == nullptr) return std::nullopt;
  NEED(text, query(*source));
  if (op->is("count")) {
    if (node.entries.size() != 2) return std::nullopt;
    // A zone alone would be read as how many tokens it holds.
    return fmt::format("count({})", *text);
  }
  const Node *bind = node.find("bind"), *expression = node.find("valueExpr");
  if (bind == nullptr || expression == nullptr || !is_binding(*bind)) return std::nullopt;
  const bool implicit = bind->text == element_name(*source) &&
                        std::ranges::find(elements_, bind->text) == elements_.end();
  elements_.push_back(implicit ? bind->text : std::string{});
  const Text value_text = sum(*expression);
  elements_.pop_back();
  if (!value_text) return std::nullopt;
  if (implicit) return fmt::format("{}({} for {})", op->text, *value_text, *text);
  return fmt::format("{}({} for {} in {})", op->text, *value_text, bind->text,
                     named_source(*source, *text, bind->text));
}

Text Printer::concatenation(const Node& parts) {
  if (!parts.is_list() || parts.items.empty()) return std::nullopt;
  std::string inside, arguments;
  bool simple = true, last_literal = false, computed = false;
  for (const Node& part : parts.items) {
    NEED(text, sum(part));
    arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", *text);
    const bool is_text = part.is_string();
    simple = simple && !(is_text && last_literal) &&
             !(is_text && part.text.find_first_of("{}\"") != std::string::npos) &&
             !(!is_text && text->find_first_of("{}\"") != std::string::npos) &&
             !(is_text && part.text.empty());
    inside += is_text ? part.text : fmt::format("{{{}}}", *text);
    last_literal = is_text;
    computed = computed || !is_text;
  }
  return simple && computed ? fmt::format("\"{}\"", inside) : fmt::format("join({})", arguments);
}

MaybePrinted Printer::value(const Node& node) {
  const auto printed = [](Text text) -> MaybePrinted {
    return text ? MaybePrinted{Printed{std::move(*text), tight}} : std::nullopt;
  };
  if (node.is_integer())
    return Printed{std::to_string(node.integer), node.integer < 0 ? by_product : tight};
  if (node.is_boolean()) return Printed{node.boolean ? "true" : "false", tight};
  if (node.is_string()) return printed(literal(node.text));
  if (node.is_list()) return printed(list(node));
  if (!node.is_map()) return std::nullopt;
  if (const Node* param = node.find("param")) {
    const auto type = context_.params.find(param->text);
    if (type != context_.params.end() &&
        (names_binding(type->second) || type->second == "playerSelector"))
      return std::nullopt;
    return printed(word(node));
  }
  if (node.has("ref")) return reference(node);
  if (node.has("op"))
    return is_condition_operator(node.find("op")->text) ? std::nullopt : arithmetic(node);
  if (const Node* zone_node = node.find("zoneCount")) {
    NEED(place, zone(*zone_node));
    return printed("size of " + *place);
  }
  if (const Node* inner = node.find("aggregate")) return printed(aggregate(*inner));
  if (node.has("valueMacro")) return value_macro(node);
  if (node.entries.size() == 1 && is_wrapped_value(node.entries.front().key)) {
    // What is asked for may be a query, which reaches as far as it can.
    const Entry& entry = node.entries.front();
    NEED(text, phrase(Family::value, entry.key, entry.value));
    return Printed{fmt::format("({})", *text), tight};
  }
  if (const Node* inner = node.find("concat")) return printed(concatenation(*inner));
  if (const Node* inner = node.find("if")) {
    const Node *when = inner->find("when"), *then = inner->find("then"),
               *otherwise = inner->find("else");
    if (when == nullptr || then == nullptr || otherwise == nullptr) return std::nullopt;
    NEED(question, condition(*when));
    NEED(a, sum(*then));
    NEED(b, sum(*otherwise));
    return Printed{fmt::format("if {} then {} else {}", question->text, *a, *b), open_ended};
  }
  return std::nullopt;
}

// ---- Conditions

MaybePrinted Printer::joined(const Node& node, std::string_view sign, int hold) {
  const Node* args = node.find("args");
  if (args == nullptr || args->items.size() < 2) return std::nullopt;
  std::string out;
  bool ends_open = false;
  for (std::size_t i = 0; i < args->items.size(); ++i) {
    NEED(arg, condition(args->items[i]));
    const bool last = i + 1 == args->items.size();
    const bool open = arg->hold == open_ended || (arg->open && arg->hold > hold);
    const std::string text = last && open ? arg->text
                             : arg->open  ? fmt::format("({})", arg->text)
                                          : held(*arg, hold + 1);
    out += out.empty() ? text : fmt::format(" {} {}", sign, text);
    ends_open = last && open;
  }
  return Printed{out, hold, ends_open};
}

// `owner == left`, `empty`: what is asked of the element or of the tokens in it.
Text Printer::asked_of_element(const Node& node) {
  if (elements_.empty()) return std::nullopt;
  const Node* query_node = node.find("query");
  if (query_node == nullptr || node.has("bind") || elements_.back() != "$zone") return std::nullopt;
  const Node* place = query_node->find("zone");
  const Node* asked = query_node->find("filter");
  if (!query_node->find("query")->is("tokensInZone") || place == nullptr || !place->is("$zone") ||
      asked == nullptr)
    return std::nullopt;
  const Node *prop = asked->find("prop"), *op = asked->find("op");
  if (prop == nullptr || !sole(prop->text) || op->is("notIn")) return std::nullopt;
  return test(*asked);
}

MaybePrinted Printer::exists(const Node& node, std::string_view quantifier) {
  if (quantifier == "any")
    if (Text asked = asked_of_element(node)) return Printed{*asked, by_compare};
  const Node *source = node.find("query"), *bind = node.find("bind"), *where = node.find("where");
  if (source == nullptr || (bind == nullptr) != (where == nullptr)) return std::nullopt;
  NEED(text, query(*source));
  // `any $x in QUERY where …` would be asked by the quantifier.
  if (bind == nullptr)
    return Printed{fmt::format("{} {}", quantifier,
                               text->starts_with('$') ? fmt::format("({})", *text) : *text),
                   open_ended};
  if (!is_binding(*bind)) return std::nullopt;
  const bool implicit = bind->text == element_name(*source) &&
                        std::ranges::find(elements_, bind->text) == elements_.end();
  elements_.push_back(implicit ? bind->text : std::string{});
  const MaybePrinted asked = condition(*where);
  elements_.pop_back();
  if (!asked) return std::nullopt;
  if (implicit)
    return Printed{fmt::format("{} {}: {}", quantifier, *text, asked->text), open_ended};
  // `any $c in cells where …` needs no quotes in YAML, a colon does.
  const std::string named = named_source(*source, *text, bind->text);
  const bool mentioned = asked->text.find(bind->text) != std::string::npos;
  const bool joined =
      source->find("query") != nullptr &&
      (source->find("query")->is("concat") || source->find("query")->is("prioritized") ||
       source->find("query")->is("nextInOrderByCondition"));
  if (quantifier != "all" && mentioned && !joined && named.find(" where ") == std::string::npos &&
      named.find(" through ") == std::string::npos && named.find(" until ") == std::string::npos &&
      named.find(" while ") == std::string::npos)
    return Printed{fmt::format("{} {} in {} where {}", quantifier, bind->text, named, asked->text),
                   open_ended};
  return Printed{fmt::format("{} {} in {}: {}", quantifier, bind->text, named, asked->text),
                 open_ended};
}

MaybePrinted Printer::comparison(const Node& node, const std::string& op) {
  const Node *left = node.find("left"), *right = node.find("right");
  if (left == nullptr || right == nullptr) return std::nullopt;
  const Node* count = left->find("zoneCount");
  if (count != nullptr && right->is_integer() && right->integer == 0 && (op == "==" || op == ">")) {
    const std::string_view name = op == "==" ? "empty" : "occupied";
    NEED(place, zone(*count));
    if (!context_.names.condition_macros.contains(name)) {
      if (!elements_.empty() && count->is(elements_.back()))
        return Printed{std::string{name}, tight};
      return Printed{fmt::format("{}({})", name, *place), tight};
    }
  }
  NEED(a, value(*left));
  const bool readable = left->has("ref") && (refers(*left, "binding") || refers(*left, "gvar") ||
                                             refers(*left, "pvar") || refers(*left, "tokenProp") ||
                                             refers(*left, "name") || refers(*left, "field"));
  if (op == "==" && right->is_boolean() && right->boolean && readable) return a;
  if (right->is_string() && reads_text(*left)) {
    NEED(text, wanted_text(*right));
    return Printed{fmt::format("{} {} {}", held(*a, by_sum), op, *text), by_compare};
  }
  NEED(b, value(*right));
  return Printed{fmt::format("{} {} {}", held(*a, by_sum), op, held(*b, by_sum)), by_compare};
}

// Whether what is read is a text, as far as the declarations tell.
bool Printer::reads_text(const Node& node) const {
  if (refers(node, "markerState") || refers(node, "globalMarkerState") ||
      refers(node, "activeSeat"))
    return true;
  const Node* member = node.find("prop");
  return (refers(node, "tokenProp") || refers(node, "zoneProp")) && member != nullptr &&
         member->is_string() && context_.claims.holds_text(member->text);
}

MaybePrinted Printer::condition(const Node& node) {
  if (node.is_boolean()) return Printed{node.boolean ? "true" : "false", tight};
  if (node.has("conditionMacro")) return macro(node);
  if (node.has("param") || refers(node, "name") || refers(node, "field") || refers(node, "binding"))
    return value(node);
  const Node* op_node = node.find("op");
  if (op_node == nullptr || !op_node->is_string()) return std::nullopt;
  const std::string& op = op_node->text;
  if (op == "and") return joined(node, op, by_and);
  if (op == "or") return joined(node, op, by_or);
  if (op == "exists") return exists(node, "any");
  if (op == "forAll") return exists(node, "all");
  if (op == "not") {
    const Node* arg = node.find("arg");
    if (arg == nullptr) return std::nullopt;
    const Node* inner = arg->find("op");
    if (inner != nullptr && inner->is("in") && arg->has("item") && arg->has("set")) {
      NEED(item, sum(*arg->find("item")));
      NEED(set, sum(*arg->find("set")));
      return Printed{fmt::format("{} not in {}", *item, *set), by_compare};
    }
    if (inner != nullptr && inner->is("exists") && !asked_of_element(*arg))
      return exists(*arg, "no");
    NEED(text, condition(*arg));
    return Printed{
        fmt::format("not {}", text->hold == open_ended ? text->text : held(*text, by_not)),
        text->hold == open_ended ? int{open_ended} : int{by_not}};
  }
  if (op == "in") {
    if (!node.has("item") || !node.has("set")) return std::nullopt;
    NEED(item, sum(*node.find("item")));
    NEED(set, sum(*node.find("set")));
    return Printed{fmt::format("{} in {}", *item, *set), by_compare};
  }
  if (is_comparison(op)) return comparison(node, op);
  if (op == "zonePropIncludes" || op == "markerStateAllowed" || op == "markerShiftAllowed") {
    const bool includes = op == "zonePropIncludes";
    const Node* space = node.find(includes ? "zone" : "space");
    const Node* name = node.find(includes ? "prop" : "marker");
    const Node* what = node.find(includes                     ? "value"
                                 : op == "markerStateAllowed" ? "state"
                                                              : "delta");
    if (space == nullptr || name == nullptr || what == nullptr || !name->is_string() ||
        !is_name(name->text))
      return std::nullopt;
    NEED(asked, member(*space, *name, false));
    NEED(text, what->is_string() ? list_item(*what) : sum(*what));
    return Printed{fmt::format("{} {} {}", *asked,
                               includes                     ? "includes"
                               : op == "markerStateAllowed" ? "may be"
                                                            : "may shift by",
                               *text),
                   by_compare};
  }
  NEED(text, phrase(op == "lineOf" ? Family::condition : Family::relation, op, node));
  return Printed{*text, op == "adjacent" ? int{by_compare} : int{open_ended}};
}

MaybePrinted Printer::macro(const Node& node) {
  const Node& name = *node.find("conditionMacro");
  const auto found = context_.names.condition_macros.find(name.text);
  if (!name.is_string() || !(is_name(name.text) || is_dotted(name.text)) ||
      found == context_.names.condition_macros.end())
    return std::nullopt;
  const Node* args = node.find("args");
  const Node none = Node::of_map(node.origin);
  if (args == nullptr || args->entries.empty()) return Printed{name.text, tight};
  if (found->second.size() == 1 && args->entries.size() == 1 && !elements_.empty() &&
      args->entries[0].value.is(elements_.back()))
    return Printed{name.text, tight};
  NEED(text, arguments(args != nullptr ? *args : none, found->second));
  return Printed{fmt::format("{}({})", name.text, *text), tight};
}

MaybePrinted Printer::value_macro(const Node& node) {
  const Node& name = *node.find("valueMacro");
  const auto found = context_.names.value_macros.find(name.text);
  if (!name.is_string() || !is_name(name.text) || found == context_.names.value_macros.end())
    return std::nullopt;
  const Node* args = node.find("args");
  if (args == nullptr || args->entries.empty())
    return Printed{found->second.empty() ? name.text : name.text + "()", tight};
  NEED(text, arguments(*args, found->second));
  return Printed{fmt::format("{}({})", name.text, *text), tight};
}

Text Printer::arguments(const Node& args, const std::vector<MacroParam>& params) {
  std::string out;
  bool in_order = args.entries.size() == params.size();
  for (const MacroParam& param : params) in_order = in_order && args.has(param.name);
  std::size_t used = 0;
  for (const MacroParam& param : params) {
    const Node* arg = args.find(param.name);
    if (arg == nullptr) continue;
    ++used;
    NEED(text, argument(*arg, param.type));
    const std::string name = in_order ? "" : param.name + ": ";
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", name, *text);
  }
  return used == args.entries.size() ? Text{out} : std::nullopt;
}

Text Printer::argument(const Node& node, std::string_view type) {
  if (node.has("param")) return word(node);
  if (type == "zoneSelector") return zone(node);
  if (type == "playerSelector") return player(node);
  if (type == "bindingName" || type == "bindingTemplate" || type == "tokenSelector")
    return binding(node);
  if (type == "condition") {
    const MaybePrinted text = condition(node);
    return text ? Text{text->text} : std::nullopt;
  }
  if (type == "query") return query(node);
  if (type == "string") return word(node);
  if (type == "value" || type.empty() || type == "number") {
    if (node.is_string() && node.text.starts_with('$')) return std::nullopt;
    return sum(node);
  }
  return std::nullopt;
}

}  // namespace parlor::spec::text
