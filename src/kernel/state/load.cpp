// States from canonical JSON, also in the middle of a move. Reading is strict: anything missing, of
// the wrong type or out of range is refused.
#include <cstring>

#include "base/hex.h"
#include "kernel/kernel.h"
#include "kernel/run/machine.h"
#include "kernel/state/soundness.h"

namespace parlor::kernel {

namespace {

constexpr std::size_t most_move_bytes = std::size_t{16} << 20;

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

bool is_index(const Json& j, std::uint64_t below) {
  const std::int64_t end = below;
  return integer_in(j, 0, end - 1).has_value();
}

// Fills an empty block part by part, as far as the parts have the form of what they should be; what
// they say is looked at afterwards (soundness.h). `damage` names the first part that was not.
class Loader {
 public:
  Loader(const Program& program, const Json& saved, StateBlock& block)
      : p_(program), saved_(saved), block_(block), memory_(program, block) {}

  bool load() {
    return shape() && clock() && random() && variables() && markers() && usage() && texts() &&
           tokens() && zones() && records();
  }
  const std::string& damage() const { return damage_; }

 private:
  bool bad(std::string what) {
    if (damage_.empty()) damage_ = std::move(what);
    return false;
  }
  std::int64_t number(const char* key, std::int64_t low, std::int64_t high) {
    const Json& clock = saved_["clock"];
    const auto n = clock.contains(key) ? integer_in(clock[key], low, high) : std::nullopt;
    if (!n) bad(key);
    return n.value_or(low);
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
  bool texts();
  bool tokens();
  bool token(const Json& saved);
  bool token_sight(TokenId t, const Json& saved);
  bool token_property(TokenId t, const TypeInfo& type, const std::string& name, const Json& v);
  bool zones();
  bool records();
  bool first_state(StateBlock& origin);

  const Program& p_;
  const Json& saved_;
  StateBlock& block_;
  Memory memory_;
  std::string damage_;
};

bool Loader::shape() {
  if (!saved_.is_object()) return bad("not an object");
  for (const char* key : {"clock", "rng", "vars", "markers", "globalMarkers", "usage", "tokens",
                          "zones", "records", "move"})
    if (!saved_.contains(key)) return bad(std::string("no ") + key);
  for (const char* key : {"records", "move"})
    if (!saved_[key].is_string()) return bad(key);
  return saved_.size() == 10 + saved_.count("texts") + saved_.count("began") ||
         bad("something nobody asked for");
}

bool Loader::clock() {
  const Json& clock = saved_["clock"];
  if (!clock.is_object()) return bad("clock");
  const auto phases = std::ssize(p_.phases);
  Header& h = memory_.header();
  read(h.turn, "turn", 0, INT32_MAX);
  read(h.round, "round", 0, INT32_MAX);
  read(h.turn_in_round, "turnInRound", 0, INT32_MAX);
  read(h.round_start, "roundStart", 0, p_.players - 1);
  read(h.active, "active", 0, p_.players - 1);
  read(h.phase, "phase", 0, phases - 1);
  read(h.origin_phase, "originPhase", 0, phases - 1);
  read(h.order_index, "orderIndex", 0, std::ssize(p_.turn_sequence));
  read(h.round_index, "roundIndex", 0, std::ssize(p_.turn_sequence));
  read(h.decision, "decision", 0, static_cast<int>(DecisionKind::chance));
  read(h.decider, "decider", 0, UINT8_MAX);
  read(h.ended_by, "endedBy", -1, std::ssize(p_.terminals));
  read(h.winner, "winner", 0, 255);
  read(h.submitted, "submitted", 0, UINT32_MAX);
  read(h.effect_serial, "effectSerial", 0, UINT32_MAX);
  read(h.stream_uses, "streamUses", 0, UINT32_MAX);
  read(h.interrupts, "interrupts", 0, p_.def.interrupts.empty() ? 0 : max_interrupts);
  read(h.reveals, "reveals", 0, p_.uses_reveals ? max_reveals : 0);
  read(h.effects, "effects", 0, p_.uses_effects ? max_effects : 0);
  if (!clock.contains("seed") || !clock["seed"].is_number_unsigned()) return bad("seed");
  h.seed = clock["seed"].get<std::uint64_t>();
  if (h.seed != 0 && !p_.uses_streams) return bad("seed");
  return damage_.empty();
}

bool Loader::random() {
  const Json& rng = saved_["rng"];
  if (!rng.is_array() || rng.size() != 2 || !rng[0].is_string() || !rng[1].is_string())
    return bad("rng");
  const auto state = parse_hex(rng[0].get<std::string>()),
             increment = parse_hex(rng[1].get<std::string>());
  // An even increment makes short circles, and waiting for a number to come up could take for ever.
  if (!state || !increment || (*increment & 1) == 0) return bad("rng");
  memory_.header().rng = Rng::from_parts(*state, *increment);
  return true;
}

bool Loader::variables() {
  const Json& vars = saved_["vars"];
  if (!vars.is_array() || vars.size() != p_.var_keys.size()) return bad("vars");
  for (std::size_t i = 0; i < vars.size(); ++i) {
    const auto n = integer_in(vars[i], -max_int, max_int);
    if (!n) return bad("vars");
    memory_.write_var_cell(i, *n);
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
    memory_.write_marker(ZoneId(m[0].get<int>()), m[1].get<int>(), m[2].get<int>());
  }
  const Json& globals = saved_["globalMarkers"];
  if (!globals.is_array() || globals.size() != p_.global_lattices.size())
    return bad("globalMarkers");
  for (std::size_t l = 0; l < globals.size(); ++l) {
    if (!is_index(globals[l], p_.global_lattices[l].states.size())) return bad("globalMarkers");
    memory_.write_global_marker(l, globals[l].get<int>());
  }
  return true;
}

bool Loader::usage() {
  const Json& usage = saved_["usage"];
  if (!usage.is_array() || usage.size() != p_.usage_cells) return bad("usage");
  for (std::size_t i = 0; i < usage.size(); ++i) {
    if (!is_index(usage[i], std::uint64_t{1} << 32)) return bad("usage");
    memory_.write_usage(i, usage[i].get<std::uint32_t>());
  }
  return true;
}

// Texts made while playing, exactly as they lay: a half-made move knows them by their places.
bool Loader::texts() {
  if (!saved_.contains("texts")) return true;
  if (!saved_["texts"].is_array()) return bad("texts");
  for (const Json& text : saved_["texts"]) {
    if (!text.is_string()) return bad("texts");
    const auto own = text.get<std::string>();
    if (p_.symbols.find(own) || !memory_.find_text(own).is_none() ||
        memory_.keep_text(own).is_none())
      return bad("texts");
  }
  return true;
}

bool Loader::tokens() {
  const Json& list = saved_["tokens"];
  if (!list.is_array() || list.size() > most_tokens) return bad("tokens");
  for (const Json& saved : list)
    if (!token(saved)) return false;
  return true;
}

bool Loader::token(const Json& saved) {
  if (!saved.is_object() || !saved.contains("type") || !saved["type"].is_string() ||
      !saved.contains("props") || !saved["props"].is_object())
    return bad("tokens");
  const auto id = saved["type"].get<std::string>();
  const int type = position_of(p_.types, id, &TypeInfo::id);
  if (type < 0) return bad("token type");
  const std::vector<std::int32_t> blank(p_.columns, missing_cell);
  const TokenId t = memory_.create_token(type, ZoneId::none(), blank.data());
  for (const auto& [name, v] : saved["props"].items())
    if (!token_property(t, p_.types[type], name, v)) return bad("token property");
  return !p_.secrets.tokens || token_sight(t, saved) || bad("token sight");
}

// Who knows what may be anything; values to draw from must exist.
bool Loader::token_sight(TokenId t, const Json& saved) {
  std::vector<std::byte> bytes(memory_.saved_sight_size());
  if (!saved.contains("sight") || !saved["sight"].is_string() ||
      !from_text(saved["sight"].get<std::string>(), bytes) ||
      !memory_.sight_from_saved(t, bytes.data()))
    return false;
  for (std::size_t k = 0; k < p_.secrets.props.size(); ++k) {
    const ValueRange range = memory_.ranges(t)[k];
    const int prop = p_.secrets.props[k];
    if (range.low > range.high || p_.types[memory_.token(t).type].cell[prop] != CellType::symbol)
      continue;
    if (range.low < 0 || range.high >= std::ssize(p_.secrets.words[prop])) return false;
  }
  return true;
}

bool Loader::token_property(TokenId t, const TypeInfo& type, const std::string& name,
                            const Json& v) {
  const int prop = position_of(p_.props, name);
  if (prop < 0 || type.column[prop] < 0) return false;
  if (v.is_string()) {
    const auto text = v.get<std::string>();
    const Symbol symbol = p_.symbol_named(text);
    const Value held = symbol >= 0 ? Value::symbol(symbol) : memory_.find_text(text);
    if (held.is_none() || type.cell[prop] != CellType::symbol) return false;
    memory_.write_cell(t, prop, Memory::encode_cell(CellType::symbol, held));
    return true;
  }
  // A property of texts may also name a token: those are the numbers below zero.
  const bool tokens = type.cell[prop] == CellType::symbol;
  const auto cell = integer_in(v, INT32_MIN + 1, tokens ? -1 : INT32_MAX);
  if (!cell) return false;
  memory_.write_cell(t, prop, *cell);
  return true;
}

bool Loader::zones() {
  if (!saved_["zones"].is_object()) return bad("zones");
  for (const auto& [id, list] : saved_["zones"].items()) {
    const ZoneId zone = p_.zone_named(id);
    if (zone.is_none() || !list.is_array()) return bad("zones");
    for (const Json& item : list) {
      if (!is_index(item, memory_.header().tokens)) return bad("zones");
      const TokenId t(item.get<int>());
      if (!memory_.zone_of(t).is_none()) return bad("zones");
      memory_.insert(t, zone, TokenId::none());
    }
  }
  return true;
}

bool Loader::records() {
  const auto& kept = saved_["records"].get_ref<const std::string&>();
  std::vector<std::byte> records(kept.size() / 2);
  if (!from_text(kept, records) || !memory_.load_records(records)) return bad("records");
  const auto& text = saved_["move"].get_ref<const std::string&>();
  const bool began = saved_.contains("began");
  if (text.empty()) return !began || bad("began");
  if (text.size() > 2 * most_move_bytes) return bad("move");
  std::vector<std::byte> move(text.size() / 2);
  MoveTail tail;
  if (move.size() < sizeof tail || !from_text(text, move)) return bad("move");
  std::memcpy(&tail, move.data() + move.size() - sizeof tail, sizeof tail);
  if (tail.origin != 0) return bad("move");
  StateBlock origin;
  if (began && !first_state(origin)) return bad("began");
  tail.origin = origin.size();
  const std::size_t parts = move.size() - sizeof tail, fixed = block_.size();
  block_.resize(fixed + move.size() + origin.size());
  memory_.rebase();
  memory_.header().vm_bytes = move.size() + origin.size();
  std::byte* to = block_.data() + fixed;
  std::memcpy(to, move.data(), parts);
  if (origin.size() != 0) std::memcpy(to + parts, origin.data(), origin.size());
  std::memcpy(to + parts + origin.size(), &tail, sizeof tail);
  return true;
}

// The state a half-made move began with: a state like any other, at an action selection.
bool Loader::first_state(StateBlock& origin) {
  origin.resize(p_.layout.tokens);
  Loader loader(p_, saved_["began"], origin);
  if (!saved_["began"].is_object() || saved_["began"].contains("began") || !loader.load())
    return false;
  const Header& h = origin.as<Header>();
  return h.decision == DecisionKind::action && h.vm_bytes == 0 && !find_damage(p_, origin);
}

}  // namespace

// Whether the game is over, or there is something to decide.
bool KernelGame::can_go_on(const StateBlock& block) const {
  const DecisionKind kind = block.as<Header>().decision;
  if (kind == DecisionKind::finished) return true;
  StateBlock room;
  const StateBlock& pending = at_hand(block, room);
  // A move that is being handed in must have led to the choice that is said to be pending.
  if (&pending == &room && find_damage(*program_, room)) return false;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(pending));
  if (kind == DecisionKind::action) return machine.move_exists();
  if (machine.depth() == 0) return false;
  OptionList options;
  machine.list_raw(options);
  machine.begin_listing();
  if (kind == DecisionKind::chance || machine.can_answer_safely()) return !options.empty();
  return std::ranges::any_of(options, [&](Option option) { return machine.completes(option); });
}

// Saves of earlier versions hold lists that nothing holds any more: equal states are equal bytes.
static void tidy_half_move(const Program& program, StateBlock& block) {
  if (block.as<Header>().vm_bytes == 0) return;
  Lease lease(program);
  Machine& machine = lease.machine();
  machine.attach(block);
  if (machine.depth() == 0) return;
  machine.begin_write();
  machine.detach();
}

Applied KernelGame::load_block(const Json& saved, StateBlock& block) const {
  StateBlock fresh;
  fresh.resize(program_->layout.tokens);
  Loader loader(*program_, saved, fresh);
  const auto refuse = [](const std::string& what) {
    return tl::unexpected(Rejection(Code::STATE_INVALID, "the saved state is damaged: " + what));
  };
  if (!loader.load()) return refuse(loader.damage());
  if (const auto damage = find_damage(*program_, fresh)) return refuse(*damage);
  refresh_instant(fresh);
  if (!can_go_on(fresh)) return refuse("nobody could do anything");
  tidy_half_move(*program_, fresh);
  block = std::move(fresh);
  return {};
}

}  // namespace parlor::kernel
