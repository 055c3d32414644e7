// The effect readers, one per effect key; effects.cpp has the list.
#pragma once

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

// Reads what stands under the effect's key.
using ReadEffect = EffectNode (*)(Context& cx, const Node& node);

EffectNode read_set(Context& cx, const Node& node);
EffectNode read_add(Context& cx, const Node& node);
EffectNode read_set_var(Context& cx, const Node& node);
EffectNode read_add_var(Context& cx, const Node& node);
EffectNode read_transfer_var(Context& cx, const Node& node);
EffectNode read_set_active_player(Context& cx, const Node& node);

EffectNode read_move_token(Context& cx, const Node& node);
EffectNode read_move_token_adjacent(Context& cx, const Node& node);
EffectNode read_move_all(Context& cx, const Node& node);
EffectNode read_draw(Context& cx, const Node& node);
EffectNode read_shuffle(Context& cx, const Node& node);
EffectNode read_create_token(Context& cx, const Node& node);
EffectNode read_destroy_token(Context& cx, const Node& node);
EffectNode read_set_token_prop(Context& cx, const Node& node);
EffectNode read_reveal(Context& cx, const Node& node);
EffectNode read_conceal(Context& cx, const Node& node);

EffectNode read_if(Context& cx, const Node& node);
EffectNode read_require(Context& cx, const Node& node);
EffectNode read_let(Context& cx, const Node& node);
EffectNode read_bind_value(Context& cx, const Node& node);
EffectNode read_for_each(Context& cx, const Node& node);
EffectNode read_while(Context& cx, const Node& node);
EffectNode read_reduce(Context& cx, const Node& node);
EffectNode read_remove_by_priority(Context& cx, const Node& node);
EffectNode read_evaluate_subset(Context& cx, const Node& node);

EffectNode read_choose_one(Context& cx, const Node& node);
EffectNode read_choose_n(Context& cx, const Node& node);
EffectNode read_roll_random(Context& cx, const Node& node);

EffectNode read_set_marker(Context& cx, const Node& node);
EffectNode read_shift_marker(Context& cx, const Node& node);
EffectNode read_set_global_marker(Context& cx, const Node& node);
EffectNode read_shift_global_marker(Context& cx, const Node& node);
EffectNode read_flip_global_marker(Context& cx, const Node& node);

EffectNode read_goto_phase(Context& cx, const Node& node);
EffectNode read_advance_phase(Context& cx, const Node& node);
EffectNode read_push_interrupt(Context& cx, const Node& node);
EffectNode read_pop_interrupt(Context& cx, const Node& node);
EffectNode read_grant_free_operation(Context& cx, const Node& node);
EffectNode read_start_effect(Context& cx, const Node& node);
EffectNode read_end_effect(Context& cx, const Node& node);

}  // namespace parlor::spec::lower
