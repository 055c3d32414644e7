// Effects: the list of keys, and how an effect list is walked.
#include "spec/lower/effects.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

struct EffectKind {
  std::string_view key;
  ReadEffect read;
};
constexpr std::array effect_kinds{
    EffectKind{"setVar", read_set_var},
    EffectKind{"set", read_set},
    EffectKind{"add", read_add},
    EffectKind{"setActivePlayer", read_set_active_player},
    EffectKind{"addVar", read_add_var},
    EffectKind{"transferVar", read_transfer_var},
    EffectKind{"moveToken", read_move_token},
    EffectKind{"moveAll", read_move_all},
    EffectKind{"moveTokenAdjacent", read_move_token_adjacent},
    EffectKind{"draw", read_draw},
    EffectKind{"reveal", read_reveal},
    EffectKind{"conceal", read_conceal},
    EffectKind{"shuffle", read_shuffle},
    EffectKind{"createToken", read_create_token},
    EffectKind{"destroyToken", read_destroy_token},
    EffectKind{"setTokenProp", read_set_token_prop},
    EffectKind{"if", read_if},
    EffectKind{"require", read_require},
    EffectKind{"forEach", read_for_each},
    EffectKind{"while", read_while},
    EffectKind{"reduce", read_reduce},
    EffectKind{"removeByPriority", read_remove_by_priority},
    EffectKind{"let", read_let},
    EffectKind{"bindValue", read_bind_value},
    EffectKind{"evaluateSubset", read_evaluate_subset},
    EffectKind{"chooseOne", read_choose_one},
    EffectKind{"chooseN", read_choose_n},
    EffectKind{"rollRandom", read_roll_random},
    EffectKind{"setMarker", read_set_marker},
    EffectKind{"shiftMarker", read_shift_marker},
    EffectKind{"setGlobalMarker", read_set_global_marker},
    EffectKind{"flipGlobalMarker", read_flip_global_marker},
    EffectKind{"shiftGlobalMarker", read_shift_global_marker},
    EffectKind{"grantFreeOperation", read_grant_free_operation},
    EffectKind{"gotoPhaseExact", read_goto_phase},
    EffectKind{"advancePhase", read_advance_phase},
    EffectKind{"pushInterruptPhase", read_push_interrupt},
    EffectKind{"popInterruptPhase", read_pop_interrupt},
    EffectKind{"startEffect", read_start_effect},
    EffectKind{"endEffect", read_end_effect},
};

const EffectKind* find_effect(std::string_view key) {
  const auto found = std::ranges::find(effect_kinds, key, &EffectKind::key);
  return found == effect_kinds.end() ? nullptr : &*found;
}

std::vector<std::string> effect_keys() {
  std::vector<std::string> out;
  for (const auto& kind : effect_kinds) out.emplace_back(kind.key);
  // Gone after expansion, but an author may have meant them.
  out.insert(out.end(), {"macro", "refillToSize", "discardDownTo", "distributeTokens"});
  return out;
}

void no_effect(Context& cx, const Node& node) {
  if (!node.is_map() || node.entries.empty()) {
    Diagnostic& d = wrong_shape(cx, node, "an effect");
    d.suggestion = "an effect is a mapping with one key, e.g. {shuffle: {zone: deck}}";
    if (node.is_string() && find_effect(node.text) != nullptr)
      d.suggestion = fmt::format("write {{{}: {{…}}}}", node.text);
    return;
  }
  const Entry& entry = node.entries.front();
  Diagnostic& d = cx.error_at(Code::EFFECT_UNKNOWN, {entry.key_place, node.origin.expansion},
                              cx.path(), fmt::format("there is no effect `{}`", entry.key));
  suggest(d, "effect", entry.key, effect_keys());
  correct_slip(d, SlipOf::effect, entry.key, effect_keys());
  if (std::ranges::find(cx.doc.effect_macros, entry.key) != cx.doc.effect_macros.end())
    d.suggestion = fmt::format("a macro is used like this: {{macro: {}, args: {{…}}}}", entry.key);
  if (d.alternatives.empty() && d.suggestion.empty())
    d.suggestion = "the effects are listed in docs/language.md";
  for (const std::string_view ending : {"endGame", "gameOver", "win", "lose", "declareWinner"})
    if (entry.key == ending)
      d.suggestion = "a game ends when one of the `terminal` conditions holds; set a variable";
  if (entry.key == "effect" || entry.key == "type" || entry.key == "op")
    d.suggestion = "the effect's name is the key: {setVar: {scope: …, var: …, value: …}}";
}

// `- setVar:` with its keys one level too far left.
bool badly_indented(Context& cx, const Node& node, const EffectKind& kind) {
  const Node* inner = node.find(kind.key);
  if (!inner->is_null() || node.entries.size() < 2) return false;
  cx.error(Code::EFFECT_INDENTATION, node,
           fmt::format("`{}` is empty: its keys stand beside it, not below it", kind.key))
      .suggestion = fmt::format("indent the lines after `{}:` by two more blanks", kind.key);
  return true;
}

// The condition directly below `if`, or the branches beside it.
bool flat_if(Context& cx, const Node& node, const EffectKind& kind) {
  const Node* inner = node.find(kind.key);
  const bool condition = inner->has("op") && !inner->has("when");
  if (kind.key != "if" || (!condition && !node.has("then") && !node.has("else"))) return false;
  cx.error(Code::SHAPE_WRONG, condition ? *inner : node,
           "`if` holds its condition in `when`, beside `then` and `else`")
      .suggestion = "write {if: {when: …, then: […], else: […]}}";
  return true;
}

const EffectKind* find_kind(Context& cx, const Node& node) {
  const EffectKind* found = nullptr;
  for (const Entry& entry : node.entries) {
    const EffectKind* kind = find_effect(entry.key);
    if (kind == nullptr) continue;
    if (found == nullptr) {
      found = kind;
      if (badly_indented(cx, node, *kind) || flat_if(cx, node, *kind)) return nullptr;
      continue;
    }
    cx.error_at(Code::EFFECT_KEYS_SEVERAL, {entry.key_place, node.origin.expansion}, cx.path(),
                fmt::format("one effect has both `{}` and `{}`", found->key, kind->key))
        .suggestion = fmt::format("begin a new list item: \"- {}:\"", kind->key);
    return nullptr;
  }
  if (found == nullptr) no_effect(cx, node);
  return found;
}

}  // namespace

Effects read_effects(Context& cx, const Node& node) {
  Effects out;
  if (node.is_map() && std::ranges::any_of(node.entries, [](const Entry& entry) {
        return find_effect(entry.key) != nullptr;
      })) {
    wrong_shape(cx, node, "a list of effects").suggestion = "begin each effect with \"- \"";
    return out;
  }
  each_item(cx, node, "a list of effects", [&](const Node& item) {
    const EffectKind* kind = find_kind(cx, item);
    if (kind == nullptr) return;
    Effect effect;
    effect.at = cx.place(item);
    Fields fields{cx, item, "an effect"};
    fields.allow({kind->key});
    const auto step = cx.step(kind->key);
    effect.node = kind->read(cx, *item.find(kind->key));
    out.push_back(std::move(effect));
  });
  return out;
}

}  // namespace parlor::spec::lower
