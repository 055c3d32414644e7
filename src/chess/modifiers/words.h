// What triggers and effects are called in a modifier file. Names are spelled as everywhere in the
// game language; before that they had dashes.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "chess/modifiers/descriptor.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {

template <class Enum>
struct Named {
  std::string_view name;
  Enum value;
};

inline constexpr std::array<Named<Trigger>, 10> triggers{{
    {"onDamaged", Trigger::on_damaged},
    {"onCapture", Trigger::on_capture},
    {"onCaptured", Trigger::on_captured},
    {"onMove", Trigger::on_move},
    {"onMovedOntoSquare", Trigger::on_moved_onto_square},
    {"onPromotion", Trigger::on_promotion},
    {"onCheckDelivered", Trigger::on_check_delivered},
    {"onCheckReceived", Trigger::on_check_received},
    {"onTurnEnd", Trigger::on_turn_end},
    {"onTurnStart", Trigger::on_turn_start},
}};

inline constexpr std::array<Named<EffectKind>, 20> effects{{
    {"seedAttribute", EffectKind::seed_attribute},
    {"addToAttribute", EffectKind::add_to_attribute},
    {"multiplyAttribute", EffectKind::multiply_attribute},
    {"absorbDamageWithAttribute", EffectKind::absorb_damage},
    {"dealDamage", EffectKind::deal_damage},
    {"heal", EffectKind::heal},
    {"addAura", EffectKind::add_aura},
    {"setType", EffectKind::set_type},
    {"spawnPiece", EffectKind::spawn_piece},
    {"removePiece", EffectKind::remove_piece},
    {"movePiece", EffectKind::move_piece},
    {"extraTurn", EffectKind::extra_turn},
    {"emitEffect", EffectKind::emit_effect},
    {"grantMovePattern", EffectKind::grant_move_pattern},
    {"conditional", EffectKind::conditional},
    {"win", EffectKind::win},
    {"lose", EffectKind::lose},
    {"draw", EffectKind::draw},
    {"freeze", EffectKind::freeze},
    {"forbidMoves", EffectKind::forbid_moves},
}};

// The comparisons of the game language, and what they were called in modifiers before.
struct ComparisonName {
  std::string_view sign, before;
  Comparison op;
};
inline constexpr std::array<ComparisonName, 6> comparisons{{
    {"==", "eq", Comparison::equal},
    {"!=", "ne", Comparison::not_equal},
    {"<", "lt", Comparison::less},
    {"<=", "le", Comparison::less_equal},
    {">", "gt", Comparison::greater},
    {">=", "ge", Comparison::greater_equal},
}};

template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> out;
  for (const auto& entry : table) out.emplace_back(entry.name);
  return out;
}

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
