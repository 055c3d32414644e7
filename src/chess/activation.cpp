// Which presets are in force: activation, expiry, and the dispatch lists made from them.
#include <algorithm>
#include <cstring>
#include <fmt/core.h>
#include <utility>

#include "chess/engine.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

constexpr std::uint8_t both_bits = 3;

// Whether a preset implements a hook, in the order of the enumeration.
std::array<bool, hook_count> implemented(const Hooks& h) {
  return {
#define CHESS_HOOK(name, scope, help) bool(h.name),
#include "rules/hooks.def"
  };
}

constexpr bool scope_aware(Hook hook) {
  enum class Asked : std::uint8_t { own, any };
  constexpr std::array scopes{
#define CHESS_HOOK(name, scope, help) Asked::scope,
#include "rules/hooks.def"
  };
  return scopes[static_cast<std::size_t>(hook)] == Asked::own;
}

// Whether moves have to be played step by step. Pawns that move in other ways are captured en
// passant in other ways, which the board alone does not know.
bool needs_pipeline(const Dispatch& dispatch, const Rulebook& book) {
  if (dispatch.durations != 0 || dispatch.attributes != 0) return true;
  if (includes(dispatch.shaped[white] | dispatch.shaped[black], pawn)) return true;
  if (dispatch.movement != 0) {
    const auto& moved = book.movements(dispatch.movement).moved;
    if (includes(moved[white] | moved[black], pawn)) return true;
  }
  for (const Hook hook : {Hook::on_before_move, Hook::on_before_capture, Hook::on_damage,
                          Hook::on_piece_retract, Hook::on_after_move, Hook::on_turn_start,
                          Hook::should_advance_turn, Hook::describe_move_effect}) {
    const auto& list = dispatch.lists[static_cast<std::size_t>(hook)];
    if ((list[white] | list[black]) != 0) return true;
  }
  return false;
}

void add_shape(Dispatch& out, const Preset& preset, Side side) {
  const Hooks& hooks = preset.hooks;
  if (!hooks.override_piece_moves && !hooks.transform_move_generator && !hooks.get_extra_moves)
    return;
  out.shaped[side] |= preset.shapes;
  out.reach[side] = std::max(out.reach[side], preset.reach);
}

}  // namespace

std::vector<rules::Activation> Engine::active_presets() const {
  std::vector<rules::Activation> out;
  if (!ruled_) return out;
  for (std::uint8_t i = 0; i < position_->active_count; ++i) {
    const ActivePreset& active = position_->active[i];
    rules::Activation entry{book_->preset(active.preset).module.id};
    if (active.scope != both_bits) entry.scope.seats = active.scope;
    if (active.turns != 0) entry.turns = active.turns;
    const SelfScope self(*this, i);
    for (const Parameter& parameter : book_->preset(active.preset).parameters)
      if (const auto value = state(parameter.name); value && *value != parameter.fallback)
        entry.parameters[parameter.name] = book_->parameter_text(parameter, *value);
    out.push_back(std::move(entry));
  }
  return out;
}

bool Engine::is_active(std::string_view preset_id) const {
  if (!ruled_) return false;
  for (std::uint8_t i = 0; i < position_->active_count; ++i)
    if (book_->preset(position_->active[i].preset).module.id == preset_id) return true;
  return false;
}

bool Engine::by_fide_alone() const {
  if (!ruled_ || position_->active_count == 0) return true;
  return position_->active_count == 1 &&
         book_->preset(position_->active[0].preset).module.id == room_for_rules;
}

bool Engine::in_scope(Side side) const {
  return (position_->active[self_].scope >> side & 1) != 0;
}

rules::Scope Engine::scope() const {
  const std::uint8_t bits = position_->active[self_].scope;
  return bits == both_bits ? rules::Scope{} : rules::Scope{bits};
}

void Engine::set_scope(rules::Scope scope) {
  position_->active[self_].scope = scope.seats & both_bits;
  refresh();
}

std::string_view Engine::self_id() const {
  if (self_ >= max_active) return {};
  return book_->preset(position_->active[self_].preset).module.id;
}

void Engine::refresh() {
  movements_ = nullptr;
  if (ruled_) {
    Dispatch& out = position_->dispatch;
    out = {};
    std::array<TypeSet, 2> also{};
    std::array<TypeSet, 2> never{};
    for (std::uint8_t i = 0; i < position_->active_count; ++i) {
      const ActivePreset& active = position_->active[i];
      const Preset& preset = book_->preset(active.preset);
      const auto hooks = implemented(preset.hooks);
      out.attributes |= book_->attribute_mask(active.preset);
      out.movement |= book_->movement_bits(active.preset, active.scope);
      if (active.turns != 0) out.durations = out.any_hook = 1;
      if (preset.sleeps) out.sleepers |= std::uint32_t{1} << i;
      for (const Side side : both_sides) {
        const bool bound = (active.scope >> side & 1) != 0;
        for (std::size_t hook = 0; hook < hook_count; ++hook) {
          if (!hooks[hook] || (!bound && scope_aware(static_cast<Hook>(hook)))) continue;
          out.lists[hook][side] |= std::uint32_t{1} << i;
          if (hook > static_cast<std::size_t>(Hook::on_deactivate)) out.any_hook = 1;
        }
        if (!bound) continue;
        if (preset.royal_types) {
          out.royalty_declared[side] = 1;
          out.royal_types[side] |= *preset.royal_types;
        }
        if (preset.castle_freely) out.castle_freely[side] = 1;
        also[side] |= preset.promotes_also;
        never[side] |= preset.promotes_not;
        add_shape(out, preset, side);
      }
      if (preset.disturbs && (hooks[static_cast<std::size_t>(Hook::on_after_move)] ||
                              hooks[static_cast<std::size_t>(Hook::on_piece_retract)] ||
                              hooks[static_cast<std::size_t>(Hook::on_turn_start)]))
        out.disturbed = 1;
    }
    for (const Side side : both_sides)
      out.promotions[side] = static_cast<TypeSet>((fide_promotions | also[side]) & ~never[side]);
    out.pipeline = needs_pipeline(out, *book_) ? 1 : 0;
    if (out.movement != 0) out.any_hook = 1;
    update_extra_key();
  }
  position_->had_royals = 0;
  note_royals();
}

void Engine::note_royals() {
  for (const Side side : both_sides)
    if (royals(side) != 0) position_->had_royals |= static_cast<std::uint8_t>(1u << side);
}

void Engine::deactivate(std::size_t index) {
  const auto self = static_cast<std::uint8_t>(index);
  const std::uint8_t preset = position_->active[index].preset;
  const Hooks& hooks = book_->preset(preset).hooks;
  {
    const SelfScope scope(*this, self);
    if (hooks.on_deactivate) hooks.on_deactivate(*this);
    bag().clear(preset);
  }
  auto* const begin = position_->active.data();
  auto* const end = begin + position_->active_count;
  std::copy(begin + index + 1, end, begin + index);
  *(end - 1) = {};
  --position_->active_count;
  refresh();
  // Attributes nobody declares any more go.
  const std::uint64_t gone = book_->attribute_mask(preset) & ~position_->dispatch.attributes;
  for (const Square square : squares_of(board().occupied()))
    for (std::size_t column = 0; column < book_->attributes().size(); ++column)
      if ((gone >> column & 1) != 0) clear_attribute(piece_at(square), column);
}

tl::expected<void, Diagnostics> Engine::set_active_presets(std::span<const rules::Activation> set) {
  Diagnostics problems = book_->check(set);
  if (!ruled_ && !set.empty())
    problems.add({.code = Code::CHESS_PLAIN_GAME,
                  .message = "this game was opened without room for house rules"});
  if (set.size() > max_active)
    problems.add({.code = Code::CHESS_PLAIN_GAME,
                  .message = fmt::format("at most {} rules can be active together", max_active)});
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  if (!ruled_) return {};

  Position saved;
  copy_position(saved);
  replace_active(set);
  if (refusal_.empty()) return {};
  restore(saved);
  problems.add({.code = Code::CHESS_NO_ROOM, .message = std::exchange(refusal_, {})});
  return tl::unexpected(std::move(problems));
}

// Back to a copy made before; bytes beyond its end are zero again.
void Engine::restore(const Position& saved) {
  const std::size_t now = bytes();
  std::memset(reinterpret_cast<std::byte*>(position_), 0, now);
  const std::size_t then =
      ruled_ ? ruled_size(book_->attributes().size(), saved.bag_size) : plain_size;
  std::memcpy(static_cast<void*>(position_), &saved, then);
  movements_ = nullptr;
}

void Engine::replace_active(std::span<const rules::Activation> set) {
  std::vector<ActivePreset> wanted;
  for (const rules::Activation& entry : set)
    wanted.push_back({static_cast<std::uint8_t>(*book_->registry().index_of(entry.id)),
                      static_cast<std::uint8_t>(entry.scope.seats & both_bits),
                      static_cast<std::uint16_t>(entry.turns.value_or(0))});
  std::ranges::stable_sort(wanted, {}, [&](const ActivePreset& active) {
    return book_->preset(active.preset).module.order.value_or(0);
  });
  const auto kept = [&](std::uint8_t preset) {
    return std::ranges::any_of(wanted, [&](const ActivePreset& w) { return w.preset == preset; });
  };
  for (std::size_t i = 0; i < position_->active_count;) {
    if (kept(position_->active[i].preset))
      ++i;
    else
      deactivate(i);
  }
  std::vector<std::uint8_t> before;
  for (std::uint8_t i = 0; i < position_->active_count; ++i)
    before.push_back(position_->active[i].preset);
  position_->active = {};
  std::ranges::copy(wanted, position_->active.begin());
  position_->active_count = static_cast<std::uint8_t>(wanted.size());
  refresh();
  for (std::uint8_t i = 0; i < wanted.size(); ++i) {
    const bool kept_on = std::ranges::find(before, wanted[i].preset) != before.end();
    const SelfScope self(*this, i);
    set_parameters(set, kept_on);
    if (kept_on) continue;
    if (const auto& hook = book_->preset(wanted[i].preset).hooks.on_activate) hook(*this);
  }
  refresh();
}

// Those given, and for a rule that is new the others as they usually are.
void Engine::set_parameters(std::span<const rules::Activation> set, bool only_given) {
  const auto given = std::ranges::find(set, self_id(), &rules::Activation::id);
  for (const Parameter& parameter : book_->preset(position_->active[self_].preset).parameters) {
    const auto text = given->parameters.find(parameter.name);
    if (text != given->parameters.end())
      set_state(parameter.name, *book_->parameter_value(parameter, text->second));
    else if (!only_given)
      set_state(parameter.name, parameter.fallback);
  }
}

void Engine::tick_durations() {
  for (std::size_t i = 0; i < position_->active_count;) {
    std::uint16_t& turns = position_->active[i].turns;
    if (turns != 0 && --turns == 0)
      deactivate(i);
    else
      ++i;
  }
}

void Engine::update_extra_key() {
  std::uint64_t key = 0;
  for (std::uint8_t i = 0; i < position_->active_count; ++i) {
    const ActivePreset& active = position_->active[i];
    key ^= feature_key(10, std::uint64_t{active.preset} | std::uint64_t{active.scope} << 8 |
                               std::uint64_t{active.turns} << 16 | std::uint64_t{i} << 32);
  }
  key ^= bag().hash();
  for (std::uint64_t left = position_->dispatch.attributes; left != 0; left &= left - 1) {
    const auto column = static_cast<std::size_t>(std::countr_zero(left));
    for (const Square square : squares_of(board().occupied()))
      if (const std::int16_t cell = position_->cell(column, position_->slot_on[square]); cell != 0)
        key ^= feature_key(11, std::uint64_t{square} | column << 8 |
                                   std::uint64_t{static_cast<std::uint16_t>(value_in(cell))} << 16);
  }
  position_->extra_key = key;
}

std::uint64_t Engine::key() const {
  std::uint64_t key = board().key;
  if (!ruled_) return key;
  if (position_->half_moves != 0) key ^= feature_key(12, position_->half_moves);
  return key ^ position_->extra_key;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
