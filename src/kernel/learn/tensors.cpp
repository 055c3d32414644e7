#include "kernel/learn/tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ranges>
#include <set>
#include <tuple>

#include "kernel/kernel.h"
#include "kernel/learn/learning.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {
namespace {

constexpr std::size_t most_kinds = 256;
constexpr float many = 64;  // a count without a bound is told as a share of this

// Numbers without an end, between 0 and 1.
float growing(std::int64_t n) {
  const auto x = static_cast<float>(std::max<std::int64_t>(0, n));
  return x / (x + many);
}

float scaled(const VarInfo& var, std::int64_t value) {
  if (var.boolean) return value != 0 ? 1 : 0;
  const auto most = std::max({std::int64_t{1}, std::abs(var.min), std::abs(var.max)});
  return static_cast<float>(static_cast<double>(value) / static_cast<double>(most));
}

// Properties that the rules write while playing.
std::set<int> written_props(const Program& p) {
  std::set<int> out;
  for (const Instr& i : p.code)
    if (i.op == Op::set_prop) out.insert(i.x);
  for (const TypeInfo& type : p.types)
    for (const EntryRule& rule : type.entry)
      for (const auto& [prop, value] : rule.set) out.insert(prop);
  return out;
}

// Names that rules give to a property, as far as they say so outright.
std::vector<Value> named_values(const Program& p, int prop) {
  std::vector<Value> out;
  const auto add = [&](NodeId node) {
    const Node& n = p.nodes[node];
    if (n.op != Ex::constant) return;
    if (const Value v = p.constants[n.a]; v.is_symbol()) out.push_back(v);
  };
  for (const Instr& i : p.code) {
    if (i.op == Op::set_prop && i.x == prop) add(i.b);
    if (i.op != Op::create_token) continue;
    for (int k = 0; k < i.c; ++k)
      if (p.extra[i.b + 2 * k] == prop) add(p.extra[i.b + 2 * k + 1]);
  }
  for (const TypeInfo& type : p.types) {
    for (const EntryRule& rule : type.entry)
      for (const auto& [own, value] : rule.set)
        if (own == prop && value.is_symbol()) out.push_back(value);
    for (const TypeInfo::Transition& transition : type.transitions)
      if (transition.prop == prop) {
        out.push_back(transition.from);
        out.push_back(transition.to);
      }
  }
  return out;
}

}  // namespace

Tensors::Tensors(const Program& program, const ActionNumbers& numbers, const StateBlock& start,
                 bool lasting, bool hides, const std::set<int>& varying)
    : p_(program), told_(program), hides_(hides) {
  for (const ZoneId z : p_.zones.ids())
    if (!p_.zones[z].internal) zones_.push_back(z);
  for (std::size_t player = 0; player < std::min<std::size_t>(p_.def.seats.size(), p_.players);
       ++player) {
    seats_.push_back(p_.symbol_named(p_.def.seats[player]));
  }
  find_types(start, lasting);
  lay_out_board();
  find_quick_ways();
  lay_out_areas(start, lasting, varying);
  action_of_unit_.assign(p_.units.size(), -1);
  for (std::size_t a = 0; a < p_.actions.size(); ++a) {
    const ActionInfo& action = p_.actions[a];
    if (!action.pipelines.empty()) continue;
    action_of_unit_[action.unit] = a;
    param_rows_ = std::max(param_rows_, action.params.size());
  }
  for (const auto& [pc, domain] : numbers.choices()) {
    questions_.emplace(pc, questions_.size());
    chosen_.add_all(domain.values);
    const Instr& i = p_.code[pc];
    for (const UnitId u : p_.units.ids())
      if (pc >= p_.units[u].entry && pc < p_.units[u].end)
        bound_[u].push_back(i.op == Op::choose_one ? i.d : p_.extra[i.d + 3]);
  }
  if (!questions_.empty())
    for (std::size_t a = 0; a < p_.actions.size(); ++a)
      for (std::size_t k = 0; p_.actions[a].pipelines.empty() && k < p_.actions[a].params.size();
           ++k)
        chosen_.add_all(numbers.domain_of(a, k).values);
  plain_ = !hides_ && questions_.empty() && !p_.simultaneous;
  lay_out_rest();
}

std::size_t Tensors::add_part(std::string name, std::vector<std::size_t> shape, std::string layout,
                              float low, float high) {
  TensorPart part{std::move(name), std::move(shape), std::move(layout), low, high};
  const std::size_t first = size_, size = part.size();
  if (size == 0) return first;
  size_ += size;
  parts_.push_back(std::move(part));
  return first;
}

// ---- Which numbers there are.

void Tensors::find_types(const StateBlock& start, bool lasting) {
  Lease lease(p_);
  Machine& machine = lease.machine();
  std::vector<std::vector<TokenId>> tokens(p_.types.size());
  if (start.size() != 0) {
    machine.attach(readable(start));
    for (const TokenId t : machine.memory().tokens())
      tokens[machine.memory().token(t).type].push_back(t);
  }
  for (int index = 0; index < std::ssize(p_.types); ++index) {
    Type type;
    if (!told_.types[index]) {
      types_.push_back(std::move(type));
      continue;
    }
    type.plane = planes_;
    type.owner = owner_property(p_, index);
    if (const TypeInfo& info = p_.types[index];
        type.owner >= 0 && info.cell[type.owner] == CellType::integer)
      type.owner_column = info.column[type.owner];
    planes_ += type.owner >= 0 ? p_.players + 1 : 1;
    const std::vector<TokenId>& own = tokens[index];
    if (lasting && !own.empty()) {
      std::map<ZoneId, int> together;
      int highest = 1;
      for (const TokenId t : own)
        if (const ZoneId z = machine.memory().zone_of(t);
            !z.is_none() && p_.zones[z].kind == spec::ZoneKind::board)
          highest = std::max(highest, ++together[z]);
      type.weight = 1.0F / static_cast<float>(highest);
      most_ = std::max(most_, static_cast<float>(own.size()) * type.weight);
    }
    find_shown(type, index, own, lasting, machine);
    types_.push_back(std::move(type));
  }
}

// Properties that tell tokens of one type apart.
void Tensors::find_shown(Type& type, int index, const std::vector<TokenId>& tokens, bool lasting,
                         Machine& machine) {
  const TypeInfo& info = p_.types[index];
  const std::set<int> written = written_props(p_);
  for (int prop = 0; prop < std::ssize(p_.props); ++prop) {
    if (info.column[prop] < 0 || prop == type.owner) continue;
    const CellType cell = info.cell[prop];
    std::vector<Value> values;
    for (const TokenId t : tokens) values.push_back(machine.memory().prop(t, prop));
    const bool same = lasting && !tokens.empty() && !written.contains(prop) &&
                      std::ranges::all_of(values, [&](Value v) { return v == values[0]; });
    if (same) continue;
    Shown shown;
    shown.prop = prop;
    shown.plane = planes_;
    shown.number = cell != CellType::symbol;
    if (cell == CellType::integer) {
      std::int64_t most = 1;
      for (const Value v : values) most = std::max(most, std::abs(v.payload()));
      shown.scale = 1.0F / static_cast<float>(most);
    }
    if (cell == CellType::symbol) {
      for (const Value v : named_values(p_, prop)) values.push_back(v);
      for (const Value v : values)
        if (v.is_symbol() && std::ranges::find(shown.values, v) == shown.values.end())
          shown.values.push_back(v);
      if (shown.values.size() > most_kinds) shown.values.clear();
    }
    planes_ += shown.number ? 1 : std::ssize(shown.values) + 1;
    type.shown.push_back(std::move(shown));
  }
}

void Tensors::lay_out_board() {
  cell_of_.assign(p_.zones.size(), -1);
  std::vector<ZoneId> spaces;
  for (const ZoneId z : zones_)
    if (p_.zones[z].kind == spec::ZoneKind::board) spaces.push_back(z);
  if (spaces.empty()) return;
  if (hides_) unseen_plane_ = planes_++;
  for (const auto& [first, second, layout] :
       {std::tuple{"row", "col", "plane row column"}, std::tuple{"q", "r", "plane q r"}}) {
    const int a = position_of(p_.attributes, first), b = position_of(p_.attributes, second);
    if (a < 0 || b < 0) continue;
    const auto coordinate = [&](ZoneId z, int which) { return p_.attribute(z, which); };
    std::set<std::pair<std::int64_t, std::int64_t>> places;
    for (const ZoneId z : spaces)
      if (coordinate(z, a).is_int() && coordinate(z, b).is_int())
        places.emplace(coordinate(z, a).payload(), coordinate(z, b).payload());
    if (places.size() != spaces.size()) continue;  // some have none, or two boards share theirs
    const auto [low_a, high_a] = std::ranges::minmax(places | std::views::keys);
    const auto [low_b, high_b] = std::ranges::minmax(places | std::views::values);
    const std::size_t rows = high_a - low_a + 1, columns = high_b - low_b + 1;
    if (rows * columns > 4 * spaces.size()) continue;
    for (const ZoneId z : spaces)
      cell_of_[z] =
          (coordinate(z, a).payload() - low_a) * columns + coordinate(z, b).payload() - low_b;
    cells_ = rows * columns;
    has_mask_ = cells_ != spaces.size();
    const std::size_t planes = planes_ + (has_mask_ ? 1 : 0);
    board_ = add_part("board", {planes, rows, columns}, layout, -most_, most_);
    return;
  }
  for (std::size_t i = 0; i < spaces.size(); ++i) cell_of_[spaces[i]] = i;
  cells_ = spaces.size();
  board_ =
      add_part("board", {static_cast<std::size_t>(planes_), cells_}, "plane space", -most_, most_);
}

void Tensors::find_quick_ways() {
  for (int viewer = 0; viewer < p_.players; ++viewer)
    for (const Type& type : types_) {
      Quick& quick = quick_.emplace_back();
      quick.applies = !hides_ && type.plane >= 0 && type.shown.empty() &&
                      (type.owner < 0 || type.owner_column >= 0);
      if (!quick.applies) continue;
      quick.weight = type.weight;
      if (type.owner >= 0)
        quick.owner_at = sizeof(TokenRecord) + type.owner_column * sizeof(std::int32_t);
      for (int owner = 0; owner <= p_.players; ++owner) {
        const int apart = owner == p_.players ? owner : relative(owner, viewer);
        const int plane = type.plane + (type.owner >= 0 ? apart : 0);
        quick.plane[owner] = plane * cells_;
      }
    }
}

void Tensors::lay_out_areas(const StateBlock& start, bool lasting, const std::set<int>& varying) {
  area_of_.assign(p_.zones.size(), -1);
  int rows = 0;
  for (const BaseInfo& base : p_.bases) {
    const ZoneInfo& first = p_.zones[base.zones.front()];
    if (first.internal || first.kind == spec::ZoneKind::board) continue;
    for (const ZoneId z : base.zones) area_of_[z] = rows;
    rows += std::ssize(base.zones);
  }
  area_rows_ = rows;
  if (rows == 0) return;
  kinds_ = p_.types.size();
  kind_weight_.assign(kinds_, 1.0F / many);
  if (lasting && start.size() != 0) {
    std::set<int> written = written_props(p_);
    written.insert(varying.begin(), varying.end());
    Lease lease(p_);
    lease.machine().attach(readable(start));
    const Memory& memory = lease.machine().memory();
    std::map<std::vector<std::uint64_t>, int> known;
    std::vector<float> counts;
    for (const TokenId t : memory.tokens()) {
      std::vector<std::uint64_t> key{memory.token(t).type};
      for (int prop = 0; prop < std::ssize(p_.props); ++prop)
        if (!written.contains(prop)) key.push_back(memory.prop(t, prop).bits);
      const auto [at, fresh] = known.emplace(std::move(key), known.size());
      if (fresh) counts.push_back(0);
      kind_of_.push_back(at->second);
      if (fresh) type_of_kind_.push_back(memory.token(t).type);
      ++counts[at->second];
    }
    if (!known.empty() && known.size() <= most_kinds) {
      kinds_ = known.size();
      for (float& count : counts) count = 1.0F / count;
      kind_weight_ = std::move(counts);
    } else {
      kind_of_.clear();
    }
  }
  kind_weight_.push_back(1.0F / many);  // of unseen ones
  areas_ = add_part("areas", {area_rows_, kinds_ + 1}, "area kind");
}

void Tensors::lay_out_rest() {
  const std::size_t players = p_.players;
  globals_ = add_part("globals", {told_.globals.size()}, "variable", -1, 1);
  players_ = add_part("players", {players, told_.of_players.size()}, "player variable", -1, 1);
  zone_vars_ = add_part("zones", {zones_.size(), told_.of_zones.size()}, "zone variable", -1, 1);
  for (const LatticeInfo& lattice : p_.lattices) marker_states_ += lattice.states.size();
  markers_ = add_part("markers", {zones_.size(), marker_states_}, "zone state");
  std::size_t states = 0;
  for (const LatticeInfo& lattice : p_.global_lattices) states += lattice.states.size();
  global_markers_ = add_part("globalMarkers", {states}, "state");
  has_variables_ = !told_.globals.empty() || !told_.of_players.empty() || !told_.of_zones.empty();
  has_markers_ = marker_states_ + states != 0;
  has_effects_ = !p_.effect_kinds.empty() || p_.usage_cells != 0;
  effects_ = add_part("effects", {p_.effect_kinds.size(), players + 1}, "effect owner");
  if (!p_.simultaneous) limits_ = add_part("limits", {p_.usage_cells}, "counter");
  clock_ = add_part("clock", {p_.phases.size() + 2 + 2 * players + 5}, "number");
  if (!questions_.empty())
    move_ = add_part("move", {questions_.size() + (param_rows_ + 1) * chosen_.size()}, "number");
}

// ---- Reading a state.

int Tensors::owner_of(const Memory& memory, const Type& type, TokenId token) const {
  if (type.owner_column >= 0) {
    const std::int32_t cell = memory.cells(token)[type.owner_column];
    return cell >= 0 && cell < p_.players ? cell : -1;
  }
  const Value v = memory.prop(token, type.owner);
  if (v.is_int() && v.payload() >= 0 && v.payload() < p_.players) return v.index();
  if (v.is_symbol()) return position_of(seats_, v.index());
  return -1;
}

void Tensors::put_token(const Memory& memory, TokenId token, int cell, int viewer,
                        float* board) const {
  const Type& type = types_[memory.token(token).type];
  int plane = type.plane;
  if (plane < 0) return;
  if (type.owner >= 0) {
    const int owner = owner_of(memory, type, token);
    plane += owner < 0 ? p_.players : relative(owner, viewer);
  }
  float* const column = board + cell;
  float& here = column[plane * cells_];
  here = std::min(most_, here + type.weight);
  for (const Shown& shown : type.shown) put_property(memory, token, type, shown, column);
}

void Tensors::put_property(const Memory& memory, TokenId token, const Type& type,
                           const Shown& shown, float* column) const {
  const auto add = [&](int plane, float amount) {
    float& place = column[plane * cells_];
    place = std::clamp(place + amount * type.weight, -most_, most_);
  };
  const Value v = memory.prop(token, shown.prop);
  if (!shown.number) {
    const auto found = std::ranges::find(shown.values, v);
    add(shown.plane + (found - shown.values.begin()), 1);
  } else if (!v.is_none() && v.payload() != 0) {
    add(shown.plane, std::clamp(static_cast<float>(v.payload()) * shown.scale, -1.0F, 1.0F));
  }
}

// A token that no set-up that was looked at has counts as the first kind of its type.
std::size_t Tensors::kind_of(const Memory& memory, TokenId token) const {
  const auto type = memory.token(token).type;
  if (kind_of_.empty()) return type;
  const auto at = token.index();
  if (at < kind_of_.size() && type_of_kind_[kind_of_[at]] == type) return kind_of_[at];
  return std::ranges::find(type_of_kind_, type) - type_of_kind_.begin();
}

void Tensors::put_any_token(const Look& look, TokenId token, float* board, float* areas) const {
  const Memory& memory = look.memory;
  const ZoneId z = memory.zone_of(token);
  const int cell = cell_of_[z];
  const bool seen = !hides_ || look.eyes->see(memory, token);
  if (!seen && !look.eyes->see_count(z)) return;
  if (cell >= 0 && seen) return put_token(memory, token, cell, look.viewer, board);
  if (cell >= 0) {
    float& place = board[unseen_plane_ * cells_ + cell];
    place = std::min(most_, place + 1.0F);
    return;
  }
  int row = area_of_[z];
  if (row < 0) return;
  if (const int owner = p_.zones[z].owner; owner >= 0) row += relative(owner, look.viewer);
  const std::size_t kind = seen ? kind_of(memory, token) : kinds_;
  float& place = areas[row * (kinds_ + 1) + kind];
  place = std::min(1.0F, place + kind_weight_[kind]);
}

void Tensors::put_tokens(const Look& look, std::span<float> out) const {
  const Memory& memory = look.memory;
  float* const board = out.data() + board_;
  float* const areas = out.data() + areas_;
  const Quick* const quick = quick_.data() + look.viewer * types_.size();
  const std::uint32_t nobody = p_.players;
  const std::size_t apart = p_.layout.token_size;
  const std::byte* record = memory.at<std::byte>(p_.layout.tokens);
  for (const TokenId t : memory.tokens()) {
    const std::byte* const at = std::exchange(record, record + apart);
    const auto& token = *reinterpret_cast<const TokenRecord*>(at);
    if (token.zone < 0) continue;
    const int cell = cell_of_[ZoneId(token.zone)];
    const Quick& way = quick[token.type];
    if (cell < 0 || !way.applies) {
      put_any_token(look, t, board, areas);
      continue;
    }
    std::uint32_t owner;
    std::memcpy(&owner, at + way.owner_at, sizeof owner);
    float& place = board[way.plane[std::min(owner, nobody)] + cell];
    place = std::min(most_, place + way.weight);
  }
  if (has_mask_)
    for (const int cell : cell_of_)
      if (cell >= 0) board[planes_ * cells_ + cell] = 1;
}

// What is secret is 0, and so is which of the tokens a variable holds that somebody does not see.
void Tensors::put_variables(const Look& look, std::span<float> out) const {
  const Memory& memory = look.memory;
  const Eyes* const eyes = look.eyes;
  const auto put = [&](const VarInfo& var, bool seen, std::int64_t value) {
    const bool token = hides_ && var.type == spec::VarType::token && value >= 0;
    if (token && !eyes->see(memory, TokenId(value))) return 0.0F;
    return seen ? scaled(var, value) : 0.0F;
  };
  float* next = out.data() + globals_;
  for (const VarId i : told_.globals)
    *next++ = put(p_.gvars[i], !hides_ || eyes->see_gvar(i), memory.gvar(i));
  next = out.data() + players_;
  for (int k = 0; k < p_.players; ++k) {
    const int player = (look.viewer + k) % p_.players;
    for (const VarId i : told_.of_players)
      *next++ = put(p_.pvars[i], !hides_ || eyes->see_pvar(player, i), memory.pvar(player, i));
  }
  if (told_.of_zones.empty()) return;
  next = out.data() + zone_vars_;
  for (const ZoneId z : zones_)
    for (const VarId i : told_.of_zones)
      *next++ = put(p_.zvars[i], !hides_ || eyes->see_zvar(z, i), memory.zvar(z, i));
}

void Tensors::put_markers(const Look& look, std::span<float> out) const {
  const Memory& memory = look.memory;
  float* next = out.data() + markers_;
  for (std::size_t k = 0; k < zones_.size() && marker_states_ != 0; ++k)
    for (std::size_t l = 0; l < p_.lattices.size(); ++l) {
      if (const int state = memory.marker(zones_[k], l); state >= 0) next[state] = 1;
      next += p_.lattices[l].states.size();
    }
  next = out.data() + global_markers_;
  for (std::size_t l = 0; l < p_.global_lattices.size(); ++l) {
    if (!hides_ || look.eyes->see_global_marker(l)) next[memory.global_marker(l)] = 1;
    next += p_.global_lattices[l].states.size();
  }
}

void Tensors::put_effects(const Memory& memory, int viewer, std::span<float> out) const {
  const std::size_t columns = p_.players + 1;
  for (int k = 0; k < memory.header().effects; ++k) {
    const EffectRecord& record = memory.at<EffectRecord>(p_.layout.effects)[k];
    const std::size_t owner = record.owner < 0 ? columns - 1 : relative(record.owner, viewer);
    float& place = out[effects_ + record.kind * columns + owner];
    place = std::min(1.0F, place + 0.25F);
  }
  for (std::size_t cell = 0; !p_.simultaneous && cell < p_.usage_cells; ++cell)
    out[limits_ + cell] = growing(memory.usage(cell));
}

void Tensors::put_clock(const Memory& memory, int viewer, const Decision& told,
                        std::span<float> out) const {
  const Header& h = memory.header();
  float* next = out.data() + clock_;
  next[h.phase] = 1;
  next += p_.phases.size();
  *next++ = growing(h.turn);
  *next++ = growing(h.round);
  // Where all hand in their moves at once, who is being asked says how far the others are.
  if (!p_.phases[h.phase].together) next[relative(h.active, viewer)] = 1;
  next += p_.players;
  if (!told.player.is_none()) next[relative(told.player.value, viewer)] = 1;
  next += p_.players;
  next[static_cast<std::size_t>(told.kind)] = 1;
}

void Tensors::mark(Machine& machine, const Eyes& eyes, Value value, float* row) const {
  if (value.is_list()) {
    for (std::size_t k = 0; k < machine.list_size(value); ++k)
      mark(machine, eyes, machine.list_at(value, k), row);
    return;
  }
  if (value.is_token() && hides_ && !eyes.see(machine.memory(), value.as_token())) return;
  if (const int place = chosen_.find(value); place >= 0) row[place] = 1;
}

// Only for whoever makes the move.
void Tensors::put_move(Machine& machine, const Eyes& eyes, std::span<float> out) const {
  const Header& h = machine.header();
  const bool choosing =
      h.decision == DecisionKind::choose_one || h.decision == DecisionKind::choose_n;
  if (!choosing || machine.depth() == 0 || h.decider != eyes.player()) return;
  float* const first = out.data() + move_;
  if (const auto found = questions_.find(machine.top().pc); found != questions_.end())
    first[found->second] = 1;
  float* const rows = first + questions_.size();
  const std::size_t width = chosen_.size();
  float* const choices = rows + param_rows_ * width;
  for (std::size_t f = 0; f < machine.depth(); ++f) {
    const Frame& frame = machine.frame(f);
    if (const int action = action_of_unit_[frame.unit]; action >= 0) {
      const auto& params = p_.actions[action].params;
      for (std::size_t k = 0; k < params.size(); ++k)
        mark(machine, eyes, machine.slot_of(frame, params[k].slot), rows + k * width);
    }
    if (const auto found = bound_.find(frame.unit); found != bound_.end())
      for (const SlotId slot : found->second)
        mark(machine, eyes, machine.slot_of(frame, slot), choices);
  }
  for (std::size_t k = 0; k < machine.selected_count(); ++k)
    mark(machine, eyes, machine.selected_at(k), choices);
}

void Tensors::put_state(const Look& look, const Decision& told, std::span<float> out) const {
  std::ranges::fill(out.first(size_), 0.0F);
  put_tokens(look, out);
  if (has_variables_) put_variables(look, out);
  if (has_markers_) put_markers(look, out);
  if (has_effects_) put_effects(look.memory, look.viewer, out);
  put_clock(look.memory, look.viewer, told, out);
}

void Tensors::observe(Machine& machine, const Eyes& eyes, const Decision& told,
                      std::span<float> out) const {
  put_state({machine.memory(), eyes.player(), &eyes}, told, out);
  if (!questions_.empty()) put_move(machine, eyes, out);
}

void Tensors::observe_plain(const Memory& memory, int viewer, const Decision& told,
                            std::span<float> out) const {
  put_state({memory, viewer, nullptr}, told, out);
}

// ---- The game's side of it.

std::span<const TensorPart> KernelGame::tensor_parts() const {
  return learning().tensors.parts();
}

void KernelGame::observe(const StateBlock& block, PlayerId viewer, std::span<float> out) const {
  const Tensors& tensors = learning().tensors;
  if (tensors.plain())
    return tensors.observe_plain(Memory(*program_, readable(block)), viewer.value, decision(block),
                                 out);
  Lease room(*program_), lease(*program_);
  lease.machine().attach(readable(at_hand(block, room.block())));
  const Viewer player = Viewer::player(viewer);
  const Eyes eyes(*program_, profiles_, player);
  tensors.observe(lease.machine(), eyes, decision_told(block, player), out);
}

}  // namespace parlor::kernel
