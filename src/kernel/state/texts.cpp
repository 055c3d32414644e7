// Texts that a state keeps: what rules put together while playing and gave to tokens or effects.
#include "kernel/state/memory.h"

namespace parlor::kernel {

namespace {

constexpr std::size_t unit = 4;
constexpr std::size_t most_text_bytes = 1 << 20;  // of one state

std::size_t room_for(std::size_t length) {
  return unit + (length + unit - 1) / unit * unit;
}

}  // namespace

// Calls `visit(place, text)` for each until it returns true; whether one did.
template <class Visit>
bool Memory::each_text(Visit visit) const {
  const std::byte* const begin = base_ + texts_begin();
  for (std::size_t at = 0; at + unit <= header().text_bytes;) {
    std::uint32_t length = 0;
    std::memcpy(&length, begin + at, unit);
    if (visit(at / unit,
              std::string_view(reinterpret_cast<const char*>(begin + at + unit), length)))
      return true;
    at += room_for(length);
  }
  return false;
}

std::string_view Memory::text_at(std::int64_t place) const {
  const std::size_t at = place * unit;
  if (place < 0 || at + unit > header().text_bytes) return {};
  const std::byte* const begin = base_ + texts_begin() + at;
  std::uint32_t length = 0;
  std::memcpy(&length, begin, unit);
  if (length > header().text_bytes - at - unit) return {};
  return {reinterpret_cast<const char*>(begin + unit), length};
}

Value Memory::find_text(std::string_view text) const {
  Value found;
  each_text([&](std::size_t place, std::string_view kept) {
    if (kept != text) return false;
    found = Value::make(Tag::text, kept_text + place);
    return true;
  });
  return found;
}

Value Memory::keep_text(std::string_view text) {
  if (const Value found = find_text(text); !found.is_none()) return found;
  const std::size_t before = header().text_bytes, room = room_for(text.size());
  if (text.size() > longest_text || before + room > most_text_bytes) return {};
  touch();
  const std::size_t at = texts_begin() + before;
  const std::string own(text);  // it may lie in the block that grows now
  block_->resize(at + room);
  rebase();
  const std::uint32_t length = own.size();
  std::memcpy(base_ + at, &length, unit);
  if (length != 0) std::memcpy(base_ + at + unit, own.data(), length);
  header().text_bytes = before + room;
  return Value::make(Tag::text, kept_text + before / unit);
}

std::vector<std::string> Memory::texts() const {
  std::vector<std::string> out;
  each_text([&](std::size_t, std::string_view text) { return out.emplace_back(text), false; });
  return out;
}

void Memory::tidy_texts() {
  std::vector<std::pair<Value, std::string>> old;
  each_text([&](std::size_t place, std::string_view text) {
    old.emplace_back(Value::make(Tag::text, kept_text + place), text);
    return false;
  });
  header().text_bytes = 0;
  block_->resize(texts_begin());
  rebase();
  const auto again = [&](Value v) {
    for (const auto& [before, text] : old)
      if (before == v) return keep_text(text);
    return v;
  };
  for (const TokenId t : tokens())
    for (std::size_t prop = 0; prop < p_->props.size(); ++prop) {
      const TypeInfo& type = p_->types[token(t).type];
      const int column = type.column[prop];
      if (column < 0 || type.cell[prop] != CellType::symbol || cells(t)[column] < first_text_cell)
        continue;
      const std::int32_t cell =
          encode_cell(CellType::symbol, again(decode_cell(CellType::symbol, cells(t)[column])));
      if (cell != cells(t)[column]) write_cell(t, prop, cell);
    }
  for (int k = 0; k < header().effects; ++k) {
    const Value target = at<EffectRecord>(p_->layout.effects)[k].target;
    if (target.tag() != Tag::text) continue;
    const Value kept = again(target);
    at<EffectRecord>(p_->layout.effects)[k].target = kept;
  }
}

}  // namespace parlor::kernel
