// GameDef to JSON.
#include "spec/gamedef/node_traits.h"

namespace parlor::spec {
namespace {

using Json = nlohmann::json;

template <class T>
Json encode(const T& value);

Json encode_player(const PlayerSel& sel) {
  if (sel.kind == PlayerSel::Kind::id) return sel.id;
  if (sel.kind == PlayerSel::Kind::binding) return sel.binding;
  return enum_name(sel.kind);
}

Json encode_zone(const ZoneSel& sel) {
  switch (sel.kind) {
    case ZoneSel::Kind::exact:
    case ZoneSel::Kind::binding:
      return sel.text;
    case ZoneSel::Kind::expression:
      return {{"zoneExpr", encode(sel.expr.front())}};
    case ZoneSel::Kind::owned:
      return {{"base", sel.text}, {"owner", encode_player(sel.owner)}};
  }
  return nullptr;
}

Json encode_name(const Name& name) {
  switch (name.kind) {
    case Name::Kind::literal:
      return name.text;
    case Name::Kind::binding:
      return {{"ref", "binding"}, {"name", name.text}};
    case Name::Kind::grant_context:
      return {{"ref", "grantContext"}, {"key", name.text}};
  }
  return nullptr;
}

Json encode_direction(const DirectionSel& sel) {
  switch (sel.kind) {
    case DirectionSel::Kind::all:
      return "all";
    case DirectionSel::Kind::binding:
      return sel.binding;
    case DirectionSel::Kind::names:
      return sel.names;
    case DirectionSel::Kind::expression:
      return encode(sel.expr.front());
  }
  return nullptr;
}

// Kept out of the templates, which are made once per type, to keep this file quick to compile.
void put(Json& object, const char* name, Json value) {
  object[name] = std::move(value);
}
Json tagged(Tag tag, Json body) {
  if (tag.value.empty()) return Json{{std::string{tag.key}, std::move(body)}};
  body[std::string{tag.key}] = tag.value;
  return body;
}
Json concatenation(Json parts) {
  return {{"concat", std::move(parts)}};
}

template <HasFields T>
Json encode_fields(const T& value) {
  Json out = Json::object();
  T::fields(value, [&](const char* name, const auto& member, auto...) {
    if (!is_empty_field(member)) put(out, name, encode(member));
  });
  return out;
}

Json encode_filter(const TokenFilter& filter) {
  Json out;
  switch (filter.kind) {
    case TokenFilter::Kind::test:
      out = encode_fields(filter.test);
      break;
    case TokenFilter::Kind::all_of:
      out = {{"op", "and"}, {"args", encode(filter.args)}};
      break;
    case TokenFilter::Kind::any_of:
      out = {{"op", "or"}, {"args", encode(filter.args)}};
      break;
    case TokenFilter::Kind::none_of:
      out = {{"op", "not"}, {"arg", encode(filter.args.front())}};
      break;
  }
  if (filter.at.index != 0) out["at"] = filter.at.index;
  return out;
}

template <class Alternative>
Json encode_alternative(const Alternative& node) {
  if constexpr (std::is_same_v<Alternative, ListLiteral>) {
    return encode(node.items);
  } else if constexpr (std::is_same_v<Alternative, ConcatValue>) {
    return concatenation(encode(node.parts));
  } else if constexpr (HasTag<Alternative>) {
    return tagged(Alternative::tag, encode_fields(node));
  } else {
    return encode(node);  // literals, arithmetic and comparisons
  }
}

template <class T>
Json encode(const T& value) {
  if constexpr (IsNode<T>) {
    Json out = std::visit([](const auto& node) { return encode_alternative(node); }, value.node);
    if (value.at.index != 0 && out.is_object()) out["at"] = value.at.index;
    return out;
  } else if constexpr (std::is_same_v<T, PlayerSel>) {
    return encode_player(value);
  } else if constexpr (std::is_same_v<T, ZoneSel>) {
    return encode_zone(value);
  } else if constexpr (std::is_same_v<T, Name>) {
    return encode_name(value);
  } else if constexpr (std::is_same_v<T, DirectionSel>) {
    return encode_direction(value);
  } else if constexpr (std::is_same_v<T, TokenFilter>) {
    return encode_filter(value);
  } else if constexpr (std::is_same_v<T, PlaceId>) {
    return value.index;
  } else if constexpr (IsEnum<T>) {
    return enum_name(value);
  } else if constexpr (IsOptional<T>::value) {
    return encode(*value);
  } else if constexpr (IsVector<T>::value) {
    Json out = Json::array();
    for (const typename T::value_type& item : value) out.push_back(encode(item));
    return out;
  } else if constexpr (HasFields<T>) {
    return encode_fields(value);
  } else if constexpr (requires {
                         value.index();
                         std::variant_size<T>::value;
                       }) {
    return std::visit([](const auto& item) { return encode(item); }, value);
  } else if constexpr (requires {
                         *value;
                         value.operator->();
                       }) {
    return encode(*value);  // Box
  } else {
    return value;  // int, bool, text, JSON
  }
}

}  // namespace

nlohmann::json to_json(const GameDef& game) {
  Json out = encode(game);
  out["format"] = "parlor-gamedef";
  out["version"] = 1;
  return out;
}
nlohmann::json to_json(const Value& value) {
  return encode(value);
}
nlohmann::json to_json(const Condition& condition) {
  return encode(condition);
}
nlohmann::json to_json(const Query& query) {
  return encode(query);
}
nlohmann::json to_json(const Effect& effect) {
  return encode(effect);
}

}  // namespace parlor::spec
