#include "open/shelf.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/spec.h"

namespace parlor::open {
namespace {

constexpr std::string_view module_file_end = ".rules.md";

// Scopes overlap when they name the same seat, whatever that is called in the end.
rules::Activation by_names(const rules::Request& request, std::vector<std::string>& names) {
  rules::Activation out{.id = request.id, .turns = request.turns};
  if (request.seats.empty()) return out;
  out.scope.seats = 0;
  for (const std::string& name : request.seats) {
    const auto known = std::ranges::find(names, name);
    out.scope.seats |= static_cast<std::uint16_t>(1u << (known - names.begin()));
    if (known == names.end()) names.push_back(name);
  }
  return out;
}

}  // namespace

OfferedRule offered_rule(const rules::Module& module) {
  OfferedRule out;
  out.id = module.id;
  out.name = module.name.empty() ? module.id : module.name;
  out.description = module.description;
  out.category = module.category;
  out.needs = module.requires_ids;
  out.incompatible_with = module.incompatible_with;
  out.details["version"] = module.version.empty() ? "1" : module.version;
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

Diagnostics Shelf::add(const rules::Module& module) {
  rules::Registry probe;  // says what is wrong with the module by itself
  Diagnostics out = probe.add(module);
  if (out.has_errors()) return out;
  if (modules_.contains(module.id)) {
    out.add({.code = Code::RULE_DUPLICATE,
             .message = fmt::format("there are two modules `{}`", module.id)});
    return out;
  }
  modules_.emplace(module.id, module);
  return out;
}

Diagnostics Shelf::add_native(std::shared_ptr<const kernel::NativeModule> module) {
  const rules::Module info = module->info();
  Diagnostics out =
      files_.contains(info.id) && !natives_.contains(info.id) ? Diagnostics{} : add(info);
  if (!out.has_errors()) natives_[info.id] = std::move(module);
  return out;
}

std::vector<OfferedRule> Shelf::offered() const {
  std::vector<OfferedRule> out;
  for (const auto& [id, module] : modules_) out.push_back(offered_rule(module));
  return out;
}

tl::expected<std::vector<rules::Request>, Diagnostics> Shelf::choose(
    const std::vector<std::string>& asked) const {
  Diagnostics problems;
  std::vector<rules::Request> out;
  std::vector<rules::Activation> set;
  std::vector<std::string> names;
  for (std::string text : asked) {
    const auto end = text.find(module_file_end);
    const std::string path = end == text.npos ? text : text.substr(0, end + module_file_end.size());
    const auto file = std::ranges::find_if(
        files_, [&](const auto& entry) { return entry.second == std::filesystem::path{path}; });
    if (file != files_.end()) text = file->first + text.substr(path.size());
    if (text.find('/') != text.npos || text.ends_with(".md")) {
      problems.add({.code = Code::FILE_NOT_FOUND,
                    .message = fmt::format("there is no module file `{}`", text)});
      continue;
    }
    auto request = rules::parse_request(text);
    if (!request) {
      problems.add(std::move(request.error()));
    } else if (!request->parameters.empty()) {
      problems.add({.code = Code::RULE_PARAMETER_INVALID,
                    .message = fmt::format("`{}`: modules of this game have no parameters", text)});
    } else {
      set.push_back(by_names(*request, names));
      out.push_back(std::move(*request));
    }
  }
  std::vector<rules::Module> modules;
  for (const auto& [id, module] : modules_) modules.push_back(module);
  problems.append(rules::Registry::of_strangers(modules).check(set));
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  std::ranges::sort(out, {}, &rules::Request::id);
  return out;
}

const std::filesystem::path* Shelf::file_of(std::string_view id) const {
  const auto found = files_.find(id);
  return found == files_.end() ? nullptr : &found->second;
}

std::shared_ptr<const kernel::NativeModule> Shelf::native(std::string_view id) const {
  const auto found = natives_.find(id);
  return found == natives_.end() ? nullptr : found->second;
}

}  // namespace parlor::open
