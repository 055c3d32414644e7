// States from canonical JSON, also in the middle of a move. Reading is strict: anything missing, of
// the wrong type or out of range is refused.
#include "kernel/kernel.h"
#include "kernel/machine.h"

namespace parlor::kernel {

namespace {

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

bool is_index(const Json& j, std::size_t below) {
  return j.is_number_integer() && j.get<std::int64_t>() >= 0 &&
         j.get<std::int64_t>() < static_cast<std::int64_t>(below);
}

// Fills an empty block part by part. Each part says whether it was sound; `damage` names the first
// that was not.
class Loader {
 public:
  Loader(const Program& program, const Json& saved, StateBlock& block)
      : p_(program), saved_(saved), block_(block), memory_(program, block) {}

  bool load() {
    return shape() && clock() && random() && variables() && markers() && usage() && tokens() &&
           zones() && records();
  }
  const std::string& damage() const { return damage_; }

 private:
  bool bad(std::string what) {
    if (damage_.empty()) damage_ = std::move(what);
    return false;
  }
  std::int64_t number(const char* key, std::int64_t low, std::int64_t high) {
    const Json& clock = saved_["clock"];
    if (!clock.contains(key) || !clock[key].is_number_integer()) return bad(key), low;
    const auto n = clock[key].get<std::int64_t>();
    if (n < low || n > high) bad(key);
    return std::clamp(n, low, high);
  }
  template <class T>
  void read(T& field, const char* key, std::int64_t low, std::int64_t high) {
    field = static_cast<T>(number(key, low, high));
  }

  bool shape();
  bool clock();
  bool random();
  bool variables();
  bool markers();
  bool usage();
  bool tokens();
  bool token(const Json& saved);
  bool token_sight(int t, const Json& saved);
  bool token_property(int t, const TypeInfo& type, const std::string& name, const Json& v);
  bool zones();
  bool records();

  const Program& p_;
  const Json& saved_;
  StateBlock& block_;
  Memory memory_;
  std::string damage_;
};

bool Loader::shape() {
  if (!saved_.is_object()) return bad("not an object");
  for (const char* key : {"clock", "rng", "vars", "markers", "globalMarkers", "usage", "tokens",
                          "zones", "records", "move", "check"})
    if (!saved_.contains(key)) return bad(std::string("no ") + key);
  for (const char* key : {"records", "move", "check"})
    if (!saved_[key].is_string()) return bad(key);
  return true;
}

bool Loader::clock() {
  const Json& clock = saved_["clock"];
  if (!clock.is_object()) return bad("clock");
  const auto phases = static_cast<std::int64_t>(p_.phases.size());
  Header& h = memory_.header();
  read(h.turn, "turn", 0, INT32_MAX);
  read(h.round, "round", 0, INT32_MAX);
  read(h.turn_in_round, "turnInRound", 0, INT32_MAX);
  read(h.round_start, "roundStart", 0, p_.players - 1);
  read(h.active, "active", 0, p_.players - 1);
  read(h.phase, "phase", 0, phases - 1);
  read(h.origin_phase, "originPhase", 0, phases - 1);
  read(h.order_index, "orderIndex", 0, static_cast<std::int64_t>(p_.turn_sequence.size()));
  read(h.decision, "decision", 0, static_cast<int>(DecisionKind::chance));
  read(h.decider, "decider", 0, 255);
  read(h.ended_by, "endedBy", -1, static_cast<std::int64_t>(p_.terminals.size()));
  read(h.winner, "winner", 0, 255);
  read(h.submitted, "submitted", 0, UINT32_MAX);
  read(h.effect_serial, "effectSerial", 0, UINT32_MAX);
  read(h.stream_uses, "streamUses", 0, UINT32_MAX);
  read(h.interrupts, "interrupts", 0, p_.def.interrupts.empty() ? 0 : max_interrupts);
  read(h.reveals, "reveals", 0, p_.uses_reveals ? max_reveals : 0);
  read(h.effects, "effects", 0, p_.uses_effects ? max_effects : 0);
  if (clock.contains("seed") && clock["seed"].is_number_unsigned())
    h.seed = clock["seed"].get<std::uint64_t>();
  return damage_.empty();
}

bool Loader::random() {
  const Json& rng = saved_["rng"];
  if (!rng.is_array() || rng.size() != 2 || !rng[0].is_string() || !rng[1].is_string())
    return bad("rng");
  const auto state = parse_hex(rng[0].get<std::string>()),
             increment = parse_hex(rng[1].get<std::string>());
  if (!state || !increment) return bad("rng");
  memory_.header().rng = Rng::from_parts(*state, *increment);
  return true;
}

bool Loader::variables() {
  const Json& vars = saved_["vars"];
  if (!vars.is_array() || vars.size() != p_.var_keys.size()) return bad("vars");
  for (std::size_t i = 0; i < vars.size(); ++i) {
    if (!vars[i].is_number_integer()) return bad("vars");
    memory_.write_var_cell(static_cast<int>(i), vars[i].get<std::int64_t>());
  }
  return true;
}

bool Loader::markers() {
  if (!saved_["markers"].is_array()) return bad("markers");
  for (const Json& m : saved_["markers"]) {
    if (!m.is_array() || m.size() != 3 || !is_index(m[0], p_.zones.size()) ||
        !is_index(m[1], p_.lattices.size()) ||
        !is_index(m[2], p_.lattices[m[1].get<std::size_t>()].states.size()))
      return bad("markers");
    memory_.write_marker(m[0].get<int>(), m[1].get<int>(), m[2].get<int>());
  }
  const Json& globals = saved_["globalMarkers"];
  if (!globals.is_array() || globals.size() != p_.global_lattices.size())
    return bad("globalMarkers");
  for (std::size_t l = 0; l < globals.size(); ++l) {
    if (!is_index(globals[l], p_.global_lattices[l].states.size())) return bad("globalMarkers");
    memory_.write_global_marker(static_cast<int>(l), globals[l].get<int>());
  }
  return true;
}

bool Loader::usage() {
  const Json& usage = saved_["usage"];
  if (!usage.is_array() || usage.size() != static_cast<std::size_t>(p_.usage_cells))
    return bad("usage");
  for (std::size_t i = 0; i < usage.size(); ++i) {
    if (!is_index(usage[i], UINT32_MAX)) return bad("usage");
    memory_.write_usage(static_cast<int>(i), usage[i].get<std::uint32_t>());
  }
  return true;
}

bool Loader::tokens() {
  const Json& list = saved_["tokens"];
  if (!list.is_array() || list.size() > 32'000) return bad("tokens");
  for (const Json& saved : list)
    if (!token(saved)) return false;
  return true;
}

bool Loader::token(const Json& saved) {
  if (!saved.is_object() || !saved.contains("type") || !saved["type"].is_string() ||
      !saved.contains("props") || !saved["props"].is_object())
    return bad("tokens");
  const auto id = saved["type"].get<std::string>();
  const auto type =
      std::find_if(p_.types.begin(), p_.types.end(), [&](const TypeInfo& t) { return t.id == id; });
  if (type == p_.types.end()) return bad("token type");
  const std::vector<std::int32_t> blank(static_cast<std::size_t>(p_.columns), missing_cell);
  const int t = memory_.create_token(static_cast<int>(type - p_.types.begin()), -1, blank.data());
  for (const auto& [name, v] : saved["props"].items())
    if (!token_property(t, *type, name, v)) return bad("token property");
  return !p_.secrets.tokens || token_sight(t, saved) || bad("token sight");
}

// Who knows what may be anything; values to draw from must exist.
bool Loader::token_sight(int t, const Json& saved) {
  if (!saved.contains("sight") || !saved["sight"].is_string() ||
      !from_text(saved["sight"].get<std::string>(),
                 {reinterpret_cast<std::byte*>(&memory_.sight(t)),
                  p_.layout.token_size - p_.layout.sight}))
    return false;
  for (std::size_t k = 0; k < p_.secrets.props.size(); ++k) {
    const ValueRange range = memory_.ranges(t)[k];
    const auto prop = static_cast<std::size_t>(p_.secrets.props[k]);
    if (range.low > range.high || p_.types[memory_.token(t).type].cell[prop] != CellType::symbol)
      continue;
    if (range.low < 0 || range.high >= static_cast<std::int64_t>(p_.secrets.words[prop].size()))
      return false;
  }
  return true;
}

bool Loader::token_property(int t, const TypeInfo& type, const std::string& name, const Json& v) {
  const auto found = std::find(p_.props.begin(), p_.props.end(), name);
  const auto prop = static_cast<std::size_t>(found - p_.props.begin());
  if (found == p_.props.end() || type.column[prop] < 0) return false;
  if (v.is_string()) {
    const auto symbol = p_.symbols.find(v.get<std::string>());
    if (!symbol || type.cell[prop] != CellType::symbol) return false;
    memory_.write_cell(t, static_cast<int>(prop), static_cast<std::int32_t>(symbol->value));
    return true;
  }
  if (!v.is_number_integer()) return false;
  memory_.write_cell(t, static_cast<int>(prop), v.get<std::int32_t>());
  return true;
}

bool Loader::zones() {
  if (!saved_["zones"].is_object()) return bad("zones");
  for (const auto& [id, list] : saved_["zones"].items()) {
    const auto zone = p_.symbols.find(id);
    if (!zone || zone->value >= p_.zones.size() || !list.is_array()) return bad("zones");
    for (const Json& t : list) {
      if (!is_index(t, memory_.header().tokens) || memory_.token(t.get<int>()).zone >= 0)
        return bad("zones");
      memory_.insert(t.get<int>(), static_cast<int>(zone->value), -1);
    }
  }
  return true;
}

bool Loader::records() {
  if (!from_text(saved_["records"].get<std::string>(),
                 {block_.data() + p_.layout.pools, p_.layout.tokens - p_.layout.pools}))
    return bad("records");
  const auto move = saved_["move"].get<std::string>();
  if (move.empty()) return true;
  const std::size_t fixed = block_.size();
  block_.resize(fixed + move.size() / 2);
  memory_.rebase();
  memory_.header().vm_bytes = static_cast<std::uint32_t>(move.size() / 2);
  return from_text(move, {block_.data() + fixed, move.size() / 2}) || bad("move");
}

}  // namespace

Applied KernelGame::load_block(const Json& saved, StateBlock& block) const {
  StateBlock fresh;
  fresh.resize(program_->layout.tokens);
  Loader loader(*program_, saved, fresh);
  const auto refuse = [](const std::string& what) {
    return tl::unexpected(Rejection(Code::STATE_INVALID, "the saved state is damaged: " + what));
  };
  if (!loader.load()) return refuse(loader.damage());
  refresh_instant(fresh);
  // The parts that only the machine understands are trusted because this number vouches for them.
  if (to_hex(hash(fresh)) != saved["check"].get<std::string>())
    return refuse("its checksum does not fit");
  block = std::move(fresh);
  return {};
}

}  // namespace parlor::kernel
