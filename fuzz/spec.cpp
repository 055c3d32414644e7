// Fuzzes the spec compiler: any bytes must give diagnostics or a GameDef, never a crash or a hang.
// The first byte chooses how the text is given: as Markdown, as bare YAML, or as YAML in a fence
// (so that the fuzzer need not find the fence again and again).
#include "spec/spec.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest{reinterpret_cast<const char*>(data) + 1, size - 1};
  parlor::spec::CompileOptions options;
  // Small limits reach the code behind them and keep single runs short.
  options.limits.macro_nodes = 20'000;
  options.limits.alias_nodes = 5'000;
  options.limits.board_zones = 400;
  options.limits.built_in_effects = 400;
  options.limits.piece_combinations = 100;
  switch (data[0] % 3) {
    case 0:
      parlor::spec::compile_text(rest, options, "game.md");
      break;
    case 1:
      parlor::spec::compile_text(rest, options, "game.yaml");
      break;
    default:
      parlor::spec::compile_text("```yaml\n" + std::string{rest} + "\n```\n", options, "game.md");
  }
  return 0;
}
