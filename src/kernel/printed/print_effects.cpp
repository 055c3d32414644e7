// Timed effects, prices and how often something was done, as C++.
#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// The body gets each effect that is in force, and for which `binds` holds, if it says anything.
void Printer::each_effect(const std::string& binds,
                          const std::function<void(const std::string&)>& body) {
  const std::string k = fresh('k'), effect = fresh('e');
  line("for (int {0} = 0; {0} < v.ref<std::uint8_t>({1}); ++{0}) {{", k,
       offset_in_header(&Header::effects));
  ++depth_;
  line("const EffectRecord& {} = v.ref<EffectRecord>({} + place({}) * sizeof(EffectRecord));",
       effect, p_.layout.effects, k);
  line(
      "if ({0}.from_turn > v.ref<std::int32_t>({1}) || {0}.from_round > v.ref<std::int32_t>({2})) "
      "continue;",
      effect, offset_in_header(&Header::turn), offset_in_header(&Header::round));
  if (!binds.empty()) line("if (!binds_player({}, {})) continue;", effect, binds);
  repeated({.times = max_effects}, [&] { body(effect); });
  --depth_;
  line("}}");
}

std::string Printer::blocked(const ActionInfo& action) {
  const std::string out = fresh('b');
  std::string kinds;
  for (const EffectKindInfo& kind : p_.effect_kinds)
    kinds +=
        kind.blocks[static_cast<std::size_t>(&action - p_.actions.data())] ? "true, " : "false, ";
  line("bool {} = false;", out);
  each_effect("v.active", [&](const std::string& effect) {
    line("{0} = {0} || {1}[{2}.kind];", out,
         table("blocks_" + std::to_string(&action - p_.actions.data()), "bool", kinds), effect);
  });
  return out;
}

// What an action costs in a variable of players, timed effects included.
std::string Printer::price_of(int action, VarId var, int amount) {
  const std::string out = fresh('n'), now = integer(amount);
  line("std::int64_t {} = {};", out, now);
  std::string deltas;
  bool any = false;
  for (const EffectKindInfo& kind : p_.effect_kinds) {
    std::int64_t sum = 0;
    for (const auto& [item, delta] : kind.cost_delta)
      if (item == var && kind.prices[static_cast<std::size_t>(action)]) sum += delta;
    any = any || sum != 0;
    deltas += fmt::format("{}, ", sum);
  }
  if (any)
    each_effect("v.actor", [&](const std::string& effect) {
      line("{} += {}[{}.kind];", out,
           table(fmt::format("dearer_{}_{}", action, var), "std::int64_t", deltas), effect);
    });
  line("if ({0} < 0) {0} = 0;", out);
  return out;
}

// Where the executor has it.
std::string Printer::have(VarId var) {
  return fmt::format("v.at<std::int64_t>({} + place(v.actor) * {})",
                     p_.layout.players + 8 * static_cast<unsigned>(var.value), 8 * p_.pvars.size());
}

std::string Printer::can_pay(const ActionInfo& action) {
  const std::string out = fresh('b');
  line("bool {} = false;", out);
  line("do {{");
  ++depth_;
  for (const auto& [var, amount] : action.price) {
    const std::string price =
        price_of(static_cast<int>(&action - p_.actions.data()), var, amount.value);
    line("if ({} - {} < {}) break;", have(var), price, p_.pvars[var].min);
  }
  line("{} = true;", out);
  --depth_;
  line("}} while (false);");
  return out;
}

// The executor pays. Which effects changed the price, and so lose a charge, the machine keeps in
// mind: where some are in force it goes on.
bool Printer::pay(const Instr& i) {
  if (may_be_secret(1, VarId(i.a))) return false;
  leave_if_effects();
  const VarInfo& info = p_.pvars[i.a];
  const std::string amount = integer(i.b), left = fresh('n');
  line("std::int64_t {0} = {1} - ({2} < 0 ? std::int64_t{{0}} : {2});", left, have(i.a), amount);
  give_up_if(fmt::format("{} < std::int64_t{{{}}}", left, info.min));
  line("if ({0} > std::int64_t{{{1}}}) {0} = std::int64_t{{{1}}};", left, info.max);
  write_cell_of_var(fmt::format("{} + place(v.actor) * {}", p_.gvars.size() + VarId(i.a).index(),
                                p_.pvars.size()),
                    left, {1, "v.actor", fmt::format("{}", i.a)});
  return true;
}

Made Printer::effect_modifier(const Node& n) {
  const std::string out = fresh('n');
  const Made target = n.b >= 0 ? value(n.b) : Made{};
  line("std::int64_t {} = 0;", out);
  std::string deltas;
  bool any = false;
  for (const EffectKindInfo& kind : p_.effect_kinds) {
    std::int64_t sum = 0;
    for (const auto& [name, delta] : kind.deltas)
      if (name == n.a) sum += delta;
    any = any || sum != 0;
    deltas += fmt::format("{}, ", sum);
  }
  if (any)
    each_effect("", [&](const std::string& effect) {
      if (n.b >= 0) {
        line("if (!{}.target.is_none()) {{", effect);
        ++depth_;
        const std::string same = equal({effect + ".target", Kind::any}, target);
        line("if (!{}) continue;", same);
        --depth_;
        line("}}");
      }
      line("{} += {}[{}.kind];", out,
           table(fmt::format("modifier_{}", n.a), "std::int64_t", deltas), effect);
    });
  return {out, Kind::integer};
}

// Where the uses of an action are counted that a limit speaks of.
std::string Printer::usage_cell(const ActionInfo& action, const LimitInfo& limit) {
  if (limit.count < 0) return fmt::format("{}", action.usage + static_cast<int>(limit.scope));
  const LimitCount& count = p_.limit_counts[static_cast<std::size_t>(limit.count)];
  switch (count.per) {
    case LimitCount::Per::player:
      return fmt::format("{} + v.actor", count.first);
    case LimitCount::Per::zone:
      return fmt::format(
          "{} + {}", count.first,
          zone_of(slot(action.params[static_cast<std::size_t>(limit.param)].slot.value)));
    default:
      return fmt::format("{}", count.first);
  }
}

void Printer::count_use(const ActionInfo& action) {
  std::vector<std::string> cells;
  for (int k = 0; action.usage >= 0 && k < 3; ++k)
    cells.push_back(fmt::format("{}", action.usage + k));
  for (const LimitInfo& limit : action.limits)
    if (limit.count >= 0) cells.push_back(usage_cell(action, limit));
  for (const std::string& cell : cells)
    line("write_use(v, {}, {}, {}, 1);", offset_in_header(&Header::hash), p_.layout.usage, cell);
}

// What counts for a turn, a phase or a round begins anew.
void Printer::reset_uses(spec::LimitScope scope) {
  const auto anew = [&](int first, int size) {
    line("for (int k = {}; k < {}; ++k) write_use(v, {}, {}, k, 0);", first, first + size,
         offset_in_header(&Header::hash), p_.layout.usage);
  };
  for (const LimitCount& count : p_.limit_counts)
    if (count.scope == scope) anew(count.first, count.size);
  if (scope != spec::LimitScope::turn && scope != spec::LimitScope::phase) return;
  for (const ActionInfo& action : p_.actions)
    if (action.usage >= 0) anew(action.usage + (scope == spec::LimitScope::phase ? 1 : 0), 1);
}

}  // namespace parlor::kernel
