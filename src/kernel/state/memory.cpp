#include "kernel/state/memory.h"

#include "kernel/state/zone_set.h"

namespace parlor::kernel {

struct Memory::Shape {
  const Memory& m;
  const Program& p = *m.p_;

  std::uint64_t& hash() const { return m.header().hash; }
  ZoneRecord& zone(ZoneId z) const { return m.at<ZoneRecord>(p.layout.zones)[z.value]; }
  TokenRecord& token(TokenId t) const { return m.token(t); }
  int columns() const { return p.columns; }
  std::uint64_t key(TokenId t, int part) const { return m.token_key(t, part); }
  bool has_features() const { return !p.features.empty(); }
  template <class F>
  [[gnu::always_inline]] void each_feature(TokenId t, F&& f) const {
    // Most features ask for nothing or for one cell.
    const std::int32_t* own = m.cells(t);
    for (const TypeInfo::FeatureTest& test : p.types[token(t).type].feature_tests) {
      if (test.column >= 0 && own[test.column] != test.cell) continue;
      if (test.more && !m.has_feature(t, p.features[test.feature])) continue;
      f(m.at<std::uint64_t>(test.offset));
    }
  }
  template <class F>
  void every_feature(F&& f) const {
    for (int k = 0; k < std::ssize(p.features); ++k) f(m.feature(k));
  }
  bool keeps_more() const { return p.keeps_more; }
  void count(TokenId t, ZoneId z, int sign) const { m.count_in_sums(t, z, sign); }
  void note(TokenId t, ZoneId z) const { m.note_seen(t, z); }
  void refresh(ZoneId z) const { m.refresh_seen(z); }
};

void Memory::write_marker(ZoneId zone, int lattice, int state) {
  touch();
  const std::size_t cell = zone.index() * p_->lattices.size() + lattice;
  std::int16_t& slot = at<std::int16_t>(p_->layout.markers)[cell];
  write_hashed<std::int16_t>(header().hash, mix(0x6d61726b + cell) | 1, slot, state + 1);
}

void Memory::write_global_marker(int lattice, int state) {
  touch();
  std::int16_t& slot = at<std::int16_t>(p_->layout.global_markers)[lattice];
  write_hashed<std::int16_t>(header().hash, mix(0x676d61726bu + lattice) | 1, slot, state);
}

void Memory::write_usage(std::size_t cell, std::uint32_t value) {
  touch();
  std::uint32_t& slot = at<std::uint32_t>(p_->layout.usage)[cell];
  write_hashed(header().hash, usage_key(cell), slot, value);
}

Value Memory::prop(TokenId t, int property) const {
  const TypeInfo& type = p_->types[token(t).type];
  const int column = type.column[property];
  if (column < 0) return {};
  return decode_cell(type.cell[property], cells(t)[column]);
}

TokenId Memory::create_token(int type, ZoneId z, const std::int32_t* own) {
  touch();
  const TokenId t(header().tokens);
  // All of it is written below.
  const std::size_t end = p_->layout.tokens + (t.index() + 1) * p_->layout.token_size;
  if (p_->flow.any()) [[unlikely]] {
    make_room_for_token();
  } else {
    const std::size_t texts = header().text_bytes;
    block_->resize_unset(end + texts);
    rebase();
    if (texts != 0) [[unlikely]]
      std::memmove(base_ + end, base_ + end - p_->layout.token_size, texts);
  }
  ++header().tokens;
  const Shape shape{*this};
  Writes<Shape> writes(shape);
  writes.begin_token(t, type, z, own);
  if (p_->secrets.tokens)
    std::memset(static_cast<void*>(ranges(t)), 0, p_->layout.token_size - p_->layout.sight);
  writes.count_token(t, z);
  return t;
}

void Memory::insert(TokenId t, ZoneId z, TokenId before) {
  touch();
  Writes<Shape>(Shape{*this}).insert(t, z, before);
}

void Memory::remove(TokenId t) {
  touch();
  Writes<Shape>(Shape{*this}).remove(t);
}

void Memory::move_all(ZoneId from, ZoneId z) {
  touch();
  Writes<Shape>(Shape{*this}).move_all(from, z);
}

void Memory::write_cell(TokenId t, int property, std::int32_t cell) {
  touch();
  const bool featured = !p_->features.empty() && p_->feature_of_prop[property] != 0;
  Writes<Shape>(Shape{*this})
      .write_cell(t, p_->types[token(t).type].column[property], cell, featured);
}

void Memory::reorder(ZoneId z, std::span<const TokenId> order) {
  touch();
  Writes<Shape>(Shape{*this}).reorder(z, order);
}

void Memory::refill(ZoneId z, std::span<const TokenId> order) {
  touch();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TokenId t = order[i];
    const std::uint64_t old = placement(t);
    TokenRecord& record = token(t);
    if (p_->keeps_more) {
      if (record.zone >= 0) count_in_sums(t, ZoneId(record.zone), -1);
      count_in_sums(t, z, 1);
    }
    record.zone = z.value;
    link_neighbours(record, order, i);
    Writes<Shape>(Shape{*this}).placed(t, old);
  }
  ZoneRecord& zone_record = at<ZoneRecord>(p_->layout.zones)[z.value];
  zone_record = {};
  zone_record.count = order.size();
  if (!order.empty()) {
    zone_record.head = link_to(order.front());
    zone_record.tail = link_to(order.back());
  }
  if (!p_->features.empty()) Writes<Shape>(Shape{*this}).refresh_features(z);
  if (p_->keeps_more) refresh_seen(z);
}

void Memory::take_out(TokenId t) {
  touch();
  const std::uint64_t old = placement(t);
  TokenRecord& record = token(t);
  if (record.zone >= 0 && p_->keeps_more) count_in_sums(t, ZoneId(record.zone), -1);
  record.zone = -1;
  record.next = record.prev = 0;
  Writes<Shape>(Shape{*this}).placed(t, old);
}

void Memory::count_in_sum(const KeptSum& def, SumRecord& record, TokenId t, ZoneId z,
                          int sign) const {
  const std::int64_t weight = def.weights[z];
  if (weight < 0) return;
  std::int32_t cell = 0;
  if (def.prop >= 0) {
    const TypeInfo& type = p_->types[token(t).type];
    const int column = type.column[def.prop];
    const bool counts = column >= 0 && type.cell[def.prop] == CellType::integer;
    cell = counts ? cells(t)[column] : missing_cell;
  }
  count_number(record, cell, def.addend, weight, def.modulus, sign);
}

void Memory::mark_seen(int s, std::uint64_t* words, TokenId t) const {
  const SeenFilter& def = p_->seen[s];
  std::int64_t numbers[most_prop_tests] = {};
  std::size_t count = 0;
  for (const int prop : def.props) {
    const int column = p_->types[token(t).type].column[prop];
    const std::int32_t cell = column < 0 ? missing_cell : cells(t)[column];
    if (cell == missing_cell) return;  // no filter finds it
    numbers[count++] = cell;
  }
  const std::size_t bit = seen_bit({numbers, count});
  words[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

void Memory::note_seen(TokenId t, ZoneId z) const {
  for (int s = 0; s < std::ssize(p_->seen); ++s)
    if (p_->seen[s].zone == z) mark_seen(s, seen(s), t);
}

void Memory::refresh_seen(ZoneId z) const {
  for (int s = 0; s < std::ssize(p_->seen); ++s) {
    if (p_->seen[s].zone != z) continue;
    std::uint64_t* words = seen(s);
    std::fill_n(words, seen_words, 0);
    for (const TokenId t : tokens_in(z)) mark_seen(s, words, t);
  }
}

void Memory::count_in_sums(TokenId t, ZoneId z, int sign) const {
  for (int s = 0; s < std::ssize(p_->sums); ++s) count_in_sum(p_->sums[s], sum(s), t, z, sign);
}

bool Memory::has_feature(TokenId t, const Feature& wanted) const {
  const TokenRecord& record = token(t);
  if (wanted.type >= 0 && record.type != wanted.type) return false;
  if (wanted.cells.empty()) return true;
  const TypeInfo& type = p_->types[record.type];
  for (const auto& [prop, cell] : wanted.cells) {
    const int column = type.column[prop];
    if (column < 0 || cells(t)[column] != cell) return false;
  }
  return true;
}

std::uint64_t Memory::content_hash() const {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < p_->var_keys.size(); ++i) hash += p_->var_keys[i] * var_cell(i);
  for (std::size_t i = 0; i < p_->zones.size() * p_->lattices.size(); ++i)
    hash += (mix(0x6d61726b + i) | 1) * at<std::int16_t>(p_->layout.markers)[i];
  for (std::size_t i = 0; i < p_->global_lattices.size(); ++i)
    hash += (mix(0x676d61726bu + i) | 1) * at<std::int16_t>(p_->layout.global_markers)[i];
  for (std::size_t i = 0; i < p_->usage_cells; ++i) hash += usage_key(i) * usage(i);
  for (const TokenId t : tokens()) {
    hash += token_key(t, 0) * placement(t);
    hash += token_key(t, 1) * (token(t).type + 1);
    for (int c = 0; c < p_->columns; ++c) hash += token_key(t, 2 + c) * cell_term(cells(t)[c]);
  }
  return hash;
}

// What every state has: a word for all that is hashed as it changes, the numbers still to come, the
// rest of the header; and pools, submissions, interrupts, reveals and effects, which lie side by
// side before the tokens.
template <class Take>
[[gnu::always_inline]] inline void Memory::each_common_word(const Take& take) const {
  const Header& h = header();
  take(mix(h.hash + p_->fingerprint));
  take(static_cast<std::uint64_t>(h.rng.state()));
  take(static_cast<std::uint64_t>(h.rng.state() >> 64));
  constexpr std::size_t counted = offsetof(Header, tokens), size = sizeof(Header) - counted;
  each_hashed_word(std::span<const std::byte, size>(base_ + counted, size), take);
  each_hashed_word({base_ + p_->layout.pools, p_->layout.tokens - p_->layout.pools}, take);
}

std::size_t Memory::common_words() const {
  constexpr std::size_t size = sizeof(Header) - offsetof(Header, tokens);
  return 3 + hashed_words(size) + hashed_words(p_->layout.tokens - p_->layout.pools);
}

// What only some have.
template <class Take>
void Memory::each_other_word(const Take& take) const {
  const Header& h = header();
  const auto run = [&](std::size_t first, std::size_t size) {
    each_hashed_word({base_ + first, size}, take);
  };
  if (p_->flow.any()) run(open_begin(), open_end() - open_begin());
  if (h.text_bytes != 0) run(texts_begin(), h.text_bytes);
  if (p_->secrets.tokens) {
    thread_local std::vector<std::byte> saved;
    saved.resize(saved_sight_size());
    for (const TokenId t : tokens()) {
      sight_to_saved(t, saved.data());
      each_hashed_word(saved, take);
    }
  }
  if (h.vm_bytes != 0) run(block_->size() - h.vm_bytes, h.vm_bytes);
}

std::uint64_t Memory::full_hash() const {
  std::uint64_t hash = 0;
  bool first = true;
  each_common_word([&](std::uint64_t word) {
    hash = first ? word : hash_combine(hash, word);
    first = false;
  });
  each_other_word([&](std::uint64_t word) { hash = hash_combine(hash, word); });
  return hash;
}

std::size_t Memory::hash_words(HashLane lane) const {
  std::size_t row = common_words();
  if (row <= lane.rows()) {
    std::uint64_t* at = lane.first();
    each_common_word([&](std::uint64_t word) {
      *at = word;
      at += hash_lanes;
    });
  }
  each_other_word([&](std::uint64_t word) { lane.put(row++, word); });
  return row;
}

bool Memory::features_consistent() const {
  for (int f = 0; f < std::ssize(p_->features); ++f) {
    const Feature& def = p_->features[f];
    for (const ZoneId z : p_->zones.ids()) {
      bool expected = false;
      for (const TokenId t : tokens_in(z)) expected |= has_feature(t, def);
      if (has_zone(feature(f), z) != expected) return false;
    }
  }
  for (int s = 0; s < std::ssize(p_->sums); ++s) {
    SumRecord expected{};
    for (const ZoneId z : p_->zones.ids())
      for (const TokenId t : tokens_in(z)) count_in_sum(p_->sums[s], expected, t, z, 1);
    const SumRecord& kept = sum(s);
    if (kept.sum != expected.sum || kept.odd != expected.odd) return false;
  }
  for (int s = 0; s < std::ssize(p_->seen); ++s) {
    std::uint64_t expected[seen_words] = {};
    for (const TokenId t : tokens_in(p_->seen[s].zone)) mark_seen(s, expected, t);
    if (!std::equal(expected, expected + seen_words, seen(s))) return false;
  }
  return true;
}

}  // namespace parlor::kernel
