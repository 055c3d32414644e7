// States as canonical JSON, also in the middle of a move.
#include <cstring>
#include <fmt/format.h>

#include "base/hex.h"
#include "kernel/kernel.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

// Bytes as hexadecimal text: for the parts whose meaning is the machine's own.
std::string to_text(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const std::byte b : bytes) {
    out += digits[std::to_integer<unsigned>(b) >> 4];
    out += digits[std::to_integer<unsigned>(b) & 15];
  }
  return out;
}

Json clock_json(const Header& h) {
  return {{"turn", h.turn},
          {"round", h.round},
          {"turnInRound", h.turn_in_round},
          {"roundStart", int{h.round_start}},
          {"active", int{h.active}},
          {"phase", int{h.phase}},
          {"originPhase", int{h.origin_phase}},
          {"orderIndex", int{h.order_index}},
          {"roundIndex", h.round_index},
          {"decision", static_cast<int>(h.decision)},
          {"decider", int{h.decider}},
          {"endedBy", int{h.ended_by}},
          {"winner", int{h.winner}},
          {"submitted", h.submitted},
          {"effectSerial", h.effect_serial},
          {"seed", h.seed},
          {"streamUses", h.stream_uses},
          {"interrupts", int{h.interrupts}},
          {"reveals", int{h.reveals}},
          {"effects", int{h.effects}}};
}

// A half-made move, and the state it began with if it keeps that.
struct HalfMoveBytes {
  std::vector<std::byte> move;
  StateBlock origin;
};

HalfMoveBytes half_move_bytes(const StateBlock& block) {
  HalfMoveBytes out;
  const std::size_t size = block.as<Header>().vm_bytes;
  if (size == 0) return out;
  const std::byte* const begin = block.data() + block.size() - size;
  MoveTail tail;
  std::memcpy(&tail, begin + size - sizeof tail, sizeof tail);
  const std::size_t origin = tail.origin;
  const std::byte* const first = begin + size - sizeof tail - origin;
  out.origin.resize(origin);
  if (origin != 0) std::memcpy(out.origin.data(), first, origin);
  out.move.assign(begin, first);
  tail.origin = 0;  // it is saved as the state it is
  const auto* bytes = reinterpret_cast<const std::byte*>(&tail);
  out.move.insert(out.move.end(), bytes, bytes + sizeof tail);
  return out;
}

std::vector<std::byte> saved_sight(const Memory& memory, TokenId t) {
  std::vector<std::byte> out(memory.saved_sight_size());
  memory.sight_to_saved(t, out.data());
  return out;
}

}  // namespace

Json KernelGame::save_block(const StateBlock& block) const {
  const Program& p = *program_;
  Memory memory(p, readable(block));
  const Header& h = memory.header();
  Json vars = Json::array(), markers = Json::array(), usage = Json::array(),
       global_markers = Json::array();
  for (std::size_t i = 0; i < p.var_keys.size(); ++i) vars.push_back(memory.var_cell(i));
  for (const ZoneId z : p.zones.ids())
    for (int l = 0; l < std::ssize(p.lattices); ++l)
      if (memory.marker(z, l) >= 0) markers.push_back({z.value, l, memory.marker(z, l)});
  for (int l = 0; l < std::ssize(p.global_lattices); ++l)
    global_markers.push_back(memory.global_marker(l));
  for (std::size_t i = 0; i < p.usage_cells; ++i) usage.push_back(memory.usage(i));
  Json tokens = Json::array(), zones = Json::object();
  for (const TokenId t : memory.tokens()) {
    const TypeInfo& type = p.types[memory.token(t).type];
    Json props = Json::object();
    for (std::size_t prop = 0; prop < p.props.size(); ++prop) {
      const int column = type.column[prop];
      if (column < 0 || memory.cells(t)[column] == missing_cell) continue;
      const Value v = memory.prop(t, prop);
      if (v.is_symbol())
        props[p.props[prop]] = p.text(v.index());
      else if (v.tag() == Tag::text)
        props[p.props[prop]] = memory.text_at(v.payload() - kept_text);
      else
        props[p.props[prop]] = memory.cells(t)[column];
    }
    tokens.push_back({{"type", type.id}, {"props", std::move(props)}});
    if (p.secrets.tokens) tokens.back()["sight"] = to_text(saved_sight(memory, t));
  }
  for (const ZoneId z : p.zones.ids()) {
    if (memory.first(z).is_none()) continue;
    Json list = Json::array();
    for (const TokenId t : memory.tokens_in(z)) list.push_back(t.value);
    zones[p.zones[z].id] = std::move(list);
  }
  HalfMoveBytes half = half_move_bytes(block);
  Json out{{"clock", clock_json(h)},
           {"rng", {to_hex(h.rng.state()), to_hex(h.rng.increment())}},
           {"vars", std::move(vars)},
           {"markers", std::move(markers)},
           {"globalMarkers", std::move(global_markers)},
           {"usage", std::move(usage)},
           {"tokens", std::move(tokens)},
           {"zones", std::move(zones)},
           {"records", to_text(memory.saved_records())},
           {"move", to_text(half.move)}};
  if (half.origin.size() != 0) out["began"] = save_block(half.origin);
  if (h.text_bytes != 0) out["texts"] = memory.texts();
  return out;
}

}  // namespace parlor::kernel
