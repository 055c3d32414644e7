#include "kernel/tell/explain.h"

#include <fmt/format.h>

#include "kernel/know/observers.h"

namespace parlor::kernel {

namespace {
constexpr const char* clock_names[] = {"turn", "round", "turnInRound", "roundStartPlayer",
                                       "playerCount"};
}

std::string Explainer::say(Value v) {
  if (v.is_list()) {
    std::string out = "[";
    for (std::size_t i = 0; i < m_.list_size(v); ++i)
      out += (i == 0 ? "" : ", ") + say(m_.list_at(v, i));
    return out + "]";
  }
  if (v.is_symbol()) return value_label(m_, wording_, v);
  if (!v.is_token()) return m_.text_of(v);
  const TokenId t = v.as_token();
  if (v.payload() >= m_.header().tokens) return "a token that is not there yet";
  if (m_.asker() != nullptr) return value_label(m_, wording_, v);
  const ZoneId z = m_.memory().zone_of(t);
  const bool seen = !z.is_none() && p_.zones[z].visibility == spec::Visibility::visible_to_all;
  return seen ? value_label(m_, wording_, v)
              : label(wording_, p_.types[m_.memory().token(t).type].id);
}

// The part of a condition that made it fail.
std::string Explainer::failed_part(NodeId node, std::uint32_t& place) {
  const Node& n = p_.nodes[node];
  if (n.place != 0) place = n.place;
  // In the author's words, if there are some (L-14).
  if (n.place < p_.def.places.size() && !p_.def.places[n.place].reason.empty())
    return p_.def.places[n.place].reason;
  if (n.op == Ex::all_of)
    for (int i = 0; i < n.b; ++i) {
      const NodeId arg = p_.extra[n.a + i];
      if (truth(arg) != Truth::yes) return failed_part(arg, place);
    }
  if (n.op == Ex::any_of) {
    std::string out;
    for (int i = 0; i < n.b; ++i) {
      std::uint32_t ignored = 0;
      out += (i == 0 ? "" : " and ") + failed_part(p_.extra[n.a + i], ignored);
    }
    return out;
  }
  const Truth now = truth(node);
  if (now == Truth::fault) return text(node) + " cannot be evaluated: " + last_fault_;
  return text(node) + " is false";
}

std::string Explainer::text(NodeId node) {
  if (node.is_none()) return "";
  const Node& n = p_.nodes[node];
  switch (n.op) {
    case Ex::equal:
      return operands(n, "==");
    case Ex::not_equal:
      return operands(n, "!=");
    case Ex::less:
      return operands(n, "<");
    case Ex::less_equal:
      return operands(n, "<=");
    case Ex::greater:
      return operands(n, ">");
    case Ex::greater_equal:
      return operands(n, ">=");
    case Ex::not_of:
      return "not (" + text(n.a) + ")";
    case Ex::all_of:
      return joined(n, " and ");
    case Ex::any_of:
      return joined(n, " or ");
    case Ex::yes:
      return "true";
    case Ex::no:
      return "false";
    case Ex::in_list:
      return valued(n.a) + " in " + shown(n.b);
    case Ex::adjacent:
      return zone_text(n.a) + " adjacent to " + zone_text(n.b);
    case Ex::connected:
      return zone_text(n.a) + " connected to " + zone_text(n.b);
    case Ex::zone_includes:
      return zone_text(n.a) + " includes " + valued(n.c);
    case Ex::marker_allowed:
      return "marker " + p_.lattices[n.b].id + " in " + zone_text(n.a) + " may be " + valued(n.c);
    case Ex::shift_allowed:
      return "marker " + p_.lattices[n.b].id + " in " + zone_text(n.a) + " may shift by " +
             valued(n.c);
    default:
      return asked_of_many(node);
  }
}

// What is asked of many things at once, as the rules say it.
std::string Explainer::asked_of_many(NodeId node) {
  const Node& n = p_.nodes[node];
  if (std::string text = said(n, ""); !text.empty()) return text;
  switch (n.op) {
    case Ex::exists:
      return "any " + query_text(n.a) + (n.c >= 0 ? ": " + text(n.c) : "");
    case Ex::for_all:
      return "all " + query_text(n.a) + ": " + text(n.c);
    case Ex::line_of:
    case Ex::line_bits:
      return fmt::format("a line of {}", shown(n.op == Ex::line_of ? n.a : n.b));
    case Ex::any_bit:
      return "a zone that fits";
    case Ex::zone_in:
      return zone_text(n.a) + " fits";
    default:
      return valued(node);
  }
}

Truth Explainer::truth(NodeId node) {
  const Truth t = m_.test(node);
  if (t == Truth::fault) {
    last_fault_ = m_.fault().what;
    m_.clear_fault();
  }
  return t;
}

Value Explainer::value(NodeId node) {
  const Value v = m_.value(node);
  if (m_.failed()) {
    m_.clear_fault();
    return {};
  }
  return v;
}

std::string Explainer::operands(const Node& n, const char* op) {
  return valued(n.a) + " " + op + " " + valued(n.b);
}

std::string Explainer::joined(const Node& n, const char* word) {
  std::string out;
  for (int i = 0; i < n.b; ++i) out += (i == 0 ? "" : word) + text(p_.extra[n.a + i]);
  return "(" + out + ")";
}

std::string Explainer::zone_text(NodeId node) {
  const ZoneId z = m_.zone(node);
  if (m_.failed()) m_.clear_fault();
  return z.is_none() ? "?" : zone_label(p_, wording_, z);
}

std::string Explainer::query_text(NodeId node) {
  const Node& n = p_.nodes[node];
  const std::string name = said(n, ex_name(n.op) + 2);
  if (m_.hidden_from_asker(node)) return name + " (hidden)";
  std::int64_t count = 0;
  m_.each(node, [&](Value) { return ++count, true; });
  if (m_.failed()) m_.clear_fault();
  return fmt::format("{} ({} results)", name, count);
}

std::string Explainer::shown(NodeId node) {
  return m_.hidden_from_asker(node) ? "hidden" : say(value(node));
}

// A value's name and, in brackets, what it is now. Constants are just themselves.
std::string Explainer::valued(NodeId node) {
  const Node& n = p_.nodes[node];
  const std::string now = shown(node);
  if (n.op == Ex::constant) return now;
  const std::string name = name_of(n);
  return name.empty() ? now : name + " (" + now + ")";
}

// As the rules say it, or in this word.
std::string Explainer::said(const Node& n, const char* word) {
  const std::string& text = wording_.rules->at(n.place);
  return text.empty() ? word : text;
}

std::string Explainer::name_of(const Node& n) {
  const int a = n.a, b = n.b;
  switch (n.op) {
    case Ex::gvar:
      return label(wording_, p_.gvars[n.a].name);
    case Ex::pvar:
      return label(wording_, p_.pvars[n.a].name);
    case Ex::zvar:
      return label(wording_, p_.zvars[n.a].name) + " of " + zone_text(n.b);
    case Ex::zone_count:
      return "zoneCount of " + zone_text(n.a);
    case Ex::token_prop:
      return p_.props[b];
    case Ex::zone_attribute:
      return p_.attributes[b] + " of " + zone_text(n.a);
    case Ex::marker_state:
      return p_.lattices[b].id + " of " + zone_text(n.a);
    case Ex::global_marker_state:
      return p_.global_lattices[a].id;
    case Ex::active_player:
      return "active player";
    case Ex::token_zone:
      return "its zone";
    case Ex::token_type:
      return "its type";
    case Ex::clock:
      return clock_names[a];
    case Ex::count:
    case Ex::count_bits:
      return said(n, "count");
    case Ex::fold:
      return said(n, n.x == 1 ? "sum" : n.x == 2 ? "min" : "max");
    case Ex::rank:
      return said(n, "place");
    case Ex::add:
      return valued(n.a) + " + " + valued(n.b);
    case Ex::subtract:
      return valued(n.a) + " - " + valued(n.b);
    case Ex::multiply:
      return valued(n.a) + " * " + valued(n.b);
    case Ex::effect_modifier:
      return "modifier";
    case Ex::slot: {
      const std::string name = n.b < 0 ? "" : p_.text(n.b);
      return name.starts_with("$__") ? "" : name;
    }
    default:
      return "";
  }
}

Rejection at_place(const Program& p, Code code, const std::string& message, std::uint32_t place,
                   Json details) {
  if (place != 0 && place < p.def.places.size()) {
    const spec::PlaceRecord& at = p.def.places[place];
    details["path"] = at.path;
    if (!at.reason.empty() && details.value("condition", "") == at.reason)
      details["reason"] = at.reason;
    if (at.line != 0) {
      details["file"] = at.file;
      details["line"] = at.line;
      details["column"] = at.column;
      return Rejection(code, fmt::format("{} ({}:{})", message, at.file, at.line),
                       std::move(details));
    }
  }
  return Rejection(code, message, std::move(details));
}

std::string place_path(const Program& program, std::uint32_t place) {
  return place < program.def.places.size() ? program.def.places[place].path : "";
}

Rejection rejection_of(Machine& machine) {
  const Fault fault = machine.fault();
  machine.clear_fault();
  Explainer explain(machine);
  std::string message = fault.what;
  Json details = Json::object();
  std::uint32_t place = fault.place;
  // What the rules saw when they failed may be hidden from whoever asks; whoever makes a move is
  // not asked who they are, and hands on what they are told.
  const bool asked = machine.asker() != nullptr;
  const bool closed = machine.program().secrets.any && !(asked && machine.asker()->see_all());
  if (!fault.condition.is_none() && (asked || !closed)) {
    const std::string part = explain.failed_part(fault.condition, place);
    message += ": " + part;
    details["condition"] = part;
  }
  if (closed && message.ends_with(" of")) message.resize(message.size() - 3);
  for (const Value v : {fault.first, fault.second}) {
    if (v.is_none() || closed) continue;
    message += (details.contains("values") ? ", " : ": ") + explain.say(v);
    details["values"].push_back(explain.say(v));
  }
  return at_place(machine.program(), fault.code, message, place, std::move(details));
}

Rejection refusal(Machine& machine) {
  if (machine.veto()) return std::move(*machine.veto());
  if (!machine.failed()) return Rejection(Code::OPTION_ILLEGAL, "this is none of the options");
  return fault_of(rejection_of(machine));
}

}  // namespace parlor::kernel
