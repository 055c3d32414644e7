// Which texts tokens can have in their properties. A filter that looks for any other text finds
// nothing, which is always a slip of the pen. Values are noted while rules are read; a property
// that is ever given a computed value can hold anything and is left alone.
#include <fmt/core.h>

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

}  // namespace

void Context::note_prop_value(const std::string& prop, const Node& value) {
  Vocabulary& known = vocabulary[prop];
  if (value.is_string())
    known.values.insert(value.text);
  else if (!value.is_scalar())
    known.open = true;
}

void check_filter_values(Context& cx) {
  if (const Node* assets = cx.doc.find(Section::dataAssets))
    for (const Node& asset : assets->items) {
      const Node* payload = asset.find("payload");
      const Node* types = payload != nullptr ? payload->find("pieceTypes") : nullptr;
      if (types == nullptr) continue;
      for (const Node& type : types->items) note_piece_type(cx, type);
    }
  for (const Context::WantedValue& wanted : cx.wanted_values) {
    // What the compiler wrote itself, such as a card of an offer without copies, is no slip.
    if (cx.doc.source.expansion(wanted.origin.expansion).kind == ExpansionKind::builtin) continue;
    const auto known = cx.vocabulary.find(wanted.prop);
    // Nothing known at all: the tokens come from somewhere else, or from nowhere yet.
    if (known == cx.vocabulary.end() || known->second.open || known->second.values.empty() ||
        known->second.values.contains(wanted.value))
      continue;
    const std::vector<std::string> names{known->second.values.begin(), known->second.values.end()};
    Diagnostic& d =
        cx.error_at(Code::WORD_UNKNOWN, wanted.origin, wanted.path,
                    fmt::format("no token ever has `{}` in `{}`", wanted.value, wanted.prop));
    suggest(d, "value", wanted.value, names);
  }
}

}  // namespace parlor::spec::lower
