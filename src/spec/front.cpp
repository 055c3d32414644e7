#include "spec/front.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/files.h"
#include "spec/derive/derive.h"
#include "spec/expand/expand.h"
#include "spec/lower/unused.h"
#include "spec/read/loader.h"
#include "spec/read/modules.h"
#include "spec/text/reader.h"

namespace parlor::spec {
namespace {

namespace fs = std::filesystem;

// Whether a file is one of those given, or really lies in one of the folders given, wherever links
// on the way lead.
bool lies_in(const fs::path& file, const std::vector<fs::path>& given) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(file, error);
  return !error && std::ranges::any_of(given, [&](const fs::path& path) {
    const fs::path way =
        real.lexically_relative(fs::weakly_canonical(path.empty() ? "." : path, error));
    return !error && !way.empty() && *way.begin() != "..";
  });
}

fs::path relative_to(const fs::path& path, const fs::path& base) {
  std::error_code error;
  return fs::absolute(path, error)
      .lexically_normal()
      .lexically_relative(fs::absolute(base.empty() ? "." : base, error).lexically_normal());
}

// Everything from the merged sections on.
void process(FrontResult& result, Report& report, const FrontOptions& options) {
  if (report.errors() > 0) return;  // what follows would only repeat the same mistakes
  text::read_text(result.doc, result.texts, report);
  if (report.errors() > 0) return;
  expand(result.doc, options, report);
  if (report.errors() > 0) return;
  derive(result.doc, options.limits, report);
}

FrontResult run(const FileLoader& files, const FrontOptions& options,
                const std::function<void(Loader&, GameSpecDoc&)>& load) {
  FrontResult result;
  Diagnostics diagnostics;
  Report report{result.doc.source, diagnostics};
  {
    Loader loader{files, options, report, result.texts};
    load(loader, result.doc);
    std::vector<Sections> modules;
    for (const fs::path& module : options.modules)
      if (Sections sections; loader.load(module.generic_string(), sections))
        modules.push_back(std::move(sections));
    compose(result.doc, std::move(modules), report);
  }
  process(result, report, options);
  if (diagnostics.has_errors()) diagnostics = without_unused(diagnostics);
  result.diagnostics = finish(std::move(diagnostics), options.limits.diagnostics);
  return result;
}

std::vector<std::string> markdown_files(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator{folder, error})
    if (entry.path().extension() == ".md") out.push_back(entry.path().filename().generic_string());
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::optional<std::string> read_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  auto text = parlor::read_file(path, max_file_bytes);
  return text ? std::optional{std::move(*text)} : std::nullopt;
}

FrontResult read_game(const fs::path& path, const FrontOptions& options) {
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  const fs::path base = folder ? path : path.parent_path();
  // Names in spans are relative to the game's folder, those of modules too, so that output does not
  // depend on where the game lies.
  std::vector<fs::path> given = options.include;
  given.insert(given.end(), {path, base});
  for (const fs::path& module : options.modules)
    given.insert(given.end(), {module, module.parent_path()});
  const FileLoader files = [&](std::string_view name) -> std::optional<std::string> {
    const fs::path file = base / fs::path{name};
    return lies_in(file, given) ? options.read(file) : std::nullopt;
  };
  FrontOptions relative = options;
  for (fs::path& module : relative.modules) module = relative_to(module, base);
  for (fs::path& folder : relative.include) folder = relative_to(folder, base);
  return run(files, relative, [&](Loader& loader, GameSpecDoc& doc) {
    if (folder)
      loader.load_folder(markdown_files(path), doc.sections);
    else
      loader.load(path.filename().generic_string(), doc.sections);
  });
}

FrontResult read_game(std::string_view entry, const FileLoader& loader,
                      const FrontOptions& options) {
  return run(loader, options, [&](Loader& files, GameSpecDoc& doc) {
    files.load(fs::path{entry}.lexically_normal().generic_string(), doc.sections);
  });
}

FrontResult read_game_text(std::string_view text, const FrontOptions& options,
                           std::string_view name) {
  const FileLoader files = [&](std::string_view wanted) -> std::optional<std::string> {
    if (wanted != name) return std::nullopt;
    return std::string{text};
  };
  return read_game(name, files, options);
}

FrontResult read_module_file(const fs::path& path, const FrontOptions& options) {
  FrontResult result;
  Diagnostics diagnostics;
  Report report{result.doc.source, diagnostics};
  const FileLoader files = [&](std::string_view name) {
    return options.read(path.parent_path() / fs::path{name});
  };
  Sections sections;
  Loader loader{files, options, report, result.texts};
  if (loader.load_alone(path.filename().generic_string(), sections)) {
    auto& module = sections[static_cast<std::size_t>(Section::module)];
    if (module)
      result.doc.modules.push_back(std::move(*module));
    else
      report.error(Code::MODULE_MISSING, {}, "this file is no module of a game", "module")
          .suggestion = "add a block `module: {id: my-rule, name: …, description: …}`";
  }
  result.diagnostics = finish(std::move(diagnostics), options.limits.diagnostics);
  return result;
}

}  // namespace parlor::spec
