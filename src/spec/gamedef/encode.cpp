// GameDef to JSON.
#include "spec/gamedef/forms.h"

namespace parlor::spec {
namespace {

using Json = nlohmann::json;

Json encode(Part part);
template <class T>
Json encode(const T& thing) {
  return encode(Part::of(thing));
}

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

Json encode_fields(Part part) {
  Json out = Json::object();
  for (const Member& member : part.form->members)
    if (const Part inner = part.member(member); !inner.empty())
      out[std::string{member.name}] = encode(inner);
  return out;
}

Json encode_filter(const TokenFilter& filter) {
  Json out;
  switch (filter.kind) {
    case TokenFilter::Kind::test:
      out = encode_fields(Part::of(filter.test));
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

Json encode_node(Part node) {
  const Alternative& alternative = node.alternative();
  const Part chosen = node.chosen();
  Json out = encode(chosen);
  if (chosen.as<ConcatValue>() != nullptr) {
    out = {{"concat", std::move(out)}};
  } else if (const Tag* tag = alternative.tag) {
    if (tag->value.empty())
      out = Json{{std::string{tag->key}, std::move(out)}};
    else
      out[std::string{tag->key}] = tag->value;
  }
  return out;
}

Json with_place(Json node, PlaceId at) {
  if (at.index != 0 && node.is_object()) node["at"] = at.index;
  return node;
}

Json encode_items(Part list) {
  Json out = Json::array();
  for (std::size_t i = 0; i < list.count(); ++i) out.push_back(encode(list.item(i)));
  return out;
}

Json encode_named(Part things) {
  Json out = Json::object();
  for (std::size_t i = 0; i < things.count(); ++i) out[things.name(i)] = encode(things.item(i));
  return out;
}

Json encode(Part part) {
  switch (part.form->sort) {
    case Form::Sort::number:
      return *part.as<Int>();
    case Form::Sort::truth:
      return *part.as<bool>();
    case Form::Sort::truths:
      return *part.as<std::vector<bool>>();
    case Form::Sort::text:
      return *part.as<std::string>();
    case Form::Sort::word:
      return part.form->words[part.form->which(part.at)];
    case Form::Sort::place:
      return part.as<PlaceId>()->index;
    case Form::Sort::data:
      return *part.as<Json>();
    case Form::Sort::player:
      return encode_player(*part.as<PlayerSel>());
    case Form::Sort::zone:
      return encode_zone(*part.as<ZoneSel>());
    case Form::Sort::name:
      return encode_name(*part.as<Name>());
    case Form::Sort::direction:
      return encode_direction(*part.as<DirectionSel>());
    case Form::Sort::filter:
      return encode_filter(*part.as<TokenFilter>());
    case Form::Sort::optional:
    case Form::Sort::box:
      return encode(part.item(0));
    case Form::Sort::list:
      return encode_items(part);
    case Form::Sort::named:
      return encode_named(part);
    case Form::Sort::record:
      return encode_fields(part);
    case Form::Sort::choice:
      return encode(part.chosen());
    case Form::Sort::node:
      return with_place(encode_node(part), part.place());
  }
  return nullptr;
}

}  // namespace

nlohmann::json encoded(Part part) {
  return encode(part);
}

nlohmann::json to_json(const GameDef& game) {
  Json out = encode(game);
  out["format"] = "parlor-gamedef";
  out["version"] = gamedef_version;
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
