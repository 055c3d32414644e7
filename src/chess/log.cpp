#include "chess/log.h"

#include <algorithm>

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string join_effects(const std::vector<std::string>& effects) {
  std::string out;
  for (const std::string& effect : effects) {
    std::string line = effect;
    std::ranges::replace(line, '\n', ' ');
    out += (out.empty() ? "" : "\n") + line;
  }
  return out;
}

std::vector<MoveRecord> History::records() const {
  std::vector<MoveRecord> out;
  for (const std::byte* at = end_; at != begin_;) {
    const PackedFooter& footer = footer_before(at);
    const std::size_t size = footer.has_text != 0 ? text_size(at) : 0;
    at -= record_size(at, footer);
    const std::string_view text{reinterpret_cast<const char*>(at), size};
    MoveRecord record{.move = Move{footer.move}, .side = static_cast<Side>(footer.side)};
    record.moved = static_cast<PieceType>(footer.moved);
    record.captured = static_cast<PieceType>(footer.captured);
    record.promotion = static_cast<PieceType>(footer.promotion);
    record.effects = split_lines(text);
    record.hash = footer.hash;
    out.push_back(std::move(record));
  }
  std::ranges::reverse(out);
  return out;
}

std::vector<std::uint64_t> History::past_hashes() const {
  std::vector<std::uint64_t> out;
  if (empty()) return out;
  const History past = earlier();
  for (const std::byte* at = past.end_; at != begin_;) {
    const PackedFooter& footer = footer_before(at);
    if (Move{footer.move}.kind() != MoveKind::rules) out.push_back(footer.hash);
    at -= record_size(at, footer);
  }
  std::ranges::reverse(out);
  return out;
}

void set_last_hash(StateBlock& block, std::uint64_t hash) {
  std::memcpy(block.data() + block.size() - sizeof(PackedFooter) + offsetof(PackedFooter, hash),
              &hash, sizeof hash);
}

}  // namespace parlor::chess::inline PARLOR_BOARD
