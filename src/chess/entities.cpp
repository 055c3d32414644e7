// Pieces as entities: attributes, facts, preset state, birth and death.
#include <algorithm>
#include <cstring>
#include <fmt/core.h>

#include "chess/engine.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

constexpr std::array<std::string_view, 3> core_attributes{"type", "colour", "square"};
constexpr std::uint8_t deepest_death = 16;  // deaths that cause deaths

Slot free_slot(const Position& position) {
  for (Slot slot = 0; slot < board_squares; ++slot)
    if (position.id_of[slot] == 0) return slot;
  return board_squares - 1;  // cannot be: there are as many slots as squares
}

}  // namespace

void seat_pieces(Position& position) {
  position.slot_on = {};
  position.square_of = {};
  position.id_of = {};
  position.next_id = 1;
  Slot slot = 0;
  for (const Square square : squares_of(position.board.occupied())) {
    position.slot_on[square] = slot;
    position.square_of[slot] = square;
    position.id_of[slot] = position.next_id++;
    ++slot;
  }
}

Piece Engine::piece_at(Square square) const {
  if (square >= no_square || board().empty(square)) return {};
  const Slot slot = position_->slot_on[square];
  return {position_->id_of[slot], slot, board().type_on(square), board().side_on(square), square};
}

Piece Engine::piece(EntityId id) const {
  if (id == 0) return {};
  for (Slot slot = 0; slot < board_squares; ++slot)
    if (position_->id_of[slot] == id) return piece_at(position_->square_of[slot]);
  return {};
}

// ---- Attributes

std::size_t Engine::own_attribute(std::size_t declared) const {
  const std::uint8_t index = position_->active[self_].preset;
  const Preset& preset = book_->preset(index);
  // Nearly all have one, and many ask for it at every move.
  if (preset.attributes.size() == 1)
    return static_cast<std::size_t>(std::countr_zero(book_->attribute_mask(index)));
  return *book_->find_attribute(preset.attributes[declared].name);
}

bool Engine::has_attribute(const Piece& piece, std::size_t column) const {
  return ruled_ && piece && position_->cell(column, piece.slot) != 0;
}

int Engine::attribute(const Piece& piece, std::size_t column, int otherwise) const {
  return has_attribute(piece, column) ? value_in(position_->cell(column, piece.slot)) : otherwise;
}

void Engine::set_attribute(const Piece& piece, std::size_t column, int value) {
  if (!ruled_ || !piece || position_->id_of[piece.slot] != piece.id) return;
  if ((position_->dispatch.attributes >> column & 1) == 0) return;  // nobody in force knows it
  const Attribute& bounds = book_->attributes()[column];
  position_->cell(column, piece.slot) = cell_of(std::clamp<int>(value, bounds.low, bounds.high));
}

void Engine::clear_attribute(const Piece& piece, std::size_t column) {
  if (!has_attribute(piece, column)) return;
  position_->cell(column, piece.slot) = 0;
}

// ---- Facts

bool Engine::insert(EntityId id, std::string_view attribute, std::int64_t value) {
  const Piece target = piece(id);
  if (!target) return false;
  if (attribute == "type") {
    if (value < 1 || value >= static_cast<std::int64_t>(book_->type_count())) return false;
    set_type(target, static_cast<PieceType>(value));
    return true;
  }
  if (attribute == "colour") {
    if (value < 0 || value > 1) return false;
    set_side(target, static_cast<Side>(value));
    return true;
  }
  if (attribute == "square")
    return value >= 0 && value < no_square && move_piece(target, static_cast<Square>(value));
  const auto column = book_->find_attribute(attribute);
  if (!ruled_ || !column || (position_->dispatch.attributes >> *column & 1) == 0) return false;
  const Attribute& bounds = book_->attributes()[*column];
  set_attribute(target, *column,
                static_cast<int>(std::clamp<std::int64_t>(value, bounds.low, bounds.high)));
  return true;
}

bool Engine::retract(EntityId id, std::string_view attribute) {
  const Piece target = piece(id);
  const auto column = book_->find_attribute(attribute);
  if (!target || !column || !has_attribute(target, *column)) return false;
  clear_attribute(target, *column);
  return true;
}

std::optional<std::int64_t> Engine::get(EntityId id, std::string_view attribute) const {
  const Piece target = piece(id);
  if (!target) return std::nullopt;
  if (attribute == "type") return target.type;
  if (attribute == "colour") return target.side;
  if (attribute == "square") return target.square;
  const auto column = book_->find_attribute(attribute);
  if (!column || !has_attribute(target, *column)) return std::nullopt;
  return this->attribute(target, *column);
}

std::vector<std::string_view> Engine::effective_piece_attrs() const {
  std::vector<std::string_view> out{core_attributes.begin(), core_attributes.end()};
  if (!ruled_) return out;
  for (std::size_t column = 0; column < book_->attributes().size(); ++column)
    if ((position_->dispatch.attributes >> column & 1) != 0)
      out.push_back(book_->attributes()[column].name);
  return out;
}

std::vector<Fact> Engine::all_facts() const {
  std::vector<Piece> pieces;
  for (const Square square : squares_of(board().occupied())) pieces.push_back(piece_at(square));
  std::ranges::sort(pieces, {}, &Piece::id);
  std::vector<Fact> out;
  for (const Piece& piece : pieces)
    for (const std::string_view attribute : effective_piece_attrs())
      if (const auto value = get(piece.id, attribute)) out.push_back({piece.id, attribute, *value});
  return out;
}

// ---- The asking preset's state

Bag Engine::bag() const {
  return {position_->tail.data() + book_->attributes().size() * Position::column_bytes,
          position_->bag_size, book_->state_bytes()};
}

// Remembers why something could not be kept; the move or activation that caused it is refused.
bool Engine::kept(bool room, std::string_view key) {
  if (!room && refusal_.empty())
    refusal_ = fmt::format("rule `{}` has no room to keep `{}`: {} of {} bytes are used", self_id(),
                           key, position_->bag_size, book_->state_bytes());
  return room;
}

std::optional<std::int64_t> Engine::state(std::string_view key) const {
  if (self_ >= max_active) return std::nullopt;
  return bag().number(position_->active[self_].preset, key);
}

Json Engine::state_value(std::string_view key) const {
  if (self_ >= max_active) return nullptr;
  return bag().value(position_->active[self_].preset, key);
}

bool Engine::set_state(std::string_view key, std::int64_t value) {
  if (self_ >= max_active) return false;
  return kept(bag().set(position_->active[self_].preset, key, value), key);
}

bool Engine::set_state(std::string_view key, const Json& value) {
  if (self_ >= max_active) return false;
  return kept(bag().set(position_->active[self_].preset, key, value), key);
}

void Engine::delete_state(std::string_view key) {
  if (self_ < max_active) bag().erase(position_->active[self_].preset, key);
}

std::vector<std::pair<std::string, Json>> Engine::all_state() const {
  std::vector<std::pair<std::string, Json>> out;
  if (self_ >= max_active) return out;
  bag().each([&](std::uint8_t preset, std::string_view key, Json value) {
    if (preset == position_->active[self_].preset) out.emplace_back(key, std::move(value));
  });
  return out;
}

// ---- Birth, change and death

tl::expected<Piece, Rejection> Engine::spawn_piece(
    PieceType type, Side side, Square square,
    std::span<const std::pair<std::size_t, int>> attributes) {
  if (square >= no_square || type == no_type || type >= book_->type_count())
    return tl::unexpected(
        Rejection{Code::CHESS_SPAWN_REFUSED, "there is no such square or piece type"});
  if (!board().empty(square))
    return tl::unexpected(
        Rejection{Code::CHESS_SPAWN_REFUSED, fmt::format("{} is occupied", square_name(square))});
  if (position_->next_id == 0)
    return tl::unexpected(
        Rejection{Code::CHESS_SPAWN_REFUSED, "too many pieces have been spawned in this game"});
  const Slot slot = free_slot(*position_);
  position_->board.put(square, type, side);
  position_->slot_on[square] = slot;
  position_->square_of[slot] = square;
  position_->id_of[slot] = position_->next_id++;
  const Piece piece = piece_at(square);
  for (const auto& [column, value] : attributes) set_attribute(piece, column, value);
  ask(Hook::on_piece_spawn, side, [&](const Hooks& hooks) {
    hooks.on_piece_spawn(*this, piece);
    return false;
  });
  return piece;
}

void Engine::vacate(Square square) {
  const Slot slot = position_->slot_on[square];
  position_->board.touch(bit(square));
  position_->board.remove(square);
  position_->slot_on[square] = 0;
  position_->square_of[slot] = 0;
  position_->id_of[slot] = 0;
  if (!ruled_ || position_->dispatch.attributes == 0) return;
  for (std::size_t column = 0; column < book_->attributes().size(); ++column)
    position_->cell(column, slot) = 0;
}

void Engine::die(const Piece& piece, std::string_view kind, const Piece& attacker) {
  if (depth_ < deepest_death) {
    ++depth_;
    ask(Hook::on_piece_retract, piece.side, [&](const Hooks& hooks) {
      hooks.on_piece_retract(*this, {piece, kind, attacker});
      return false;
    });
    --depth_;
  }
  const Piece now = this->now(piece);  // a death rattle may have moved or removed it
  if (!now) return;
  if (listener_ != nullptr)
    listener_->on_event({"tokenDestroyed", Json{{"token", token_name(now.id)},
                                                {"type", book_->type(now.type).id},
                                                {"from", square_name(now.square)},
                                                {"cause", kind}}});
  vacate(now.square);
}

namespace {

// The move itself says what it captured.
std::string damage_said(const Rulebook& book, const Piece& target, std::string_view kind,
                        bool died) {
  if (died && kind == "capture") return {};
  return fmt::format("the {} on {} {}", book.type(target.type).id, square_name(target.square),
                     died ? fmt::format("dies of {}", kind) : fmt::format("survives {}", kind));
}

}  // namespace

bool Engine::deal_damage(const Piece& target, int amount, std::string_view kind,
                         const Piece& attacker) {
  if (!target || amount <= 0 || position_->id_of[target.slot] != target.id) return false;
  if (depth_ >= deepest_death) return false;  // rules that keep hurting each other come to rest
  ++depth_;
  Damage damage{target, amount, kind, attacker};
  bool consumed = false;
  bool died = true;
  ask(Hook::on_damage, target.side, [&](const Hooks& hooks) {
    const DamageAnswer answer = hooks.on_damage(*this, damage);
    if (answer.kind == DamageAnswer::Kind::consume) {
      consumed = true;
      died = answer.died;
    } else {
      damage.amount = std::min(damage.amount, answer.amount);
      if (damage.amount <= 0) {
        consumed = true;
        died = false;
      }
    }
    return consumed;
  });
  if (listener_ != nullptr && ruled_)
    listener_->on_event(
        {"note", Json{{"effect", "damage"},
                      {"text", damage_said(*book_, target, kind, died)},
                      {"token", token_name(target.id)},
                      {"at", square_name(target.square)},
                      {"data", {{"amount", amount}, {"kind", kind}, {"died", died}}}}});
  if (died) die(target, kind, attacker);
  --depth_;
  return died;
}

void Engine::remove_piece(const Piece& piece) {
  die(piece, "removed", {});
}

void Engine::relocate(const Piece& piece, Square to) {
  position_->board.touch(bit(piece.square) | bit(to));
  position_->board.shift(piece.square, to);
  position_->slot_on[piece.square] = 0;
  position_->slot_on[to] = piece.slot;
  position_->square_of[piece.slot] = to;
}

bool Engine::move_piece(const Piece& piece, Square to) {
  const Piece now = this->now(piece);
  if (!now || to >= no_square || !board().empty(to)) return false;
  relocate(now, to);
  return true;
}

void Engine::set_type(const Piece& piece, PieceType type) {
  const Piece now = this->now(piece);
  if (!now || type == no_type || type >= book_->type_count()) return;
  position_->board.touch(bit(now.square));
  position_->board.remove(now.square);
  position_->board.put(now.square, type, now.side);
}

void Engine::set_side(const Piece& piece, Side side) {
  const Piece now = this->now(piece);
  if (!now) return;
  position_->board.touch(bit(now.square));
  position_->board.remove(now.square);
  position_->board.put(now.square, now.type, side);
}

void Engine::emit_effect(const VisualEffect& effect) const {
  if (listener_ == nullptr) return;
  Json data{
      {"effect", effect.kind}, {"text", effect.says}, {"ttl", effect.ttl}, {"data", effect.data}};
  if (effect.square < no_square) data["at"] = square_name(effect.square);
  listener_->on_event({"note", std::move(data)});
}

}  // namespace parlor::chess::inline PARLOR_BOARD
