#include "play/trace.h"

#include <fmt/core.h>

namespace parlor::play {

void TraceWriter::open(std::uint64_t game_index) {
  file_ = std::ofstream((folder_ / fmt::format("game-{:06}.jsonl", game_index)).string());
  number_ = 0;
}

Json trace_line(const State& state, std::size_t number, const OptionList& options,
                std::size_t picked) {
  const Decision decision = state.decision();
  return {{"n", number},
          {"decider", decision.player.is_none() ? Json("chance") : Json(decision.player.value)},
          {"kind", decision_kind_name(decision.kind)},
          {"options", options_to_json(state, options)},
          {"picked", picked},
          {"hash", fmt::format("{:016x}", state.hash())}};
}

void TraceWriter::on_decision(const State& state, const OptionList& options, std::size_t picked) {
  file_ << canonical(trace_line(state, number_++, options, picked)) << '\n';
}

void TraceWriter::on_end(const State& state, const GameRecord& record) {
  Json last = opening_;
  last["seed"] = record.seed;
  last["players"] = state.game().info().players;
  last["outcome"] = record.finished ? to_json(*record.outcome) : Json(nullptr);
  last["decisions"] = number_;
  last["hash"] = fmt::format("{:016x}", state.hash());
  if (record.fault) last["fault"] = to_json(*record.fault);
  file_ << canonical(last) << '\n';
  file_.close();
}

}  // namespace parlor::play
