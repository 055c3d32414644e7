// The parser of the text notation: recursive descent with operator precedence. The grammar stands
// in docs/language.md; sentences are the list of phrases.def, slips are explained in mistakes.cpp.
#include "spec/text/parser.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/text/convert.h"
#include "spec/text/descent.h"
#include "spec/text/mistakes.h"
#include "spec/text/positions.h"

namespace parlor::spec::text {

struct Parser::Operator {
  std::string_view sign, op;
  int level;
};

namespace {

constexpr std::string_view player_words[] = {"actor", "left", "right"};
constexpr std::string_view clock_words[] = {"turn", "round", "turnInRound", "roundStartPlayer",
                                            "playerCount"};

// `3 + ($free == wood)`: a condition among numbers counts 1 where it holds, else 0.
Node as_number(Node node) {
  if (!node.is_boolean() && !asks(node)) return node;
  const Build b{node.origin};
  return b.map(
      {{"if", b.map({{"when", std::move(node)}, {"then", b.number(1)}, {"else", b.number(0)}})}});
}

}  // namespace

// ---- Tokens and mistakes

Parser::Parser(const ParseRequest& request)
    : request_(request), names_(request.names), tokens_(split(request.text)) {
  if (!request.element.empty()) elements_.emplace_back(request.element);
}

ParseResult Parser::run() {
  Maybe out = whole();
  if (out && peek().kind != Token::Kind::end) {
    miss("");
    out.reset();
  }
  if (out) return {std::move(out), {}};
  return {std::nullopt, explain()};
}

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

bool Parser::take(std::string_view word) {
  if (peek().is(word)) {
    ++at_;
    return true;
  }
  miss(word);
  return false;
}

std::nullopt_t Parser::miss(std::string_view wanted) {
  if (at_ > furthest_) {
    wanted_.clear();
    said_ = {};
  }
  if (at_ >= furthest_) {
    furthest_ = at_;
    if (!wanted.empty() && !among(wanted_, wanted)) wanted_.emplace_back(wanted);
  }
  return std::nullopt;
}

std::nullopt_t Parser::wrong(std::size_t at, std::string message, std::string suggestion,
                             std::vector<std::string> alternatives) {
  if (at < furthest_ || (at == furthest_ && !said_.message.empty())) return std::nullopt;
  furthest_ = at;
  said_ = {0, 0, std::move(message), std::move(suggestion), std::move(alternatives)};
  return std::nullopt;
}

TextError Parser::explain() const {
  TextError out =
      said_.message.empty() ? explain_mistake(tokens_, furthest_, wanted_, request_.expect) : said_;
  const Token& before = tokens_[furthest_ > 0 ? furthest_ - 1 : 0];
  const bool symbol = tokens_[furthest_].kind == Token::Kind::symbol;
  const bool plain =
      out.suggestion.empty() || out.suggestion.starts_with("the statement could end");
  const bool macro =
      names_.condition_macros.contains(before.text) || names_.value_macros.contains(before.text);
  if (said_.message.empty() && furthest_ > 0 && macro)
    out.suggestion = fmt::format("a macro is called with parentheses: `{}(…)`", before.text);
  else if (said_.message.empty() && request_.expect == Expect::statement && !symbol && plain)
    if (std::string shapes = sentence_shapes(tokens_.front().text); !shapes.empty())
      out.suggestion = std::move(shapes);
  out.begin = tokens_[furthest_].begin;
  out.end = tokens_[furthest_].end;
  return out;
}

bool Parser::too_deep() {
  if (depth_ <= deepest_nesting && ++steps_ < most_steps) return false;
  furthest_ = std::max(furthest_, at_);
  said_ = {0,
           0,
           fmt::format("this is nested more than {} deep", deepest_nesting),
           "take it apart with `let` or a macro",
           {}};
  return true;
}

Build Parser::build(std::size_t from) const {
  const std::size_t last = at_ > from ? at_ - 1 : from;
  return Build{request_.origin(tokens_[from].begin, tokens_[last].end)};
}

Build Parser::at_token(std::size_t index) const {
  return Build{request_.origin(tokens_[index].begin, tokens_[index].end)};
}

Node Parser::param_node(std::size_t token) const {
  const Build b = at_token(token);
  return b.map({{"param", b.text(tokens_[token].text)}});
}

// A parameter that names a binding is the binding where a value is needed.
Node Parser::param_value(std::size_t token) const {
  Node out = param_node(token);
  const Build b = at_token(token);
  const std::string& type = request_.params.find(tokens_[token].text)->second;
  if (type == "playerSelector")
    return b.map({{"ref", b.text("player")}, {"player", std::move(out)}});
  if (!names_binding(type)) return out;
  return b.map({{"ref", b.text("binding")}, {"name", std::move(out)}});
}

bool names_binding(std::string_view type) {
  return type == "bindingName" || type == "bindingTemplate" || type == "tokenSelector";
}

Maybe Parser::whole() {
  switch (request_.expect) {
    case Expect::query:
      return query();
    case Expect::statement:
      return statement();
    case Expect::loop:
      return loop();
    case Expect::zone:
      return zone();
    case Expect::player:
      return player();
    case Expect::binding:
      return binding();
    default:
      break;
  }
  Maybe out = expression(level_or);
  if (!out) return out;
  if (request_.expect == Expect::filter) {
    out = token_filter(*out, request_.element);
    if (!out) wrong(0, "only `==`, `!=`, `in`, `and`, `or` and `not` can filter tokens here");
  } else if (request_.expect == Expect::rows) {
    out = row_filter(*out, request_.element);
    if (!out) wrong(0, "rows are found with `==`, `!=`, `in` and `and` alone");
  }
  return out;
}

// ---- Expressions

Maybe Parser::expression(int level) {
  const Deeper deeper{*this};
  if (too_deep()) return std::nullopt;
  const std::size_t from = at_;
  Maybe left;
  if (level <= level_not && peek().is("not")) {
    ++at_;
    Maybe arg = expression(level_not);
    if (!arg) return std::nullopt;
    left = build(from).map({{"op", at_token(from).text("not")}, {"arg", std::move(*arg)}});
    joined_ = 0;
  } else {
    left = operand(level);
  }
  while (left) {
    if (const Operator* op = operator_here(level)) {
      left = combine(from, std::move(*left), *op);
      continue;
    }
    if (level > level_compare) return left;
    const std::size_t before = at_;
    Maybe related = relation(from, *left);
    if (at_ == before) return left;
    left = std::move(related);
  }
  return left;
}

const Parser::Operator* Parser::operator_here(int level) const {
  static constexpr Operator operators[] = {{"or", "or", level_or},
                                           {"and", "and", level_and},
                                           {"==", "==", level_compare},
                                           {"!=", "!=", level_compare},
                                           {"<=", "<=", level_compare},
                                           {">=", ">=", level_compare},
                                           {"<", "<", level_compare},
                                           {">", ">", level_compare},
                                           {"in", "in", level_compare},
                                           {"not", "notIn", level_compare},
                                           {"+", "+", level_sum},
                                           {"-", "-", level_sum},
                                           {"*", "*", level_product},
                                           {"/", "/", level_product},
                                           {"//", "floorDiv", level_product},
                                           {"%", "mod", level_product}};
  for (const Operator& op : operators)
    if (op.level >= level && peek().is(op.sign) && (op.op != "notIn" || peek(1).is("in")))
      return &op;
  return nullptr;
}

Maybe Parser::combine(std::size_t from, Node left, const Operator& op) {
  const std::size_t sign = at_;
  // `a and b and c` is one node; what stands in parentheses is a node of its own.
  const bool same = op.level <= level_and && joined_ == from + 1 && left.find("op") != nullptr &&
                    left.find("op")->is(op.op) && left.has("args");
  at_ += op.op == "notIn" ? 2 : 1;
  Maybe right = expression(op.level + 1);
  if (!right) return std::nullopt;
  if (op.level == level_compare)
    if (const Operator* next = operator_here(level_compare);
        next != nullptr && next->level == level_compare)
      return wrong(at_, "comparisons cannot be chained",
                   op.op == "in" ? "for a number write `count(cards in ZONE) > 2`"
                                 : "write `a < b and b < c`");
  if (op.level == level_compare && op.op != "in" && op.op != "notIn" &&
      (asks(left) || asks(*right)))
    return wrong(sign, "a condition holds or not, and cannot be compared",
                 "write it alone, or with `not` before it");
  const Build b = build(from);
  const Node word = at_token(sign).text(op.op == "notIn" ? "in" : op.op);
  if (op.level <= level_and) {
    joined_ = from + 1;
    if (!same) return b.map({{"op", word}, {"args", b.list({std::move(left), std::move(*right)})}});
    left.find("args")->items.push_back(std::move(*right));
    left.origin = b.origin;
    return left;
  }
  joined_ = 0;
  if (word.is("in")) {
    Node in = b.map({{"op", word}, {"item", std::move(left)}, {"set", std::move(*right)}});
    if (op.op == "in") return in;
    return b.map({{"op", at_token(sign).text("not")}, {"arg", std::move(in)}});
  }
  if (op.level >= level_sum) {
    left = as_number(std::move(left));
    right = as_number(std::move(*right));
  }
  return b.map({{"op", word}, {"left", std::move(left)}, {"right", std::move(*right)}});
}

// What is asked in words of what stands before it: `$a next to $b`, `$space.mood may be revolt`.
Maybe Parser::relation(std::size_t from, const Node& left) {
  if (peek().is("includes") || next_are("may", "be") || next_are("may", "shift"))
    return asked_of_space(from, left);
  if (!next_are("next", "to") && !next_are("connected", "to")) return std::nullopt;
  const std::size_t asked = at_;
  for (const Phrase& phrase : phrases()) {
    if (phrase.family != Family::relation) continue;
    at_ = from;
    if (Maybe out = phrase_node(phrase)) return out;
  }
  at_ = asked + 1;
  return std::nullopt;
}

Maybe Parser::asked_of_space(std::size_t from, const Node& left) {
  const Node* of = left.find("of");
  // Of the element it is enough to say what.
  if (of != nullptr && of->is_list() && left.find("ref")->is("name")) of = &of->items.front();
  if (of == nullptr)
    return wrong(at_++, "this asks about something of a space", "write `$space.NAME` before it");
  const bool includes = peek().is("includes");
  const bool shift = peek(1).is("shift");
  at_ += includes ? 1 : 2;
  if (shift && !includes && !take("by")) return std::nullopt;
  Maybe value = expression(level_sum);
  if (!value) return std::nullopt;
  const Build b = build(from);
  const Node& name = *left.find("name");
  if (includes)
    return b.map({{"op", b.text("zonePropIncludes")},
                  {"zone", *of},
                  {"prop", name},
                  {"value", plain_text(*value)}});
  if (shift)
    return b.map({{"op", b.text("markerShiftAllowed")},
                  {"space", *of},
                  {"marker", name},
                  {"delta", std::move(*value)}});
  return b.map({{"op", b.text("markerStateAllowed")},
                {"space", *of},
                {"marker", name},
                {"state", plain_text(*value)}});
}

Maybe Parser::operand(int level) {
  const Deeper deeper{*this};
  if (too_deep()) return std::nullopt;
  const std::size_t from = at_;
  if (peek().is("-")) {
    ++at_;
    Maybe value = operand(level_product);
    if (!value) return std::nullopt;
    return negated(build(from), std::move(*value));
  }
  Maybe out = primary(level);
  while (out) {
    if (peek().is(".") && peek(1).is_word()) {
      out = field(from, std::move(*out));
    } else if (peek().is("[")) {
      ++at_;
      Maybe name = expression(level_sum);
      if (!name || !take("]")) return std::nullopt;
      const Build b = build(from);
      out = b.map({{"ref", b.text("field")}, {"of", owner_of(*out)}, {"name", std::move(*name)}});
    } else {
      return out;
    }
  }
  return out;
}

Maybe Parser::field(std::size_t from, Node of) {
  const std::size_t name = at_ + 1;
  at_ += 2;
  if (peek().is("("))
    return wrong(name, fmt::format("`{}` cannot be called like a method", tokens_[name].text),
                 fmt::format("write `{}({}, …)`", tokens_[name].text, tokens_[from].text));
  const Build b = build(from);
  return b.map({{"ref", b.text("field")},
                {"of", owner_of(of)},
                {"name", at_token(name).text(tokens_[name].text)}});
}

Maybe Parser::primary(int level) {
  const std::size_t from = at_;
  const Token& token = peek();
  const Build b = at_token(from);
  switch (token.kind) {
    case Token::Kind::number:
      ++at_;
      return b.number(token.number);
    case Token::Kind::string:
      ++at_;
      return interpolated(from);
    case Token::Kind::binding:
      ++at_;
      return b.map({{"ref", b.text("binding")}, {"name", b.text(token.text)}});
    case Token::Kind::zone:
      ++at_;
      return zone_value(b, token.text);
    case Token::Kind::word:
      return word(level);
    default:
      break;
  }
  if (token.is("[")) return list();
  if (!token.is("(")) return miss("a value");
  ++at_;
  const bool outer = std::exchange(then_ends_, false);
  Maybe out = expression(level_or);
  then_ends_ = outer;
  if (!out || !take(")")) return std::nullopt;
  joined_ = 0;
  return out;
}

Maybe Parser::list() {
  const std::size_t from = at_;
  if (!take("[")) return std::nullopt;
  std::vector<Node> items;
  while (!peek().is("]")) {
    if (!items.empty() && !take(",")) return std::nullopt;
    Maybe item = expression(level_sum);
    if (!item) return std::nullopt;
    items.push_back(plain_text(*item));
  }
  ++at_;
  return build(from).list(std::move(items));
}

// "{gold} gold": texts and what stands in braces, put together.
Maybe Parser::interpolated(std::size_t from) {
  std::vector<Node> parts;
  const Build b = at_token(from);
  std::string_view rest = tokens_[from].text;
  while (!rest.empty()) {
    const std::size_t open = rest.find('{');
    const std::size_t close = open == std::string_view::npos ? open : rest.find('}', open);
    if (close == std::string_view::npos) break;
    if (open > 0) parts.push_back(b.text(rest.substr(0, open)));
    ParseRequest inner = request_;
    inner.text = rest.substr(open + 1, close - open - 1);
    inner.expect = Expect::value;
    const auto begin = static_cast<std::size_t>(inner.text.data() - request_.text.data());
    inner.origin = [&, begin](std::size_t a, std::size_t z) {
      return request_.origin(begin + a, begin + z);
    };
    ParseResult part = parse(inner);
    if (!part.node) return wrong(from, part.error.message, part.error.suggestion);
    parts.push_back(std::move(*part.node));
    rest = rest.substr(close + 1);
  }
  if (parts.empty()) {
    Node out = b.text(tokens_[from].text);
    out.quoted = true;
    return out;
  }
  if (!rest.empty()) parts.push_back(b.text(rest));
  return b.map({{"concat", b.list(std::move(parts))}});
}

Maybe Parser::word(int level) {
  const std::size_t from = at_;
  const std::string_view text = peek().text;
  const Token& next = peek(1);
  if (text == "if") return choice();
  if (text == "any" || text == "all" || text == "no") {
    if (level <= level_not) return quantifier();
    return wrong(at_, fmt::format("`{}` asks a question and is no value", text),
                 next.is(".") ? "go through them: `- for: $p in players`, with `do:` below it"
                              : "put it in parentheses, or write `if … then 1 else 0`");
  }
  if (next.is(".") && !is_param(text))
    if (Maybe asked = dotted_macro()) return asked;
  at_ = from;
  const bool sentence = next.is_word() || next.kind == Token::Kind::number ||
                        next.kind == Token::Kind::zone || next.kind == Token::Kind::binding ||
                        next.kind == Token::Kind::string;
  if (sentence && !is_param(text) && operator_here(level_or) == nullptr)
    for (const Family family : {Family::condition, Family::value})
      for (const Phrase* phrase : phrases_of(family, text)) {
        at_ = from;
        if (Maybe out = phrase_node(*phrase)) return out;
      }
  at_ = from + 1;
  if (peek().is("(")) return call(from, text);
  if (is_param(text)) return param_value(from);
  return plain_word(from);
}

// A condition macro of a module: `economy.undecided($cell)`.
Maybe Parser::dotted_macro() {
  const std::size_t from = at_;
  std::string name{peek().text};
  for (++at_; peek().is(".") && peek(1).is_word(); at_ += 2) {
    name += fmt::format(".{}", peek(1).text);
    if (!names_.condition_macros.contains(name)) continue;
    at_ += 2;
    if (!peek().is("(")) return asked_of_element(from, name);
    return call(from, name);
  }
  return std::nullopt;
}

Maybe Parser::plain_word(std::size_t from) {
  const std::string_view text = tokens_[from].text;
  const Build b = at_token(from);
  if (text == "true" || text == "false") return Node::of_boolean(text == "true", b.origin);
  if (text.front() == '{') return b.text(text);
  if (text == "active") return b.map({{"ref", b.text("activePlayer")}});
  if (text == "activeSeat") return b.map({{"ref", b.text("activeSeat")}});
  if (among(player_words, text) || (is_turn_word(text) && !names_.taken_words.contains(text)))
    return b.map({{"ref", b.text("player")}, {"player", b.text(text)}});
  if (among(clock_words, text)) return b.map({{"ref", b.text("clock")}, {"field", b.text(text)}});
  if (names_.constants.contains(text))
    return b.map({{"ref", b.text("constant")}, {"name", b.text(text)}});
  if (Maybe asked = asked_of_element(from, text)) return asked;
  if (const auto macro = names_.value_macros.find(text); macro != names_.value_macros.end()) {
    if (macro->second.empty()) return b.map({{"valueMacro", b.text(text)}});
    return wrong(from, fmt::format("the value macro `{}` needs its arguments", text),
                 fmt::format("a macro is called with parentheses: `{}(…)`", text));
  }
  Node out = b.map({{"ref", b.text("name")}, {"name", b.text(text)}});
  if (elements_.empty()) return out;
  std::vector<Node> of;
  for (auto it = elements_.rbegin(); it != elements_.rend(); ++it) of.push_back(b.text(*it));
  out.set("of", b.list(std::move(of)));
  return out;
}

// `cells where empty`: a condition macro, or what is asked of places, about the element itself.
Maybe Parser::asked_of_element(std::size_t from, std::string_view text) {
  const Build b = at_token(from);
  const auto macro = names_.condition_macros.find(text);
  if (macro != names_.condition_macros.end()) {
    Node out = b.map({{"conditionMacro", b.text(text)}});
    if (!macro->second.empty() && !elements_.empty())
      out.set("args", b.map({{macro->second.front().name, b.text(elements_.back())}}));
    return out;
  }
  if ((text == "empty" || text == "occupied") && !elements_.empty())
    return fullness(b, text, b.text(elements_.back()));
  return std::nullopt;
}

// if CONDITION then VALUE else VALUE
Maybe Parser::choice() {
  const std::size_t from = at_++;
  const bool outer = std::exchange(then_ends_, true);
  Maybe when = expression(level_or);
  then_ends_ = outer;
  if (!when || !take("then")) return std::nullopt;
  Maybe then = expression(level_sum);
  if (!then || !take("else")) return std::nullopt;
  Maybe otherwise = expression(level_sum);
  if (!otherwise) return std::nullopt;
  const Build b = build(from);
  return b.map({{"if", b.map({{"when", std::move(*when)},
                              {"then", std::move(*then)},
                              {"else", std::move(*otherwise)}})}});
}

// any | all | no QUERY [: CONDITION]
Maybe Parser::quantifier() {
  const std::size_t from = at_;
  const std::string_view which = tokens_[at_++].text;
  std::optional<Queried> source = named_query();
  if (!source) return std::nullopt;
  const std::string bind = source->given.empty() ? fresh_element(source->node) : source->given;
  Node out =
      at_token(from).map({{"op", at_token(from).text(which == "all" ? "forAll" : "exists")}});
  // `any $c in cells where empty($c)`: what is asked of each is asked by the quantifier.
  const Node* kind = source->node.find("query");
  if (which != "all" && !peek().is(":") && kind != nullptr && kind->is("filter") &&
      source->node.find("bind")->is(source->given)) {
    out.set("query", *source->node.find("source"));
    out.set("bind", *source->node.find("bind"));
    out.set("where", *source->node.find("where"));
  } else {
    out.set("query", std::move(source->node));
  }
  const bool asked = out.has("where") || (which != "all" && out.find("query")->has("filter"));
  if ((!source->given.empty() && !asked) || which == "all" || peek().is(":")) {
    if (which == "all" && !peek().is(":"))
      return wrong(at_, "what `all` asks of each stands behind a colon",
                   "write `all QUERY: CONDITION`");
    if (!take(":")) return std::nullopt;
    Maybe where = condition_of(bind);
    if (!where) return std::nullopt;
    out.set("bind", at_token(from).text(bind));
    out.set("where", std::move(*where));
  }
  joined_ = 0;
  out.origin = build(from).origin;
  if (which != "no") return out;
  return build(from).map({{"op", at_token(from).text("not")}, {"arg", std::move(out)}});
}

ParseResult parse(const ParseRequest& request) {
  return Parser{request}.run();
}

}  // namespace parlor::spec::text
