#include "kernel/card_fixtures.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "kernel/open.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::kernel {

namespace {
std::filesystem::path folder(const std::string& kind) {
  return std::filesystem::path{PARLOR_SOURCE_DIR} / "tests/kernel/cards" / kind;
}
}  // namespace

std::vector<CardFixture> card_fixtures(const std::string& kind) {
  std::vector<CardFixture> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder(kind))) {
    const std::string file = entry.path().filename().string();
    const std::string end = ".expected.json";
    if (!file.ends_with(end)) continue;
    std::ifstream in(entry.path());
    out.push_back({kind, file.substr(0, file.size() - end.size()), Json::parse(in)});
  }
  std::ranges::sort(out, {}, &CardFixture::name);
  return out;
}

std::shared_ptr<const KernelGame> open_fixture(const CardFixture& fixture) {
  spec::CompileResult compiled = spec::compile_file(folder(fixture.kind) / (fixture.name + ".md"));
  if (!compiled.game)
    throw std::runtime_error(render(compiled.diagnostics, compiled.texts, Colour::never));
  return open_kernel(std::move(*compiled.game), fixture.expected["players"].get<std::size_t>());
}

Json told(const State& state) {
  Json out = state.view(Viewer::everything());
  out["decision"] = nullptr;
  if (state.finished()) {
    Json winners = Json::array();
    for (const PlayerId winner : state.outcome().winners) winners.push_back(winner.value);
    out["outcome"] = {{"winners", std::move(winners)}};
    return out;
  }
  static constexpr const char* kinds[] = {"finished", "actionSelection", "chooseOne", "chooseN",
                                          "chance"};
  const Decision decision = state.decision();
  OptionList options;
  state.list_options(options);
  Json list = Json::array();
  for (const Option option : options)
    list.push_back(state.option_json(option, Viewer::everything()));
  out["decision"] = {{"kind", kinds[static_cast<int>(decision.kind)]},
                     {"decider", decision.player.value},
                     {"options", std::move(list)}};
  return out;
}

}  // namespace parlor::kernel
