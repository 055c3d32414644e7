#include "kernel/state/memory.h"

namespace parlor::kernel {

void Memory::write_marker(int zone, int lattice, int state) {
  touch();
  const std::size_t cell = static_cast<std::size_t>(zone) * p_->lattices.size() + lattice;
  std::int16_t& slot = at<std::int16_t>(p_->layout.markers)[cell];
  const auto key = mix(0x6d61726b + cell) | 1;
  header().hash += key * static_cast<std::uint64_t>(state + 1 - slot);
  slot = static_cast<std::int16_t>(state + 1);
}

void Memory::write_global_marker(int lattice, int state) {
  touch();
  std::int16_t& slot = at<std::int16_t>(p_->layout.global_markers)[lattice];
  const auto key = mix(0x676d61726bu + static_cast<unsigned>(lattice)) | 1;
  header().hash += key * static_cast<std::uint64_t>(state - slot);
  slot = static_cast<std::int16_t>(state);
}

void Memory::write_usage(int cell, std::uint32_t value) {
  touch();
  std::uint32_t& slot = at<std::uint32_t>(p_->layout.usage)[cell];
  const auto key = mix(0x7573616765u + static_cast<unsigned>(cell)) | 1;
  header().hash += key * (std::uint64_t{value} - slot);
  slot = value;
}

Value Memory::decode_cell(CellType type, std::int32_t cell) const {
  if (cell == missing_cell) return {};
  switch (type) {
    case CellType::integer:
      return Value::integer(cell);
    case CellType::boolean:
      return Value::boolean(cell != 0);
    case CellType::symbol:
      if (cell >= first_text_cell)
        return Value::make(Tag::text, kept_text + cell - first_text_cell);
      return cell >= 0 ? Value::symbol(cell) : Value::token(-cell - 1);
  }
  return {};
}

Value Memory::prop(int t, int property) const {
  const TypeInfo& type = p_->types[token(t).type];
  const int column = type.column[property];
  if (column < 0) return {};
  return decode_cell(type.cell[property], cells(t)[column]);
}

[[gnu::always_inline]] inline void Memory::add_features(int t, int z) {
  // Most features ask for nothing or for one cell.
  const TypeInfo& type = p_->types[token(t).type];
  const std::int32_t* own = cells(t);
  const std::uint32_t word = static_cast<std::uint32_t>(z >> 6) * sizeof(std::uint64_t);
  const std::uint64_t bit = std::uint64_t{1} << (z & 63);
  for (const TypeInfo::FeatureTest& test : type.feature_tests) {
    if (test.column >= 0 && own[test.column] != test.cell) continue;
    if (test.more && !has_feature(t, p_->features[static_cast<std::size_t>(test.feature)]))
      continue;
    *at<std::uint64_t>(test.offset + word) |= bit;
  }
}

int Memory::create_token(int type, int z, const std::int32_t* own) {
  touch();
  const int t = static_cast<int>(header().tokens);
  // All of it is written below.
  const std::size_t end =
      p_->layout.tokens + (static_cast<std::size_t>(t) + 1) * p_->layout.token_size;
  const std::size_t texts = header().text_bytes;
  block_->resize_unset(end + texts);
  rebase();
  if (texts != 0) [[unlikely]]
    std::memmove(base_ + end, base_ + end - p_->layout.token_size, texts);
  Header& h = header();
  h.tokens = static_cast<std::uint32_t>(t + 1);
  const auto self = static_cast<std::uint16_t>(t + 1);
  TokenRecord& record = token(t);
  record = {0, 0, static_cast<std::int16_t>(z), static_cast<std::uint16_t>(type)};
  if (z >= 0) {
    ZoneRecord& zone_record = at<ZoneRecord>(p_->layout.zones)[z];
    record.next = zone_record.head;
    if (record.next != 0)
      token(record.next - 1).prev = self;
    else
      zone_record.tail = self;
    zone_record.head = self;
    ++zone_record.count;
  }
  auto* columns = reinterpret_cast<std::int32_t*>(&record + 1);
  const std::size_t parts = static_cast<std::size_t>(p_->columns) + 2;
  const std::size_t first_key = static_cast<std::size_t>(t) * parts;
  if (first_key + parts <= p_->token_keys.size()) {
    const std::uint64_t* keys = &p_->token_keys[first_key];
    std::uint64_t hash =
        h.hash + keys[0] * placement(t) + keys[1] * static_cast<unsigned>(type + 1);
    for (int c = 0; c < p_->columns; ++c) {
      columns[c] = own[c];
      hash += keys[2 + c] * cell_term(own[c]);
    }
    h.hash = hash;
  } else {
    h.hash += token_key(t, 0) * placement(t) + token_key(t, 1) * static_cast<unsigned>(type + 1);
    for (int c = 0; c < p_->columns; ++c) {
      columns[c] = own[c];
      h.hash += token_key(t, 2 + c) * cell_term(own[c]);
    }
  }
  if (p_->secrets.tokens) std::memset(&sight(t), 0, p_->layout.token_size - p_->layout.sight);
  if (z >= 0) add_features(t, z);
  if (z >= 0 && p_->keeps_more) count_in(t, z);
  return t;
}

void Memory::insert(int t, int z, int before) {
  touch();
  ZoneRecord& zone_record = at<ZoneRecord>(p_->layout.zones)[z];
  TokenRecord& record = token(t);
  const std::uint64_t old = placement(t);
  const auto self = static_cast<std::uint16_t>(t + 1);
  record.zone = static_cast<std::int16_t>(z);
  if (before < 0) {
    record.next = 0;
    record.prev = zone_record.tail;
    zone_record.tail = self;
  } else {
    record.next = static_cast<std::uint16_t>(before + 1);
    record.prev = token(before).prev;
    token(before).prev = self;
  }
  if (record.prev == 0) {
    zone_record.head = self;
  } else {
    const int above = record.prev - 1;
    const std::uint64_t above_old = placement(above);
    token(above).next = self;
    link_changed(above, above_old);
  }
  ++zone_record.count;
  link_changed(t, old);
  add_features(t, z);
  if (p_->keeps_more) count_in(t, z);
}

void Memory::remove(int t) {
  touch();
  TokenRecord& record = token(t);
  const int z = record.zone;
  ZoneRecord& zone_record = at<ZoneRecord>(p_->layout.zones)[z];
  const std::uint64_t old = placement(t);
  if (record.prev != 0) {
    const int above = record.prev - 1;
    const std::uint64_t above_old = placement(above);
    token(above).next = record.next;
    link_changed(above, above_old);
  } else {
    zone_record.head = record.next;
  }
  if (record.next != 0)
    token(record.next - 1).prev = record.prev;
  else
    zone_record.tail = record.prev;
  record.next = record.prev = 0;
  record.zone = -1;
  --zone_record.count;
  link_changed(t, old);
  if (p_->keeps_more) {
    count_in_sums(t, z, -1);
    refresh_seen(z);
  }
  if (p_->features.empty()) return;
  if (zone_record.count == 0)
    drop_features(t, z);
  else
    refresh_features(z);
}

void Memory::write_cell(int t, int property, std::int32_t cell) {
  touch();
  const int column = p_->types[token(t).type].column[property];
  std::int32_t& slot = cells(t)[column];
  header().hash += token_key(t, 2 + column) * (cell_term(cell) - cell_term(slot));
  const int z = token(t).zone;
  const bool counts = z >= 0 && p_->keeps_more;
  if (counts) count_in_sums(t, z, -1);
  if (p_->features.empty() || p_->feature_of_prop[property] == 0 || z < 0) {
    slot = cell;
  } else if (zone(z).count == 1) {
    drop_features(t, z);
    slot = cell;
    add_features(t, z);
  } else {
    slot = cell;
    refresh_features(z);
  }
  if (!counts) return;
  count_in_sums(t, z, 1);
  refresh_seen(z);
}

void Memory::reorder(int z, std::span<const int> order) {
  touch();
  ZoneRecord& zone_record = at<ZoneRecord>(p_->layout.zones)[z];
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int t = order[i];
    const std::uint64_t old = placement(t);
    TokenRecord& record = token(t);
    record.prev = static_cast<std::uint16_t>(i == 0 ? 0 : order[i - 1] + 1);
    record.next = static_cast<std::uint16_t>(i + 1 == order.size() ? 0 : order[i + 1] + 1);
    link_changed(t, old);
  }
  if (order.empty()) return;
  zone_record.head = static_cast<std::uint16_t>(order.front() + 1);
  zone_record.tail = static_cast<std::uint16_t>(order.back() + 1);
}

void Memory::refill(int z, std::span<const int> order) {
  touch();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int t = order[i];
    const std::uint64_t old = placement(t);
    TokenRecord& record = token(t);
    if (p_->keeps_more) {
      if (record.zone >= 0) count_in_sums(t, record.zone, -1);
      count_in_sums(t, z, 1);
    }
    record.zone = static_cast<std::int16_t>(z);
    record.prev = static_cast<std::uint16_t>(i == 0 ? 0 : order[i - 1] + 1);
    record.next = static_cast<std::uint16_t>(i + 1 == order.size() ? 0 : order[i + 1] + 1);
    link_changed(t, old);
  }
  ZoneRecord& zone_record = at<ZoneRecord>(p_->layout.zones)[z];
  zone_record = {0, 0, static_cast<std::uint16_t>(order.size())};
  if (!order.empty()) {
    zone_record.head = static_cast<std::uint16_t>(order.front() + 1);
    zone_record.tail = static_cast<std::uint16_t>(order.back() + 1);
  }
  if (!p_->features.empty()) refresh_features(z);
  if (p_->keeps_more) refresh_seen(z);
}

void Memory::take_out(int t) {
  touch();
  const std::uint64_t old = placement(t);
  TokenRecord& record = token(t);
  if (record.zone >= 0 && p_->keeps_more) count_in_sums(t, record.zone, -1);
  record.zone = -1;
  record.next = record.prev = 0;
  link_changed(t, old);
}

void Memory::count_in_sum(const KeptSum& def, SumRecord& record, int t, int z, int sign) const {
  const std::int64_t weight = def.weights[static_cast<std::size_t>(z)];
  if (weight < 0) return;
  std::int64_t number = def.addend;
  if (def.prop >= 0) {
    const TypeInfo& type = p_->types[token(t).type];
    const int column = type.column[static_cast<std::size_t>(def.prop)];
    const std::int32_t cell = column < 0 ? missing_cell : cells(t)[column];
    if (cell == missing_cell ||
        type.cell[static_cast<std::size_t>(def.prop)] != CellType::integer) {
      record.odd += sign;
      return;
    }
    number += cell;
  }
  // Below 2^31 × 2^31, whatever the number.
  record.sum = (record.sum + number % def.modulus * weight * sign) % def.modulus;
  if (record.sum < 0) record.sum += def.modulus;
}

void Memory::mark_seen(int s, std::uint64_t* words, int t) const {
  const SeenFilter& def = p_->seen[static_cast<std::size_t>(s)];
  std::int64_t numbers[most_prop_tests];
  std::size_t count = 0;
  for (const int prop : def.props) {
    const int column = p_->types[token(t).type].column[static_cast<std::size_t>(prop)];
    const std::int32_t cell = column < 0 ? missing_cell : cells(t)[column];
    if (cell == missing_cell) return;  // no filter finds it
    numbers[count++] = cell;
  }
  const std::size_t bit = seen_bit({numbers, count});
  words[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

void Memory::note_seen(int t, int z) const {
  for (std::size_t s = 0; s < p_->seen.size(); ++s)
    if (p_->seen[s].zone == z) mark_seen(static_cast<int>(s), seen(static_cast<int>(s)), t);
}

void Memory::refresh_seen(int z) const {
  for (std::size_t s = 0; s < p_->seen.size(); ++s) {
    if (p_->seen[s].zone != z) continue;
    std::uint64_t* words = seen(static_cast<int>(s));
    std::fill_n(words, seen_words, 0);
    for (int t = first(z); t >= 0; t = next(t)) mark_seen(static_cast<int>(s), words, t);
  }
}

void Memory::count_in(int t, int z) const {
  count_in_sums(t, z, 1);
  note_seen(t, z);
}

void Memory::count_in_sums(int t, int z, int sign) const {
  for (std::size_t s = 0; s < p_->sums.size(); ++s)
    count_in_sum(p_->sums[s], sum(static_cast<int>(s)), t, z, sign);
}

namespace {
void clear_bit(std::uint64_t* words, int bit) {
  words[bit >> 6] &= ~(std::uint64_t{1} << (bit & 63));
}
}  // namespace

bool Memory::has_feature(int t, const Feature& wanted) const {
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

// The only token of a zone, as it is now, takes its features with it.
void Memory::drop_features(int t, int z) {
  const TypeInfo& type = p_->types[token(t).type];
  const std::int32_t* own = cells(t);
  for (const TypeInfo::FeatureTest& test : type.feature_tests)
    if (test.column < 0 || own[test.column] == test.cell)
      clear_bit(at<std::uint64_t>(test.offset), z);
}

void Memory::refresh_features(int z) {
  for (std::size_t f = 0; f < p_->features.size(); ++f) clear_bit(feature(static_cast<int>(f)), z);
  for (int t = first(z); t >= 0; t = next(t)) add_features(t, z);
}

std::uint64_t Memory::content_hash() const {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < p_->var_keys.size(); ++i)
    hash += p_->var_keys[i] * static_cast<std::uint64_t>(var_cell(static_cast<int>(i)));
  for (std::size_t i = 0; i < p_->zones.size() * p_->lattices.size(); ++i)
    hash += (mix(0x6d61726b + i) | 1) *
            static_cast<std::uint64_t>(at<std::int16_t>(p_->layout.markers)[i]);
  for (std::size_t i = 0; i < p_->global_lattices.size(); ++i)
    hash += (mix(0x676d61726bu + i) | 1) *
            static_cast<std::uint64_t>(at<std::int16_t>(p_->layout.global_markers)[i]);
  for (int i = 0; i < p_->usage_cells; ++i)
    hash += (mix(0x7573616765u + static_cast<unsigned>(i)) | 1) * usage(i);
  for (int t = 0; t < static_cast<int>(header().tokens); ++t) {
    hash += token_key(t, 0) * placement(t);
    hash += token_key(t, 1) * static_cast<std::uint64_t>(token(t).type + 1);
    for (int c = 0; c < p_->columns; ++c)
      if (cells(t)[c] != missing_cell)
        hash += token_key(t, 2 + c) * (static_cast<std::uint64_t>(cells(t)[c]) + 0x100000001u);
  }
  return hash;
}

std::uint64_t Memory::full_hash() const {
  const Header& h = header();
  std::uint64_t hash = mix(h.hash + p_->fingerprint);
  hash = hash_combine(hash, static_cast<std::uint64_t>(h.rng.state()));
  hash = hash_combine(hash, static_cast<std::uint64_t>(h.rng.state() >> 64));
  const auto* rest = reinterpret_cast<const std::byte*>(&h.tokens);
  hash = hash_bytes({rest, sizeof(Header) - offsetof(Header, tokens)}, hash);
  const Layout& layout = p_->layout;
  // Pools, submissions, interrupts, reveals and effects lie side by side before the tokens.
  hash = hash_bytes({base_ + layout.pools, layout.tokens - layout.pools}, hash);
  if (h.text_bytes != 0) hash = hash_bytes({base_ + tokens_end(), h.text_bytes}, hash);
  if (p_->secrets.tokens)
    for (int t = 0; t < static_cast<int>(h.tokens); ++t)
      hash = hash_bytes(
          {reinterpret_cast<const std::byte*>(&sight(t)), layout.token_size - layout.sight}, hash);
  if (h.vm_bytes != 0) hash = hash_bytes({base_ + block_->size() - h.vm_bytes, h.vm_bytes}, hash);
  return hash;
}

bool Memory::features_consistent() const {
  for (int f = 0; f < static_cast<int>(p_->features.size()); ++f) {
    const Feature& def = p_->features[static_cast<std::size_t>(f)];
    for (int z = 0; z < static_cast<int>(p_->zones.size()); ++z) {
      bool expected = false;
      for (int t = first(z); t >= 0; t = next(t)) expected |= has_feature(t, def);
      const bool kept = (feature(f)[z >> 6] >> (z & 63)) & 1;
      if (kept != expected) return false;
    }
  }
  for (std::size_t s = 0; s < p_->sums.size(); ++s) {
    SumRecord expected{};
    for (int z = 0; z < static_cast<int>(p_->zones.size()); ++z)
      for (int t = first(z); t >= 0; t = next(t)) count_in_sum(p_->sums[s], expected, t, z, 1);
    const SumRecord& kept = sum(static_cast<int>(s));
    if (kept.sum != expected.sum || kept.odd != expected.odd) return false;
  }
  for (std::size_t s = 0; s < p_->seen.size(); ++s) {
    std::uint64_t expected[seen_words] = {};
    for (int t = first(p_->seen[s].zone); t >= 0; t = next(t))
      mark_seen(static_cast<int>(s), expected, t);
    if (!std::equal(expected, expected + seen_words, seen(static_cast<int>(s)))) return false;
  }
  return true;
}

}  // namespace parlor::kernel
