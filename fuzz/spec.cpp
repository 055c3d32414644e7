// Fuzzes the spec compiler: any bytes must give diagnostics or a GameDef, never a crash or a hang.
// Text with a fence is read as Markdown, other text as bare YAML, so that the fuzzer need not find
// the fence again and again. What compiles must survive being written as JSON and read back.
#include "spec/spec.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  parlor::spec::CompileOptions options;
  // Small limits reach the code behind them and keep single runs short.
  options.limits.macro_nodes = 20'000;
  options.limits.alias_nodes = 5'000;
  options.limits.board_zones = 400;
  options.limits.built_in_effects = 400;
  options.limits.piece_combinations = 100;
  const bool markdown = text.find("```") != std::string_view::npos;
  const parlor::spec::CompileResult result =
      parlor::spec::compile_text(text, options, markdown ? "game.md" : "game.yaml");
  if (result.game.has_value() == result.diagnostics.has_errors()) std::abort();
  parlor::render(result.diagnostics, result.texts, parlor::Colour::never);
  if (!result.game) return 0;
  const auto back = parlor::spec::gamedef_from_json(parlor::spec::to_json(*result.game));
  if (!back || !(*back == *result.game)) std::abort();
  return 0;
}
