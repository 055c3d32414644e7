// Sentences of the text notation: the phrases of phrases.def, their fields, and statements.
#include <algorithm>
#include <fmt/core.h>

#include "base/diagnostics.h"
#include "spec/text/convert.h"
#include "spec/text/descent.h"
#include "spec/text/mistakes.h"

namespace parlor::spec::text {
namespace {

// Sets a key; one with a dot lies in a mapping of its own.
void set_key(Node& out, std::string_view key, Node value) {
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) {
    out.set(key, std::move(value));
    return;
  }
  const std::string_view outer = key.substr(0, dot);
  if (!out.has(outer)) out.set(outer, Node::of_map(value.origin));
  out.find(outer)->set(key.substr(dot + 1), std::move(value));
}

}  // namespace

Maybe Parser::phrase_node(const Phrase& phrase, bool first_word_taken) {
  const Deeper deeper{*this};
  if (too_deep()) return std::nullopt;
  const std::size_t from = at_;
  Node fields = at_token(from).map({});
  if (!match(phrase.parts, first_word_taken ? 1 : 0, fields)) return std::nullopt;
  const Build b = build(from);
  fields.origin = b.origin;
  const Node kind = at_token(from).text(phrase.node);
  const auto with_kind = [&](std::string_view key) {
    Node out = b.map({{key, kind}});
    std::ranges::move(fields.entries, std::back_inserter(out.entries));
    return out;
  };
  switch (phrase.family) {
    case Family::effect:
      if (Node* alone = fields.find("")) return b.map({{phrase.node, std::move(*alone)}});
      if (phrase.node == "rollRandom" && !fields.has("min"))
        return wrong(from + 1, "a roll is between two numbers", "write `roll 1..6 as $die`");
      if (phrase.node == "moveToken" && !fields.has("from"))
        fields.set("from", b.map({{"zoneExpr", b.map({{"ref", b.text("tokenZone")},
                                                      {"token", *fields.find("token")}})}}));
      return b.map({{phrase.node, std::move(fields)}});
    case Family::query:
      return with_kind("query");
    case Family::condition:
    case Family::relation:
      return with_kind("op");
    case Family::value:
      break;
  }
  if (phrase.node == "zoneCount") return b.map({{"zoneCount", *fields.find("zone")}});
  if (is_wrapped_value(phrase.node)) return b.map({{phrase.node, std::move(fields)}});
  return with_kind("ref");
}

bool Parser::match(const std::vector<Part>& parts, std::size_t first, Node& out) {
  for (std::size_t i = first; i < parts.size(); ++i) {
    const Part& part = parts[i];
    if (part.kind == Part::Kind::word && !take(part.word)) return false;
    if (part.kind == Part::Kind::field && !match_field(part, out)) return false;
    if (part.kind == Part::Kind::set) {
      const Build b = at_token(at_ > 0 ? at_ - 1 : 0);
      const bool truth = part.value == "true" || part.value == "false";
      const bool number = part.value.find_first_not_of("-0123456789") == std::string_view::npos;
      set_key(out, part.key,
              truth    ? Node::of_boolean(part.value == "true", b.origin)
              : number ? b.number(std::stoll(std::string{part.value}))
                       : b.text(part.value));
    }
    if (part.kind != Part::Kind::optional) continue;
    const std::size_t before = at_, kept = out.entries.size();
    if (match(part.parts, 0, out)) continue;
    at_ = before;
    out.entries.resize(kept);
  }
  return true;
}

bool Parser::match_field(const Part& part, Node& out) {
  if (part.field == FieldKind::amount) return amount(part, out);
  Maybe value = field_value(part);
  if (!value) return false;
  if (part.key.empty())
    out.entries.push_back({"", value->origin.place, std::move(*value)});
  else
    set_key(out, part.key, std::move(*value));
  return true;
}

Maybe Parser::field_value(const Part& part) {
  switch (part.field) {
    case FieldKind::value:
      return expression(level_sum);
    case FieldKind::cell:
      return operand(level_product);
    case FieldKind::condition:
      return condition_of(part.element);
    case FieldKind::filter: {
      const std::size_t from = at_;
      Maybe condition = condition_of("$token");
      if (!condition) return std::nullopt;
      Maybe out = token_filter(*condition, "$token");
      return out ? std::move(out)
                 : wrong(from,
                         "only `==`, `!=`, `in`, `and`, `or` and `not` can filter tokens here");
    }
    case FieldKind::query:
      return query();
    case FieldKind::zone:
      return zone();
    case FieldKind::player:
      return player();
    case FieldKind::binding:
      return binding();
    case FieldKind::token:
      return token_name();
    case FieldKind::word:
      return any_word();
    case FieldKind::words:
      return words();
    case FieldKind::name:
      return name();
    case FieldKind::directions:
      return directions();
    case FieldKind::table:
      return table();
    case FieldKind::props:
      return props();
    case FieldKind::position:
      if (peek().is("top") || peek().is("bottom") || peek().is("random")) return any_word();
      return miss("top, bottom or random");
    case FieldKind::amount:
      break;
  }
  return std::nullopt;
}

Maybe Parser::condition_of(std::string_view element) {
  if (!element.empty()) elements_.emplace_back(element);
  Maybe out = expression(level_or);
  if (!element.empty()) elements_.pop_back();
  return out;
}

// `3`, or `1..6` as `min` and `max`.
bool Parser::amount(const Part& part, Node& out) {
  Maybe low = expression(level_sum);
  if (!low) return false;
  if (!peek().is("..")) {
    set_key(out, part.key, std::move(*low));
    return true;
  }
  ++at_;
  Maybe high = expression(level_sum);
  if (!high) return false;
  out.set("min", std::move(*low));
  out.set("max", std::move(*high));
  return true;
}

// owner = active, kind = man; also with colons, which YAML wants in quotes.
Maybe Parser::props() {
  Node out = at_token(at_).map({});
  do {
    if (peek().is(",")) ++at_;
    const std::size_t key = at_;
    if (!peek().is_word() || !(peek(1).is("=") || peek(1).is(":"))) return miss("PROPERTY = VALUE");
    at_ += 2;
    Maybe value = expression(level_sum);
    if (!value) return std::nullopt;
    out.entries.push_back(
        {std::string{tokens_[key].text}, at_token(key).origin.place, std::move(*value)});
  } while (peek().is(","));
  return out;
}

Maybe Parser::zone() {
  const std::size_t from = at_;
  const Build b = at_token(from);
  const Token& token = peek();
  if (token.kind == Token::Kind::zone) {
    ++at_;
    const std::string_view owner = token.text.substr(token.text.find(':') + 1);
    if (!is_param(owner)) return b.text(token.text);
    Node whose = b.map({{"param", b.text(owner)}});
    Node base = b.text(token.text.substr(0, token.text.size() - owner.size()));
    return b.map({{"zoneExpr", b.map({{"concat", b.list({std::move(base), std::move(whose)})}})}});
  }
  if (token.kind == Token::Kind::string && token.text.find('{') == std::string_view::npos) {
    ++at_;
    return b.text(token.text);
  }
  if (token.kind == Token::Kind::binding && !peek(1).is(".") && !peek(1).is("[")) return binding();
  if (token.is_word() && !token.is("if") && !token.is("step")) return zone_word();
  if (token.kind == Token::Kind::end || token.kind == Token::Kind::number) return miss("a zone");
  Maybe value = operand(level_product);
  if (!value) return miss("a zone");
  return build(from).map({{"zoneExpr", std::move(*value)}});
}

// `deck`, `actor.hand`, `measures.row`, or a parameter.
Maybe Parser::zone_word() {
  const std::size_t from = at_++;
  const Build b = at_token(from);
  const std::string_view text = tokens_[from].text;
  if (is_param(text)) return param_node(from);
  std::string name{text};
  constexpr std::string_view players[] = {"actor", "active",   "left",    "right",
                                          "next",  "previous", "opponent"};
  if (peek().is(".") && peek(1).is_word() &&
      (among(players, text) || names_.seats.contains(text))) {
    at_ += 2;
    return build(from).text(fmt::format("{}:{}", tokens_[at_ - 1].text, text));
  }
  while (peek().is(".") && (peek(1).is_word() || peek(1).kind == Token::Kind::zone)) {
    name += fmt::format(".{}", peek(1).text);
    at_ += 2;
  }
  return b.text(name);
}

Maybe Parser::player() {
  const Token& token = peek();
  if (token.kind == Token::Kind::binding) return binding();
  if (token.kind == Token::Kind::number) {
    ++at_;
    return at_token(at_ - 1).number(token.number);
  }
  if (!token.is_word()) return miss("a player");
  return any_word();
}

Maybe Parser::binding() {
  const Token& token = peek();
  if (token.is_word() && is_param(token.text)) return any_word();
  if (token.kind != Token::Kind::binding) return miss("a name with `$`");
  ++at_;
  return at_token(at_ - 1).text(token.text);
}

// A token is called by its binding, also without the `$`.
Maybe Parser::token_name() {
  const Token& token = peek();
  if (!token.is_word() || is_param(token.text) || is_joint(token.text)) return binding();
  const Build b = at_token(at_++);
  return b.map({{"ref", b.text("name")}, {"name", b.text(token.text)}});
}

Maybe Parser::any_word() {
  const Token& token = peek();
  if (token.kind == Token::Kind::string) {
    ++at_;
    return at_token(at_ - 1).text(token.text);
  }
  if (token.kind == Token::Kind::binding) return binding();
  if (!token.is_word() || (is_joint(token.text) && !is_param(token.text))) return miss("a name");
  const std::size_t from = at_++;
  if (is_param(token.text)) return param_node(from);
  std::string text{token.text};
  for (; peek().is(".") && peek(1).is_word(); at_ += 2) text += fmt::format(".{}", peek(1).text);
  return at_token(from).text(text);
}

Maybe Parser::words() {
  if (peek().is("[")) return list();
  Maybe one = any_word();
  if (!one) return std::nullopt;
  const Build b{one->origin};
  return b.list({std::move(*one)});
}

// The name of a variable or key that may be computed.
Maybe Parser::name() {
  if (peek().kind != Token::Kind::binding && !peek().is("grant")) return any_word();
  return operand(level_product);
}

Maybe Parser::directions() {
  if (peek().is("[")) return list();
  if (peek().kind == Token::Kind::binding) return binding();
  if (peek().is("(")) return operand(level_product);
  return any_word();
}

Maybe Parser::table() {
  return any_word();
}

// ---- Statements

Maybe Parser::statement() {
  if (peek(1).is("chooses")) return chooses();
  if (peek().is("call")) return macro_call();
  constexpr std::string_view signs[] = {"=", "+=", "-=", ".", "[", "*=", "/=", "++", "--", "=="};
  const bool assigns = peek(1).kind == Token::Kind::symbol && among(signs, peek(1).text);
  if (peek().is_word() && !assigns) return verb_statement();
  return assignment();
}

Maybe Parser::verb_statement() {
  const std::size_t from = at_;
  const std::string_view verb = peek().text;
  const std::vector<const Phrase*>& known = phrases_of(Family::effect, verb);
  for (const Phrase* phrase : known) {
    at_ = from;
    if (Maybe out = phrase_node(*phrase)) return out;
  }
  if (!known.empty()) return std::nullopt;
  std::vector<std::string> verbs{"call"};
  for (const Phrase& phrase : phrases())
    if (phrase.family == Family::effect && !among(verbs, phrase.parts.front().word))
      verbs.emplace_back(phrase.parts.front().word);
  std::string help = explain_verb(verb, names_.effect_macros.contains(verb));
  if (help.empty() && peek(1).kind == Token::Kind::symbol && !peek(1).is("("))
    help = fmt::format("a statement changes something: `{0} = …`, `{0} += …`", verb);
  std::vector<std::string> meant;
  if (help.empty()) meant = did_you_mean(verb, verbs);
  return wrong(from, fmt::format("there is no statement `{}`", verb), std::move(help),
               std::move(meant));
}

Maybe Parser::chooses() {
  const std::size_t from = at_;
  Maybe who = player();
  if (!who) return std::nullopt;
  for (const Phrase* phrase : phrases_of(Family::effect, "choose")) {
    at_ = from + 2;
    Maybe out = phrase_node(*phrase, true);
    if (!out) continue;
    out->entries.front().value.set("chooser", std::move(*who));
    out->origin = build(from).origin;
    return out;
  }
  return std::nullopt;
}

// call NAME(ARGUMENTS)
Maybe Parser::macro_call() {
  const std::size_t from = at_++;
  const std::size_t name = at_;
  Maybe id = any_word();
  if (!id) return std::nullopt;
  const auto macro = names_.effect_macros.find(id->text);
  if (macro == names_.effect_macros.end()) {
    std::vector<std::string> known;
    for (const auto& [other, params] : names_.effect_macros) known.push_back(other);
    return wrong(name, fmt::format("there is no effect macro `{}`", id->text), {},
                 did_you_mean(id->text, known));
  }
  Node out = at_token(from).map({{"macro", std::move(*id)}});
  if (peek().is("(")) {
    ++at_;
    Maybe args = macro_arguments(macro->second, macro->first);
    if (!args) return std::nullopt;
    if (!args->entries.empty()) out.set("args", std::move(*args));
  }
  out.origin = build(from).origin;
  return out;
}

// pot = 0, gold += 2, $card.face = true, active = left
Maybe Parser::assignment() {
  const std::size_t from = at_;
  Maybe target = operand(level_product);
  if (!target) return std::nullopt;
  const std::size_t sign = at_;
  if (!peek().is("=") && !peek().is("+=") && !peek().is("-=")) return miss("`=`, `+=` or `-=`");
  ++at_;
  const std::size_t first = at_;
  if (target->find("ref") != nullptr && target->find("ref")->is("activePlayer")) {
    Maybe who = player();
    if (!who) return std::nullopt;
    return build(from).map({{"setActivePlayer", build(from).map({{"player", std::move(*who)}})}});
  }
  Maybe value = expression(level_or);
  if (!value) return std::nullopt;
  // `open = not open`: whether a condition holds.
  if (asks(*value)) {
    const Build c{value->origin};
    value = c.map({{"if", c.map({{"when", std::move(*value)},
                                 {"then", Node::of_boolean(true, c.origin)},
                                 {"else", Node::of_boolean(false, c.origin)}})}});
  }
  const Build b = build(from);
  const auto change = [&](std::string_view effect, std::string_view key, Node amount) {
    return b.map({{effect, b.map({{"target", std::move(*target)}, {key, std::move(amount)}})}});
  };
  if (tokens_[sign].is("=")) return change("set", "value", std::move(*value));
  if (tokens_[sign].is("+=")) return change("add", "delta", std::move(*value));
  return change("add", "delta", negated(build(first), std::move(*value)));
}

}  // namespace parlor::spec::text
