// Effects on markers, phases, grants and timed effects.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/effects.h"
#include "spec/lower/events.h"

namespace parlor::spec::lower {
namespace {

void no_keys(Context& cx, const Node& node, std::string_view what) {
  if (node.is_null()) return;
  const Fields fields{cx, node, what};
}

std::string read_timed_effect(Context& cx, const Node& node) {
  std::string out = read_id(cx, node, "the id of a timed effect");
  const auto& known = cx.symbols.timed_effects;
  if (!out.empty() && std::ranges::find(known, out) == known.end())
    cx.unknown(Code::TIMED_EFFECT_UNKNOWN, node, "timed effect", out, known);
  return out;
}

}  // namespace

EffectNode read_set_marker(Context& cx, const Node& node) {
  SetMarker out;
  Fields fields{cx, node, "setMarker"};
  fields.need("space", [&](const Node& n) { out.space = read_zone(cx, n); });
  fields.need("marker", [&](const Node& n) { out.marker = read_marker(cx, n, false); });
  fields.need("state",
              [&](const Node& n) { out.state = read_marker_state(cx, n, out.marker, false); });
  return out;
}

EffectNode read_shift_marker(Context& cx, const Node& node) {
  ShiftMarker out;
  Fields fields{cx, node, "shiftMarker"};
  fields.need("space", [&](const Node& n) { out.space = read_zone(cx, n); });
  fields.need("marker", [&](const Node& n) { out.marker = read_marker(cx, n, false); });
  fields.need("delta", [&](const Node& n) { out.delta = read_number(cx, n); });
  return out;
}

EffectNode read_set_global_marker(Context& cx, const Node& node) {
  SetGlobalMarker out;
  Fields fields{cx, node, "setGlobalMarker"};
  fields.need("marker", [&](const Node& n) { out.marker = read_marker(cx, n, true); });
  fields.need("state",
              [&](const Node& n) { out.state = read_marker_state(cx, n, out.marker, true); });
  return out;
}

EffectNode read_shift_global_marker(Context& cx, const Node& node) {
  ShiftGlobalMarker out;
  Fields fields{cx, node, "shiftGlobalMarker"};
  fields.need("marker", [&](const Node& n) { out.marker = read_marker(cx, n, true); });
  fields.need("delta", [&](const Node& n) { out.delta = read_number(cx, n); });
  return out;
}

EffectNode read_flip_global_marker(Context& cx, const Node& node) {
  FlipGlobalMarker out;
  std::string marker;
  Fields fields{cx, node, "flipGlobalMarker"};
  fields.need("marker", [&](const Node& n) {
    if (n.is_string()) marker = read_marker(cx, n, true);
    out.marker = read_typed(cx, n, plain(Kind::string));
  });
  const auto state = [&](const Node& n) { return read_marker_state(cx, n, marker, true); };
  const Node* a = fields.optional("stateA");
  fields.need("stateA", [&](const Node& n) { out.state_a = state(n); });
  fields.need("stateB", [&](const Node& n) {
    out.state_b = state(n);
    if (a && a->is_string() && n.is(a->text))
      cx.error(Code::MARKER_STATE_UNKNOWN, n, "stateA and stateB must be different");
  });
  return out;
}

EffectNode read_goto_phase(Context& cx, const Node& node) {
  GotoPhaseExact out;
  Fields fields{cx, node, "gotoPhaseExact"};
  fields.need("phase", [&](const Node& n) {
    out.phase = read_phase(cx, n);
    if (std::ranges::find(cx.symbols.interrupts, out.phase) == cx.symbols.interrupts.end()) return;
    cx.error(Code::PHASE_UNKNOWN, n, fmt::format("`{}` is an interrupt phase", out.phase))
        .suggestion = "enter it with pushInterruptPhase";
    cx.pushed_interrupts.insert(out.phase);
  });
  return out;
}

EffectNode read_advance_phase(Context& cx, const Node& node) {
  no_keys(cx, node, "advancePhase");
  return AdvancePhase{};
}

EffectNode read_push_interrupt(Context& cx, const Node& node) {
  PushInterruptPhase out;
  Fields fields{cx, node, "pushInterruptPhase"};
  fields.need("phase", [&](const Node& n) { out.phase = read_phase(cx, n); });
  fields.need("resumePhase", [&](const Node& n) { out.resume_phase = read_phase(cx, n); });
  cx.pushed_interrupts.insert(out.phase);
  return out;
}

EffectNode read_pop_interrupt(Context& cx, const Node& node) {
  no_keys(cx, node, "popInterruptPhase");
  return PopInterruptPhase{};
}

EffectNode read_grant_free_operation(Context& cx, const Node& node) {
  return GrantFreeOperation{read_grant(cx, node)};
}

namespace {

// The number of a turn or round, not how many there are to go.
Value read_moment(Context& cx, const Node& node, std::string_view what) {
  if (node.is_integer() && node.integer < 1)
    cx.error(Code::NUMBER_RANGE, node, fmt::format("the first {} is {} 1", what, what)).suggestion =
        fmt::format(
            "for the end of this {0} write {{op: +, left: {{ref: clock, field: {0}}}, right: 1}}",
            what);
  return read_number(cx, node);
}

}  // namespace

EffectNode read_start_effect(Context& cx, const Node& node) {
  StartEffect out;
  Fields fields{cx, node, "startEffect"};
  fields.need("effect", [&](const Node& n) { out.effect = read_timed_effect(cx, n); });
  fields.maybe("owner", [&](const Node& n) { out.owner = read_player(cx, n); });
  fields.maybe("target", [&](const Node& n) { out.target = read_value(cx, n).value; });
  fields.maybe("starts", [&](const Node& n) {
    Fields when{cx, n, "starts"};
    when.maybe("turn", [&](const Node& v) { out.starts_at_turn = read_number(cx, v); });
    when.maybe("round", [&](const Node& v) { out.starts_at_round = read_number(cx, v); });
  });
  fields.maybe("expires", [&](const Node& n) {
    Fields when{cx, n, "expires"};
    when.maybe("turn", [&](const Node& v) { out.expires_at_turn = read_moment(cx, v, "turn"); });
    when.maybe("round", [&](const Node& v) { out.expires_at_round = read_moment(cx, v, "round"); });
    when.maybe("nextTurnOf",
               [&](const Node& v) { out.expires_at_next_turn_of = read_player(cx, v); });
  });
  fields.maybe("charges", [&](const Node& n) {
    out.charges = read_number(cx, n);
    if (n.is_integer() && n.integer < 1)
      cx.error(Code::NUMBER_RANGE, n, "an effect has at least one charge").suggestion =
          "leave `charges` out for an effect that is not used up";
  });
  return out;
}

EffectNode read_end_effect(Context& cx, const Node& node) {
  EndEffect out;
  Fields fields{cx, node, "endEffect"};
  fields.need("effect", [&](const Node& n) { out.effect = read_timed_effect(cx, n); });
  fields.maybe("owner", [&](const Node& n) { out.owner = read_player(cx, n); });
  fields.maybe("target", [&](const Node& n) { out.target = read_value(cx, n).value; });
  return out;
}

}  // namespace parlor::spec::lower
