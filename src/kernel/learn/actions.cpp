#include "kernel/learn/actions.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "kernel/kernel.h"
#include "kernel/learn/learning.h"

namespace parlor::kernel {
namespace {

constexpr std::uint64_t widest_summand = 4096;  // codes of a parameter, from lowest to highest

std::string bare_zone(const std::string& id) {
  return id.ends_with(":none") ? id.substr(0, id.size() - 5) : id;
}

// Whether somebody who reads a name could take it for another kind of value.
bool misleading(const Program& p, const std::string& text) {
  if (text.empty() || text == "true" || text == "false" || text.starts_with("tok_")) return true;
  if (text.front() == '~' || text.front() == '\'' || text.find(' ') != text.npos) return true;
  if (text.find_first_not_of("-0123456789") == text.npos) return true;
  return std::ranges::any_of(p.zones,
                             [&](const ZoneInfo& zone) { return bare_zone(zone.id) == text; });
}

}  // namespace

ActionNumbers::ActionNumbers(const Program& program, std::vector<std::string> token_names,
                             bool hides)
    : p_(program), tokens_(std::move(token_names)), hides_(hides) {
  const int tokens = tokens_.empty() ? -1 : std::ssize(tokens_);
  const auto domain = [&](NodeId node) {
    Domain out = domain_of_query(p_, node, tokens);
    // Options about tokens that the decider does not see go by their place.
    for (std::size_t i = 0; hides_ && i < out.values.size(); ++i)
      out.open |= out.values.at(i).is_token();
    return out;
  };
  bool fits = true;
  for (const ActionInfo& info : p_.actions) {
    while (info.id.starts_with(choose_)) choose_ += ":";
    Action action;
    if (&info - p_.actions.data() == p_.flow.event_action)
      add_event_domains(action);
    else if (info.pipelines.empty())
      for (const ParamInfo& param : info.params) action.params.push_back(domain(param.domain));
    if (p_.flow.cards) add_card_domains(place_in(p_.actions, info), action);
    for (const Domain& made : action.params)
      action.size = std::min(action.size * room_of(made), ActionSpace::most + 1);
    fits = fits && action.params.size() <= most_params;
    actions_.push_back(std::move(action));
  }
  bool open = false, selections = false;
  for (std::size_t pc = 0; pc < p_.code.size(); ++pc) {
    const Instr& i = p_.code[pc];
    if (i.op != Op::choose_one && i.op != Op::choose_n) continue;
    Domain made = domain(i.b);
    for (std::size_t k = 0; k < made.values.size(); ++k) {
      const Value v = made.values.at(k);
      blocks_[kind_of(made, v, p_.zone_count)].values.add(v);
    }
    open |= made.open;
    selections |= i.op == Op::choose_n;
    choices_.emplace(pc, std::move(made));
  }
  std::size_t others = (open ? most_ranks : 0) + (selections ? 1 : 0);
  for (const Block& block : blocks_) others += block.values.size();
  fits = fits && split_large_ones(others);
  std::size_t next = 0;
  for (Action& action : actions_) {
    action.base = next;
    next += action.size;
    if (fits && !action.split && !p_.flow.cards && !p_.flow.events)
      find_summands(action, p_.actions[&action - actions_.data()]);
    if (action.split) steps_ = std::max(steps_, action.params.size() + 1);
  }
  for (Block& block : blocks_) {
    block.base = next;
    next += block.values.size();
  }
  ranks_ = next;
  confirm_ = next += open ? most_ranks : 0;
  next += selections ? 1 : 0;
  if (!fits)
    space_ = {ActionSpace::Kind::ordinal, ActionSpace::ordinal_options};
  else
    space_ = {steps_ > 1 ? ActionSpace::Kind::factored : ActionSpace::Kind::fixed, next};
}

std::size_t ActionNumbers::size_in_steps(const Action& action) {
  std::size_t size = 1;
  for (const Domain& domain : action.params) size += room_of(domain);
  return size;
}

// Until everything fits into a table beside `others`, the largest first. False: it never does.
bool ActionNumbers::split_large_ones(std::size_t others) {
  const auto size_whole = [](const Action& action) { return action.split ? 0 : action.size; };
  const auto fits = [&] {
    std::size_t all = others;
    for (const Action& action : actions_) all += action.size;
    return all <= ActionSpace::most;
  };
  while (!fits()) {
    const auto largest = std::ranges::max_element(actions_, {}, size_whole);
    if (largest == actions_.end() || size_whole(*largest) <= size_in_steps(*largest)) {
      steps_ = 1;
      for (Action& action : actions_) action.split = false;
      return false;
    }
    largest->split = true;
    largest->size = size_in_steps(*largest);
  }
  return true;
}

// Card, deck, side and branch; where there is no branch, the word for none stands.
void ActionNumbers::add_event_domains(Action& action) const {
  const FlowInfo& flow = p_.flow;
  action.params.resize(4);
  for (const CardInfo& card : flow.card_infos)
    action.params[0].values.add(Value::symbol(card.symbol));
  for (const DeckInfo& deck : flow.decks) action.params[1].values.add(Value::symbol(deck.symbol));
  for (const char* side : {"unshaded", "shaded"}) action.params[2].values.add(word(side));
  action.params[3].values.add(Value::symbol(flow.none));
  for (const EventMove& move : flow.event_moves)
    if (move.branch >= 0) action.params[3].values.add(Value::symbol(move.branch));
}

// For what class an action is taken on a card, and whether it is free: what can be at all.
void ActionNumbers::add_card_domains(std::size_t index, Action& action) const {
  const ActionClass mapped = p_.flow.class_of[index];
  Domain& classes = action.params.emplace_back();
  for (int c = 0; c <= static_cast<int>(ActionClass::special_activity); ++c) {
    const auto as = static_cast<ActionClass>(c);
    const bool plus = as == ActionClass::operation_plus_special_activity;
    if (as == mapped || mapped == ActionClass::none ||
        (mapped == ActionClass::special_activity && plus) ||
        (mapped == ActionClass::operation && (plus || as == ActionClass::limited_operation)))
      classes.values.add(word(class_name(as)));
  }
  Domain& free = action.params.emplace_back();
  free.values.add(Value::boolean(false));
  if (std::ranges::any_of(p_.flow.grants, [&](const GrantInfo& g) { return g.actions[index]; }))
    free.values.add(Value::boolean(true));
}

Value ActionNumbers::word(std::string_view text) const {
  const Symbol found = p_.symbol_named(text);
  return found < 0 ? Value{} : Value::symbol(found);
}

// A parameter of a move that is not one of the action's own: what the card adds.
Value ActionNumbers::card_value(const Machine& machine, Option option, std::size_t k) const {
  const Machine::Variant variant = machine.variant_of(option);
  return k == 0 ? word(class_name(variant.action_class)) : Value::boolean(variant.grant != 0);
}

Value ActionNumbers::event_value(Option option, std::size_t k) const {
  const std::uint64_t at = option.id >> (action_bits + p_.variant_bits);
  if (at >= p_.flow.event_moves.size()) return {};
  const EventMove& move = p_.flow.event_moves[at];
  const CardInfo& card = p_.flow.card_infos[move.card];
  switch (k) {
    case 0:
      return Value::symbol(card.symbol);
    case 1:
      return Value::symbol(p_.flow.decks[card.deck].symbol);
    case 2:
      return word(move.shaded ? "shaded" : "unshaded");
    default:
      return Value::symbol(move.branch >= 0 ? move.branch : p_.flow.none);
  }
}

ActionNumbers::Kind ActionNumbers::kind_of(const Domain& domain, Value value, int zones) {
  switch (value.tag()) {
    case Tag::symbol:
      return value.payload() < zones ? zone : name_of_something;
    case Tag::boolean:
      return flag;
    case Tag::token:
      return token;
    default:
      return domain.players ? player : number_value;
  }
}

void ActionNumbers::find_summands(Action& action, const ActionInfo& info) const {
  if ((!info.packed && !action.params.empty()) || action.params.size() > most_summands) return;
  std::size_t scale = action.size;
  for (std::size_t k = 0; k < action.params.size(); ++k) {
    const Domain& domain = action.params[k];
    const ParamInfo& param = info.params[k];
    if (domain.open || domain.values.size() == 0) return;
    scale /= domain.values.size();
    const auto code_of = [&](std::size_t place) { return encode(param, domain.values.at(place)); };
    Summand summand{param.bits, code_of(0), {}};
    std::uint64_t high = summand.low;
    for (std::size_t place = 0; place < domain.values.size(); ++place) {
      if (decode(param, code_of(place)) != domain.values.at(place)) return;
      summand.low = std::min(summand.low, code_of(place));
      high = std::max(high, code_of(place));
    }
    if (high - summand.low >= widest_summand) return;
    summand.by_code.resize(high - summand.low + 1, no_action);
    for (std::size_t place = 0; place < domain.values.size(); ++place)
      summand.by_code[code_of(place) - summand.low] = place * scale;
    action.summands.push_back(std::move(summand));
  }
  action.is_sum = true;
}

std::string ActionNumbers::text_of(Value value) const {
  switch (value.tag()) {
    case Tag::symbol: {
      const std::string text = p_.text(value.index());
      if (value.payload() < p_.zone_count) return bare_zone(text);
      return misleading(p_, text) ? fmt::format("'{}'", text) : text;
    }
    case Tag::boolean:
      return value.payload() != 0 ? "true" : "false";
    case Tag::token:
      return tokens_[value.payload()];
    default:
      return std::to_string(value.payload());
  }
}

namespace {

constexpr std::array<const char*, 6> kind_words{"zone",   "name", "player",
                                                "number", "flag", "token"};

// The number behind "~" in a name, if there is nothing else.
std::optional<std::size_t> read_rank(std::string_view text) {
  std::size_t rank = 0;
  if (!text.starts_with('~')) return std::nullopt;
  text.remove_prefix(1);
  const auto read = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || rank >= most_ranks ||
      std::to_string(rank) != text)
    return std::nullopt;
  return rank;
}

}  // namespace

// "move", "move $from cell_1_1": the action, or one of its parameters.
std::string ActionNumbers::step_name(std::size_t action, std::size_t at) const {
  const ActionInfo& info = p_.actions[action];
  if (at == 0) return info.id;
  --at;
  std::size_t k = 0;
  for (; at >= room_of(actions_[action].params[k]); ++k) at -= room_of(actions_[action].params[k]);
  const Domain& domain = actions_[action].params[k];
  const std::size_t values = domain.values.size();
  const bool own = info.pipelines.empty() && k < info.params.size();
  return fmt::format("{} {} {}", info.id, own ? info.params[k].name : fmt::format("#{}", k),
                     at < values ? text_of(domain.values.at(at)) : fmt::format("~{}", at - values));
}

std::string ActionNumbers::name(std::size_t index) const {
  if (index >= space_.size) return {};
  if (space_.kind == ActionSpace::Kind::ordinal) return fmt::format("#{}", index);
  if (index >= confirm_) return choose_ + " done";
  if (index >= ranks_) return fmt::format("{} ~{}", choose_, index - ranks_);
  for (std::size_t kind = kinds; kind-- > 0;)
    if (const Block& block = blocks_[kind]; index >= block.base && block.values.size() > 0)
      return fmt::format("{} {} {}", choose_, kind_words[kind],
                         text_of(block.values.at(index - block.base)));
  std::size_t a = actions_.size() - 1;
  while (actions_[a].base > index || actions_[a].size == 0) --a;
  std::size_t rest = index - actions_[a].base;
  if (actions_[a].split) return step_name(a, rest);
  std::string texts;
  for (std::size_t k = actions_[a].params.size(); k-- > 0;) {
    const Domain& domain = actions_[a].params[k];
    const std::size_t values = domain.values.size();
    const std::size_t size = room_of(domain), at = rest % size;
    rest /= size;
    const std::string value =
        at < values ? text_of(domain.values.at(at)) : fmt::format("~{}", at - values);
    texts = fmt::format(" {}{}", value, texts);
  }
  return p_.actions[a].id + texts;
}

// The number of parameters `param` and after, in the text " value value…".
std::optional<std::size_t> ActionNumbers::match(const Action& action, std::size_t param,
                                                std::string_view rest) const {
  if (param == action.params.size())
    return rest.empty() ? std::optional<std::size_t>(0) : std::nullopt;
  if (!rest.starts_with(' ')) return std::nullopt;
  rest.remove_prefix(1);
  std::size_t scale = 1;
  for (std::size_t k = param + 1; k < action.params.size(); ++k) scale *= room_of(action.params[k]);
  const Domain& domain = action.params[param];
  for (std::size_t i = 0; i < domain.values.size(); ++i) {
    const std::string text = text_of(domain.values.at(i));
    if (!rest.starts_with(text)) continue;
    if (const auto more = match(action, param + 1, rest.substr(text.size())))
      return i * scale + *more;
  }
  const std::string_view word = rest.substr(0, rest.find(' '));
  if (const auto rank = read_rank(word); rank && domain.open)
    if (const auto more = match(action, param + 1, rest.substr(word.size())))
      return (domain.values.size() + *rank) * scale + *more;
  return std::nullopt;
}

std::optional<std::size_t> ActionNumbers::named(std::string_view name) const {
  const auto known = [&](std::size_t index) -> std::optional<std::size_t> {
    return index < space_.size && this->name(index) == name ? std::optional(index) : std::nullopt;
  };
  if (space_.kind == ActionSpace::Kind::ordinal) {
    std::size_t index = 0;
    if (!name.empty()) std::from_chars(name.data() + 1, name.data() + name.size(), index);
    return known(index);
  }
  if (name.starts_with(choose_ + " ")) {
    for (std::size_t index = blocks_[0].base; index < space_.size; ++index)
      if (this->name(index) == name) return index;
    return std::nullopt;
  }
  for (std::size_t a = 0; a < actions_.size(); ++a) {
    if (!name.starts_with(p_.actions[a].id)) continue;
    for (std::size_t at = 0; actions_[a].split && at < actions_[a].size; ++at)
      if (step_name(a, at) == name) return actions_[a].base + at;
    if (!actions_[a].split)
      if (const auto at = match(actions_[a], 0, name.substr(p_.actions[a].id.size())))
        return actions_[a].base + *at;
  }
  return std::nullopt;
}

// ---- The game's side of it.

ActionSpace KernelGame::action_space() const {
  return learning().numbers.space();
}

std::string KernelGame::action_name(std::size_t index) const {
  return learning().numbers.name(index);
}

std::optional<std::size_t> KernelGame::action_named(std::string_view name) const {
  return learning().numbers.named(name);
}

}  // namespace parlor::kernel
