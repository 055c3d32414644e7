#include "host/contract.h"

namespace parlor::host {

Json scene_json(const Game&) {
  return nullptr;
}

Json view_json(const State& state, const Viewer& viewer) {
  return state.view(viewer);
}

Json decision_json(const State& state, const Viewer& viewer) {
  Json out = decision_to_json(state, viewer);
  if (!out.is_object() || !out.contains("options")) return out;
  State seen = state;
  if (!viewer.id().is_none()) seen.game().let_decide(seen.block(), viewer.id());
  OptionList options;
  seen.list_options(options);
  for (std::size_t i = 0; i < options.size(); ++i) {
    out["options"][i]["label"] = seen.option_label(options[i], viewer);
    out["options"][i]["text"] = seen.option_text(options[i], viewer);
  }
  if (std::string question = seen.question(viewer); !question.empty())
    out["question"] = std::move(question);
  return out;
}

}  // namespace parlor::host
