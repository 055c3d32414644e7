// Small card-driven games with the decisions that are expected of them: tests/kernel/cards.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace parlor::kernel {

struct CardFixture {
  std::string kind, name;  // "flow" or "free", and the file
  Json expected;
};

std::vector<CardFixture> card_fixtures(const std::string& kind);
std::shared_ptr<const KernelGame> open_fixture(const CardFixture& fixture);

// What `parlor state --json` says of a state.
Json told(const State& state);

}  // namespace parlor::kernel
