// The JSON Schema of a GameDef, made from the same field lists as reading and writing.
#include <span>

#include "spec/gamedef/node_traits.h"

namespace parlor::spec {
namespace {

using Json = nlohmann::json;

// The templates below are made once per type: what does not depend on the type is kept out of them,
// since writing JSON in braces is costly to compile.
Json definition(std::string_view name) {
  return {{"$ref", "#/$defs/" + std::string{name}}};
}
Json typed(std::string_view type) {
  return {{"type", type}};
}
Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}
Json words(std::span<const std::string_view> names) {
  return {{"enum", names}};
}
Json scalar() {
  return {{"type", {"integer", "boolean", "string"}}};
}
Json scalar_or_texts() {
  return {{"type", {"integer", "boolean", "string", "array"}}, {"items", typed("string")}};
}

class ObjectSchema {
 public:
  void add(const char* name, Json schema, bool required) {
    properties_[name] = std::move(schema);
    if (required) required_.push_back(name);
  }
  Json finish() const {
    return {{"type", "object"},
            {"properties", properties_},
            {"required", required_},
            {"additionalProperties", false}};
  }

 private:
  Json properties_ = Json::object();
  Json required_ = Json::array();
};

template <class T>
Json schema_of();

template <HasFields T>
Json schema_of_fields() {
  ObjectSchema schema;
  T prototype{};
  T::fields(prototype, [&](const char* name, auto& member, auto...) {
    using Member = std::remove_cvref_t<decltype(member)>;
    schema.add(name, schema_of<Member>(), !omitted_when_empty<Member>);
  });
  return schema.finish();
}

Json with_place(Json schema) {
  schema["properties"]["at"] = typed("integer");
  return schema;
}

Json wrapped(std::string_view key, Json body) {
  return with_place({{"type", "object"},
                     {"properties", {{std::string{key}, std::move(body)}}},
                     {"required", {std::string{key}}},
                     {"additionalProperties", false}});
}

Json schema_of_tagged(Tag tag, Json fields) {
  if (tag.value.empty()) return wrapped(tag.key, std::move(fields));
  fields["properties"][std::string{tag.key}] = {{"const", tag.value}};
  fields["required"].push_back(tag.key);
  return with_place(std::move(fields));
}

template <class Alternative>
Json schema_of_alternative() {
  if constexpr (std::is_same_v<Alternative, ListLiteral>)
    return list_of(scalar());
  else if constexpr (std::is_same_v<Alternative, ConcatValue>)
    return wrapped("concat", list_of(definition("value")));
  else if constexpr (HasTag<Alternative>)
    return schema_of_tagged(Alternative::tag, schema_of_fields<Alternative>());
  else if constexpr (HasFields<Alternative>)
    return with_place(schema_of_fields<Alternative>());
  else
    return schema_of<Alternative>();
}

template <class Node>
Json schema_of_node() {
  Json shapes = Json::array();
  each_alternative<decltype(Node::node)>(
      [&](auto type) { shapes.push_back(schema_of_alternative<typename decltype(type)::type>()); });
  return {{"anyOf", shapes}};
}

template <class T>
Json schema_of() {
  if constexpr (std::is_same_v<T, Value>)
    return definition("value");
  else if constexpr (std::is_same_v<T, Condition>)
    return definition("condition");
  else if constexpr (std::is_same_v<T, Query>)
    return definition("query");
  else if constexpr (std::is_same_v<T, Effect>)
    return definition("effect");
  else if constexpr (std::is_same_v<T, TokenFilter>)
    return definition("tokenFilter");
  else if constexpr (std::is_same_v<T, PlayerSel>)
    return definition("playerSelector");
  else if constexpr (std::is_same_v<T, ZoneSel>)
    return definition("zoneSelector");
  else if constexpr (std::is_same_v<T, Name>)
    return definition("name");
  else if constexpr (std::is_same_v<T, DirectionSel>)
    return definition("directionSelector");
  else if constexpr (std::is_same_v<T, Scalar>)
    return scalar();
  else if constexpr (std::is_same_v<T, decltype(Attribute::value)>)
    return scalar_or_texts();
  else if constexpr (std::is_same_v<T, PlaceId>)
    return typed("integer");
  else if constexpr (IsEnum<T>)
    return words(EnumNames<T>::names);
  else if constexpr (IsOptional<T>::value)
    return schema_of<typename T::value_type>();
  else if constexpr (IsVector<T>::value)
    return list_of(schema_of<typename T::value_type>());
  else if constexpr (HasFields<T>)
    return schema_of_fields<T>();
  else if constexpr (std::is_same_v<T, Json>)
    return Json::object();
  else if constexpr (std::is_same_v<T, bool>)
    return typed("boolean");
  else if constexpr (std::is_same_v<T, Int>)
    return typed("integer");
  else if constexpr (std::is_same_v<T, std::string>)
    return typed("string");
  else
    return schema_of<std::remove_cvref_t<decltype(*std::declval<T&>())>>();  // Box
}

Json object(Json properties) {
  Json required = Json::array();
  for (const auto& [key, ignored] : properties.items()) required.push_back(key);
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

Json token_filter_schema() {
  const Json filters = list_of(definition("tokenFilter"));
  return {{"anyOf",
           {with_place(schema_of_fields<TokenTest>()),
            with_place(object({{"op", {{"enum", {"and", "or"}}}}, {"args", filters}})),
            with_place(object({{"op", {{"const", "not"}}}, {"arg", definition("tokenFilter")}}))}}};
}

}  // namespace

nlohmann::json gamedef_schema() {
  Json schema = schema_of_fields<GameDef>();
  schema["properties"]["format"] = {{"const", "parlor-gamedef"}};
  schema["properties"]["version"] = {{"const", 1}};
  schema["required"].push_back("format");
  schema["required"].push_back("version");
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "A compiled game of Parlor";
  const Json binding = {{"type", "string"}, {"pattern", "^\\$"}};
  schema["$defs"] = {
      {"value", schema_of_node<Value>()},
      {"condition", schema_of_node<Condition>()},
      {"query", schema_of_node<Query>()},
      {"effect", schema_of_node<Effect>()},
      {"tokenFilter", token_filter_schema()},
      {"playerSelector",
       {{"anyOf", {typed("integer"), binding, Json{{"enum", EnumNames<PlayerSel::Kind>::names}}}}}},
      {"zoneSelector",
       {{"anyOf",
         {typed("string"), object({{"zoneExpr", definition("value")}}),
          object({{"base", typed("string")}, {"owner", definition("playerSelector")}})}}}},
      {"name",
       {{"anyOf",
         {typed("string"), object({{"ref", {{"const", "binding"}}}, {"name", typed("string")}}),
          object({{"ref", {{"const", "grantContext"}}}, {"key", typed("string")}})}}}},
      {"directionSelector",
       {{"anyOf",
         {Json{{"const", "all"}}, binding, Json{{"type", "array"}, {"items", typed("string")}},
          definition("value")}}}}};
  return schema;
}

}  // namespace parlor::spec
