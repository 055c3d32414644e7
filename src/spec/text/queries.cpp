// Queries in the text notation.
#include <algorithm>
#include <fmt/core.h>

#include "base/diagnostics.h"
#include "spec/text/convert.h"
#include "spec/text/descent.h"
#include "spec/text/mistakes.h"

namespace parlor::spec::text {
Maybe Parser::query() {
  std::optional<Queried> out = named_query();
  if (!out) return std::nullopt;
  if (out->given.empty() || out->node.has("bind")) return std::move(out->node);
  return miss("where");
}

// $x in QUERY
Maybe Parser::loop() {
  const std::size_t from = at_;
  std::optional<Queried> out = named_query();
  if (!out) return std::nullopt;
  if (out->given.empty())
    return wrong(from, "a loop names what it goes through", "write `$x in QUERY`");
  const Build b = at_token(from);
  return build(from).map({{"bind", b.text(out->given)}, {"over", std::move(out->node)}});
}

std::optional<Queried> Parser::named_query() {
  const Deeper deeper{*this};
  if (too_deep()) return std::nullopt;
  std::string given;
  if (peek().kind == Token::Kind::binding && peek(1).is("in")) {
    given = peek().text;
    at_ += 2;
  }
  const std::size_t from = at_;
  Maybe first = query_part(given);
  if (!first) return std::nullopt;
  for (const auto& [sign, kind, key] :
       {std::tuple{"+", "concat", "sources"}, std::tuple{"then", "prioritized", "tiers"}}) {
    const bool tiers = std::string_view{sign} == "then";
    if (!peek().is(sign) || (tiers && then_ends_)) continue;
    const Build b = at_token(from);
    Node parts = b.list({std::move(*first)});
    while (peek().is(sign)) {
      ++at_;
      Maybe part = query_part(given);
      if (!part) return std::nullopt;
      parts.items.push_back(std::move(*part));
    }
    first = build(from).map({{"query", b.text(kind)}, {key, std::move(parts)}});
    if (tiers && peek().is("by")) {
      ++at_;
      Maybe qualifier = any_word();
      if (!qualifier) return std::nullopt;
      first->set("qualifierKey", std::move(*qualifier));
    }
  }
  return Queried{std::move(*first), std::move(given)};
}

Maybe Parser::query_part(std::string_view given) {
  Maybe out = query_primary();
  while (out && peek().is("where")) out = where(std::move(*out), given);
  return out;
}

Maybe Parser::query_primary() {
  const std::size_t from = at_;
  const Token& token = peek();
  const Build b = at_token(from);
  if (token.is("(") && !range_ahead()) {
    ++at_;
    const bool outer = std::exchange(then_ends_, false);
    Maybe out = query();
    then_ends_ = outer;
    return out && take(")") ? std::move(out) : std::nullopt;
  }
  if (token.is("[")) {
    Maybe values = list();
    if (!values) return std::nullopt;
    const bool truth = !values->items.empty() && values->items.front().is_boolean();
    return b.map({{"query", b.text(truth ? "booleans" : "enums")}, {"values", std::move(*values)}});
  }
  if (range_ahead()) return range();
  if (token.is("others")) return others();
  if (next_are("next", "player")) return next_player();
  for (const Phrase* phrase : phrases_of(Family::query, token.is_word() ? token.text : "")) {
    if (is_param(token.text)) break;
    at_ = from;
    if (Maybe out = phrase_node(*phrase)) return out;
  }
  at_ = from;
  if (token.is_word() && !is_param(token.text) &&
      (peek(1).is("in") || (peek(1).is("next") && peek(2).is("to"))))
    return tokens_of_type();
  if (token.kind == Token::Kind::binding && !peek(1).is(".")) {
    ++at_;
    return b.map({{"query", b.text("binding")}, {"name", b.text(token.text)}});
  }
  if (token.is_word() && is_param(token.text)) {
    ++at_;
    // What a binding holds; otherwise the argument is the query.
    if (!names_binding(request_.params.find(token.text)->second)) return param_node(from);
    return b.map({{"query", b.text("binding")}, {"name", param_node(from)}});
  }
  if (token.kind != Token::Kind::word && token.kind != Token::Kind::zone &&
      token.kind != Token::Kind::binding)
    return miss("a query such as `players` or `cells where empty`");
  Maybe place = zone();
  if (!place) return std::nullopt;
  return build(from).map({{"query", b.text("tokensInZone")}, {"zone", std::move(*place)}});
}

// Whether `..` comes before whatever ends a range.
bool Parser::range_ahead() const {
  constexpr std::string_view ends[] = {"where", "then", "from",  "to",  "step", ",",  ":",   "in",
                                       "of",    "as",   "after", "for", "and",  "or", "else"};
  int depth = 0;
  for (std::size_t i = at_; i < tokens_.size(); ++i) {
    if (tokens_[i].is("(") || tokens_[i].is("[")) ++depth;
    if ((tokens_[i].is(")") || tokens_[i].is("]")) && depth-- == 0) return false;
    if (depth > 0) continue;
    if (tokens_[i].is("..")) return true;
    if ((tokens_[i].is_word() || tokens_[i].kind == Token::Kind::symbol) &&
        among(ends, tokens_[i].text))
      return false;
  }
  return false;
}

// LOW..HIGH [step N] [including [A, B]] [at most N]
Maybe Parser::range() {
  const std::size_t from = at_;
  Maybe low = expression(level_sum);
  if (!low || !take("..")) return std::nullopt;
  Maybe high = expression(level_sum);
  if (!high) return std::nullopt;
  Node out = at_token(from).map({{"query", at_token(from).text("intsInRange")},
                                 {"min", std::move(*low)},
                                 {"max", std::move(*high)}});
  if (peek().is("step")) {
    ++at_;
    Maybe step = expression(level_sum);
    if (!step) return std::nullopt;
    out.set("step", std::move(*step));
  }
  if (peek().is("including")) {
    ++at_;
    Maybe more = list();
    if (!more) return std::nullopt;
    out.set("alwaysInclude", std::move(*more));
  }
  if (next_are("at", "most")) {
    at_ += 2;
    Maybe most = expression(level_sum);
    if (!most) return std::nullopt;
    out.set("maxResults", std::move(*most));
  }
  out.origin = build(from).origin;
  return out;
}

// `others`: every player but the one who acts.
Maybe Parser::others() {
  const Build b = at_token(at_++);
  const Node who = b.map({{"ref", b.text("binding")}, {"name", b.text("$player")}});
  const Node actor = b.map({{"ref", b.text("player")}, {"player", b.text("actor")}});
  return b.map({{"query", b.text("filter")},
                {"source", b.map({{"query", b.text("players")}})},
                {"bind", b.text("$player")},
                {"where", b.map({{"op", b.text("!=")}, {"left", who}, {"right", actor}})}});
}

// next player after WHO where CONDITION: what is asked is asked of each player.
Maybe Parser::next_player() {
  const std::size_t from = at_;
  at_ += 2;
  const bool including = peek().is("from");
  if (!take(including ? "from" : "after")) return std::nullopt;
  Maybe start = expression(level_sum);
  if (!start || !take("where")) return std::nullopt;
  const Build b = at_token(from);
  Node players = b.map({{"query", b.text("players")}});
  const std::string element = fresh_element(players);
  Maybe where = condition_of(element);
  if (!where) return std::nullopt;
  Node out = build(from).map({{"query", b.text("nextInOrderByCondition")},
                              {"source", std::move(players)},
                              {"from", std::move(*start)},
                              {"bind", b.text(element)},
                              {"where", std::move(*where)}});
  if (including) out.set("includeFrom", Node::of_boolean(true, b.origin));
  return out;
}

// `cards in deck`: tokens of a type, by its name or its plural.
Maybe Parser::tokens_of_type() {
  const std::size_t from = at_;
  std::string type{tokens_[from].text};
  if (!names_.token_types.contains(type) && type.ends_with('s')) type.pop_back();
  for (const Phrase* phrase : phrases_of(Family::query, "tokens")) {
    at_ = from + 1;
    Maybe out = phrase_node(*phrase, true);
    if (!out) continue;
    const Build b = at_token(from);
    out->set("filter", b.map({{"field", b.map({{"kind", b.text("tokenType")}})},
                              {"op", b.text("eq")},
                              {"value", b.text(type)}}));
    return out;
  }
  return std::nullopt;
}

// An element inside another of the same name gets a name of its own.
std::string Parser::fresh_element(const Node& query) const {
  const std::string base{element_name(query)};
  std::string out = base;
  for (int i = 2; among(elements_, out); ++i) out = fmt::format("{}{}", base, i);
  return out;
}

// Whether something between two tokens speaks of a binding.
bool Parser::mentions(std::size_t from, std::size_t to, std::string_view binding) const {
  for (std::size_t i = from; i < to; ++i) {
    const Token& token = tokens_[i];
    if (token.text == binding) return true;
    if (token.kind == Token::Kind::zone && token.text.ends_with(binding)) return true;
    // Texts and names may have it between braces.
    if (token.text.find('{') != std::string_view::npos &&
        token.text.find(binding) != std::string_view::npos)
      return true;
  }
  return false;
}

Maybe Parser::where(Node query, std::string_view given) {
  const std::size_t from = at_++;
  if (given.empty()) return filtered(std::move(query), from, given);
  Maybe named = filtered(query, from, given);
  if (!named || mentions(from, at_, given)) return named;
  // `$city in cells where empty` asks of cells, whatever they are called afterwards.
  const std::size_t end = std::exchange(at_, from + 1);
  Maybe unnamed = filtered(std::move(query), from, {});
  if (unnamed && !unnamed->has("bind")) return unnamed;
  at_ = end;
  return named;
}

Maybe Parser::filtered(Node query, std::size_t from, std::string_view given) {
  const Node* kind = query.find("query");
  const bool zones = kind != nullptr && given.empty() &&
                     (kind->is("mapSpaces") || kind->is("zones") || kind->is("adjacentZones"));
  const bool tokens = given.empty() && filters_tokens(query);
  const bool rows =
      given.empty() && kind != nullptr && kind->is("assetRows") && !query.has("where");
  const std::string element = zones    ? "$zone"
                              : tokens ? "$token"
                              : rows   ? "$row"
                                       : fresh_element(query);
  Maybe condition = condition_of(given.empty() ? std::string_view{element} : given);
  if (!condition) return std::nullopt;
  const Build b = at_token(from);
  if (zones && !query.has("filter")) {
    query.set("filter", std::move(*condition));
    return query;
  }
  if (zones && query.find("filter")->has("owner") && !query.find("filter")->has("condition")) {
    query.find("filter")->set("condition", std::move(*condition));
    return query;
  }
  if (tokens)
    if (Maybe filter = token_filter(*condition, element)) {
      const Node* before = query.find("filter");
      query.set("filter", before != nullptr ? joined_filters(b, *before, std::move(*filter))
                                            : std::move(*filter));
      return query;
    }
  if (rows)
    if (Maybe tests = row_filter(*condition, element)) {
      query.set("where", std::move(*tests));
      return query;
    }
  return build(from).map({{"query", b.text("filter")},
                          {"source", std::move(query)},
                          {"bind", b.text(given.empty() ? std::string_view{element} : given)},
                          {"where", std::move(*condition)}});
}

}  // namespace parlor::spec::text
