#include "spec/spec.h"

#include <algorithm>

#include "spec/gamedef/hazards.h"
#include "spec/lower/lower.h"
#include "spec/lower/unused.h"
#include "spec/report.h"

namespace parlor::spec {
namespace {

FrontOptions front_options(const CompileOptions& options) {
  FrontOptions out;
  out.set.assign(options.constants.begin(), options.constants.end());
  out.modules = options.rules;
  out.read = options.read;
  out.include = options.include;
  out.limits = options.limits;
  return out;
}

// Errors that leave the rest of the document readable: something could not be written out.
bool is_expansion_error(const Diagnostic& d) {
  constexpr std::string_view families[] = {
      "EFFECT_MACRO_", "CONDITION_MACRO_", "PHASE_TEMPLATE_", "ZONE_TEMPLATE_",  "BATCH_",
      "BOARD_",        "BUILTIN_",         "CONSTANT_",       "BINDING_RESERVED"};
  const std::string_view name = code_name(d.code);
  return d.severity != Severity::error ||
         std::ranges::any_of(families, [&](std::string_view f) { return name.starts_with(f); });
}

// After a failed expansion names and bindings may be missing that the author did write, so only
// mistakes that are mistakes in any case count: a misspelt name is one that is near another.
bool stands_on_its_own(const Diagnostic& d, const Diagnostics& before) {
  if (d.severity != Severity::error || d.code == Code::SECTION_MISSING) return false;
  const std::string_view name = code_name(d.code);
  if (name.starts_with("BINDING_")) return false;
  if (name.ends_with("_UNKNOWN") && d.alternatives.empty()) return false;
  return std::ranges::none_of(before.all(), [&](const Diagnostic& other) {
    return other.span.file == d.span.file && other.span.line == d.span.line;
  });
}

// Whether anything can be said about the rules although expansion failed. What follows from data
// assets is not there then.
bool partly_expanded(const FrontResult& front) {
  return std::ranges::all_of(front.diagnostics.all(), is_expansion_error) &&
         front.doc.find(Section::dataAssets) == nullptr;
}

CompileResult compile(FrontResult front, const CompileOptions& options) {
  CompileResult out;
  out.texts = std::move(front.texts);
  Diagnostics diagnostics = front.diagnostics;
  if (!diagnostics.has_errors()) {
    GameDef game = lower_document(front.doc, diagnostics);
    if (!diagnostics.has_errors()) {
      find_hazards(game, diagnostics);
      if (options.unused) find_unused(game, front.doc, diagnostics);
      out.game = std::move(game);
    }
  } else if (partly_expanded(front)) {
    Diagnostics more;
    lower_document(front.doc, more, Completeness::partial);
    for (const Diagnostic& d : more.all())
      if (stands_on_its_own(d, front.diagnostics)) diagnostics.add(d);
  }
  if (!options.unused || diagnostics.has_errors()) diagnostics = without_unused(diagnostics);
  out.diagnostics = finish(std::move(diagnostics), options.limits.diagnostics);
  return out;
}

}  // namespace

CompileResult compile_file(const std::filesystem::path& path, const CompileOptions& options) {
  return compile(read_game(path, front_options(options)), options);
}

CompileResult compile_files(std::string_view entry, const FileLoader& files,
                            const CompileOptions& options) {
  return compile(read_game(entry, files, front_options(options)), options);
}

CompileResult compile_text(std::string_view text, const CompileOptions& options,
                           std::string_view name) {
  return compile(read_game_text(text, front_options(options), name), options);
}

ModuleResult read_module(const std::filesystem::path& path, const FileReader& read) {
  FrontOptions options;
  options.read = read;
  FrontResult front = read_module_file(path, options);
  ModuleResult out{std::move(front.diagnostics), std::move(front.texts), std::nullopt};
  if (front.doc.modules.empty()) return out;
  ModuleInfo info = lower_module(front.doc, out.diagnostics);
  if (!out.diagnostics.has_errors()) out.module = std::move(info);
  return out;
}

}  // namespace parlor::spec
