// What lies behind the tokens of a card-driven game, as many as there are: grants, lasting effects,
// events that wait, captured zones. And the form in which this and what is known of tokens are
// saved and hashed, which does not depend on how little room they take here.
#include "kernel/state/memory.h"

namespace parlor::kernel {

// ---- Where they lie

std::uint32_t Memory::grant_at(int k) const {
  std::uint32_t place = open_begin();
  for (; k > 0; --k) place += sizeof(GrantRecord) + sizeof(Value) * at<GrantRecord>(place)->values;
  return place;
}

std::uint32_t Memory::lasting_at(int k) const {
  return grant_at(flow().grants) + k * sizeof(LastingRecord);
}

std::uint32_t Memory::deferred_at(int k) const {
  return lasting_at(flow().lasting) + k * p_->layout.deferred_size;
}

std::uint32_t Memory::captured_at(int k) const {
  return deferred_at(flow().deferred) + k * p_->layout.captured_size;
}

// ---- Adding and dropping

void Memory::open_room(std::uint32_t at, std::size_t bytes) {
  touch();
  const std::size_t end = std::size_t{open_end()} + header().text_bytes;
  block_->resize_unset(end + bytes);
  rebase();
  std::memmove(base_ + at + bytes, base_ + at, end - at);
  std::memset(base_ + at, 0, bytes);
}

void Memory::close_room(std::uint32_t at, std::size_t bytes) {
  touch();
  const std::size_t end = std::size_t{open_end()} + header().text_bytes;
  std::memmove(base_ + at, base_ + at + bytes, end - at - bytes);
  block_->resize_unset(end - bytes);
  rebase();
}

// The bytes before the next multiple of eight are zero, so that equal states have equal bytes.
void Memory::make_room_for_token() {
  const std::size_t before = open_begin(), end = std::size_t{open_end()} + header().text_bytes,
                    after = (tokens_end() + p_->layout.token_size + 7) / 8 * 8;
  block_->resize_unset(end + after - before);
  rebase();
  std::memmove(base_ + after, base_ + before, end - before);
  std::memset(base_ + tokens_end(), 0, after - tokens_end());
}

void Memory::add_grant(GrantRecord record, std::span<const Value> values) {
  const std::uint32_t place = grant_at(flow().grants);
  record.values = values.size();
  open_room(place, sizeof record + values.size_bytes());
  *at<GrantRecord>(place) = record;
  std::ranges::copy(values, at<Value>(place + sizeof record));
  ++flow().grants;
}

void Memory::add_lasting(LastingRecord record) {
  const std::uint32_t place = lasting_at(flow().lasting);
  open_room(place, sizeof record);
  *at<LastingRecord>(place) = record;
  ++flow().lasting;
}

void Memory::add_deferred(const DeferredRecord& record, std::span<const Value> values) {
  const std::uint32_t place = deferred_at(flow().deferred);
  open_room(place, p_->layout.deferred_size);
  *at<DeferredRecord>(place) = record;
  std::ranges::copy(values, at<Value>(place + sizeof record));
  ++flow().deferred;
}

void Memory::add_captured(const CapturedRecord& record) {
  const std::uint32_t place = captured_at(flow().captured);
  open_room(place, p_->layout.captured_size);
  *at<CapturedRecord>(place) = record;
  ++flow().captured;
}

void Memory::drop_grant(int k) {
  close_room(grant_at(k), sizeof(GrantRecord) + grant_values(k).size_bytes());
  --flow().grants;
}

void Memory::drop_lasting(int k) {
  close_room(lasting_at(k), sizeof(LastingRecord));
  --flow().lasting;
}

void Memory::drop_deferred(int k) {
  close_room(deferred_at(k), p_->layout.deferred_size);
  --flow().deferred;
}

void Memory::drop_captured(int k) {
  close_room(captured_at(k), p_->layout.captured_size);
  --flow().captured;
}

// ---- As they are saved

namespace {

// Room for all there could be of each kind.
struct SavedRoom {
  std::size_t grants, lasting, deferred, captured;
  explicit SavedRoom(const Program& p)
      : grants(p.flow.grants.empty() ? 0 : max_grants * std::size_t{p.layout.grant_size}),
        lasting(p.flow.lasting.empty() ? 0 : max_lasting * sizeof(LastingRecord)),
        deferred(p.flow.deferred.empty() ? 0 : max_deferred * std::size_t{p.layout.deferred_size}),
        captured(p.layout.captures ? max_captured * std::size_t{p.layout.captured_size} : 0) {}
  std::size_t all() const { return grants + lasting + deferred + captured; }
};

}  // namespace

std::vector<std::byte> Memory::saved_records() const {
  const Layout& l = p_->layout;
  const SavedRoom room(*p_);
  std::size_t next = l.tokens - l.pools;
  std::vector<std::byte> out(next + (p_->flow.any() ? room.all() : 0));
  std::copy_n(base_ + l.pools, next, out.data());
  if (!p_->flow.any()) return out;
  const auto put = [&](std::size_t at, std::uint32_t from, std::size_t bytes) {
    std::memcpy(out.data() + at, base_ + from, bytes);
  };
  const FlowRecord& f = flow();
  for (int k = 0; k < f.grants; ++k) {
    const std::size_t at = next + k * l.grant_size;
    put(at, grant_at(k), sizeof(GrantRecord) + grant_values(k).size_bytes());
    std::memset(out.data() + at + offsetof(GrantRecord, values), 0, sizeof(GrantRecord::values));
  }
  next += room.grants;
  put(next, lasting_at(0), std::size_t{f.lasting} * sizeof(LastingRecord));
  next += room.lasting;
  put(next, deferred_at(0), std::size_t{f.deferred} * l.deferred_size);
  next += room.deferred;
  put(next, captured_at(0), std::size_t{f.captured} * l.captured_size);
  return out;
}

bool Memory::load_records(std::span<const std::byte> saved) {
  const Layout& l = p_->layout;
  const std::size_t fixed = l.tokens - l.pools;
  const SavedRoom room(*p_);
  if (saved.size() != fixed + (p_->flow.any() ? room.all() : 0)) return false;
  if (fixed != 0) std::memcpy(base_ + l.pools, saved.data(), fixed);
  if (!p_->flow.any()) return true;
  // The counts say what there is; until it is there they are none.
  FlowRecord said = flow();
  if (said.grants * l.grant_size > room.grants ||
      said.lasting * sizeof(LastingRecord) > room.lasting ||
      said.deferred * l.deferred_size > room.deferred ||
      said.captured * l.captured_size > room.captured)
    return false;
  flow().grants = flow().lasting = flow().deferred = flow().captured = 0;
  std::vector<Value> values;
  std::size_t next = fixed;
  const auto read = [&](std::size_t at, auto& record, std::size_t count) {
    std::memcpy(&record, saved.data() + at, sizeof record);
    values.resize(count);
    if (count != 0) std::memcpy(values.data(), saved.data() + at + sizeof record, 8 * count);
  };
  for (std::size_t k = 0; k < said.grants; ++k) {
    GrantRecord record;
    read(next + k * l.grant_size, record, p_->flow.grant_values);
    if (record.values != 0 || record.def < 0 || record.def >= std::ssize(p_->flow.grants))
      return false;
    const GrantInfo& info = p_->flow.grants[record.def];
    const auto kept = kept_size(values, info.context.size() + info.fills.size());
    if (!kept) return false;
    add_grant(record, {values.data(), *kept});
  }
  next += room.grants;
  for (std::size_t k = 0; k < said.lasting; ++k) {
    LastingRecord record;
    read(next + k * sizeof record, record, 0);
    add_lasting(record);
  }
  next += room.lasting;
  for (std::size_t k = 0; k < said.deferred; ++k) {
    DeferredRecord record;
    read(next + k * l.deferred_size, record, p_->flow.deferred_values);
    add_deferred(record, values);
  }
  next += room.deferred;
  for (std::size_t k = 0; k < said.captured; ++k) {
    CapturedRecord record;
    read(next + k * l.captured_size, record, p_->words);
    add_captured(record);
    std::memcpy(captured_zones(k), values.data(), 8 * values.size());
  }
  return true;
}

std::optional<std::size_t> Memory::kept_size(std::span<const Value> values, std::size_t wanted) {
  std::size_t at = 0;
  for (; wanted > 0; --wanted) {
    if (at >= values.size()) return std::nullopt;
    const std::int64_t items = values[at].is_list() ? values[at].payload() : 0;
    if (items < 0 || std::cmp_greater_equal(items, values.size() - at)) return std::nullopt;
    at += 1 + items;
  }
  return at;
}

// ---- What is known of a token, as it is saved

std::size_t Memory::saved_sight_size() const {
  const Secrets& s = p_->secrets;
  const std::size_t sets = (s.viewers * s.set_bytes + 3) / 4 * 4;
  return sizeof(TokenSight) + s.props.size() * sizeof(ValueRange) + sets +
         (s.course ? sizeof(TokenBefore) + sets : 0);
}

void Memory::sight_to_saved(TokenId t, std::byte* to) const {
  const Secrets& s = p_->secrets;
  const TokenSight own = sight(t);
  const std::size_t ranged = s.props.size() * sizeof(ValueRange), sets = s.viewers * s.set_bytes,
                    room = (sets + 3) / 4 * 4;
  const auto put = [&](const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
    to += bytes;
  };
  put(&own, sizeof own);
  put(ranges(t), ranged);
  put(places(t, 0), sets);
  std::memset(to, 0, room - sets);
  to += room - sets;
  if (s.course) put(&before(t), sizeof(TokenBefore) + room);
}

bool Memory::sight_from_saved(TokenId t, const std::byte* from) const {
  const Secrets& s = p_->secrets;
  TokenSight own;
  const std::size_t ranged = s.props.size() * sizeof(ValueRange), sets = s.viewers * s.set_bytes,
                    room = (sets + 3) / 4 * 4;
  const auto take = [&](void* to, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
    from += bytes;
  };
  take(&own, sizeof own);
  write_sight(t, own);
  take(static_cast<void*>(ranges(t)), ranged);
  take(places(t, 0), sets);
  from += room - sets;
  if (s.course) take(&before(t), sizeof(TokenBefore) + room);
  const TokenSight kept = sight(t);
  return kept.known == own.known && kept.shown == own.shown;
}

}  // namespace parlor::kernel
