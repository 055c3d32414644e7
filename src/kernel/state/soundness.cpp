#include "kernel/state/soundness.h"

#include <algorithm>
#include <cstring>
#include <fmt/core.h>
#include <set>

#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

bool below(std::int64_t n, std::size_t end) {
  return n >= 0 && std::cmp_less(n, end);
}

// A half-made move, copied out of a block.
struct MoveParts {
  std::vector<Frame> frames;
  std::vector<Value> slots, arena;
  std::vector<Happening> events;
  std::vector<TemplateBinding> templates;
  bool knows_origin = false;
};

template <class T>
void take(const std::byte*& from, std::vector<T>& to, std::int32_t count) {
  to.resize(count);
  const std::size_t bytes = to.size() * sizeof(T);
  if (bytes != 0) std::memcpy(static_cast<void*>(to.data()), from, bytes);
  from += bytes;
}

// The parts of a half-made move, if their sizes add up to exactly the bytes there are.
std::optional<MoveParts> parts_of(std::span<const std::byte> bytes) {
  MoveTail tail;
  if (bytes.size() < sizeof tail) return std::nullopt;
  std::memcpy(&tail, bytes.data() + bytes.size() - sizeof tail, sizeof tail);
  std::uint64_t sum = sizeof tail;
  const auto add = [&](std::int32_t count, std::size_t size) {
    sum += count < 0 ? bytes.size() : count * size;
  };
  add(tail.frames, sizeof(Frame));
  add(tail.slots, sizeof(Value));
  add(tail.arena, sizeof(Value));
  add(tail.events, sizeof(Happening));
  add(tail.templates, sizeof(TemplateBinding));
  add(tail.origin, 1);
  if (sum != bytes.size()) return std::nullopt;
  MoveParts move;
  const std::byte* at = bytes.data();
  take(at, move.frames, tail.frames);
  take(at, move.slots, tail.slots);
  take(at, move.arena, tail.arena);
  take(at, move.events, tail.events);
  take(at, move.templates, tail.templates);
  move.knows_origin = tail.origin != 0;
  return move;
}

class Examiner {
 public:
  Examiner(const Program& program, const StateBlock& block)
      : p_(program), block_(block), memory_(program, readable(block)) {}

  std::optional<std::string> examine() {
    if (!clock()) return "clock";
    if (!variables()) return "vars";
    if (!tokens()) return "tokens";
    if (!records()) return "records";
    if (!decision()) return "decision";
    if (memory_.header().vm_bytes != 0 && !half_move()) return "move";
    return std::nullopt;
  }

 private:
  bool clock() const {
    const Header& h = memory_.header();
    // Far more turns than any game has, and still far from where the count would overflow.
    constexpr std::int32_t most = 1 << 30;
    const std::size_t order = std::max<std::size_t>(1, p_.turn_sequence.size());
    return below(h.turn, most) && below(h.round, most) && below(h.turn_in_round, most) &&
           below(h.active, seats()) && below(h.round_start, seats()) &&
           below(h.phase, p_.phases.size()) && below(h.origin_phase, p_.phases.size()) &&
           below(h.order_index, order) && below(h.round_index, order) &&
           (below(h.ended_by + 1, p_.terminals.size() + 1) ||
            (h.ended_by == 0 && h.decision != DecisionKind::finished)) &&  // not yet, or never
           (h.winner == 0xff || h.winner < p_.players) &&
           (h.submitted >> p_.players) == 0;
  }

  bool variables() const {
    int cell = 0;
    const auto fits = [&](const Vars& vars, std::size_t owners) {
      for (std::size_t owner = 0; owner < owners; ++owner)
        for (const VarInfo& var : vars) {
          const std::int64_t n = memory_.var_cell(cell++);
          if (var.boolean ? n != 0 && n != 1 : n < var.min || n > var.max) return false;
          if (var.type == spec::VarType::token && n >= memory_.header().tokens) return false;
        }
      return true;
    };
    return fits(p_.gvars, 1) && fits(p_.pvars, seats()) && fits(p_.zvars, p_.zones.size());
  }

  bool tokens() const {
    for (const TokenId t : memory_.tokens()) {
      if (p_.tokens_stay && memory_.zone_of(t).is_none()) return false;
      const TypeInfo& type = p_.types[memory_.token(t).type];
      for (std::size_t prop = 0; prop < p_.props.size(); ++prop) {
        if (type.column[prop] < 0) continue;
        const std::int32_t cell = memory_.cells(t)[type.column[prop]];
        if (cell == missing_cell && type.given[prop]) return false;
        if (cell == missing_cell) continue;
        if (type.cell[prop] == CellType::boolean && cell != 0 && cell != 1) return false;
        if (!lasting(memory_.decode_cell(type.cell[prop], cell))) return false;
      }
    }
    return true;
  }

  // A value that means the same wherever it is read.
  bool lasting(Value v) const {
    const std::int64_t n = v.payload();
    switch (v.tag()) {
      case Tag::none:
        return n == 0;
      case Tag::integer:
        return n >= -max_int && n <= max_int;
      case Tag::boolean:
        return n == 0 || n == 1;
      case Tag::symbol:
        return below(n, p_.symbols.size());
      case Tag::token:
        return below(n, memory_.header().tokens);
      case Tag::row:
        return below(n >> 24, p_.tables.size()) && below(n & 0xffffff, p_.tables[n >> 24].rows);
      case Tag::list:
        return below(n - constant_list, p_.lists.size());
      case Tag::text:
        return n >= kept_text && memory_.find_text(memory_.text_at(n - kept_text)) == v;
    }
    return false;
  }

  bool records() const {
    const Header& h = memory_.header();
    if (p_.options.explicit_chance)
      for (const ZoneId z : p_.zones.ids())
        if (memory_.pool(z) > 1) return false;
    const auto* interrupts = memory_.at<std::int16_t>(p_.layout.interrupts);
    for (int k = 0; k < 2 * h.interrupts; ++k)
      if (!below(interrupts[k], p_.phases.size())) return false;
    const auto* reveals = memory_.at<RevealRecord>(p_.layout.reveals);
    for (int k = 0; k < h.reveals; ++k)
      if (!below(reveals[k].zone.value, p_.zones.size()) ||
          !below(reveals[k].filter + 1, p_.reveal_filter_nodes.size() + 1) ||
          (reveals[k].observers != ~std::uint32_t{0} && (reveals[k].observers >> p_.players) != 0))
        return false;
    const auto* effects = memory_.at<EffectRecord>(p_.layout.effects);
    for (int k = 0; k < h.effects; ++k)
      if (!below(effects[k].kind, p_.effect_kinds.size()) || !player_or_none(effects[k].owner) ||
          !player_or_none(effects[k].until_turn_of) || effects[k].target.is_list() ||
          !lasting(effects[k].target))
        return false;
    if (p_.uses_turn_plan && !turn_plan(memory_.turn_plan())) return false;
    const auto* submissions = memory_.at<Submission>(p_.layout.submissions);
    for (std::size_t k = 0; p_.simultaneous && k < seats(); ++k)
      if (submissions[k].answers > max_answers || submissions[k].begun > 1) return false;
    return ranges() && turn_flow() && (!p_.secrets.course || course(memory_.course()));
  }

  // What happened is about tokens and zones there are; who knew of it may be anything.
  bool course(const CourseRecord& course) const {
    if (course.live > 1 || course.events > most_course_events) return false;
    for (const std::uint16_t begin : course.begins)
      if (begin > course.events) return false;
    const auto zone = [&](ZoneId z) { return z.is_none() || p_.zones.has(z); };
    for (std::size_t k = 0; k < course.events; ++k) {
      const CourseEvent& event = course.event[k];
      const bool no_token =
          event.kind == CourseEvent::Kind::shuffled || event.kind == CourseEvent::Kind::moved;
      if (!below(event.token.value, memory_.header().tokens) &&
          !(no_token && event.token.value == -1))
        return false;
      if (!zone(event.from) || !zone(event.to) || event.kind > CourseEvent::Kind::blurred ||
          event.settled > 1)
        return false;
    }
    return true;
  }

  // Players from 1; an order that is there is one of all players.
  bool turn_plan(const TurnPlan& plan) const {
    const auto orders = [&](const auto& order) {
      unsigned seen = 0;
      for (int i = 0; i < p_.players; ++i) {
        if (order[i] > p_.players) return false;
        seen |= 1u << order[i];
      }
      return seen == 1 || seen == (2u << p_.players) - 2;
    };
    const auto player = [&](int number) { return number <= p_.players; };
    return orders(plan.order) && orders(plan.next_order) && player(plan.next_start) &&
           player(plan.goes_on_after) && plan.turn_of < p_.players && plan.round_ends < 2 &&
           std::all_of(std::begin(plan.extra), std::end(plan.extra), player);
  }

  // What the card knows: seats, classes, grants, effects that last or wait.
  bool turn_flow() const {
    const FlowInfo& info = p_.flow;
    if (!info.cards && !info.events) return true;
    const FlowRecord& f = memory_.flow();
    const unsigned outside = ~((1u << p_.players) - 1u);
    if (f.seats > 16 || f.first_class > ActionClass::special_activity || f.stalled > 1 ||
        f.broken > max_broken ||
        ((f.eligible | f.acted | f.passed | f.next_named | f.next_eligible) & outside) != 0 ||
        f.lasting > (info.lasting.empty() ? 0 : max_lasting) ||
        f.grants > (info.grants.empty() ? 0 : max_grants) ||
        f.deferred > (info.deferred.empty() ? 0 : max_deferred) ||
        f.captured > (p_.layout.captures ? max_captured : 0))
      return false;
    for (int k = 0; k < f.seats; ++k)
      if (f.order[k] >= p_.players) return false;
    return move_of_card(f.move) && grants(f) && lasting_effects(f) && deferred(f) && captured(f);
  }

  bool move_of_card(const MoveContext& m) const {
    const auto& pipelines = p_.flow.constraints;
    return m.action_class <= ActionClass::special_activity && m.grant <= memory_.flow().grants &&
           m.owner < p_.players && m.as < p_.players &&
           below(m.action + 1, p_.actions.size() + 1) &&
           below(m.activity + 1, p_.actions.size() + 1) &&
           below(m.pipeline + 1, pipelines.size() + 1) && m.timing >= -1 && m.made <= 1 &&
           m.judged <= 1 && (m.pipeline < 0) == (m.made == 0) && keeps_room(m);
  }

  // What an activity chose lies in slots of the operation.
  bool keeps_room(const MoveContext& m) const {
    if (m.pipeline < 0) return m.kept >= -1 && m.kept < most_slots;
    std::size_t most = 0;
    for (const auto& list : p_.flow.constraints) most = std::max(most, list.size());
    for (const PipelineInfo& pipeline : p_.pipelines)
      if (m.kept >= 0 && std::cmp_less_equal(m.kept + most, p_.units[pipeline.unit].slots) &&
          m.action >= 0 &&
          std::ranges::find(p_.actions[m.action].pipelines, place_in(p_.pipelines, pipeline)) !=
              p_.actions[m.action].pipelines.end())
        return true;
    return most == 0;
  }

  // Values that a record keeps: a list is its length, then its items.
  bool kept_values(const Value* at, int room, int wanted) const {
    const Value* const end = at + room;
    for (int k = 0; k < wanted; ++k) {
      if (at >= end) return false;
      std::int64_t items = 1;
      if (at->is_list()) {
        items = at->payload();
        ++at;
      }
      if (items < 0 || items > end - at) return false;
      for (; items > 0; --items, ++at)
        if (at->is_list() || at->tag() == Tag::text || at->tag() == Tag::row || !lasting(*at))
          return false;
    }
    return true;
  }

  bool grants(const FlowRecord& f) const {
    for (int k = 0; k < f.grants; ++k) {
      const GrantRecord& g = memory_.grant(k);
      if (!below(g.def, p_.flow.grants.size()) || g.seat >= p_.players || g.as >= p_.players ||
          g.uses == 0 || g.step < 0 || !below(std::int64_t{g.batch} + 1, p_.symbols.size() + 1))
        return false;
      const GrantInfo& info = p_.flow.grants[g.def];
      const std::span<const Value> values = memory_.grant_values(k);
      if (!kept_values(values.data(), std::ssize(values), info.context.size() + info.fills.size()))
        return false;
    }
    return true;
  }

  bool lasting_effects(const FlowRecord& f) const {
    for (int k = 0; k < f.lasting; ++k) {
      const LastingRecord& record = memory_.lasting(k);
      if (!below(record.def, p_.flow.lasting.size()) || record.turns < -1 || record.rounds < -1)
        return false;
    }
    return true;
  }

  bool deferred(const FlowRecord& f) const {
    for (int k = 0; k < f.deferred; ++k) {
      const DeferredRecord& record = memory_.deferred(k);
      if (!below(record.def, p_.flow.deferred.size()) || record.player >= p_.players ||
          !kept_values(memory_.deferred_values(k), p_.flow.deferred_values, record.values))
        return false;
      const UnitId unit = p_.flow.deferred[record.def];
      if (record.values > p_.units[unit].slots) return false;
    }
    return true;
  }

  bool captured(const FlowRecord& f) const {
    for (int k = 0; k < f.captured; ++k) {
      const CapturedRecord& record = memory_.captured(k);
      if (!below(std::int64_t{record.batch} + 1, p_.symbols.size() + 1) ||
          !below(record.key, p_.symbols.size()))
        return false;
      for (const ZoneId z : IdRange(p_.zones.next(), ZoneId(64 * p_.words)))
        if (has_zone(memory_.captured_zones(k), z)) return false;
    }
    return true;
  }

  // What secret variables could be for those who do not see them: values they can have.
  bool ranges() const {
    int cell = 0;
    const auto fits = [&](const Vars& vars, std::size_t owners) {
      for (std::size_t owner = 0; owner < owners; ++owner)
        for (const VarInfo& var : vars) {
          const std::size_t at = cell++;
          if (at >= p_.secrets.number_of_cell.size() || p_.secrets.number_of_cell[at] < 0) continue;
          const VarRange range = memory_.var_range(p_.secrets.number_of_cell[at]);
          if (range.spare != 0) return false;
          if (range.low <= range.high && (range.low < var.min || range.high > var.max))
            return false;
        }
      return true;
    };
    return fits(p_.gvars, 1) && fits(p_.pvars, seats()) && fits(p_.zvars, p_.zones.size());
  }

  bool player_or_none(int player) const { return player >= -1 && player < p_.players; }
  std::size_t seats() const { return p_.players; }

  // Whose decision it is, and whether a move is under way exactly where one can be.
  bool decision() const {
    const Header& h = memory_.header();
    const bool half = h.vm_bytes != 0;
    switch (h.decision) {
      case DecisionKind::finished:
        return !half;
      case DecisionKind::action:
        return !half && h.decider == h.active;
      case DecisionKind::chance:
        return half && h.decider == 0xff && p_.options.explicit_chance;
      case DecisionKind::choose_one:
      case DecisionKind::choose_n:
        // Moves of simultaneous order are kept as answers until all are in.
        return h.decider < p_.players && (half || memory_.collecting());
    }
    return false;
  }

  bool half_move() {
    auto parts = parts_of(
        {block_.data() + block_.size() - memory_.header().vm_bytes, memory_.header().vm_bytes});
    if (!parts) return false;
    move_ = std::move(*parts);
    return frames() && values() && pending();
  }

  // Every frame runs its unit and has its slots behind those of the frame before.
  bool frames() const {
    if (move_.frames.empty() || move_.frames.size() > Frames::most) return false;
    std::int32_t base = 0, events = 0, templates = 0;
    for (const Frame& frame : move_.frames) {
      if (!p_.units.has(frame.unit)) return false;
      const UnitInfo& unit = p_.units[frame.unit];
      const bool marks = frame.event_mark >= events && frame.template_mark >= templates &&
                         below(frame.event_mark, move_.events.size() + 1) &&
                         below(frame.template_mark, move_.templates.size() + 1) &&
                         below(std::int64_t{frame.event_index} + 1, move_.events.size() + 2) &&
                         below(frame.trigger_index, 1'000'000);
      if (frame.pc < unit.entry || frame.pc >= unit.end || frame.slot_base != base || !marks ||
          !below(frame.depth, 10'000) || frame.active >= p_.players || frame.actor >= p_.players)
        return false;
      if (keeps_state(unit) && !move_.knows_origin) return false;
      base += unit.slots;
      events = frame.event_mark;
      templates = frame.template_mark;
    }
    return base == std::ssize(move_.slots);
  }

  // Whether conditions of the unit are asked about the state the move began with.
  bool keeps_state(const UnitInfo& unit) const {
    return std::any_of(p_.code.begin() + unit.entry, p_.code.begin() + unit.end,
                       [](const Instr& i) { return i.op == Op::keep_state && i.x == 1; });
  }

  // What slots, events and templates hold. Lists and texts of the arena may be shared, but no two
  // overlap: what is written into one must not become the length of another.
  bool values() {
    for (const Value v : move_.slots)
      if (!sound(v, 0)) return false;
    for (const Happening& event : move_.events)
      if (!happened(event)) return false;
    for (const TemplateBinding& binding : move_.templates)
      if (!below(binding.pattern, p_.symbols.size()) ||
          !below(std::int64_t{binding.source} - TemplateBinding::parameter,
                 move_.slots.size() - TemplateBinding::parameter) ||
          !sound(binding.keys[0], 0) || !sound(binding.keys[1], 0) || !sound(binding.value, 0))
        return false;
    return true;
  }

  bool sound(Value v, int depth) {
    const bool in_arena =
        v.tag() == Tag::text ? v.payload() < kept_text : v.is_list() && v.payload() < constant_list;
    if (!in_arena) return lasting(v);
    if (!below(v.payload(), move_.arena.size()) || depth > 32) return false;
    const std::size_t begin = v.handle();
    const std::uint64_t length = move_.arena[begin].bits;
    const std::size_t room = move_.arena.size() - begin - 1;
    if (length > 8 * room) return false;
    const std::size_t words = v.is_list() ? length : (length + 7) / 8;
    if (words > room || !take_room(begin, begin + 1 + words, v.is_list())) return false;
    if (v.is_list() && looked_at_.insert(begin).second)
      for (std::size_t i = 0; i < words; ++i)
        if (!sound(move_.arena[begin + 1 + i], depth + 1)) return false;
    return true;
  }

  // Remembers that these words belong to one list or text. False: another has some of them.
  bool take_room(std::size_t begin, std::size_t end, bool list) {
    const Room room{begin, end, list};
    const auto next = rooms_.lower_bound(room);
    if (next != rooms_.end() && next->begin == begin) return next->end == end && next->list == list;
    if (next != rooms_.end() && next->begin < end) return false;
    if (next != rooms_.begin() && std::prev(next)->end > begin) return false;
    rooms_.insert(next, room);
    return true;
  }

  bool happened(const Happening& event) {
    if (!below(event.kind, p_.triggers_of_event.size()) || !below(event.scope, 3) ||
        !sound(event.before, 0) || !sound(event.after, 0))
      return false;
    switch (spec::EventKind{event.kind}) {
      case spec::EventKind::phase_enter:
      case spec::EventKind::phase_exit:
        return below(event.subject, p_.phases.size());
      case spec::EventKind::action_resolved:
        return below(event.subject, p_.actions.size());
      case spec::EventKind::token_entered:
        return below(event.subject, p_.zones.size());
      case spec::EventKind::var_changed:
        return below(event.subject, p_.symbols.size()) &&
               below(std::int64_t{event.owner} + 1,
                     (event.scope == 2 ? p_.zones.size() : seats()) + 1);
      default:
        return true;
    }
  }

  // The running frame stands at the statement whose decision is pending.
  bool pending() {
    const Frame& top = move_.frames.back();
    const Instr& i = p_.code[top.pc];
    const auto slot = [&](SlotId id, int behind = 0) {
      return move_.slots[top.slot_base + id.value + behind];
    };
    switch (memory_.header().decision) {
      case DecisionKind::choose_one:
        return i.op == Op::choose_one && list_length(slot(i.a)) > 0;
      case DecisionKind::choose_n:
        return i.op == Op::choose_n && selection(i, slot);
      case DecisionKind::chance:
        return i.op == Op::roll || i.op == Op::move_token ||
               (i.op == Op::draw && slot(i.d).is_int() && slot(i.d).payload() > 0 &&
                (slot(i.d, 1).is_token() ? below(slot(i.d, 1).payload(), memory_.header().tokens)
                                         : slot(i.d, 1).is_int() && slot(i.d, 1).payload() == -1));
      default:
        return false;
    }
  }

  // A chooseN: options, what was taken of them so far, how many that are at least and at most, and
  // the options' tiers.
  template <class Slot>
  bool selection(const Instr& i, const Slot& slot) {
    const Value options = slot(i.a), taken = slot(i.a, 1), min = slot(i.a, 2), max = slot(i.a, 3),
                tiers = slot(i.a, 4);
    const std::int64_t size = list_length(options), count = list_length(taken);
    if (size < 1 || count < 0 || !min.is_int() || !max.is_int() ||
        !below(min.payload(), size + 1) || !below(max.payload(), size + 1) ||
        min.payload() > max.payload() || count > max.payload())
      return false;
    for (std::int64_t k = 0; k < count; ++k)
      if (const Value item = item_of(taken, k); !item.is_int() || !below(item.payload(), size))
        return false;
    if (tiers.is_none()) return true;
    if (list_length(tiers) != size) return false;
    for (std::int64_t k = 0; k < size; ++k)
      if (!item_of(tiers, k).is_int()) return false;
    return true;
  }

  // -1: it is no list.
  std::int64_t list_length(Value v) const {
    if (!v.is_list()) return -1;
    return v.payload() >= constant_list ? p_.constant_items(v).size()
                                        : move_.arena[v.handle()].bits;
  }
  Value item_of(Value list, std::int64_t index) const {
    return list.payload() >= constant_list ? p_.constant_items(list)[index]
                                           : move_.arena[list.handle() + 1 + index];
  }

  const Program& p_;
  const StateBlock& block_;
  const Memory memory_;
  MoveParts move_;
  struct Room {
    std::size_t begin, end;
    bool list;
    bool operator<(const Room& other) const { return begin < other.begin; }
  };
  std::set<Room> rooms_;
  std::set<std::size_t> looked_at_;
};

}  // namespace

std::optional<std::string> find_damage(const Program& program, const StateBlock& block) {
  return Examiner(program, block).examine();
}

}  // namespace parlor::kernel
