// Zone sets: what the plans of simple queries compute with. The width is fixed when a set is asked
// for, so a board of up to 64 zones is worked on in one register.
#pragma once

#include <span>

#include "kernel/run/machine.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

// Every zone where the group it is in turns it to.
template <int W>
inline Zones<W> laid_out(const std::vector<ShiftInfo::Group>& groups, Zones<W> set) {
  Zones<W> out = Zones<W>::all(false);
  for (const ShiftInfo::Group& group : groups)
    out = out | (rotated(set, group.turn) & Zones<W>::load(group.from));
  return out;
}

// The zones from which a step in the direction leads into `to`.
template <int W>
inline Zones<W> step_back(const ShiftInfo& shift, Zones<W> to) {
  return laid_out(shift.groups, to);
}

template <int W>
inline Zones<W> ray_back(const ShiftInfo& shift, Zones<W> over, Zones<W> good) {
  if (shift.groups.size() == 1)
    return ray_back(over, good, shift.groups[0].turn, shift.longest, Zones<W>::load(shift.valid));
  for (Zones<W> more = good; more.any();) {
    more = over & step_back(shift, more) & ~good;
    good = good | more;
  }
  return step_back(shift, good);
}

// Evaluates set nodes; a friend of the machine so that conditions inside sets can be asked.
template <int W>
class SetPlan {
 public:
  explicit SetPlan(Evaluator& machine) : m_(machine), p_(machine.program()) {}

  Zones<W> of(NodeId node) {
    // The commonest are shorter than any tape.
    const Node& n = p_.nodes[node];
    if (n.op == Ex::b_without) return constant(n.a) & ~Zones<W>::load(m_.memory_.feature(n.b));
    if (n.op == Ex::b_player)
      return Zones<W>::load(m_.memory_.feature(m_.player_feature(n.a, n.b)));
    if (n.op == Ex::b_keep) return kept(n);
    if (n.op == Ex::b_and && n.x == 1 && !turn_is(p_.nodes[n.a])) return Zones<W>::all(false);
    if (const SetTape tape = p_.tapes[node]; tape.count != 0) return play(tape);
    return plain(node);
  }

  // The same by recursion; leaves, and what tapes leave to it.
  [[gnu::noinline]] Zones<W> plain(NodeId node) {
    const Node& n = p_.nodes[node];
    switch (n.op) {
      case Ex::b_words:
        return constant(n.a);
      case Ex::b_feature:
        return Zones<W>::load(m_.memory().feature(n.a));
      case Ex::b_within:
        return constant(n.a) & Zones<W>::load(m_.memory().feature(n.b));
      case Ex::b_without:
        return constant(n.a) & ~Zones<W>::load(m_.memory().feature(n.b));
      case Ex::b_not:
        return ~of(n.a);
      case Ex::b_and: {
        const Zones<W> left = of(n.a);
        return left & of(n.b);
      }
      case Ex::b_or: {
        const Zones<W> left = of(n.a);
        return left | of(n.b);
      }
      case Ex::b_if:
        return Zones<W>::all(m_.test(n.a) == Truth::yes);
      case Ex::b_family:
        return family(n);
      case Ex::b_player:
        return Zones<W>::load(m_.memory().feature(m_.player_feature(n.a, n.b)));
      case Ex::b_active:
        return Zones<W>::all(turn_is(n));
      case Ex::b_keep:
        return kept(n);
      case Ex::b_shift:
        return step_back(p_.shifts[n.b], of(n.a));
      case Ex::b_step:
        return step(n);
      case Ex::b_ray:
        return ray(n);
      case Ex::b_scan:
        return scan(n);
      default:
        return Zones<W>::all(false);
    }
  }

  // Whether some zone of the node's set is in `among`; computes no more than that takes.
  bool any(NodeId node, Zones<W> among = Zones<W>::all(true)) {
    for (;;) {  // where the answer is that of a part, the part is asked next
      const Node& n = p_.nodes[node];
      if (n.op == Ex::b_keep && m_.kept_[n.b].stamp != m_.stamp()) {
        const Ex inner = p_.nodes[n.a].op;
        if (inner == Ex::b_or || inner == Ex::b_and) {
          node = n.a;
          continue;
        }
      }
      if (n.op == Ex::b_or) {
        if (any(n.a, among)) return true;
      } else if (n.op == Ex::b_and) {
        among = among & of(n.a);
        if (!among.any()) return false;
      } else if (n.op == Ex::b_scan) {
        return !each_scanned(n, [&](ZoneId z) { return !among.has(z); }) && !m_.failed();
      } else {
        return (of(node) & among).any();
      }
      node = n.b;
    }
  }

  // The zones of a scan one by one, until `visit` says false (or a condition faults: also false).
  // Each zone is asked everything before the next, so that nothing is asked that plain evaluation
  // would not ask.
  template <class Visit>
  bool each_scanned(const Node& last, const Visit& visit) {
    const Node* scans[8];
    int count = 0;
    const Node* at = &last;
    while (at->op == Ex::b_scan && count < 8) {
      scans[count++] = at;
      at = &p_.nodes[at->b];
    }
    Zones<W> after[8];
    for (int i = 0; i < count; ++i)
      after[i] = scans[i]->c < 0 ? Zones<W>::all(true) : of(scans[i]->c);
    const Zones<W> candidates = keyed(*scans[count - 1]);
    return (of(scans[count - 1]->b) & candidates).each([&](ZoneId z) {
      if (!p_.zones.has(z)) return true;  // of the last word
      for (int i = count; i-- > 0;) {
        m_.slot(scans[i]->d) = Value::zone(z);
        const Truth holds = m_.test(scans[i]->a);
        m_.slot(scans[i]->d) = {};
        if (holds == Truth::fault) return false;
        if (holds == Truth::no || !after[i].has(z)) return true;
      }
      return visit(z);
    });
  }

  // Zones that the condition of a scan can hold for, as far as that can be looked up.
  Zones<W> keyed(const Node& n) {
    const Zones<W> all = Zones<W>::all(true);
    if (p_.scan_key_of.empty() || m_.failed()) return all;
    const std::int32_t index = p_.scan_key_of[p_.nodes.id_of(n)];
    if (index < 0) return all;
    const ScanKey& key = p_.scan_keys[index];
    const ZoneRelation& relation = p_.relations[key.relation];
    std::size_t row = m_.active_;
    if (!relation.other.is_none()) {
      const Value other = m_.slot(relation.other);
      if (!other.is_symbol() || other.payload() >= p_.zone_count) return all;
      row = row * p_.zones.size() + other.as_zone().index();
    }
    const std::uint64_t* sets =
        &relation.zones[row * static_cast<std::size_t>(relation.span + 1) * W];
    Zones<W> out = Zones<W>::load(sets + relation.span * W);
    for (const NodeId node : key.wanted) {
      const Value v = m_.value(node);
      if (m_.failed()) {  // whoever asks zone by zone will say so, if there is one to ask
        m_.clear_fault();
        return all;
      }
      const std::int64_t number = v.payload() - relation.least;
      if (v.is_int() && number >= 0 && number < relation.span)
        out = out | Zones<W>::load(sets + number * W);
    }
    return out;
  }

  bool line(const Node& n) {
    const LineTable& table = p_.lines[n.c];
    Zones<W> set = of(n.a) & constant(table.board);
    if (!table.order.empty()) set = laid_out(table.order, set);
    for (const LineTable::Way& way : table.ways) {
      Zones<W> rows = set;
      if (way.turn >= 0) {
        rows = rows & Zones<W>::load(way.starts);
        Zones<W> turned = set;
        for (int k = 1; k < table.length; ++k) {
          turned = rotated(turned, way.turn);
          rows = rows & turned;
        }
      } else {
        // A row of k begins where a zone of the set is followed by a row of k - 1.
        const ShiftInfo& shift = p_.shifts[way.direction];
        for (int k = 1; k < table.length && rows.any(); ++k) rows = set & step_back(shift, rows);
      }
      if (rows.any()) return true;
    }
    return false;
  }

  // Whether a walk from `start` through zones of one set comes to a zone of the other.
  bool reaches(const Node& n, ZoneId start) {
    const Zones<W> through = of(n.b), wanted = of(n.c);
    Zones<W> reached = Zones<W>::all(false);
    reached.put(start);
    if (m_.reads_ != nullptr) [[unlikely]]
      m_.note_read(start);
    if ((n.x & 1) != 0 && wanted.has(start)) return true;
    const Zones<W> found = (n.x & 2) != 0 ? wanted : wanted & through;
    if (m_.reads_ != nullptr) [[unlikely]]
      return reaches_noting(n, start, through, found);
    return walk_reaches(BesideInTable{p_.neighbour_words.data()}, reached, through, found);
  }

  // Whether this zone is in the set was asked.
  void note_member(NodeId node, ZoneId z, bool in) {
    Zones<W> zones = Zones<W>::all(false);
    zones.put(z);
    note_members(node, zones, in);
  }

  // Whether these zones are in the set was asked, and all were or none.
  void note_members(NodeId node, Zones<W> zones, bool in) {
    const Node& n = p_.nodes[node];
    int feature = -1;
    switch (n.op) {
      case Ex::b_words:
        return;
      case Ex::b_keep:
        return note_members(n.a, zones, in);
      case Ex::b_not:
        return note_members(n.a, zones, !in);
      case Ex::b_feature:
        feature = n.a;
        break;
      case Ex::b_player:
        feature = m_.player_feature(n.a, n.b);
        break;
      case Ex::b_within:
      case Ex::b_without:
        zones = zones & constant(n.a);
        feature = n.b;
        in = in == (n.op == Ex::b_within);
        break;
      default:
        break;
    }
    m_.reads_->note_members(feature, zones, in);
  }

  // The zones in which the answer to a question about the set lies, all of them.
  void note_set(NodeId node) {
    const Node& n = p_.nodes[node];
    switch (n.op) {
      case Ex::b_words:
      case Ex::b_active:
        return;
      case Ex::b_feature:
        return note_feature(n.a);
      case Ex::b_within:
      case Ex::b_without:
        return note_feature(n.b);
      case Ex::b_player:
        return note_feature(m_.player_feature(n.a, n.b));
      case Ex::b_not:
      case Ex::b_keep:
        return note_set(n.a);
      case Ex::b_and:
      case Ex::b_or:
        note_set(n.a);
        return note_set(n.b);
      default:
        m_.reads_->note_zones(Zones<W>::all(true));
    }
  }

 private:
  Zones<W> constant(int set) const {
    return Zones<W>::load(&p_.set_words[static_cast<std::size_t>(set) * W]);
  }
  void note_feature(int feature) { m_.reads_->template note_feature<W>(feature); }

  // A way that was found from there before and is still open. Which one it is makes no difference
  // to the answer, only to how long it takes and to what is noted.
  using KnownWay = Evaluator::KnownWay;
  const KnownWay* open_way(const Node& n, ZoneId start, Zones<W> through, Zones<W> found) const {
    if (!m_.knows_ways(n, start)) return nullptr;
    for (const KnownWay *way = m_.known_ways(n, start), *const end = way + Evaluator::ways_kept;
         way != end; ++way)
      if (way->serial == p_.serial && way->node == p_.nodes.id_of(n) && way->start == start &&
          found.has(way->end) && !(Zones<W>::load(way->zones) & ~through).any())
        return way;
    return nullptr;
  }
  void note_way(const Node& n, const KnownWay& way) {
    note_member(n.c, way.end, true);
    if ((n.x & 2) == 0) note_member(n.b, way.end, true);
    note_members(n.b, Zones<W>::load(way.zones), true);
  }

  // The same walk, and what its answer depends on.
  [[gnu::noinline]] bool reaches_noting(const Node& n, ZoneId start, Zones<W> through,
                                        Zones<W> found) {
    if (const KnownWay* way = open_way(n, start, through, found)) return note_way(n, *way), true;
    constexpr int worth_keeping = 4;  // a short walk is as quick as its memory
    const std::uint64_t* const neighbours = p_.neighbour_words.data();
    const NotedWalk<W> walk =
        walk_noting(neighbours, BesideInTable{neighbours}, start, through, found);
    if (!walk.has_way) return m_.reads_->note_zones(walk.zones), walk.found;
    KnownWay way{.serial = p_.serial, .node = p_.nodes.id_of(n), .start = start, .end = walk.end};
    std::copy_n(walk.zones.w, W, way.zones);
    if (walk.rounds >= worth_keeping) m_.next_known_way(n, start) = way;
    return note_way(n, way), true;
  }

  // What b_active asks.
  bool turn_is(const Node& n) const { return (m_.active_ == n.a) == (n.x == 0); }

  Zones<W> kept(const Node& n) {
    Evaluator::KeptSet& known = m_.kept_[n.b];
    if (known.stamp == m_.stamp()) return Zones<W>::load(known.words);
    return keep(n, known);
  }
  [[gnu::noinline]] Zones<W> keep(const Node& n, Evaluator::KeptSet& known) {
    const Zones<W> set = of(n.a);
    if (m_.failed()) return set;
    std::copy_n(set.w, W, known.words);
    known.stamp = m_.stamp();
    return set;
  }

  Zones<W> play(SetTape tape) {
    Zones<W> sets[max_tape];
    Zones<W> made = Zones<W>::all(false);
    const SetStep* step = &p_.set_steps[tape.first];
    const std::uint64_t* words = p_.set_words.data();
    for (int i = 0; i < tape.count; ++i, ++step) {
      switch (step->op) {
        case SetOp::words:
          made = Zones<W>::load(words + step->arg * W);
          break;
        case SetOp::feature:
          made = Zones<W>::load(
              m_.memory_.template at<std::uint64_t>(static_cast<std::uint32_t>(step->arg)));
          break;
        case SetOp::player:
          made = Zones<W>::load(m_.memory_.feature(m_.player_feature(step->arg, step->a)));
          break;
        case SetOp::active:
          made = Zones<W>::all((m_.active_ == step->arg) == (step->a == 0));
          break;
        case SetOp::keep:
          made = kept(p_.nodes[NodeId(step->arg)]);
          break;
        case SetOp::node:
          made = plain(NodeId(step->arg));
          break;
        case SetOp::complement:
          made = ~sets[step->a];
          break;
        case SetOp::both:
          made = sets[step->a] & sets[step->b];
          break;
        case SetOp::either:
          made = sets[step->a] | sets[step->b];
          break;
        case SetOp::less:
          made = sets[step->a] & ~sets[step->b];
          break;
        case SetOp::shift:
          made = rotated(sets[step->a], step->turn) & Zones<W>::load(words + step->arg * W);
          break;
        case SetOp::ray:
          made = ray_back(sets[step->a], sets[step->b], step->turn, step->longest,
                          Zones<W>::load(words + step->arg * W));
          break;
        case SetOp::far_shift:
          made = step_back(p_.shifts[step->arg], sets[step->a]);
          break;
        case SetOp::far_ray:
          made = ray_back(p_.shifts[step->arg], sets[step->a], sets[step->b]);
          break;
      }
      sets[i] = made;
    }
    return made;
  }

  // Extra table: cell type, how many, then (cell, feature) pairs. Other values are looked for.
  [[gnu::noinline]] Zones<W> family(const Node& n) {
    Zones<W> out = Zones<W>::all(false);
    const Value v = m_.value(n.b);
    if (m_.failed()) return out;
    const Operand* e = &p_.extra[n.a];
    const std::int32_t cell = Memory::encode_cell(CellType{e[0]}, v);
    for (int i = 0; i < e[1]; ++i)
      if (e[2 + 2 * i] == cell) return Zones<W>::load(m_.memory().feature(e[3 + 2 * i]));
    for (const TokenId t : m_.memory().tokens()) {
      const ZoneId z = m_.memory().zone_of(t);
      if (z.is_none()) continue;
      const Truth holds = m_.filter(n.c, t);
      if (holds == Truth::fault) break;
      if (holds == Truth::yes) out.put(z);
    }
    return out;
  }

  // x 0: some step leads into the set; 1: every step does.
  [[gnu::noinline]] Zones<W> step(const Node& n) {
    const Zones<W> to = of(n.a);
    Zones<W> out = Zones<W>::all(n.x == 1);
    for (const Value d : p_.lists[p_.nodes[n.b].a]) {
      const ShiftInfo& shift = p_.shifts[d.payload()];
      const Zones<W> from = step_back(shift, to);
      if (n.x == 1)
        out = out & (from | ~Zones<W>::load(shift.valid));
      else
        out = out | from;
    }
    return out;
  }

  // Zones from which some direction leads, passing over zones of the first set, to one of the
  // second.
  [[gnu::noinline]] Zones<W> ray(const Node& n) {
    const Zones<W> over = of(n.a), good = of(n.b);
    Zones<W> out = Zones<W>::all(false);
    for (const Value d : p_.lists[p_.nodes[n.c].a]) {
      out = out | ray_back(p_.shifts[d.payload()], over, good);
    }
    return out;
  }

  [[gnu::noinline]] Zones<W> scan(const Node& n) {
    Zones<W> out = Zones<W>::all(false);
    each_scanned(n, [&](ZoneId z) {
      out.put(z);
      return true;
    });
    return out;
  }

  Evaluator& m_;
  const Program& p_;
};

}  // namespace parlor::kernel
