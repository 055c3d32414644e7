#include "play/trace.h"

#include <fmt/core.h>

namespace parlor::play {

void TraceWriter::open(std::uint64_t game_index) {
  file_ = std::ofstream(folder_ / fmt::format("game-{:06}.jsonl", game_index));
  number_ = 0;
}

void TraceWriter::on_decision(const State& state, const OptionList& options, std::size_t picked) {
  const Decision decision = state.decision();
  file_ << canonical({{"n", number_++},
                      {"decider", decision.player.is_none() ? Json() : Json(decision.player.value)},
                      {"kind", decision_kind_name(decision.kind)},
                      {"options", options_to_json(state, options)},
                      {"picked", picked},
                      {"hash", to_hex(state.hash())}})
        << '\n';
}

void TraceWriter::on_end(const State& state, const GameRecord& record) {
  Json last{{"hash", to_hex(state.hash())}, {"finished", record.finished}};
  last["outcome"] = record.finished ? to_json(record.outcome) : Json();
  if (!record.failure.empty()) last["failure"] = record.failure;
  file_ << canonical(last) << '\n';
  file_.close();
}

}  // namespace parlor::play
