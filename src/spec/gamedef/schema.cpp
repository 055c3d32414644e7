// The JSON Schema of a GameDef, made from the same field lists as reading and writing.
#include <span>

#include "spec/gamedef/forms.h"

namespace parlor::spec {
namespace {

using Json = nlohmann::json;

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

class ObjectSchema {
 public:
  void add(const std::string& name, Json schema, bool required) {
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

Json schema_of(const Form& form);

Json schema_of_fields(const Form& form) {
  ObjectSchema schema;
  for (const Member& member : form.members) {
    const Form& inner = member.form();
    schema.add(std::string{member.name}, schema_of(inner), !inner.may_be_missing());
  }
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

Json schema_of_alternative(const Alternative& alternative) {
  const Form& form = alternative.form();
  if (form.type == &type_mark<ConcatValue>) return wrapped("concat", schema_of(form));
  if (alternative.tag != nullptr) return schema_of_tagged(*alternative.tag, schema_of_fields(form));
  if (form.sort == Form::Sort::record) return with_place(schema_of_fields(form));
  return schema_of(form);
}

Json schema_of_node(const Form& form) {
  Json shapes = Json::array();
  for (const Alternative& alternative : form.alternatives)
    shapes.push_back(schema_of_alternative(alternative));
  return {{"anyOf", shapes}};
}

// One of several simple things.
Json schema_of_choice(const Form& form) {
  Json out{{"type", Json::array()}};
  for (const Alternative& alternative : form.alternatives) {
    const Json one = schema_of(alternative.form());
    out["type"].push_back(one["type"]);
    if (one.contains("items")) out["items"] = one["items"];
  }
  return out;
}

Json definition_of_node(const Form& form) {
  if (form.type == &type_mark<Value>) return definition("value");
  if (form.type == &type_mark<Condition>) return definition("condition");
  return definition(form.type == &type_mark<Query> ? "query" : "effect");
}

Json schema_of(const Form& form) {
  switch (form.sort) {
    case Form::Sort::number:
    case Form::Sort::place:
      return typed("integer");
    case Form::Sort::truth:
      return typed("boolean");
    case Form::Sort::truths:
      return list_of(typed("boolean"));
    case Form::Sort::text:
      return typed("string");
    case Form::Sort::word:
      return words(form.words);
    case Form::Sort::data:
      return Json::object();
    case Form::Sort::player:
      return definition("playerSelector");
    case Form::Sort::zone:
      return definition("zoneSelector");
    case Form::Sort::name:
      return definition("name");
    case Form::Sort::direction:
      return definition("directionSelector");
    case Form::Sort::filter:
      return definition("tokenFilter");
    case Form::Sort::optional:
    case Form::Sort::box:
      return schema_of(form.inside());
    case Form::Sort::list:
      return list_of(schema_of(form.inside()));
    case Form::Sort::named:
      return {{"type", "object"}, {"additionalProperties", schema_of(form.inside())}};
    case Form::Sort::record:
      return schema_of_fields(form);
    case Form::Sort::choice:
      return schema_of_choice(form);
    case Form::Sort::node:
      return definition_of_node(form);
  }
  return nullptr;
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
           {with_place(schema_of_fields(form_of<TokenTest>())),
            with_place(object({{"op", {{"enum", {"and", "or"}}}}, {"args", filters}})),
            with_place(object({{"op", {{"const", "not"}}}, {"arg", definition("tokenFilter")}}))}}};
}

}  // namespace

nlohmann::json gamedef_schema() {
  Json schema = schema_of_fields(form_of<GameDef>());
  schema["properties"]["format"] = {{"const", "parlor-gamedef"}};
  schema["properties"]["version"] = {{"const", gamedef_version}};
  schema["required"].push_back("format");
  schema["required"].push_back("version");
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "A compiled game of Parlor";
  const Json binding = {{"type", "string"}, {"pattern", "^\\$"}};
  schema["$defs"] = {
      {"value", schema_of_node(form_of<Value>())},
      {"condition", schema_of_node(form_of<Condition>())},
      {"query", schema_of_node(form_of<Query>())},
      {"effect", schema_of_node(form_of<Effect>())},
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
