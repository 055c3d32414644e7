// Checks JSON against the part of JSON Schema that gamedef_schema() and docs/scene.schema.json use:
// $ref, type, const, enum, anyOf, properties, required, additionalProperties, items and patterns
// that ask for a prefix.
#pragma once

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <string>

namespace parlor::spec::testing {

class JsonSchema {
 public:
  using Json = nlohmann::json;
  explicit JsonSchema(Json schema) : root_(std::move(schema)) {}

  // Empty when the value fits; otherwise where and why it does not.
  std::string violation(const Json& value) const { return check(root_, value, ""); }

 private:
  static bool is_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_boolean();
    return type == "null" && value.is_null();
  }

  static bool has_type(const Json& value, const Json& type) {
    if (type.is_string()) return is_type(value, type.get<std::string>());
    return std::ranges::any_of(
        type, [&](const Json& one) { return is_type(value, one.get<std::string>()); });
  }

  std::string check(const Json& schema, const Json& value, const std::string& path) const {
    if (const auto ref = schema.find("$ref"); ref != schema.end())
      return check(root_.at(Json::json_pointer{ref->get<std::string>().substr(1)}), value, path);
    if (schema.contains("type") && !has_type(value, schema["type"]))
      return fmt::format("{}: not of type {}", path, schema["type"].dump());
    if (schema.contains("const") && value != schema["const"])
      return fmt::format("{}: not {}", path, schema["const"].dump());
    if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
      return fmt::format("{}: {} is none of {}", path, value.dump(), schema["enum"].dump());
    if (schema.contains("pattern") && !value.get<std::string>().starts_with('$'))
      return fmt::format("{}: does not begin with $", path);
    if (schema.contains("anyOf")) return check_any(schema["anyOf"], value, path);
    if (value.is_object()) return check_object(schema, value, path);
    if (value.is_array() && schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        if (auto bad = check(schema["items"], value[i], fmt::format("{}/{}", path, i));
            !bad.empty())
          return bad;
    return {};
  }

  std::string check_any(const Json& shapes, const Json& value, const std::string& path) const {
    std::string last;
    for (const Json& shape : shapes) {
      last = check(shape, value, path);
      if (last.empty()) return {};
    }
    return fmt::format("{}: fits no shape: {}", path, value.dump());
  }

  std::string check_object(const Json& schema, const Json& value, const std::string& path) const {
    for (const Json& key : schema.value("required", Json::array()))
      if (!value.contains(key.get<std::string>()))
        return fmt::format("{}: no {}", path, key.dump());
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, inner] : value.items()) {
      if (properties.contains(key)) {
        if (auto bad = check(properties[key], inner, path + "/" + key); !bad.empty()) return bad;
      } else if (schema.contains("additionalProperties")) {
        if (schema["additionalProperties"] == false)
          return fmt::format("{}: unknown key {}", path, key);
        if (auto bad = check(schema["additionalProperties"], inner, path + "/" + key); !bad.empty())
          return bad;
      }
    }
    return {};
  }

  Json root_;
};

}  // namespace parlor::spec::testing
