#include "wasm/texts.h"

#include "base/files.h"

namespace parlor {

// Behind spec::read_file, which is never asked here: there are no files but those in the request.
tl::expected<std::string, FileProblem> read_file(const std::filesystem::path&, std::size_t) {
  return tl::unexpected(FileProblem::missing);
}

namespace wasm {
namespace {

// As on the command line: --set name=value.
std::string written(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

spec::CompileResult compile_texts(const Json& request) {
  const Json files = request.value("files", Json::object());
  const Json main = request.value("main", Json(""));
  spec::CompileOptions options;
  options.unused = true;
  if (const Json modules = request.value("modules", Json::array()); modules.is_array())
    for (const Json& name : modules)
      if (name.is_string()) options.rules.emplace_back(name.get<std::string>());
  if (const Json constants = request.value("constants", Json::object()); constants.is_object())
    for (const auto& [name, value] : constants.items()) options.constants[name] = written(value);
  const spec::FileLoader load = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = files.find(std::string(name));
    if (found == files.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
  };
  return spec::compile_files(main.is_string() ? main.get<std::string>() : "", load, options);
}

}  // namespace wasm
}  // namespace parlor
