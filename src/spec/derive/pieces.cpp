#include "spec/derive/pieces.h"

namespace parlor::spec {
namespace {

std::string_view prop_type(const Node& value) {
  return value.is_integer() ? "int" : value.is_boolean() ? "boolean" : "string";
}

Node token_type(const Node& piece) {
  Node out = Node::of_map(piece.origin);
  out.set("id", *piece.find("id"));
  Node props = Node::of_map(piece.origin);
  if (const Node* runtime = piece.find("runtimeProps"))
    for (const Entry& entry : runtime->entries)
      props.set(entry.key,
                Node::of_string(std::string{prop_type(entry.value)}, entry.value.origin));
  for (const Node& dimension : piece.find("statusDimensions")->items)
    props.set(dimension.text, Node::of_string("string", dimension.origin));
  out.set("props", std::move(props));
  out.set("seat", *piece.find("seat"));
  if (const Node* entry = piece.find("onZoneEntry")) out.set("onZoneEntry", *entry);
  return out;
}

}  // namespace

void derive_token_types(GameSpecDoc& doc, const Selection& selection) {
  if (!selection.pieces || doc.find(Section::tokenTypes) != nullptr) return;
  Node& types = doc.need(Section::tokenTypes);
  types.origin = selection.pieces.payload->origin;
  for (const Node& piece : selection.pieces.payload->find("pieceTypes")->items)
    types.items.push_back(token_type(piece));
}

Node piece_props(const Node& piece_type, const Node* status) {
  Node props = Node::of_map(piece_type.origin);
  if (const Node* runtime = piece_type.find("runtimeProps"))
    for (const Entry& entry : runtime->entries) props.set(entry.key, entry.value);
  for (const Node& dimension : piece_type.find("statusDimensions")->items) {
    if (props.has(dimension.text)) continue;
    const bool activity = dimension.is("activity");
    props.set(dimension.text,
              Node::of_string(activity ? "underground" : "untunneled", dimension.origin));
  }
  if (status != nullptr)
    for (const Entry& entry : status->entries) props.set(entry.key, entry.value);
  return props;
}

}  // namespace parlor::spec
