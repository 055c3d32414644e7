// Effects: how an effect list is walked.
#include <fmt/core.h>

#include "spec/lower/assignments.h"
#include "spec/lower/construct.h"
#include "spec/lower/names.h"
#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

const ShapeReader* find_effect(std::string_view key) {
  return find_shape(Family::effect, {}, key);
}

std::vector<std::string> effect_keys() {
  std::vector<std::string> out = construct_names(Family::effect);
  out.emplace_back("macro");
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
  for (const std::string_view head : {"if", "for", "while"})
    if (entry.key.starts_with(fmt::format("{} ", head)))
      d.suggestion = fmt::format(
          "the head of a block stands behind the colon: `{}: {}` with `{}:` below it", head,
          head == "for" ? "$x in QUERY" : "CONDITION", head == "if" ? "then" : "do");
  if (entry.key == "effect" || entry.key == "type" || entry.key == "op")
    d.suggestion = "the effect's name is the key: {setVar: {scope: …, var: …, value: …}}";
}

// `- setVar:` with its keys one level too far left.
bool badly_indented(Context& cx, const Node& node, std::string_view key) {
  const Node* inner = node.find(key);
  if (!inner->is_null() || node.entries.size() < 2) return false;
  cx.error(Code::EFFECT_INDENTATION, node,
           fmt::format("`{}` is empty: its keys stand beside it, not below it", key))
      .suggestion = fmt::format("indent the lines after `{}:` by two more blanks", key);
  return true;
}

// The condition directly below `if`, or the branches beside it.
bool flat_if(Context& cx, const Node& node, std::string_view key) {
  const Node* inner = node.find(key);
  const bool condition = inner->has("op") && !inner->has("when");
  if (key != "if" || (!condition && !node.has("then") && !node.has("else"))) return false;
  cx.error(Code::SHAPE_WRONG, condition ? *inner : node,
           "`if` holds its condition in `when`, beside `then` and `else`")
      .suggestion = "write {if: {when: …, then: […], else: […]}}";
  return true;
}

// "for x in y do z", as other languages say it.
bool foreign_loop(Context& cx, const Node& node, std::string_view key) {
  const Node& inner = *node.find(key);
  const Entry* in = inner.find_entry("in");
  if (key != "forEach" || in == nullptr || in->value.is_list() || inner.has("over")) return false;
  const auto step = cx.step(key);
  cx.error_at(Code::KEY_UNKNOWN, {in->key_place, inner.origin.expansion}, cx.path(),
              "forEach goes through `over`, not `in`")
      .suggestion = "write {bind: $x, over: {query: …}, effects: […]}";
  return true;
}

const ShapeReader* find_kind(Context& cx, const Node& node) {
  const ShapeReader* found = nullptr;
  for (const Entry& entry : node.entries) {
    const ShapeReader* kind = find_effect(entry.key);
    if (kind == nullptr) continue;
    if (found == nullptr) {
      found = kind;
      const std::string_view key = kind->construct->name();
      if (badly_indented(cx, node, key) || flat_if(cx, node, key) || foreign_loop(cx, node, key))
        return nullptr;
      continue;
    }
    cx.error_at(
          Code::EFFECT_KEYS_SEVERAL, {entry.key_place, node.origin.expansion}, cx.path(),
          fmt::format("one effect has both `{}` and `{}`", found->construct->name(), entry.key))
        .suggestion = fmt::format("begin a new list item: \"- {}:\"", entry.key);
    return nullptr;
  }
  if (found == nullptr) no_effect(cx, node);
  return found;
}

EffectNode read_effect(Context& cx, const Node& node, const ShapeReader& kind) {
  Fields fields{cx, node, kind.construct->name()};
  if (kind.construct->fields.empty() && node.is_null()) fields.give_up();
  Reading reading{cx, fields, *kind.construct};
  return read_shape<Effect>(reading, kind);
}

// {setTokenProp: {token, prop: VALUE, value}}: is it this property, or that one. What is none of
// them is asked for, which is a fault.
EffectNode read_computed_set(Context& cx, const Node& body) {
  Fields fields{cx, body, "`setTokenProp`"};
  ComputedPropRef asked;
  TypedValue value;
  fields.need("token", [&](const Node& n) { asked.token = read_token(cx, n); });
  fields.need("value", [&](const Node& n) { value = read_value(cx, settle(cx, n)); });
  fields.need("prop", [&](const Node& n) {
    TypedValue name = read_value(cx, n);
    if (!is_text(name.type))
      cx.error(Code::TYPE_MISMATCH, n,
               fmt::format("the name of a token property is needed, not {}", describe(name.type)));
    check_computed(cx, n, name.type, Code::TOKEN_PROP_UNKNOWN, "token property",
                   names_of(cx.symbols.props));
    for (const std::string& prop :
         name.type.texts != nullptr ? *name.type.texts : names_of(cx.symbols.props)) {
      const Kind* kind = find_in(cx.symbols.props, prop);
      if (kind == nullptr) continue;
      const bool fits = compatible(plain(*kind), value.type);
      if (!fits && name.type.texts != nullptr)
        cx.error(Code::TYPE_MISMATCH, n,
                 fmt::format("this may be `{}`, which is {}, and the value is {}", prop,
                             describe(plain(*kind)), describe(value.type)));
      if (fits) asked.among.push_back(prop);
    }
    asked.prop = std::move(name.value);
  });
  for (const std::string& prop : asked.among) cx.note_prop_value(prop, body);
  Effects out;
  out.push_back({BindValue{"$__no_property", Value{asked, cx.place(body)}}, cx.place(body)});
  for (auto prop = asked.among.rbegin(); prop != asked.among.rend(); ++prop) {
    Condition same{Compare{CompareOp::equal, *asked.prop, Value{*prop}}, cx.place(body)};
    Effects set;
    set.push_back({SetTokenProp{asked.token, *prop, value.value}, cx.place(body)});
    Effects chain;
    chain.push_back({If{std::move(same), std::move(set), std::move(out)}, cx.place(body)});
    out = std::move(chain);
  }
  return std::move(out.front().node);
}

// The text notation's `x = 1` and `x += 1`; those who write trees say which effect it is.
const Entry* assignment_in(const Node& item) {
  if (!item.is_map() || item.entries.size() != 1) return nullptr;
  const Entry& entry = item.entries.front();
  return (entry.key == "set" || entry.key == "add") && entry.value.has("target") ? &entry : nullptr;
}

}  // namespace

EffectNode read_effect_as(Context& cx, std::string_view effect, const Node& body) {
  if (effect == "setTokenProp" && body.has("prop") && body.find("prop")->is_map())
    return read_computed_set(cx, body);
  return read_effect(cx, body, *find_effect(effect));
}

Effects read_effects(Context& cx, const Node& node) {
  Effects out;
  if (node.is_map() && std::ranges::any_of(node.entries, [](const Entry& entry) {
        return find_effect(entry.key) != nullptr;
      })) {
    wrong_shape(cx, node, "a list of effects").suggestion = "begin each effect with \"- \"";
    return out;
  }
  each_item(cx, node, "a list of effects", [&](const Node& item) {
    if (const Entry* assignment = assignment_in(item)) {
      const auto step = cx.step(assignment->key);
      out.push_back(
          {read_assignment(cx, assignment->value, assignment->key == "add"), cx.place(item)});
      return;
    }
    const ShapeReader* kind = find_kind(cx, item);
    if (kind == nullptr) return;
    Effect effect;
    effect.at = cx.place(item);
    Fields fields{cx, item, "an effect"};
    const std::string_view key = kind->construct->name();
    fields.allow({key});
    const auto step = cx.step(key);
    effect.node = read_effect_as(cx, key, *item.find(key));
    out.push_back(std::move(effect));
  });
  return out;
}

}  // namespace parlor::spec::lower
