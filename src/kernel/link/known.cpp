// Choices that certainly have an option (V-02): a condition that was asked just before says that
// what is chosen from is not empty, or the choice before them chose something that says so. Such a
// choice makes no move illegal, and so nobody has to try it out.
#include <algorithm>

#include "kernel/link/linker.h"

namespace parlor::kernel {

namespace {

using nlohmann::json;

// Without places in the source, and with `name` called otherwise: equal texts mean the same.
json plain(const json& from, const std::string& name, const std::string& called) {
  if (from.is_string())
    return !name.empty() && from.get_ref<const std::string&>() == name ? json(called) : from;
  if (!from.is_structured()) return from;
  json out = from.is_array() ? json::array() : json::object();
  for (const auto& [key, part] : from.items()) {
    if (from.is_array())
      out.push_back(plain(part, name, called));
    else if (key != "at")
      out[key] = plain(part, name, called);
  }
  return out;
}

// What a condition is made of that holds as a whole only if each of these does.
void conjuncts(const json& condition, std::vector<json>& out) {
  if (condition.is_object() && condition.value("op", "") == "and" && condition.contains("args"))
    for (const json& part : condition["args"]) conjuncts(part, out);
  else
    out.push_back(condition);
}

constexpr const char* anything = "$#";  // no rule can call anything so

// What a query gives, and the conditions on it, by whatever name.
json results_of(const json& query, std::vector<json> conditions) {
  if (query.is_object() && query.value("query", "") == "filter" && query.contains("where")) {
    std::vector<json> own;
    conjuncts(plain(query["where"], query.value("bind", ""), anything), own);
    conditions.insert(conditions.begin(), own.begin(), own.end());
    return results_of(query["source"], std::move(conditions));
  }
  return {{"of", plain(query, "", "")}, {"where", conditions}};
}

}  // namespace

// The condition holds, where the statements stand that are linked next.
void Linker::note_holds(const nlohmann::json& condition) {
  std::vector<json> parts;
  conjuncts(condition, parts);
  for (const json& part : parts) {
    if (!part.is_object() || part.value("op", "") != "exists") continue;
    std::vector<json> conditions;
    for (const json& where : part.value("where", json::array()))
      conjuncts(plain(where, part.value("bind", ""), anything), conditions);
    nonempty_.push_back(results_of(part["query"], std::move(conditions)));
  }
}

// The name stands for something else from now on.
void Linker::forget_name(const std::string& name) {
  std::erase_if(nonempty_,
                [&](const json& known) { return known.dump().find(name) != std::string::npos; });
}

// Of what was chosen under this name everything holds by which it was chosen.
void Linker::note_chosen(const spec::Query& options, const std::string& name) {
  forget_name(name);
  const json query = spec::to_json(options);
  if (query.value("query", "") == "filter" && query.contains("where"))
    note_holds(plain(query["where"], query.value("bind", ""), name));
}

bool Linker::has_options(const spec::Query& query) const {
  return !nonempty_.empty() &&
         std::ranges::find(nonempty_, results_of(spec::to_json(query), {})) != nonempty_.end();
}

}  // namespace parlor::kernel
