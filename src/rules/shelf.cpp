#include "rules/shelf.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/spec.h"

namespace parlor::rules {

Module module_of(const spec::ModuleInfo& info) {
  Module out{.id = info.id};
  if (!info.version.empty()) out.version = info.version;
  out.name = info.name.empty() ? info.id : info.name;
  out.description = info.description;
  out.requires_ids = info.requires_modules;
  out.incompatible_with = info.incompatible_with;
  return out;
}

OfferedRule offered_rule(const Module& module) {
  OfferedRule out;
  out.id = module.id;
  out.name = module.name;
  out.description = module.description;
  out.category = module.category;
  out.needs = module.requires_ids;
  out.incompatible_with = module.incompatible_with;
  out.details["version"] = module.version;
  return out;
}

Diagnostics Shelf::add_file(const std::filesystem::path& file, const spec::FileReader& read) {
  spec::ModuleResult found = spec::read_module(file, read);
  texts_ = std::move(found.texts);
  Diagnostics out = std::move(found.diagnostics);
  if (!found.module) return out;
  out.append(add(*found.module));
  if (!out.has_errors()) files_[found.module->id] = file;
  return out;
}

Diagnostics Shelf::add(const spec::ModuleInfo& info) {
  Registry probe;  // says what is wrong with the module by itself
  Diagnostics out = probe.add(module_of(info));
  if (out.has_errors()) return out;
  if (modules_.contains(info.id)) {
    out.add({.code = Code::RULE_DUPLICATE,
             .message = fmt::format("there are two modules `{}`", info.id)});
    return out;
  }
  modules_.emplace(info.id, module_of(info));
  return out;
}

std::vector<OfferedRule> Shelf::offered() const {
  std::vector<OfferedRule> out;
  for (const auto& [id, module] : modules_) out.push_back(offered_rule(module));
  return out;
}

// Whoever says that two modules exclude each other says it for both: files come from different
// authors. A module nobody has cannot be in the way.
Registry Shelf::registry() const {
  std::map<std::string, Module, std::less<>> all = modules_;
  for (const auto& [id, module] : modules_)
    for (const std::string& other : module.incompatible_with)
      if (const auto partner = all.find(other);
          partner != all.end() && std::ranges::find(partner->second.incompatible_with, id) ==
                                      partner->second.incompatible_with.end())
        partner->second.incompatible_with.push_back(id);
  Registry out;
  for (auto& [id, module] : all) {
    std::erase_if(module.incompatible_with,
                  [&](const std::string& other) { return !all.contains(other); });
    out.add(module);
  }
  return out;
}

tl::expected<std::vector<std::string>, Diagnostics> Shelf::choose(
    const std::vector<std::string>& asked) const {
  Diagnostics problems;
  std::vector<Activation> set;
  for (const std::string& text : asked) {
    const auto file = std::ranges::find_if(
        files_, [&](const auto& entry) { return entry.second == std::filesystem::path{text}; });
    if (file != files_.end()) {
      set.push_back({.id = file->first});
      continue;
    }
    if (text.find('/') != text.npos || text.ends_with(".md")) {
      problems.add({.code = Code::FILE_NOT_FOUND,
                    .message = fmt::format("there is no module file `{}`", text)});
      continue;
    }
    auto activation = parse_activation(text, {});
    if (!activation && activation.error().code != Code::RULE_SCOPE_UNKNOWN)
      problems.add(std::move(activation.error()));
    else if (!activation || activation->turns)
      problems.add({.code = Code::RULE_WHOLE_GAME,
                    .message = fmt::format(
                        "`{}`: a module of this game binds everybody, from start to end", text)});
    else if (!activation->parameters.empty())
      problems.add({.code = Code::RULE_PARAMETER_INVALID,
                    .message = fmt::format("`{}`: modules of this game have no parameters", text)});
    else
      set.push_back(std::move(*activation));
  }
  problems.append(registry().check(set));
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  std::vector<std::string> ids;
  for (const Activation& activation : set) ids.push_back(activation.id);
  std::ranges::sort(ids);
  return ids;
}

const std::filesystem::path* Shelf::file_of(std::string_view id) const {
  const auto found = files_.find(id);
  return found == files_.end() ? nullptr : &found->second;
}

}  // namespace parlor::rules
