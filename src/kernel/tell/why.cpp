// Why not: the order of one action walked once more, to the step that says no.
#include <fmt/format.h>

#include "kernel/kernel.h"
#include "kernel/know/observers.h"
#include "kernel/program/params.h"
#include "kernel/tell/dead_end.h"
#include "kernel/tell/explain.h"

namespace parlor::kernel {

namespace {

Rejection as_dead_end(const std::string& what, Rejection why) {
  why.details["cause"] = why.code;
  return Rejection(Code::ACTION_DEAD_END, fmt::format("{}: {}", what, why.message),
                   std::move(why.details));
}

// The answer for one action: its steps, one after the other.
class WhyNot {
 public:
  WhyNot(Machine& machine, const Json& request)
      : m_(machine),
        p_(machine.program()),
        wording_(*machine.program().wording),
        request_(request) {}

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
    action_ = &*found;
    index_ = place_in(p_.actions, *found);
    const Header& h = m_.header();
    if (!action_->in_phase[h.phase])
      return here(Code::ACTION_PHASE,
                  fmt::format("{} is not an action of phase {}", name, p_.phases[h.phase].id));
    Machine::Scratch scratch(m_, action_->unit, h.active, h.active);
    given_ = given_params();
    for (const Step& step : action_->order)
      if (auto refused = ask(step)) return refused;
    return unknown_param();
  }

 private:
  Rejection here(Code code, const std::string& message, Json details = Json::object()) {
    return at_place(p_, code, message, action_->place, std::move(details));
  }

  std::optional<Rejection> ask(const Step& step) {
    if (step.ask == Ask::param && index_ == p_.flow.event_action)
      return step.what == 0 ? event() : std::nullopt;
    if (step.ask == Ask::param) return param(step.what);
    if (step.ask == Ask::completes) return dead_end();
    if (step.ask == Ask::hook) return hook(step.what);
    const Truth truth = m_.ask(index_, step);
    if (truth == Truth::yes) return std::nullopt;
    // A fault hides no option: this is what the action is refused with when it is made.
    if (truth == Truth::fault) return fault_of(rejection_of(m_));
    return said_no(step);
  }

  Rejection said_no(const Step& step) {
    switch (step.ask) {
      case Ask::actor:
        return here(Code::ACTION_ACTOR,
                    fmt::format("player {} may not take {}", m_.header().active, action_->id));
      case Ask::limit:
        return used_up(action_->limits[step.what]);
      case Ask::blocked:
        return blocked();
      case Ask::row:
        return by_the_card();
      case Ask::coup_card:
        return here(Code::ACTION_CARD, fmt::format("{}: a coup card is in play, so only its event "
                                                   "can be played",
                                                   action_->id));
      case Ask::pivotal:
        return not_pivotal_now();
      case Ask::monsoon:
        return here(
            Code::ACTION_CARD,
            fmt::format("{}: the next card is a coup card, and the season before it forbids "
                        "or limits this",
                        action_->id));
      case Ask::lasting:
        return here(
            Code::ACTION_CARD,
            fmt::format("{}: a lasting effect of an event forbids or limits this", action_->id));
      case Ask::viable:
        return here(Code::ACTION_CARD,
                    fmt::format("{}: a free operation that the event must be able to grant cannot "
                                "be made now",
                                action_->id));
      case Ask::phase_pre:
        return condition("the phase's pre", step.what);
      case Ask::pre:
        return condition("pre", step.what);
      case Ask::pipeline:
        return pipeline();
      case Ask::price:
        return too_dear();
      default:
        return here(Code::ACTION_DEAD_END, fmt::format("{}: it cannot be begun", action_->id));
    }
  }

  Rejection blocked() {
    const int place = m_.blocking_effect(index_, m_.mover());
    const auto& record = m_.memory().at<EffectRecord>(p_.layout.effects)[place];
    const std::string& effect = p_.effect_kinds[record.kind].id;
    Json details{{"effect", effect}, {"id", record.serial}};
    if (record.owner >= 0) details["owner"] = int{record.owner};
    return here(Code::ACTION_BLOCKED,
                fmt::format("the effect {} in force blocks {}", effect, action_->id),
                std::move(details));
  }

  // A grant that has to be used, or the option matrix.
  Rejection by_the_card() {
    const FlowRecord& f = m_.flow();
    if (m_.blocking_owner(0) >= 0) {
      std::string actions;
      for (int k = 0; k < f.grants; ++k) {
        const GrantRecord& g = m_.memory().grant(k);
        const GrantInfo& info = p_.flow.grants[g.def];
        if (g.seat != m_.header().active || !m_.grant_ready(k) || !info.blocks()) continue;
        for (std::size_t a = 0; a < info.actions.size(); ++a)
          if (info.actions[a]) actions += (actions.empty() ? "" : ", ") + p_.actions[a].id;
      }
      return here(Code::ACTION_CARD,
                  fmt::format("{}: a free operation has to be made first ({})", action_->id,
                              actions.empty() ? "none is possible" : actions));
    }
    const auto* row = m_.row();
    if (row == nullptr)
      return here(Code::ACTION_CARD, fmt::format("{}: the card does not allow it", action_->id));
    std::string classes;
    for (const ActionClass c : *row)
      classes += (classes.empty() ? "" : ", ") + std::string(class_name(c));
    return here(
        Code::ACTION_CARD,
        fmt::format("{}: second eligible after {}: only {}", action_->id, class_name(f.first_class),
                    classes.empty() ? "pass" : classes + " or pass"),
        {{"first", class_name(f.first_class)}, {"class", class_name(p_.flow.class_of[index_])}});
  }

  Rejection not_pivotal_now() {
    const FlowInfo& flow = p_.flow;
    std::string why = "the next card is a coup card";
    if (flow.pivotal_before_acts && m_.flow().acts != 0)
      why = "somebody has acted on this card already";
    else if (flow.ranks && m_.flow().acts == 0 && !m_.lookahead_is_coup())
      why = "the other eligible seat has precedence";
    return here(Code::ACTION_CARD,
                fmt::format("{}: a pivotal event cannot be played now: {}", action_->id, why));
  }

  Rejection used_up(const LimitInfo& limit) {
    static constexpr const char* scopes[] = {"turn", "phase", "game", "round"};
    const std::uint32_t used = m_.memory().usage(m_.usage_cell(*action_, limit));
    using Per = LimitCount::Per;
    const Per per = limit.count < 0 ? Per::nothing : m_.program().limit_counts[limit.count].per;
    const char* whose = per == Per::player ? " and player" : per == Per::zone ? " and place" : "";
    return here(Code::ACTION_LIMIT,
                fmt::format("{} was used {} times; {} are allowed per {}{}", action_->id, used,
                            limit.max, scopes[static_cast<int>(limit.scope)], whose),
                {{"used", used}, {"max", limit.max}});
  }

  // Whether a request names this value: as JSON, as option texts write it, or as the screen shows
  // it.
  bool means(Value v, const Json& wanted) const {
    if (m_.json_of(v) == wanted) return true;
    if (!wanted.is_string()) return false;
    const std::string text = m_.text_of(v);
    const auto name = wanted.get<std::string>();
    return text == name || text == name + ":none" || value_label(m_, wording_, v) == name;
  }

  // The `$` of a parameter may be left out.
  Json given_params() const {
    Json given = request_.contains("params") && request_["params"].is_object() ? request_["params"]
                                                                               : Json::object();
    for (const ParamInfo& param : action_->params) {
      const std::string bare = param.name.substr(param.name.starts_with('$') ? 1 : 0);
      if (bare == param.name || !given.contains(bare)) continue;
      given[param.name] = given[bare];
      given.erase(bare);
    }
    return given;
  }

  std::optional<Rejection> unknown_param() {
    for (const auto& [key, unused] : given_.items())
      if (std::none_of(action_->params.begin(), action_->params.end(),
                       [&](const ParamInfo& q) { return q.name == key; }))
        return here(Code::ACTION_PARAMS, fmt::format("{} has no parameter `{}`", action_->id, key));
    return std::nullopt;
  }

  std::optional<Rejection> param(std::size_t k) {
    const ParamInfo& param = action_->params[k];
    if (auto refused = unknown_param()) return refused;
    const bool given = given_.contains(param.name);
    Json domain = Json::array();
    bool found = false;
    Value value;
    m_.each(param.domain, [&](Value v) {
      if (domain.size() < 20) domain.push_back(m_.json_of(v));
      if (given && means(v, given_[param.name])) {
        value = v;
        found = true;
      }
      return !found;
    });
    if (m_.failed()) return fault_of(rejection_of(m_));
    const std::uint32_t place = p_.nodes[param.domain].place;
    if (found) {
      m_.slot(param.slot) = value;
      return std::nullopt;
    }
    if (domain.empty() && !given)
      return at_place(p_, Code::ACTION_PARAMS,
                      fmt::format("{}: there is no `{}` to choose", action_->id, param.name), place,
                      {{"domain", domain}});
    if (!given)
      return here(Code::ACTION_PARAMS,
                  fmt::format("{} needs the parameter `{}`", action_->id, param.name),
                  {{"domain", domain}});
    // A hook may know better than the domain what is wrong with the value.
    m_.slot(param.slot) = m_.value_of_json(given_[param.name]);
    for (std::size_t i = 0; i < action_->validate.size(); ++i)
      if (auto refused = hook(i)) return refused;
    return at_place(p_, Code::ACTION_PARAMS,
                    fmt::format("{}: {} is not among the values of `{}`", action_->id,
                                canonical(given_[param.name]), param.name),
                    place, {{"domain", domain}});
  }

  // The way to play the card that is asked for; the first of several that fit.
  std::optional<Rejection> event() {
    if (auto refused = unknown_param()) return refused;
    const int card = m_.event_card();
    if (card < 0)
      return here(Code::ACTION_CARD, fmt::format("{}: no event card lies in play", action_->id));
    const CardInfo& info = p_.flow.card_infos[card];
    for (int k = 0; k < info.moves; ++k) {
      m_.set_event(info.first_move + k);
      bool fits = true;
      for (const ParamInfo& param : action_->params)
        if (given_.contains(param.name))
          fits = fits && means(m_.slot(param.slot), given_[param.name]);
      if (fits) return std::nullopt;
    }
    return here(Code::ACTION_CARD,
                fmt::format("{}: the card in play is {}, and it has no such side or branch",
                            action_->id, info.id),
                {{"eventCardId", info.id}});
  }

  Rejection condition(const char* what, NodeId node) {
    std::uint32_t place = p_.nodes[node].place;
    const std::string part = Explainer(m_).failed_part(node, place);
    return at_place(p_, Code::ACTION_CONDITION, fmt::format("{}: {}", action_->id, part), place,
                    {{"action", action_->id}, {"condition", part}, {"of", what}});
  }

  std::optional<Rejection> hook(std::size_t i) {
    std::optional<Rejection> why;
    const Truth truth = m_.hook_allows(index_, action_->validate[i], &why);
    if (truth == Truth::yes) return std::nullopt;
    if (why) m_.clear_fault();
    return why ? why : fault_of(rejection_of(m_));
  }

  // Every variable that falls short, with what is asked and what there is.
  Rejection too_dear() {
    Json price = Json::object(), have = Json::object();
    std::vector<std::string> wanted, missing;
    for (const auto& [var, node] : action_->price) {
      std::int64_t amount = 0;
      if (!m_.integer(node, amount)) m_.clear_fault();
      const std::string& name = p_.pvars[var].name;
      amount = std::max<std::int64_t>(0, amount + m_.cost_delta(index_, var));
      const std::int64_t there = m_.memory().pvar(m_.actor(), var);
      price[name] = amount;
      have[name] = there;
      const std::string called = label(wording_, name);
      if (amount > 0) wanted.push_back(fmt::format("{} {}", amount, called));
      if (amount > there) missing.push_back(fmt::format("{} {}", there, called));
    }
    return here(Code::ACTION_PRICE,
                fmt::format("{} costs {}, and there is only {}", label(wording_, action_->id),
                            fmt::join(wanted, ", "), fmt::join(missing, ", ")),
                {{"price", price}, {"have", have}});
  }

  Rejection pipeline() {
    const int executor = m_.actor();
    for (const int index : action_->pipelines) {
      const PipelineInfo& info = p_.pipelines[index];
      if (index != m_.pipeline_found()) continue;
      Machine::Scratch scratch(m_, info.unit, executor, executor);
      for (const auto& [node, what] :
           {std::pair{info.applicability, "applicability"}, std::pair{info.legality, "legality"},
            std::pair{info.partial ? NodeId::none() : info.cost, "costValidation"}}) {
        const Truth truth = node.is_none() ? Truth::yes : m_.test(node);
        m_.clear_fault();
        if (truth == Truth::no) return condition(what, node);
      }
    }
    return here(Code::ACTION_PIPELINE, fmt::format("no pipeline of {} applies now", action_->id));
  }

  std::optional<Rejection> dead_end() {
    std::uint64_t id = index_;
    if (action_->pipelines.empty() && !action_->params.empty() && !action_->packed)
      return here(Code::ACTION_DEAD_END,
                  fmt::format("{}: it cannot be carried through", action_->id));
    int shift = action_bits;
    for (const ParamInfo& param : action_->params) {
      if (!action_->pipelines.empty()) break;
      id |= encode(param, m_.slot(param.slot)) << shift;
      shift += param.bits;
    }
    auto why = why_dead(p_, m_.memory().block(), Option{id}, m_.asker());
    if (!why) return std::nullopt;
    return as_dead_end(action_->id, std::move(*why));
  }

  Machine& m_;
  const Program& p_;
  const Wording& wording_;
  const Json& request_;
  const ActionInfo* action_ = nullptr;
  int index_ = 0;
  Json given_;
};

// A request in words: an action by its name or by the words of the screen, then its parameters in
// order, each by its text or by the name people see ("play Queen of hearts").
class WordsRead {
 public:
  WordsRead(Machine& machine, std::string text)
      : m_(machine), p_(machine.program()), text_(std::move(text)) {}

  Json action() {
    const ActionInfo* best = nullptr;
    std::size_t length = 0;
    for (const ActionInfo& action : p_.actions)
      for (const std::string& name : {action.id, label(*p_.wording, action.id)})
        if (begins_with(name) && name.size() > length) {
          best = &action;
          length = name.size();
        }
    if (best == nullptr) return {{"action", first_word()}, {"params", Json::object()}};
    take(length);
    Json params = Json::object();
    for (const ParamInfo& param : best->params)
      if (!text_.empty()) params[param.name] = value();
    return {{"action", best->id}, {"params", std::move(params)}};
  }

 private:
  bool begins_with(const std::string& name) const {
    return !name.empty() && text_.starts_with(name) &&
           (text_.size() == name.size() || text_[name.size()] == ' ');
  }
  std::string first_word() const { return text_.substr(0, text_.find(' ')); }
  void take(std::size_t length) {
    text_.erase(0, length);
    text_.erase(0, text_.find_first_not_of(' '));
  }

  // The longest name of a token, zone or player that the rest begins with; else its first word.
  Json value() {
    std::string best = first_word();
    Json meant = best;
    auto try_name = [&](const std::string& name, Json value) {
      if (!begins_with(name) || name.size() < best.size()) return;
      best = name;
      meant = std::move(value);
    };
    for (const TokenId t : m_.memory().tokens()) {
      if (m_.memory().zone_of(t).is_none()) continue;
      const Value token = Value::token(t);
      const std::string name = value_label(m_, *p_.wording, token);
      try_name(name, name);
      // A face that whoever asks does not see is nowhere, as far as they know.
      const std::string face = token_label(m_, *p_.wording, t, false);
      const Eyes* const asker = m_.asker();
      try_name(face, asker == nullptr || asker->see(m_.memory(), t) ? name : face);
    }
    for (const ZoneId z : p_.zones.ids()) try_name(zone_label(p_, *p_.wording, z), p_.zones[z].id);
    for (int i = 0; i < p_.players; ++i) try_name(seat_label(p_, i), i);
    const bool number = best.find_first_not_of("0123456789") == std::string::npos;
    if (meant == Json(best) && number && best.size() < 18) meant = std::stoll(best);
    take(best.size());
    return meant;
  }

  Machine& m_;
  const Program& p_;
  std::string text_;
};

// An answer to a pending choice, as scripts give it and as people call it.
Json choice_form(Machine& machine, Option option) {
  if (machine.is_confirm(option)) return {{"value", nullptr}, {"confirm", true}};
  return {{"value", machine.json_of(machine.option_value(option))}};
}

bool called(Machine& machine, Option option, const std::string& words) {
  const Wording& wording = *machine.program().wording;
  if (machine.is_confirm(option)) return words == "confirm" || words == label(wording, "confirm");
  const Value value = machine.option_value(option);
  return words == value_label(machine, wording, value) || words == machine.text_of(value);
}

// An action that would be open, were it not for another one (F-55).
std::optional<Rejection> cancelled(Machine& machine, const Json& request) {
  const Json wanted = request.value("params", Json::object());
  for (const auto& [option, by] : machine.cancelled_moves()) {
    std::string action, winner;
    const Json params = machine.move_params(option, action);
    const bool asked_for =
        request["action"] == action && std::ranges::all_of(wanted.items(), [&](const auto& item) {
          return params.value(item.key(), Json()) == item.value();
        });
    if (!asked_for) continue;
    Json with = machine.move_params(by, winner);
    return Rejection(Code::ACTION_CARD,
                     fmt::format("{} is cancelled while {} is open", action, winner),
                     {{"cancelledBy", {{"action", winner}, {"params", std::move(with)}}}});
  }
  return std::nullopt;
}

}  // namespace

std::optional<Rejection> why_dead(const Program& program, const StateBlock& block, Option option,
                                  const Eyes* asker) {
  return DeadEnd(program, asker).explain(block, option);
}

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
    if (request.is_string()) action = WordsRead(machine, request.get<std::string>()).action();
    if (!action.is_object() || !action.contains("action") || !action["action"].is_string())
      return refused;
    const std::string name = action["action"].get<std::string>();
    for (const OfferedRule& rule : offered_)
      if (name.starts_with(rule.id + ".") &&
          std::ranges::find(program_->def.modules, rule.id, &spec::ModuleInfo::id) ==
              program_->def.modules.end())
        return Rejection(
            Code::ACTION_MODULE_DISABLED,
            fmt::format("{} belongs to the module {}, which is not in force", name, rule.id),
            {{"module", rule.id}});
    machine.set_trial(Machine::Trial::looking);
    auto why = WhyNot(machine, action).run();
    if (!why) why = cancelled(machine, action);
    if (why) return why;
    return refused;
  }
  const bool words = request.is_string();
  if (!words && (!request.is_object() || !request.contains("value"))) return refused;
  OptionList raw;
  machine.list_raw(raw);
  std::optional<Rejection> dead;
  for (const Option option : raw) {
    if (words ? !called(machine, option, request.get<std::string>())
              : choice_form(machine, option) != request)
      continue;
    auto why = why_dead(*program_, block, option, &eyes);
    if (!why && words) return std::nullopt;
    if (why && !dead)
      dead = as_dead_end("with this choice the move could not be carried through", std::move(*why));
  }
  if (dead) return dead;
  return Rejection(
      Code::OPTION_ILLEGAL,
      fmt::format("{} is not among the choices", canonical(words ? request : request["value"])));
}

}  // namespace parlor::kernel
