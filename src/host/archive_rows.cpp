#include <array>

#include "host/archive.h"

namespace parlor::host {
namespace {
constexpr std::array<std::string_view, 3> seat_kinds{"open", "human", "bot"};
constexpr std::array<std::string_view, 4> table_states{"open", "playing", "finished", "abandoned"};
}  // namespace

std::string_view seat_kind_name(SeatKind kind) {
  return seat_kinds[static_cast<std::size_t>(kind)];
}

std::string_view table_state_name(TableState state) {
  return table_states[static_cast<std::size_t>(state)];
}

std::optional<TableState> table_state_named(std::string_view name) {
  for (std::size_t i = 0; i < table_states.size(); ++i)
    if (table_states[i] == name) return static_cast<TableState>(i);
  return std::nullopt;
}

}  // namespace parlor::host
