// Calls in the text notation: functions, condition macros, and the arguments of macros.
#include <algorithm>
#include <fmt/core.h>

#include "base/diagnostics.h"
#include "spec/text/convert.h"
#include "spec/text/descent.h"
#include "spec/text/mistakes.h"

namespace parlor::spec::text {
std::size_t Parser::find_at_depth(std::string_view word) const {
  int depth = 0;
  for (std::size_t i = at_; i < tokens_.size(); ++i) {
    if (tokens_[i].is("(") || tokens_[i].is("[")) ++depth;
    if ((tokens_[i].is(")") || tokens_[i].is("]")) && depth-- == 0) return 0;
    if (depth == 0 && tokens_[i].is(word)) return i;
  }
  return 0;
}

std::optional<std::vector<Node>> Parser::arguments() {
  std::vector<Node> out;
  while (!peek().is(")")) {
    if (!out.empty() && !take(",")) return std::nullopt;
    Maybe value = expression(level_sum);
    if (!value) return std::nullopt;
    out.push_back(std::move(*value));
  }
  ++at_;
  return out;
}

Maybe Parser::macro_call(std::size_t from, std::string_view kind, std::string_view name,
                         const std::vector<MacroParam>& params) {
  Maybe args = macro_arguments(params, name);
  if (!args) return std::nullopt;
  Node out = build(from).map({{kind, at_token(from).text(name)}});
  if (!args->entries.empty()) out.set("args", std::move(*args));
  return out;
}

Maybe Parser::call(std::size_t from, std::string_view name) {
  ++at_;  // the parenthesis
  if (const auto macro = names_.condition_macros.find(name); macro != names_.condition_macros.end())
    return macro_call(from, "conditionMacro", name, macro->second);
  if (const auto macro = names_.value_macros.find(name); macro != names_.value_macros.end())
    return macro_call(from, "valueMacro", name, macro->second);
  if (name == "count") return counted(from);
  if (name == "sum") return aggregate(from, name);
  if ((name == "min" || name == "max") && find_at_depth("for") != 0) return aggregate(from, name);
  if (name == "empty" || name == "occupied") {
    Maybe place = zone();
    if (!place || !take(")")) return std::nullopt;
    return fullness(build(from), name, std::move(*place));
  }
  if (name == "player") {
    Maybe who = player();
    if (!who || !take(")")) return std::nullopt;
    const Build b = build(from);
    return b.map({{"ref", b.text("player")}, {"player", std::move(*who)}});
  }
  if (name == "ceil") return rounded_up(from);
  if (name == "join") return joined_text(from);
  const bool several = name == "min" || name == "max";
  if (!several && name != "abs" && name != "clamp") {
    std::vector<std::string> known{"min",   "max", "abs",   "clamp",   "ceil",
                                   "count", "sum", "empty", "occupied"};
    for (const auto* macros : {&names_.condition_macros, &names_.value_macros})
      for (const auto& [id, params] : *macros) known.push_back(id);
    return wrong(from, fmt::format("there is no function or condition macro `{}`", name),
                 explain_function(name), did_you_mean(name, known));
  }
  auto args = arguments();
  if (!args) return std::nullopt;
  const Build b = build(from);
  const auto pair = [&](std::string_view op, Node left, Node right) {
    return b.map({{"op", b.text(op)}, {"left", std::move(left)}, {"right", std::move(right)}});
  };
  const std::size_t wanted = name == "abs" ? 1 : name == "clamp" ? 3 : 2;
  if (args->size() < wanted || (!several && args->size() > wanted))
    return wrong(from,
                 fmt::format("`{}` takes {} value{}, not {}", name, wanted, wanted == 1 ? "" : "s",
                             args->size()),
                 several ? fmt::format("of the results of a query: `{}(VALUE for QUERY)`", name)
                         : std::string{});
  if (name == "abs") return pair("max", args->front(), negated(b, args->front()));
  if (name == "clamp") return pair("max", (*args)[1], pair("min", (*args)[0], (*args)[2]));
  Node out = std::move(args->front());
  for (std::size_t i = 1; i < args->size(); ++i)
    out = pair(name, std::move(out), std::move((*args)[i]));
  return out;
}

// ceil(a / b)
Maybe Parser::rounded_up(std::size_t from) {
  Maybe value = expression(level_sum);
  if (!value || !take(")")) return std::nullopt;
  const Node* op = value->find("op");
  if (op == nullptr || !op->is("/"))
    return wrong(from + 2, "`ceil` rounds a division up", "write `ceil(a / b)`");
  value->find("op")->text = "ceilDiv";
  value->origin = build(from).origin;
  return value;
}

// join(a, b): texts or lists, one after the other.
Maybe Parser::joined_text(std::size_t from) {
  auto args = arguments();
  if (!args) return std::nullopt;
  const Build b = build(from);
  return b.map({{"concat", b.list(std::move(*args))}});
}

// count(QUERY), or count(ZONE), which is how many tokens lie there.
Maybe Parser::counted(std::size_t from) {
  const bool zone_alone = (peek().is_word() || peek().kind == Token::Kind::zone) &&
                          peek(1).is(")") && phrases_of(Family::query, peek().text).empty() &&
                          !peek().is("others");
  Maybe what = zone_alone ? zone() : query();
  if (!what || !take(")")) return std::nullopt;
  const Build b = build(from);
  if (zone_alone) return b.map({{"zoneCount", std::move(*what)}});
  return b.map({{"aggregate", b.map({{"op", b.text("count")}, {"query", std::move(*what)}})}});
}

// sum(VALUE for QUERY): the query is read first, since it names what the value speaks of.
Maybe Parser::aggregate(std::size_t from, std::string_view op) {
  const std::size_t start = at_;
  const std::size_t loop = find_at_depth("for");
  if (loop == 0) {
    at_ = from;
    return wrong(from, fmt::format("`{}` goes through the results of a query", op),
                 fmt::format("write `{}($c.rank for $c in hand:actor)`", op));
  }
  at_ = loop + 1;
  std::optional<Queried> source = named_query();
  if (!source || !take(")")) return std::nullopt;
  const std::size_t end = at_;
  const std::string bind = source->given.empty() ? fresh_element(source->node) : source->given;
  at_ = start;
  elements_.push_back(bind);
  Maybe value = expression(level_sum);
  elements_.pop_back();
  if (!value || !take("for")) return std::nullopt;
  at_ = end;
  const Build b = build(from);
  return b.map({{"aggregate", b.map({{"op", b.text(op)},
                                     {"query", std::move(source->node)},
                                     {"bind", b.text(bind)},
                                     {"valueExpr", std::move(*value)}})}});
}

Maybe Parser::argument(const MacroParam& param) {
  if (param.type == "zoneSelector") return zone();
  if (param.type == "playerSelector") return player();
  if (names_binding(param.type)) return binding();
  if (param.type == "condition") return expression(level_or);
  if (param.type == "query") return query();
  if (param.type == "string") return any_word();
  return expression(level_sum);
}

// The arguments of a macro, in order or by name, up to the closing parenthesis.
Maybe Parser::macro_arguments(const std::vector<MacroParam>& params, std::string_view macro) {
  Node out = at_token(at_).map({});
  std::size_t position = 0;
  while (!peek().is(")")) {
    if (position > 0 && !take(",")) return std::nullopt;
    const std::size_t first = at_;
    auto param = position < params.size() ? params.begin() + static_cast<std::ptrdiff_t>(position)
                                          : params.end();
    const bool named = peek().is_word() && peek(1).is(":");
    if (named) {
      param = std::ranges::find(params, peek().text, &MacroParam::name);
      at_ += 2;
    }
    if (param == params.end()) {
      std::vector<std::string> known;
      for (const MacroParam& p : params) known.push_back(p.name);
      return wrong(first,
                   named ? fmt::format("`{}` has no parameter `{}`", macro, tokens_[first].text)
                         : fmt::format("`{}` takes {} value{}", macro, params.size(),
                                       params.size() == 1 ? "" : "s"),
                   {}, did_you_mean(tokens_[first].text, known));
    }
    Maybe value = argument(*param);
    if (!value) return std::nullopt;
    out.set(param->name, std::move(*value));
    ++position;
  }
  ++at_;
  return out;
}

}  // namespace parlor::spec::text
