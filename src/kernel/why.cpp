// Why not: which condition failed, with the values it saw and the line it stands on.
#include <fmt/format.h>

#include "kernel/kernel.h"
#include "kernel/machine.h"
#include "kernel/observers.h"

namespace parlor::kernel {

namespace {

// Writes expressions back as people would say them.
class Explainer {
 public:
  explicit Explainer(Machine& machine) : m_(machine), p_(machine.program()) {}

  // The part of a condition that made it fail.
  std::string failed_part(int node, std::uint32_t& place) {
    const Node& n = p_.nodes[static_cast<std::size_t>(node)];
    if (n.place != 0) place = n.place;
    if (n.op == Ex::all_of)
      for (int i = 0; i < n.b; ++i) {
        const int arg = p_.extra[n.a + i];
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

  std::string text(int node) {
    if (node < 0) return "";
    const Node& n = p_.nodes[static_cast<std::size_t>(node)];
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
        return valued(n.a) + " in " + m_.text_of(value(n.b));
      case Ex::adjacent:
        return zone_text(n.a) + " adjacent to " + zone_text(n.b);
      case Ex::connected:
        return zone_text(n.a) + " connected to " + zone_text(n.b);
      case Ex::zone_includes:
        return zone_text(n.a) + " includes " + valued(n.c);
      case Ex::marker_allowed:
        return "marker " + p_.lattices[static_cast<std::size_t>(n.b)].id + " in " + zone_text(n.a) +
               " may be " + valued(n.c);
      case Ex::shift_allowed:
        return "marker " + p_.lattices[static_cast<std::size_t>(n.b)].id + " in " + zone_text(n.a) +
               " may shift by " + valued(n.c);
      case Ex::exists:
        return "a result of " + query_text(n.a) + (n.c >= 0 ? " with " + text(n.c) : "");
      case Ex::for_all:
        return "every result of " + query_text(n.a) + " with " + text(n.c);
      case Ex::line_of:
      case Ex::line_bits:
        return fmt::format("a line of {}", m_.text_of(value(n.op == Ex::line_of ? n.a : n.b)));
      case Ex::any_bit:
        return "a zone that fits";
      case Ex::zone_in:
        return zone_text(n.a) + " fits";
      default:
        return valued(node);
    }
  }

 private:
  Truth truth(int node) {
    const Truth t = m_.test(node);
    if (t == Truth::fault) {
      last_fault_ = m_.fault().what;
      m_.clear_fault();
    }
    return t;
  }
  Value value(int node) {
    const Value v = m_.value(node);
    if (m_.failed()) {
      m_.clear_fault();
      return {};
    }
    return v;
  }
  std::string operands(const Node& n, const char* op) {
    return valued(n.a) + " " + op + " " + valued(n.b);
  }
  std::string joined(const Node& n, const char* word) {
    std::string out;
    for (int i = 0; i < n.b; ++i) out += (i == 0 ? "" : word) + text(p_.extra[n.a + i]);
    return "(" + out + ")";
  }
  std::string zone_text(int node) {
    const int z = m_.zone(node);
    if (m_.failed()) m_.clear_fault();
    return z < 0 ? "?" : p_.zones[static_cast<std::size_t>(z)].id;
  }
  std::string query_text(int node) {
    if (m_.hidden_from_asker(node))
      return std::string(ex_name(p_.nodes[static_cast<std::size_t>(node)].op) + 2) + " (hidden)";
    std::int64_t count = 0;
    m_.each(node, [&](Value) { return ++count, true; });
    if (m_.failed()) m_.clear_fault();
    return fmt::format("{} ({} results)", ex_name(p_.nodes[static_cast<std::size_t>(node)].op) + 2,
                       count);
  }

  // A value's name and, in brackets, what it is now. Constants are just themselves.
  std::string valued(int node) {
    const Node& n = p_.nodes[static_cast<std::size_t>(node)];
    const std::string now = m_.hidden_from_asker(node) ? "hidden" : m_.text_of(value(node));
    if (n.op == Ex::constant) return now;
    const std::string name = name_of(n);
    return name.empty() ? now : name + " (" + now + ")";
  }
  std::string name_of(const Node& n) {
    const auto a = static_cast<std::size_t>(n.a), b = static_cast<std::size_t>(n.b);
    switch (n.op) {
      case Ex::gvar:
        return p_.gvars[a].name;
      case Ex::pvar:
        return p_.pvars[a].name;
      case Ex::zvar:
        return p_.zvars[a].name + " of " + zone_text(n.b);
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
      case Ex::clock: {
        static constexpr const char* names[] = {"turn", "round", "turnInRound", "roundStartPlayer",
                                                "playerCount"};
        return names[n.a];
      }
      case Ex::count:
      case Ex::count_bits:
        return "count";
      case Ex::fold:
        return n.x == 1 ? "sum" : n.x == 2 ? "min" : "max";
      case Ex::add:
        return valued(n.a) + " + " + valued(n.b);
      case Ex::subtract:
        return valued(n.a) + " - " + valued(n.b);
      case Ex::multiply:
        return valued(n.a) + " * " + valued(n.b);
      case Ex::effect_modifier:
        return "modifier";
      default:
        return "";
    }
  }

  Machine& m_;
  const Program& p_;
  std::string last_fault_;
};

Rejection at_place(const Program& p, Code code, const std::string& message, std::uint32_t place,
                   Json details = Json::object()) {
  if (place != 0 && place < p.def.places.size()) {
    const spec::PlaceRecord& at = p.def.places[place];
    details["path"] = at.path;
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

// The answer for one action, found by going through legality in its own order.
class WhyNot {
 public:
  WhyNot(Machine& machine, const Json& request)
      : m_(machine), p_(machine.program()), request_(request) {}

  std::optional<Rejection> run() {
    const std::string name = request_.value("action", "");
    const auto found = std::find_if(p_.actions.begin(), p_.actions.end(),
                                    [&](const ActionInfo& a) { return a.id == name; });
    if (found == p_.actions.end()) {
      std::vector<std::string> names;
      for (const ActionInfo& a : p_.actions) names.push_back(a.id);
      return Rejection(Code::ACTION_UNKNOWN, fmt::format("there is no action `{}`", name),
                       {{"alternatives", did_you_mean(name, names)}});
    }
    const ActionInfo& action = *found;
    const int index = static_cast<int>(found - p_.actions.begin());
    const Header& h = m_.header();
    if (!action.in_phase[static_cast<std::size_t>(h.phase)])
      return at_place(p_, Code::ACTION_PHASE,
                      fmt::format("{} is not an action of phase {}", name,
                                  p_.phases[static_cast<std::size_t>(h.phase)].id),
                      action.place);
    if (auto refused = gates(action, index)) return refused;
    m_.set_players(h.active, h.active);
    int executor = h.active;
    if (!action.executor_uses_params) executor = m_.player(action.executor);
    m_.clear_fault();
    Machine::Scratch scratch(m_, action.unit, std::max(0, executor), std::max(0, executor));
    if (action.pipelines.empty())
      if (auto refused = params(action)) return refused;
    if (const PhasePre* pre = phase_pre_of(action, h.phase))
      if (auto refused = ask(name, "the phase's pre", pre->node)) return refused;
    if (action.pre >= 0)
      if (auto refused = ask(name, "pre", action.pre)) return refused;
    if (auto refused = hooks(action, index)) return refused;
    if (!action.price.empty() && !m_.can_pay(index)) return too_dear(action, index);
    if (!action.pipelines.empty())
      if (auto refused = pipeline(action, executor)) return refused;
    return dead_end(action, index);
  }

 private:
  std::optional<Rejection> gates(const ActionInfo& action, int index) {
    const int active = m_.header().active;
    m_.set_players(active, active);
    const std::uint32_t actors = m_.players(action.actor);
    m_.clear_fault();
    if (((actors >> active) & 1) == 0)
      return at_place(p_, Code::ACTION_ACTOR,
                      fmt::format("player {} may not take {}", active, action.id), action.place);
    for (const LimitInfo& limit : action.limits) {
      static constexpr const char* scopes[] = {"turn", "phase", "game"};
      const std::uint32_t used = m_.memory().usage(action.usage + static_cast<int>(limit.scope));
      if (used >= static_cast<std::uint64_t>(limit.max))
        return at_place(p_, Code::ACTION_LIMIT,
                        fmt::format("{} was used {} times; {} are allowed per {}", action.id, used,
                                    limit.max, scopes[static_cast<int>(limit.scope)]),
                        action.place, {{"used", used}, {"max", limit.max}});
    }
    if (action.blockable && m_.move_blocked(index, active))
      return at_place(p_, Code::ACTION_BLOCKED,
                      fmt::format("an effect in force blocks {}", action.id), action.place);
    return std::nullopt;
  }

  // Whether a request names this value: as JSON, or as option texts write it.
  bool means(Value v, const Json& wanted) const {
    if (m_.json_of(v) == wanted) return true;
    const std::string text = m_.text_of(v);
    if (!wanted.is_string()) return false;
    const auto name = wanted.get<std::string>();
    return text == name || text == name + ":none";
  }

  std::optional<Rejection> params(const ActionInfo& action) {
    Json given = request_.contains("params") && request_["params"].is_object() ? request_["params"]
                                                                               : Json::object();
    for (const ParamInfo& param : action.params) {  // the `$` may be left out
      const std::string bare = param.name.substr(param.name.starts_with('$') ? 1 : 0);
      if (bare == param.name || !given.contains(bare)) continue;
      given[param.name] = given[bare];
      given.erase(bare);
    }
    for (const auto& [key, unused] : given.items())
      if (std::none_of(action.params.begin(), action.params.end(),
                       [&](const ParamInfo& q) { return q.name == key; }))
        return at_place(p_, Code::ACTION_PARAMS,
                        fmt::format("{} has no parameter `{}`", action.id, key), action.place);
    for (const ParamInfo& param : action.params) {
      if (!given.contains(param.name))
        return at_place(p_, Code::ACTION_PARAMS,
                        fmt::format("{} needs the parameter `{}`", action.id, param.name),
                        action.place);
      Json domain = Json::array();
      bool found = false;
      m_.each(param.domain, [&](Value v) {
        const Json as_json = m_.json_of(v);
        if (domain.size() < 20) domain.push_back(as_json);
        if (means(v, given[param.name])) {
          m_.slot(param.slot) = v;
          found = true;
        }
        return !found;
      });
      m_.clear_fault();
      if (!found) {
        // A hook may know better than the domain what is wrong with the value.
        m_.slot(param.slot) = value_of(given[param.name]);
        if (auto refused = hooks(action, static_cast<int>(&action - p_.actions.data())))
          return refused;
        return at_place(p_, Code::ACTION_PARAMS,
                        fmt::format("{}: {} is not among the values of `{}`", action.id,
                                    canonical(given[param.name]), param.name),
                        p_.nodes[static_cast<std::size_t>(param.domain)].place,
                        {{"domain", domain}});
      }
    }
    return std::nullopt;
  }

  std::optional<Rejection> ask(const std::string& action, const char* what, int node) {
    const Truth truth = m_.test(node);
    if (truth == Truth::fault) m_.clear_fault();
    if (truth == Truth::yes) return std::nullopt;
    std::uint32_t place = p_.nodes[static_cast<std::size_t>(node)].place;
    const std::string part = Explainer(m_).failed_part(node, place);
    return at_place(p_, Code::ACTION_CONDITION, fmt::format("{}: {}", action, part), place,
                    {{"action", action}, {"condition", part}, {"of", what}});
  }

  std::optional<Rejection> hooks(const ActionInfo& action, int index) {
    std::optional<Rejection> why;
    for (const HookRef& hook : action.validate)
      if (m_.hook_refuses(index, hook, &why)) return why;
    return std::nullopt;
  }

  // Every variable that falls short, with what is asked and what there is.
  Rejection too_dear(const ActionInfo& action, int index) {
    Json price = Json::object(), have = Json::object();
    for (const auto& [var, node] : action.price) {
      std::int64_t amount = 0;
      if (!m_.integer(node, amount)) m_.clear_fault();
      const std::string& name = p_.pvars[static_cast<std::size_t>(var)].name;
      price[name] = std::max<std::int64_t>(0, amount + m_.cost_delta(index, var));
      have[name] = m_.memory().pvar(m_.actor(), var);
    }
    return at_place(
        p_, Code::ACTION_PRICE,
        fmt::format("{} costs {}, and there is {}", action.id, canonical(price), canonical(have)),
        action.place, {{"price", price}, {"have", have}});
  }

  Value value_of(const Json& json) {
    if (json.is_number_integer()) return Value::integer(json.get<std::int64_t>());
    if (json.is_boolean()) return Value::boolean(json.get<bool>());
    if (json.is_string()) return m_.value_of_text(json.get<std::string>());
    return {};
  }

  std::optional<Rejection> pipeline(const ActionInfo& action, int executor) {
    for (const int index : action.pipelines) {
      const PipelineInfo& info = p_.pipelines[static_cast<std::size_t>(index)];
      Machine::Scratch scratch(m_, info.unit, executor, executor);
      if (info.applicability >= 0) {
        const Truth applies = m_.test(info.applicability);
        m_.clear_fault();
        if (applies != Truth::yes) continue;
      }
      auto check = [&](int node, const char* what) -> std::optional<Rejection> {
        if (node < 0) return std::nullopt;
        const Truth truth = m_.test(node);
        const bool undecided =
            truth == Truth::fault && m_.fault().code == Code::RUN_BINDING_MISSING;
        m_.clear_fault();
        return truth == Truth::yes || undecided ? std::nullopt : ask(action.id, what, node);
      };
      if (auto refused = check(info.legality, "legality")) return refused;
      if (!info.partial)
        if (auto refused = check(info.cost, "costValidation")) return refused;
      return std::nullopt;
    }
    return at_place(p_, Code::ACTION_PIPELINE,
                    fmt::format("no pipeline of {} applies now", action.id), action.place);
  }

  // What stops the action when it is tried.
  Rejection dead_end(const ActionInfo& action, int index) {
    auto because = [&](const std::string& reason, Code code = Code::ACTION_DEAD_END) {
      return at_place(p_, code, fmt::format("{}: {}", action.id, reason), action.place);
    };
    const bool plain = action.pipelines.empty();
    if (plain && !action.params.empty() && !action.packed)
      return because("it cannot be carried through");
    std::uint64_t id = static_cast<std::uint64_t>(index);
    int shift = action_bits;
    for (const ParamInfo& param : action.params) {
      if (!plain) break;
      id |= static_cast<std::uint64_t>(m_.slot(param.slot).payload() - param.base) << shift;
      shift += param.bits;
    }
    std::int64_t budget = p_.options.look_ahead;
    if (!look_ahead(p_, m_.memory().block(), Option{id}, budget) && budget <= 0)
      return because(
          fmt::format("looking ahead ran out of its {} operations before an end was found",
                      p_.options.look_ahead),
          Code::RUN_BUDGET);
    Lease lease(p_);
    Machine& trial = lease.machine();
    lease.block() = m_.memory().block();
    trial.attach(lease.block());
    trial.set_asker(m_.asker());
    trial.begin_write();
    trial.steps_left = p_.options.look_ahead;
    if (trial.begin_move(Option{id}) && trial.run(Until::move_complete) != Run::failed)
      return because("no choice on the way leads to an end");
    return because(trial.failed() ? rejection_of(p_, trial, trial.fault()).message
                                  : "it cannot be carried through");
  }

  Machine& m_;
  const Program& p_;
  const Json& request_;
};

}  // namespace

std::string place_text(const Program& program, std::uint32_t place) {
  if (place == 0 || place >= program.def.places.size()) return "";
  const spec::PlaceRecord& at = program.def.places[place];
  if (at.line == 0) return at.path;
  return fmt::format("{}:{}", at.file, at.line);
}

std::string place_path(const Program& program, std::uint32_t place) {
  return place < program.def.places.size() ? program.def.places[place].path : "";
}

Rejection rejection_of(const Program& program, const Machine& machine, const Fault& fault) {
  std::string message = fault.what;
  Json details = Json::object();
  // What the rules saw when they failed may be hidden from whoever asks.
  const bool closed =
      program.secrets.any && machine.asker() != nullptr && !machine.asker()->see_all();
  if (closed) return at_place(program, fault.code, message, fault.place, std::move(details));
  if (!fault.first.is_none()) {
    message += ": " + machine.text_of(fault.first);
    details["values"] = Json::array({machine.text_of(fault.first)});
  }
  if (!fault.second.is_none()) {
    message += ", " + machine.text_of(fault.second);
    details["values"].push_back(machine.text_of(fault.second));
  }
  return at_place(program, fault.code, message, fault.place, std::move(details));
}

namespace {

// "build north 2" as an action and its parameters in order.
Json action_of_text(const Program& p, const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  Json out{{"action", words.empty() ? "" : words[0]}, {"params", Json::object()}};
  for (const ActionInfo& action : p.actions)
    for (std::size_t k = 0; k + 1 < words.size() && k < action.params.size(); ++k)
      if (action.id == words[0]) out["params"][action.params[k].name] = words[k + 1];
  return out;
}

// What stops the move after this answer to a pending choice.
Rejection dead_choice(const Program& p, const StateBlock& block, Option option, const Eyes* eyes) {
  std::int64_t budget = p.options.look_ahead;
  if (!look_ahead(p, block, option, budget) && budget <= 0)
    return Rejection(Code::RUN_BUDGET,
                     fmt::format("with this choice looking ahead ran out of its {} operations",
                                 p.options.look_ahead));
  Lease lease(p);
  Machine& trial = lease.machine();
  lease.block() = block;
  trial.attach(lease.block());
  trial.set_asker(eyes);
  trial.begin_write();
  trial.steps_left = p.options.look_ahead;
  const bool answered = trial.answer(option);
  if (answered && !trial.waits()) trial.run(Until::move_complete);
  if (!trial.failed())
    return Rejection(Code::ACTION_DEAD_END,
                     "with this choice the move could not be carried through");
  Rejection why = rejection_of(p, trial, trial.fault());
  Json details = std::move(why.details);
  details["cause"] = why.code;
  return Rejection(Code::ACTION_DEAD_END,
                   "with this choice the move could not be carried through: " + why.message,
                   std::move(details));
}

}  // namespace

// Where something is hidden from whoever asks, the reason is looked for in a world made up from
// what they know: it says nothing about what is really there, and values they do not see are not
// named.
std::optional<Rejection> KernelGame::why_not(const StateBlock& block, const Json& request,
                                             const Viewer& viewer) const {
  if (decision(block).kind == DecisionKind::finished)
    return Rejection(Code::GAME_FINISHED, "the game is over");
  auto found = find_option(State(*this, block), request, viewer);
  if (found) return std::nullopt;
  const bool told = found.error().code == code_name(Code::OPTION_AMBIGUOUS) ||
                    found.error().code == code_name(Code::ACTOR_NOT_DECIDING);
  if (told) return std::move(found.error());
  const Eyes eyes(*program_, profiles_, viewer);
  if (eyes.see_all() || !program_->secrets.any) return reason(block, request, eyes, found.error());
  StateBlock world = block;
  Rng rng(State(*this, block).view_hash(viewer));
  resample_hidden(world, viewer, rng);
  auto out = reason(world, request, eyes, found.error());
  return out ? std::move(out) : std::move(found.error());
}

std::optional<Rejection> KernelGame::reason(const StateBlock& state_block, const Json& request,
                                            const Eyes& eyes, const Rejection& refused) const {
  StateBlock room;
  const StateBlock& block = at_hand(state_block, room);
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  machine.set_asker(&eyes);
  const DecisionKind kind = machine.header().decision;
  if (kind == DecisionKind::action) {
    Json action = request;
    if (request.is_string()) action = action_of_text(*program_, request.get<std::string>());
    if (!action.is_object() || !action.contains("action") || !action["action"].is_string())
      return refused;
    const std::string name = action["action"].get<std::string>();
    for (const OfferedRule& rule : offered_)
      if (name.starts_with(rule.id + ".") &&
          std::find(info_.rules.begin(), info_.rules.end(), rule.id) == info_.rules.end())
        return Rejection(
            Code::ACTION_MODULE_DISABLED,
            fmt::format("{} belongs to the module {}, which is not in force", name, rule.id),
            {{"module", rule.id}});
    machine.set_trial();
    return WhyNot(machine, action).run();
  }
  if (!request.is_object() || !request.contains("value")) return refused;
  OptionList raw;
  machine.list_raw(raw);
  for (const Option option : raw) {
    const Json form = machine.is_confirm(option)
                          ? Json{{"value", nullptr}, {"confirm", true}}
                          : Json{{"value", machine.json_of(machine.option_value(option))}};
    if (form != request) continue;
    return dead_choice(*program_, block, option, &eyes);
  }
  return Rejection(Code::OPTION_ILLEGAL,
                   fmt::format("{} is not among the choices", canonical(request["value"])));
}

}  // namespace parlor::kernel
