// What triggers and effects are called in a modifier file, and what else an effect may say.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "chess/modifiers/descriptor.h"

namespace parlor::chess::modifiers {

inline constexpr std::array<std::pair<std::string_view, Trigger>, 10> triggers{{
    {"on-damaged", Trigger::on_damaged},
    {"on-capture", Trigger::on_capture},
    {"on-captured", Trigger::on_captured},
    {"on-move", Trigger::on_move},
    {"on-moved-onto-square", Trigger::on_moved_onto_square},
    {"on-promotion", Trigger::on_promotion},
    {"on-check-delivered", Trigger::on_check_delivered},
    {"on-check-received", Trigger::on_check_received},
    {"on-turn-end", Trigger::on_turn_end},
    {"on-turn-start", Trigger::on_turn_start},
}};

struct EffectName {
  std::string_view name;
  EffectKind kind;
  std::array<std::string_view, 5> keys = {};  // besides on, do and target
};
inline constexpr std::array<EffectName, 20> effects{{
    {"seed-attribute", EffectKind::seed_attribute, {"attribute", "value"}},
    {"add-to-attribute", EffectKind::add_to_attribute, {"attribute", "amount"}},
    {"multiply-attribute",
     EffectKind::multiply_attribute,
     {"attribute", "numerator", "denominator"}},
    {"absorb-damage-with-attribute", EffectKind::absorb_damage, {"attribute"}},
    {"deal-damage", EffectKind::deal_damage, {"amount", "kind"}},
    {"heal", EffectKind::heal, {"attribute", "amount", "max"}},
    {"add-aura", EffectKind::add_aura, {"radius", "relation", "effects"}},
    {"set-type", EffectKind::set_type, {"pieceType"}},
    {"spawn-piece", EffectKind::spawn_piece, {"pieceType", "square", "side"}},
    {"remove-piece", EffectKind::remove_piece},
    {"move-piece", EffectKind::move_piece, {"square"}},
    {"extra-turn", EffectKind::extra_turn},
    {"emit-effect", EffectKind::emit_effect, {"kind", "ttl"}},
    {"grant-move-pattern",
     EffectKind::grant_move_pattern,
     {"leaps", "slides", "range", "mode", "betza"}},
    {"conditional", EffectKind::conditional, {"if", "then", "else"}},
    {"win", EffectKind::win},
    {"lose", EffectKind::lose},
    {"draw", EffectKind::draw},
    {"freeze", EffectKind::freeze, {"turns"}},
    {"forbid-moves", EffectKind::forbid_moves, {"mode", "if"}},
}};

inline std::vector<std::string> trigger_names() {
  std::vector<std::string> out;
  for (const auto& [name, trigger] : triggers) out.emplace_back(name);
  return out;
}
inline std::vector<std::string> effect_names() {
  std::vector<std::string> out;
  for (const EffectName& effect : effects) out.emplace_back(effect.name);
  return out;
}

}  // namespace parlor::chess::modifiers
