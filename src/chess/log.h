// The move log at the end of a state: one record for the start, one per move and one wherever the
// rules were switched. Each record is its text, if it has one (preset effects or the rules now in
// force, separated by line breaks, padded to 8 bytes, then its length), followed by 16 bytes, so it
// can be walked from the end, which is what looking for repetitions does.
#pragma once

#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "chess/board.h"
#include "game/state_block.h"

namespace parlor::chess::inline PARLOR_BOARD {

// One move as it was made. The first record of a log is the start: it has only a hash. One whose
// kind is `rules` is no move: its `effects` are the rules in force from there on, one each.
struct MoveRecord {
  Move move;
  Side side = white;
  PieceType moved = no_type;
  PieceType captured = no_type;  // whom the move was aimed at, fallen or not
  PieceType promotion = no_type;
  std::vector<std::string> effects = {};  // what presets said about it
  std::uint64_t hash = 0;                 // of the position after it
  bool switches_rules() const { return move.kind() == MoveKind::rules; }
};

// What a record says besides its text.
struct LogFooter {
  std::uint64_t hash = 0;
  std::uint32_t move = 0;
  std::uint8_t side = 0;
  std::uint8_t moved = 0;
  std::uint8_t captured = 0;
  std::uint8_t promotion = 0;
};
// The same as it lies in the log: a long game has hundreds.
struct PackedFooter {
  std::uint64_t hash;
  std::uint32_t move;
  std::uint32_t side : 1, moved : 8, captured : 8, promotion : 8, has_text : 1, spare : 6;
};
static_assert(sizeof(PackedFooter) == 16);

// A view of a state's log; it must not outlive the state or survive a change of it.
class History {
 public:
  History(const StateBlock& block, std::size_t offset)
      : begin_(block.data() + offset), end_(block.data() + block.size()) {}

  // Without the last record.
  History earlier() const {
    History out = *this;
    if (out.end_ != out.begin_) out.end_ -= record_size(out.end_, footer_before(out.end_));
    return out;
  }

  bool empty() const { return begin_ == end_; }
  // The move of the last record and the hash after it; there must be one.
  Move last_move() const { return Move{footer_before(end_).move}; }
  std::uint64_t last_hash() const { return footer_before(end_).hash; }

  // How often moves led to a key (or the game began with it) within the last `most` records.
  int occurrences(std::uint64_t key, std::size_t most = static_cast<std::size_t>(-1)) const {
    int found = 0;
    for (const std::byte* at = end_; at != begin_ && most != 0; --most) {
      const PackedFooter& footer = footer_before(at);
      if (footer.hash == key && Move{footer.move}.kind() != MoveKind::rules) ++found;
      at -= record_size(at, footer);
    }
    return found;
  }
  std::vector<MoveRecord> records() const;  // the start first
  // The hashes alone, without the last record, which is the position itself.
  std::vector<std::uint64_t> past_hashes() const;

 private:
  // Records lie at multiples of 8 bytes.
  static const PackedFooter& footer_before(const std::byte* end) {
    return *std::launder(reinterpret_cast<const PackedFooter*>(end - sizeof(PackedFooter)));
  }
  static std::size_t text_size(const std::byte* end) {
    std::uint64_t size = 0;
    std::memcpy(&size, end - sizeof(PackedFooter) - sizeof size, sizeof size);
    return size;
  }
  static std::size_t record_size(const std::byte* end, const PackedFooter& footer) {
    if (footer.has_text == 0) return sizeof footer;
    return sizeof footer + sizeof(std::uint64_t) + (text_size(end) + 7) / 8 * 8;
  }

  const std::byte* begin_;
  const std::byte* end_;
};

// Adds a record at the end of the block. Pointers into the block may become invalid. Every move
// does this: the footer is written field by field, since one that was put together elsewhere and is
// copied as a whole at once has to leave the processor first.
inline void append_record(StateBlock& block, const LogFooter& footer, std::string_view text) {
  const std::uint64_t size = text.size();
  const std::size_t padded = (size + 7) / 8 * 8;
  const std::size_t old = block.size(), before = size == 0 ? 0 : padded + sizeof size;
  block.resize_unset(old + before + sizeof(PackedFooter));
  std::byte* const end = block.data() + old + before;
  if (size != 0) {
    std::memset(end - sizeof size - 8, 0, 8);
    std::memcpy(block.data() + old, text.data(), size);
    std::memcpy(end - sizeof size, &size, sizeof size);
  }
  new (end) PackedFooter{.hash = footer.hash,
                         .move = footer.move,
                         .side = footer.side & 1u,
                         .moved = footer.moved,
                         .captured = footer.captured,
                         .promotion = footer.promotion,
                         .has_text = size != 0,
                         .spare = 0};
}
// Replaces the hash of the last record.
void set_last_hash(StateBlock& block, std::uint64_t hash);
std::string join_effects(const std::vector<std::string>& effects);

}  // namespace parlor::chess::inline PARLOR_BOARD
