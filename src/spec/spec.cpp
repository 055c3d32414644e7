#include "spec/spec.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/lower.h"

namespace parlor::spec {
namespace {

FrontOptions front_options(const CompileOptions& options) {
  FrontOptions out;
  out.set.assign(options.constants.begin(), options.constants.end());
  out.modules = options.rules;
  out.limits = options.limits;
  return out;
}

// Sorted, and no more than anybody wants to read.
Diagnostics finish(Diagnostics diagnostics, std::size_t most) {
  diagnostics.sort();
  const auto all = diagnostics.all();
  if (all.size() <= most || most == 0) return diagnostics;
  Diagnostics out;
  for (const Diagnostic& diagnostic : all.first(most - 1)) out.add(diagnostic);
  out.add({.code = Code::DIAGNOSTICS_TRUNCATED,
           .severity = diagnostics.has_errors() ? Severity::error : Severity::warning,
           .message = fmt::format("{} more diagnostics are not shown", all.size() - most + 1)});
  return out;
}

CompileResult compile(FrontResult front, const CompileOptions& options) {
  CompileResult out;
  out.texts = std::move(front.texts);
  Diagnostics diagnostics = std::move(front.diagnostics);
  if (!diagnostics.has_errors()) {
    GameDef game = lower_document(front.doc, diagnostics);
    if (!diagnostics.has_errors()) out.game = std::move(game);
  }
  out.diagnostics = finish(std::move(diagnostics), options.limits.diagnostics);
  return out;
}

}  // namespace

CompileResult compile_file(const std::filesystem::path& path, const CompileOptions& options) {
  return compile(read_game(path, front_options(options)), options);
}

CompileResult compile_text(std::string_view text, const CompileOptions& options,
                           std::string_view name) {
  return compile(read_game_text(text, front_options(options), name), options);
}

}  // namespace parlor::spec
