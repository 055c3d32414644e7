// States as canonical JSON and back, also in the middle of a move.
#include <fmt/format.h>

#include "kernel/kernel.h"
#include "kernel/machine.h"

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
bool from_text(const std::string& text, std::span<std::byte> out) {
  if (text.size() != out.size() * 2) return false;
  auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    out[i] = static_cast<std::byte>(high * 16 + low);
  }
  return true;
}

constexpr const char* clock_names[] = {"turn", "round", "turnInRound"};

Json clock_json(const Header& h) {
  return {{"turn", h.turn},
          {"round", h.round},
          {"turnInRound", h.turn_in_round},
          {"roundStart", int{h.round_start}},
          {"active", int{h.active}},
          {"phase", h.phase},
          {"originPhase", h.origin_phase},
          {"orderIndex", h.order_index},
          {"decision", static_cast<int>(h.decision)},
          {"decider", int{h.decider}},
          {"endedBy", h.ended_by},
          {"winner", int{h.winner}},
          {"submitted", h.submitted},
          {"effectSerial", h.effect_serial},
          {"seed", h.seed},
          {"streamUses", h.stream_uses},
          {"interrupts", int{h.interrupts}},
          {"reveals", int{h.reveals}},
          {"effects", int{h.effects}}};
}

// Reading is strict: anything missing, of the wrong type or out of range is refused.
struct Reader {
  const Json& json;
  std::string error;
  std::int64_t integer(const Json& from, const char* key, std::int64_t low, std::int64_t high) {
    if (!from.contains(key) || !from[key].is_number_integer()) return bad(key), low;
    const auto n = from[key].get<std::int64_t>();
    if (n < low || n > high) bad(key);
    return std::clamp(n, low, high);
  }
  void bad(const std::string& what) {
    if (error.empty()) error = what;
  }
};

}  // namespace

Json KernelGame::save_block(const StateBlock& block) const {
  const Program& p = *program_;
  Memory memory(p, readable(block));
  const Header& h = memory.header();
  Json vars = Json::array(), markers = Json::array(), usage = Json::array(),
       global_markers = Json::array();
  for (std::size_t i = 0; i < p.var_keys.size(); ++i)
    vars.push_back(memory.var_cell(static_cast<int>(i)));
  for (int z = 0; z < static_cast<int>(p.zones.size()); ++z)
    for (int l = 0; l < static_cast<int>(p.lattices.size()); ++l)
      if (memory.marker(z, l) >= 0) markers.push_back({z, l, memory.marker(z, l)});
  for (int l = 0; l < static_cast<int>(p.global_lattices.size()); ++l)
    global_markers.push_back(memory.global_marker(l));
  for (int i = 0; i < p.usage_cells; ++i) usage.push_back(memory.usage(i));
  Json tokens = Json::array(), zones = Json::object();
  for (int t = 0; t < static_cast<int>(h.tokens); ++t) {
    const TypeInfo& type = p.types[memory.token(t).type];
    Json props = Json::object();
    for (std::size_t prop = 0; prop < p.props.size(); ++prop) {
      const int column = type.column[prop];
      if (column < 0 || memory.cells(t)[column] == missing_cell) continue;
      const Value v = memory.prop(t, static_cast<int>(prop));
      if (v.is_symbol())
        props[p.props[prop]] = p.text(static_cast<Symbol>(v.payload()));
      else
        props[p.props[prop]] = memory.cells(t)[column];
    }
    tokens.push_back({{"type", type.id}, {"props", std::move(props)}});
  }
  for (int z = 0; z < static_cast<int>(p.zones.size()); ++z) {
    if (memory.first(z) < 0) continue;
    Json list = Json::array();
    for (int t = memory.first(z); t >= 0; t = memory.next(t)) list.push_back(t);
    zones[p.zones[static_cast<std::size_t>(z)].id] = std::move(list);
  }
  const std::span<const std::byte> records{block.data() + p.layout.pools,
                                           p.layout.tokens - p.layout.pools};
  const std::span<const std::byte> move{block.data() + block.size() - h.vm_bytes, h.vm_bytes};
  Json out{{"clock", clock_json(h)},
           {"rng", {to_hex(h.rng.state()), to_hex(h.rng.increment())}},
           {"vars", std::move(vars)},
           {"markers", std::move(markers)},
           {"globalMarkers", std::move(global_markers)},
           {"usage", std::move(usage)},
           {"tokens", std::move(tokens)},
           {"zones", std::move(zones)},
           {"records", to_text(records)},
           {"move", to_text(move)}};
  out["check"] = to_hex(hash(block));
  return out;
}

Applied KernelGame::load_block(const Json& saved, StateBlock& block) const {
  const Program& p = *program_;
  auto refuse = [](const std::string& what) {
    return tl::unexpected(Rejection(Code::STATE_INVALID, "the saved state is damaged: " + what));
  };
  if (!saved.is_object()) return refuse("not an object");
  for (const char* key : {"clock", "rng", "vars", "markers", "globalMarkers", "usage", "tokens",
                          "zones", "records", "move", "check"})
    if (!saved.contains(key)) return refuse(std::string("no ") + key);
  StateBlock fresh;
  fresh.resize(p.layout.tokens);
  Memory memory(p, fresh);
  Reader read{saved, {}};
  const Json& clock = saved["clock"];
  if (!clock.is_object() || !saved["rng"].is_array() || saved["rng"].size() != 2)
    return refuse("clock or rng");
  auto number = [&](const char* key, std::int64_t low, std::int64_t high) {
    return read.integer(clock, key, low, high);
  };
  auto set_header = [&] {
    Header& h = memory.header();
    std::int32_t* times[] = {&h.turn, &h.round, &h.turn_in_round};
    for (int i = 0; i < 3; ++i)
      *times[i] = static_cast<std::int32_t>(number(clock_names[i], 0, INT32_MAX));
    h.round_start = static_cast<std::uint8_t>(number("roundStart", 0, p.players - 1));
    h.active = static_cast<std::uint8_t>(number("active", 0, p.players - 1));
    h.phase = static_cast<std::int16_t>(
        number("phase", 0, static_cast<std::int64_t>(p.phases.size()) - 1));
    h.origin_phase = static_cast<std::int16_t>(
        number("originPhase", 0, static_cast<std::int64_t>(p.phases.size()) - 1));
    h.order_index = static_cast<std::int16_t>(
        number("orderIndex", 0, static_cast<std::int64_t>(p.turn_sequence.size())));
    h.decision =
        static_cast<DecisionKind>(number("decision", 0, static_cast<int>(DecisionKind::chance)));
    h.decider = static_cast<std::uint8_t>(number("decider", 0, 255));
    h.ended_by = static_cast<std::int16_t>(
        number("endedBy", -1, static_cast<std::int64_t>(p.terminals.size())));
    h.winner = static_cast<std::uint8_t>(number("winner", 0, 255));
    h.submitted = static_cast<std::uint32_t>(number("submitted", 0, UINT32_MAX));
    h.effect_serial = static_cast<std::uint32_t>(number("effectSerial", 0, UINT32_MAX));
    h.stream_uses = static_cast<std::uint32_t>(number("streamUses", 0, UINT32_MAX));
    h.interrupts = static_cast<std::uint8_t>(
        number("interrupts", 0, p.def.interrupts.empty() ? 0 : max_interrupts));
    h.reveals = static_cast<std::uint8_t>(number("reveals", 0, p.uses_reveals ? max_reveals : 0));
    h.effects = static_cast<std::uint8_t>(number("effects", 0, p.uses_effects ? max_effects : 0));
    if (clock.contains("seed") && clock["seed"].is_number_unsigned())
      h.seed = clock["seed"].get<std::uint64_t>();
  };
  set_header();
  for (const Json& part : saved["rng"])
    if (!part.is_string()) return refuse("rng");
  const auto state = parse_hex(saved["rng"][0].get<std::string>()),
             increment = parse_hex(saved["rng"][1].get<std::string>());
  if (!state || !increment) return refuse("rng");
  memory.header().rng = Rng::from_parts(*state, *increment);

  const Json& vars = saved["vars"];
  if (!vars.is_array() || vars.size() != p.var_keys.size()) return refuse("vars");
  for (std::size_t i = 0; i < vars.size(); ++i) {
    if (!vars[i].is_number_integer()) return refuse("vars");
    memory.write_var_cell(static_cast<int>(i), vars[i].get<std::int64_t>());
  }
  auto index = [](const Json& j, std::size_t below) {
    return j.is_number_integer() && j.get<std::int64_t>() >= 0 &&
           j.get<std::int64_t>() < static_cast<std::int64_t>(below);
  };
  for (const Json& m : saved["markers"]) {
    if (!m.is_array() || m.size() != 3 || !index(m[0], p.zones.size()) ||
        !index(m[1], p.lattices.size()) ||
        !index(m[2], p.lattices[m[1].get<std::size_t>()].states.size()))
      return refuse("markers");
    memory.write_marker(m[0].get<int>(), m[1].get<int>(), m[2].get<int>());
  }
  const Json& globals = saved["globalMarkers"];
  if (!globals.is_array() || globals.size() != p.global_lattices.size())
    return refuse("globalMarkers");
  for (std::size_t l = 0; l < globals.size(); ++l) {
    if (!index(globals[l], p.global_lattices[l].states.size())) return refuse("globalMarkers");
    memory.write_global_marker(static_cast<int>(l), globals[l].get<int>());
  }
  const Json& usage = saved["usage"];
  if (!usage.is_array() || usage.size() != static_cast<std::size_t>(p.usage_cells))
    return refuse("usage");
  for (std::size_t i = 0; i < usage.size(); ++i) {
    if (!index(usage[i], UINT32_MAX)) return refuse("usage");
    memory.write_usage(static_cast<int>(i), usage[i].get<std::uint32_t>());
  }
  if (!saved["tokens"].is_array() || saved["tokens"].size() > 32'000) return refuse("tokens");
  for (const Json& token : saved["tokens"]) {
    if (!token.is_object() || !token.contains("type") || !token["type"].is_string() ||
        !token.contains("props"))
      return refuse("tokens");
    const auto type = std::find_if(p.types.begin(), p.types.end(),
                                   [&](const TypeInfo& t) { return t.id == token["type"]; });
    if (type == p.types.end()) return refuse("token type");
    const std::vector<std::int32_t> blank(static_cast<std::size_t>(p.columns), missing_cell);
    const int t = memory.create_token(static_cast<int>(type - p.types.begin()), -1, blank.data());
    for (const auto& [name, v] : token["props"].items()) {
      const auto prop = static_cast<std::size_t>(std::find(p.props.begin(), p.props.end(), name) -
                                                 p.props.begin());
      if (prop == p.props.size() || type->column[prop] < 0) return refuse("token property");
      if (v.is_string()) {
        const auto symbol = p.symbols.find(v.get<std::string>());
        if (!symbol || type->cell[prop] != CellType::symbol) return refuse("token property");
        memory.write_cell(t, static_cast<int>(prop), static_cast<std::int32_t>(symbol->value));
      } else {
        if (!v.is_number_integer()) return refuse("token property");
        memory.write_cell(t, static_cast<int>(prop), v.get<std::int32_t>());
      }
    }
  }
  if (!saved["zones"].is_object()) return refuse("zones");
  for (const auto& [id, list] : saved["zones"].items()) {
    const auto zone = p.symbols.find(id);
    if (!zone || zone->value >= p.zones.size() || !list.is_array()) return refuse("zones");
    for (const Json& t : list) {
      if (!index(t, memory.header().tokens) || memory.token(t.get<int>()).zone >= 0)
        return refuse("zones");
      memory.insert(t.get<int>(), static_cast<int>(zone->value), -1);
    }
  }
  if (!saved["records"].is_string() || !saved["move"].is_string() || !saved["check"].is_string())
    return refuse("records");
  if (!from_text(saved["records"].get<std::string>(),
                 {fresh.data() + p.layout.pools, p.layout.tokens - p.layout.pools}))
    return refuse("records");
  const auto move = saved["move"].get<std::string>();
  if (!move.empty()) {
    const std::size_t fixed = fresh.size();
    fresh.resize(fixed + move.size() / 2);
    memory.rebase();
    memory.header().vm_bytes = static_cast<std::uint32_t>(move.size() / 2);
    if (!from_text(move, {fresh.data() + fixed, move.size() / 2})) return refuse("move");
  }
  if (!read.error.empty()) return refuse(read.error);
  refresh_instant(fresh);
  // The parts that only the machine understands are trusted because this number vouches for them.
  if (to_hex(hash(fresh)) != saved["check"].get<std::string>())
    return refuse("its checksum does not fit");
  block = std::move(fresh);
  return {};
}

}  // namespace parlor::kernel
