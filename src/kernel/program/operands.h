// Which operands of an operation are expressions: for everything that walks through a Program.
// There is no default case on purpose: a new operation must say here what it is made of.
#pragma once

#include "kernel/program/program.h"

namespace parlor::kernel {

// Calls f(node) for every expression this one is made of.
template <class F>
void each_operand(const Program& p, const Node& n, F&& f) {
  const auto one = [&](int node) {
    if (node >= 0) f(node);
  };
  const auto list = [&](int first, int count) {
    for (int i = 0; i < count; ++i) one(p.extra[static_cast<std::size_t>(first + i)]);
  };
  switch (n.op) {
    case Ex::constant:
    case Ex::slot:
    case Ex::template_slot:
    case Ex::unbound:
    case Ex::move_name:
    case Ex::grant_fill:
    case Ex::action_class:
    case Ex::free_operation:
    case Ex::carries_activity:
    case Ex::q_activities:
    case Ex::gvar:
    case Ex::global_marker_state:
    case Ex::active_player:
    case Ex::active_seat:
    case Ex::clock:
    case Ex::yes:
    case Ex::no:
    case Ex::q_players:
    case Ex::q_values:
    case Ex::q_global_markers:
    case Ex::q_empty:
    case Ex::p_actor:
    case Ex::p_active:
    case Ex::p_all:
    case Ex::p_others:
    case Ex::p_left:
    case Ex::p_right:
    case Ex::p_next:
    case Ex::p_previous:
    case Ex::p_id:
    case Ex::z_const:
    case Ex::z_slot:
    case Ex::z_missing:
    case Ex::d_list:
    case Ex::b_words:
    case Ex::b_feature:
    case Ex::b_within:
    case Ex::b_without:
    case Ex::b_player:
    case Ex::b_active:
    case Ex::printed_truth:  // walked through where it was written: Program::as_written
    case Ex::printed_value:
    case Ex::printed_query:
      return;
    case Ex::named:
      one(n.c);
      return;
    case Ex::gvar_named:
    case Ex::grant_context:
    case Ex::captured_zones:
    case Ex::zone_count:
    case Ex::token_prop:
    case Ex::token_id:
    case Ex::token_type:
    case Ex::token_zone:
    case Ex::zone_attribute:
    case Ex::zone_id:
    case Ex::zone_category:
    case Ex::asset_field:
    case Ex::marker_state:
    case Ex::player_number:
    case Ex::number_of:
    case Ex::zone_at:
    case Ex::token_at:
    case Ex::no_property:
    case Ex::count:
    case Ex::not_of:
    case Ex::q_adjacent:
    case Ex::q_token_zones:
    case Ex::q_list:
    case Ex::q_directions:
    case Ex::f_not:
    case Ex::p_slot:
    case Ex::z_value:
    case Ex::d_value:
    case Ex::b_not:
    case Ex::b_if:
    case Ex::b_shift:
    case Ex::b_keep:
    case Ex::in_set:
    case Ex::any_bit:
    case Ex::no_bit:
    case Ex::count_bits:
      return one(n.a);
    case Ex::pvar:
    case Ex::zvar:
    case Ex::effect_modifier:
    case Ex::z_owned:
      return one(n.b);
    case Ex::pvar_named:
    case Ex::zvar_named:
    case Ex::add:
    case Ex::subtract:
    case Ex::multiply:
    case Ex::divide:
    case Ex::floor_div:
    case Ex::ceil_div:
    case Ex::modulo:
    case Ex::minimum:
    case Ex::maximum:
    case Ex::equal:
    case Ex::not_equal:
    case Ex::less:
    case Ex::less_equal:
    case Ex::greater:
    case Ex::greater_equal:
    case Ex::in_list:
    case Ex::adjacent:
    case Ex::q_tokens:
    case Ex::q_map_tokens:
    case Ex::q_adjacent_tokens:
    case Ex::q_step:
    case Ex::b_and:
    case Ex::b_or:
    case Ex::b_scan:
    case Ex::b_step:
    case Ex::zone_in:
    case Ex::q_bits:
    case Ex::line_bits:
    case Ex::item:
      one(n.a);
      return one(n.b);
    case Ex::step_to:
    case Ex::if_value:
    case Ex::connected:
    case Ex::q_next:
    case Ex::b_ray:
    case Ex::any_connected:
    case Ex::rank:
      one(n.a);
      one(n.b);
      return one(n.c);
    case Ex::fold:
    case Ex::zone_includes:
    case Ex::marker_allowed:
    case Ex::shift_allowed:
    case Ex::exists:
    case Ex::for_all:
    case Ex::q_connected:
    case Ex::longest_path:
    case Ex::q_filter:
    case Ex::q_sort:
    case Ex::q_map:
      one(n.a);
      return one(n.c);
    case Ex::line_of:
      one(n.a);
      one(n.b);
      one(n.c);
      return one(n.d);
    case Ex::q_zones:
    case Ex::q_effects:
    case Ex::b_family:
      one(n.b);
      return one(n.c);
    case Ex::f_test:
      return one(n.c);
    case Ex::concat:
    case Ex::all_of:
    case Ex::any_of:
    case Ex::q_concat:
    case Ex::q_prioritized:
    case Ex::f_all:
    case Ex::f_any:
      return list(n.a, n.b);
    case Ex::q_rows:
      for (int i = 0; i < n.c; ++i) one(p.extra[static_cast<std::size_t>(n.b + 3 * i + 2)]);
      return;
    case Ex::q_var_ints:
      if (n.d == 1) one(n.b);
      [[fallthrough]];
    case Ex::q_ints:
      list(n.a, 4);
      return list(n.a + 5, p.extra[static_cast<std::size_t>(n.a + 4)]);
    case Ex::q_ray:
      one(n.a);
      one(n.b);
      return list(n.c, 3);
    case Ex::q_ways:
      one(n.a);
      for (int i = 0; i < n.c; ++i) one(p.extra[static_cast<std::size_t>(n.b + 2 * i + 1)]);
      return;
  }
}

// Calls f(node) for this expression and everything it is made of.
template <class F>
void each_part(const Program& p, int node, F&& f) {
  if (node < 0) return;
  f(node);
  each_operand(p, p.nodes[static_cast<std::size_t>(node)],
               [&](int part) { each_part(p, part, f); });
}

// Calls f(node) for every expression of a statement.
template <class F>
void each_operand(const Program& p, const Instr& i, F&& f) {
  const auto one = [&](int node) {
    if (node >= 0) f(node);
  };
  const auto list = [&](int first, int count) {
    for (int k = 0; k < count; ++k) one(p.extra[static_cast<std::size_t>(first + k)]);
  };
  switch (i.op) {
    case Op::set_var:
    case Op::add_var:
      if (i.d == 1) one(i.a);
      if (i.x != 0) one(i.b);
      return one(i.c);
    case Op::transfer_var:
      for (const int end : {i.a, i.a + 4}) {
        if (p.extra[static_cast<std::size_t>(end + 3)] == 1)
          one(p.extra[static_cast<std::size_t>(end + 1)]);
        one(p.extra[static_cast<std::size_t>(end + 2)]);
      }
      return list(i.a + 8, 3);
    case Op::move_token:
    case Op::move_adjacent:
    case Op::move_all:
    case Op::draw:
    case Op::reveal:
    case Op::conceal:
    case Op::flip_global_marker:
      one(i.a);
      one(i.b);
      return one(i.c);
    case Op::say:
      for (int k = 0; k < i.b; ++k) one(p.extra[static_cast<std::size_t>(i.a + 2 * k + 1)]);
      return one(i.c);
    case Op::set_active:
    case Op::shuffle:
    case Op::destroy_token:
    case Op::fail_unless:
    case Op::judge:
    case Op::extra_turn:
    case Op::skip_turn:
    case Op::set_start:
    case Op::set_order:
      return one(i.a);
    case Op::create_token:
      one(i.a);
      for (int k = 0; k < i.c; ++k) one(p.extra[static_cast<std::size_t>(i.b + 2 * k + 1)]);
      return;
    case Op::set_prop:
    case Op::set_marker:
    case Op::shift_marker:
    case Op::end_effect:
      one(i.a);
      return one(i.b);
    case Op::jump_unless:
    case Op::jump_no:
    case Op::bind:
    case Op::bind_template:
    case Op::while_begin:
    case Op::while_next:
    case Op::remove_begin:
    case Op::subset_score:
    case Op::set_global_marker:
    case Op::shift_global_marker:
    case Op::pay:
      return one(i.b);
    case Op::loop_begin:
    case Op::subset_begin:
    case Op::choose_one:
    case Op::roll:
      one(i.b);
      return one(i.c);
    case Op::choose_n:
      one(i.b);
      one(i.c);
      return list(i.d, 2);
    case Op::reduce:
      return list(i.a, 4);
    case Op::remove_group:
      return list(i.b, 3);
    case Op::start_effect:
      return list(i.a, 8);
    case Op::jump:
    case Op::alias_template:
    case Op::recall_template:
    case Op::open_names:
    case Op::close_names:
    case Op::drop_name:
    case Op::keep_state:
    case Op::mark_events:
    case Op::first_round:
    case Op::copy_slot:
    case Op::clear_slots:
    case Op::loop_next:
    case Op::subset_next:
    case Op::subset_end:
    case Op::goto_phase:
    case Op::skip_if_phase:
    case Op::set_phase:
    case Op::push_interrupt:
    case Op::pop_interrupt:
    case Op::call:
    case Op::advance:
    case Op::end_turn:
    case Op::end_together:
    case Op::call_exit:
    case Op::call_enter:
    case Op::next_phase:
    case Op::emit:
    case Op::dispatch:
    case Op::drop_events:
    case Op::round_end:
    case Op::pass_turn:
    case Op::round_start:
    case Op::remember_phase:
    case Op::jump_origin:
    case Op::count_usage:
    case Op::spend_charges:
    case Op::native_apply:
    case Op::settle:
    case Op::ret:
    case Op::jump_if_unset:
    case Op::skip_if_free:
    case Op::judge_move:
    case Op::end_move:
    case Op::book_move:
    case Op::cards_out:
    case Op::instruct:
    case Op::cards_in:
    case Op::new_card:
    case Op::release_deferred:
    case Op::expire_lasting:
    case Op::start_flow:
    case Op::next_card_phase:
    case Op::new_card_turn:
    case Op::start_lasting:
    case Op::override_seat:
    case Op::defer:
    case Op::choose_activity:
    case Op::activity_point:
      return;
    case Op::issue_grant: {
      const GrantInfo& grant = p.flow.grants[static_cast<std::size_t>(i.a)];
      for (const auto& [key, node] : grant.context) one(node);
      for (const int node : grant.fills) one(node);
      return one(grant.filter);
    }
  }
}

}  // namespace parlor::kernel
