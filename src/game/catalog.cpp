#include "game/catalog.h"

#include <cassert>
#include <filesystem>
#include <fmt/core.h>

namespace parlor {

OpenFailure open_failure(Code code, std::string message, std::vector<std::string> alternatives) {
  OpenFailure failure;
  Diagnostic diagnostic{
      .code = code, .message = std::move(message), .alternatives = std::move(alternatives)};
  failure.diagnostics.add(std::move(diagnostic));
  return failure;
}

void Catalog::add(std::string name, Opener opener) {
  [[maybe_unused]] const bool fresh = openers_.emplace(std::move(name), std::move(opener)).second;
  assert(fresh && "two games of one name");
}

void Catalog::set_file_opener(Opener opener) {
  file_opener_ = std::move(opener);
}

Opened Catalog::open(const std::string& name_or_path, const OpenOptions& options) const {
  if (const auto found = openers_.find(name_or_path); found != openers_.end())
    return found->second(name_or_path, options);
  std::error_code ignored;
  if (file_opener_ && std::filesystem::exists(name_or_path, ignored))
    return file_opener_(name_or_path, options);
  return tl::unexpected(
      open_failure(Code::GAME_UNKNOWN,
                   fmt::format("there is no game `{}` and no file of that name", name_or_path),
                   did_you_mean(name_or_path, names())));
}

std::vector<std::string> Catalog::names() const {
  std::vector<std::string> out;
  for (const auto& [name, opener] : openers_) out.push_back(name);
  return out;
}

}  // namespace parlor
