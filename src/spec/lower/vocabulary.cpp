// Which texts tokens can have in their properties. A filter that looks for any other text finds
// nothing, which is always a slip of the pen. Values are noted while rules are read; a property
// that is ever given a computed value can hold anything and is left alone.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

void note_text(Context& cx, const Node* prop, const Node* value) {
  if (prop != nullptr && prop->is_string() && value != nullptr)
    cx.note_prop_value(prop->text, *value);
}

void note_piece_type(Context& cx, const Node& type) {
  if (const Node* props = type.find("runtimeProps"))
    for (const Entry& entry : props->entries) cx.note_prop_value(entry.key, entry.value);
  if (const Node* transitions = type.find("transitions"))
    for (const Node& item : transitions->items) {
      note_text(cx, item.find("dimension"), item.find("from"));
      note_text(cx, item.find("dimension"), item.find("to"));
    }
}

using Texts = std::set<std::string, std::less<>>;

// What tokens can have in the property, if that is known and `value` is not among it.
std::optional<Texts> values_without(const Context& cx, const std::string& prop,
                                    std::string_view value) {
  const auto known = cx.vocabulary.find(prop);
  if (known != cx.vocabulary.end() && !known->second.declared.empty()) {
    const auto& declared = known->second.declared;
    if (std::ranges::find(declared, value) != declared.end()) return std::nullopt;
    return Texts(declared.begin(), declared.end());
  }
  // Nothing known at all: the tokens come from somewhere else, or from nowhere yet.
  if (known == cx.vocabulary.end() || known->second.open || known->second.values.empty() ||
      known->second.values.contains(value))
    return std::nullopt;
  return known->second.values;
}

std::string never_had(std::string_view value, std::string_view prop) {
  return fmt::format("no token ever has `{}` in `{}`", value, prop);
}

}  // namespace

void Context::note_prop_value(const std::string& prop, const Node& value) {
  Vocabulary& known = vocabulary[prop];
  if (value.is_string()) {
    known.values.insert(value.text);
    if (!known.declared.empty() &&
        std::ranges::find(known.declared, value.text) == known.declared.end())
      suggest(error(Code::WORD_UNKNOWN, value,
                    fmt::format("`{}` is one of {}, not `{}`", prop,
                                fmt::join(known.declared, ", "), value.text)),
              "value", value.text, known.declared);
  }
  if (!value.is_scalar()) known.open = true;
}

void check_filter_values(Context& cx) {
  if (const Node* assets = cx.doc.find(Section::dataAssets))
    for (const Node& asset : assets->items) {
      const Node* payload = asset.find("payload");
      const Node* types = payload != nullptr ? payload->find("pieceTypes") : nullptr;
      if (types == nullptr) continue;
      for (const Node& type : types->items) note_piece_type(cx, type);
    }
  // A macro may be used for pieces that a game does not have: that is worth a warning, once.
  std::set<std::pair<Place, std::string_view>> warned;
  for (const TraitArgument& argument : cx.doc.trait_arguments) {
    if (!warned.emplace(argument.origin.place, argument.prop).second) continue;
    if (const auto values = values_without(cx, argument.prop, argument.value))
      suggest(cx.warning_at(Code::WORD_UNKNOWN, argument.origin, argument.path,
                            never_had(argument.value, argument.prop)),
              "value", argument.value, {values->begin(), values->end()});
  }
  for (const Context::WantedValue& wanted : cx.wanted_values) {
    // What the compiler wrote itself, such as a card of an offer without copies, is no slip.
    if (cx.doc.source.expansion(wanted.origin.expansion).kind == ExpansionKind::builtin) continue;
    if (warned.contains({wanted.origin.place, wanted.prop})) continue;
    if (const auto values = values_without(cx, wanted.prop, wanted.value))
      suggest(cx.error_at(Code::WORD_UNKNOWN, wanted.origin, wanted.path,
                          never_had(wanted.value, wanted.prop)),
              "value", wanted.value, {values->begin(), values->end()});
  }
}

}  // namespace parlor::spec::lower
