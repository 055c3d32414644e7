// Zone sets: what the plans of simple queries compute with.
#include "kernel/machine.h"

namespace parlor::kernel {

namespace {

// The zones whose neighbour in a direction is in `from`: a shift, since steps are regular.
void step_back(const LineTable::Direction& d, const std::uint64_t* from, std::uint64_t* out,
               int words) {
  const int distance = d.delta < 0 ? -d.delta : d.delta;
  const int skip = distance / 64, bits = distance % 64;
  for (int w = 0; w < words; ++w) {
    std::uint64_t v = 0;
    if (d.delta > 0) {
      if (w + skip < words) v = from[w + skip] >> bits;
      if (bits != 0 && w + skip + 1 < words) v |= from[w + skip + 1] << (64 - bits);
    } else {
      if (w - skip >= 0) v = from[w - skip] << bits;
      if (bits != 0 && w - skip - 1 >= 0) v |= from[w - skip - 1] >> (64 - bits);
    }
    out[w] = v & d.valid[static_cast<std::size_t>(w)];
  }
}

}  // namespace

const std::uint64_t* Machine::bits(int node) {
  const Node& n = p_->nodes[node];
  if (n.op == Ex::b_words) return p_->zone_sets[n.a].data();
  if (n.op == Ex::b_feature) return memory_.feature(n.a);
  std::uint64_t* out = bit_stack_.data() + bit_top_;
  const int mark = bit_top_;
  bit_top_ += p_->words;
  bits_into(n, out);
  bit_top_ = mark;
  return out;
}

void Machine::bits_into(const Node& n, std::uint64_t* out) {
  const int words = p_->words;
  switch (n.op) {
    case Ex::b_not: {
      const std::uint64_t* a = bits(n.a);
      for (int w = 0; w < words; ++w) out[w] = ~a[w];
      return;
    }
    case Ex::b_and:
    case Ex::b_or: {
      const std::uint64_t* a = bits(n.a);
      std::copy_n(a, words, out);
      const std::uint64_t* b = bits(n.b);
      for (int w = 0; w < words; ++w) out[w] = n.op == Ex::b_and ? out[w] & b[w] : out[w] | b[w];
      return;
    }
    case Ex::b_if: {
      const Truth holds = test(n.a);
      std::fill_n(out, words, holds == Truth::yes ? ~std::uint64_t{0} : 0);
      return;
    }
    case Ex::b_scan: {
      const std::uint64_t* from = bits(n.b);
      std::copy_n(from, words, out);
      const int zones = static_cast<int>(p_->zones.size());
      for (int w = 0; w < words; ++w)
        for (std::uint64_t left = out[w]; left != 0; left &= left - 1) {
          const int z = w * 64 + __builtin_ctzll(left);
          if (z >= zones) break;
          slot(n.d) = Value::symbol(z);
          const Truth holds = test(n.a);
          if (holds == Truth::fault) return;
          if (holds == Truth::no) out[w] &= ~(left & -left);
        }
      slot(n.d) = {};
      return;
    }
    case Ex::b_family:
      return family_bits(n, out);
    default:
      std::copy_n(bits(static_cast<int>(&n - p_->nodes.data())), words, out);
  }
}

// Extra table: cell type, how many, then (cell, feature) pairs. Other values are looked for.
void Machine::family_bits(const Node& n, std::uint64_t* out) {
  std::fill_n(out, p_->words, 0);
  const Value v = value(n.b);
  if (failed_) return;
  const std::int32_t* e = &p_->extra[n.a];
  const std::int32_t cell = Memory::encode_cell(static_cast<CellType>(e[0]), v);
  for (int i = 0; i < e[1]; ++i)
    if (e[2 + 2 * i] == cell) {
      std::copy_n(memory_.feature(e[3 + 2 * i]), p_->words, out);
      return;
    }
  for (int t = 0; t < static_cast<int>(header().tokens); ++t) {
    const int z = memory_.token(t).zone;
    if (z < 0) continue;
    const Truth holds = filter(n.c, t);
    if (holds == Truth::fault) return;
    if (holds == Truth::yes) out[z >> 6] |= std::uint64_t{1} << (z & 63);
  }
}

// A row of `length` begins where the zone is in the set and a row of one less begins a step
// further.
Truth Machine::line_bits(const Node& n) {
  const int words = p_->words;
  const LineTable& table = p_->lines[n.c];
  const int mark = bit_top_;
  std::uint64_t* set = bit_stack_.data() + bit_top_;
  bit_top_ += 3 * words;
  std::uint64_t *run = set + words, *moved = run + words;
  const std::uint64_t* wanted = bits(n.a);
  bool found = false;
  if (!failed_) {
    const std::uint64_t* board = p_->zone_sets[table.board].data();
    for (int w = 0; w < words; ++w) set[w] = wanted[w] & board[w];
    for (const LineTable::Direction& direction : table.directions) {
      std::copy_n(set, words, run);
      std::uint64_t any = 0;
      for (int step = 1; step < table.length; ++step) {
        step_back(direction, run, moved, words);
        any = 0;
        for (int w = 0; w < words; ++w) any |= run[w] = set[w] & moved[w];
        if (any == 0) break;
      }
      if (table.length == 1)
        for (int w = 0; w < words; ++w) any |= run[w];
      if (any != 0) {
        found = true;
        break;
      }
    }
  }
  bit_top_ = mark;
  return failed_ ? Truth::fault : found ? Truth::yes : Truth::no;
}

}  // namespace parlor::kernel
