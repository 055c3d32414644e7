// What printed moves change a state with (code.h): where tokens go and who hears of it, luck, uses.
// `Shape` is printed; see state/writes.h and, where tokens are hidden (Shape::hides),
// state/follows.h, and besides where the tokens lie.
#pragma once

#include "base/rng.h"
#include "kernel/printed/code_pieces.h"

namespace parlor::kernel {

// A state as those see it who change it: where it lies is their own, so it need not be looked up
// again behind everything they write.
struct StateBytes {
  std::byte* const base;
  const std::uint64_t* const token_keys;
  const std::size_t token_key_count;

  explicit StateBytes(const PrintedView& v)
      : base(v.base), token_keys(v.token_keys), token_key_count(v.token_key_count) {}
  template <class T>
  T& ref(std::size_t offset) const {
    return *reinterpret_cast<T*>(base + offset);
  }
  template <class T>
  T at(std::size_t offset) const {
    T out;
    std::memcpy(&out, base + offset, sizeof out);
    return out;
  }
};

template <class Shape>
[[gnu::always_inline]] inline void make_token(PrintedView& v, int type, int z,
                                              const std::int32_t* own) {
  const TokenId t(v.at<std::uint32_t>(Shape::token_count));
  v.block->resize_unset(Shape::tokens + (t.index() + 1) * Shape::token_size);
  v.base = v.block->data();
  ++v.ref<std::uint32_t>(Shape::token_count);
  const Shape shape{v};
  Writes<Shape> writes(shape);
  writes.begin_token(t, type, ZoneId(z), own);
  if constexpr (Shape::hides) {
    std::memset(shape.sight_bytes(t), 0, shape.sight_size());
    Follows<Shape>(shape, *v.mixed).created(t, shape.sees(ZoneId(z)));
  }
  writes.count_token(t, ZoneId(z));
}

// How a token goes somewhere: what others know of it, and who picked it.
struct Going {
  Taken how = Taken::by_pick;
  std::uint32_t picks = 0;
};
template <class Shape>
[[gnu::always_inline]] inline void follow(PrintedView& v, TokenId t, ZoneId from, Going going) {
  if constexpr (Shape::hides) {
    const Shape shape{v};
    Follows<Shape>(shape, *v.mixed).moved(t, from, going.how, going.picks);
  }
}
// What was put off is done: somebody else looks at the state.
template <class Shape>
[[gnu::always_inline]] inline void catch_up(PrintedView& v) {
  if constexpr (Shape::hides) {
    const Shape shape{v};
    Follows<Shape>(shape, *v.mixed).catch_up();
  }
}
// What a zone does to a token that comes into it, which is in no zone meanwhile.
template <class Shape>
[[gnu::always_inline]] inline void change_arrival(const Shape& shape, TokenId t, int z) {
  if constexpr (Shape::changes_arrivals) {
    shape.token(t).zone = -1;
    shape.arrive(t, ZoneId(z));
  }
}
// Before a token of another zone, or none: at its end.
template <class Shape, bool arrives = true>
[[gnu::always_inline]] inline void place_before(PrintedView& v, TokenId t, int z, TokenId before,
                                                Going going) {
  const Shape shape{v};
  const ZoneId from(shape.token(t).zone);
  Writes<Shape>(shape).move(t, ZoneId(z), [&] {
    if constexpr (arrives) change_arrival(shape, t, z);
    return before;
  });
  follow<Shape>(v, t, from, going);
}
// On top of a zone, or at its bottom.
template <class Shape>
[[gnu::always_inline]] inline void move_token(PrintedView& v, int token, int z, bool top,
                                              Going going) {
  const TokenId t(token);
  const Shape shape{v};
  const ZoneId from(shape.token(t).zone);
  Writes<Shape>(shape).move(t, ZoneId(z), [&] {
    change_arrival(shape, t, z);
    return top ? linked(shape.zone(z).head) : TokenId::none();
  });
  follow<Shape>(v, t, from, going);
}
// Several tokens, all of one zone, on top of another. False: each is moved by itself.
template <class Shape>
[[gnu::noinline]] bool move_block(PrintedView& v, int from, int z) {
  if constexpr (Shape::changes_arrivals) return false;
  const Shape shape{v};
  const ZoneId source(from), target(z);
  [[maybe_unused]] const int count = shape.zone(from).count;
  if constexpr (Shape::hides)
    if (!Follows<Shape>(shape, *v.mixed).is_open(target)) return false;
  Writes<Shape>(shape).move_all(source, target);
  if constexpr (Shape::hides) Follows<Shape>(shape, *v.mixed).moved_openly(source, target, count);
  return true;
}
// Out of play.
template <class Shape>
[[gnu::always_inline]] inline void drop_token(PrintedView& v, int token, Going going) {
  const TokenId t(token);
  const Shape shape{v};
  [[maybe_unused]] const ZoneId from(shape.token(t).zone);
  Writes<Shape>(shape).remove(t);
  follow<Shape>(v, t, from, going);
}

// ---- Luck
inline Rng& luck(PrintedView& v) {
  return v.ref<Rng>(0);  // a header begins with it
}
template <class Shape>
TokenId top_of(PrintedView& v, int z, std::int64_t = 0) {
  return linked(Shape{v}.zone(z).head);
}
// Of so many that are drawn from the bottom each comes out above the next one.
template <class Shape>
TokenId near_bottom_of(PrintedView& v, int z, std::int64_t left) {
  TokenId t = linked(Shape{v}.zone(z).tail);
  for (; left > 1; --left) t = linked(Shape{v}.token(t).prev);
  return t;
}
template <class Shape>
TokenId any_of(PrintedView& v, int z, std::int64_t) {
  TokenId t = top_of<Shape>(v, z);
  for (std::int64_t k = luck(v).between(0, Shape{v}.zone(z).count - 1); k > 0; --k)
    t = linked(Shape{v}.token(t).next);
  return t;
}
template <class Shape>
void mixed_up(PrintedView& v, int z) {
  if constexpr (Shape::hides) {
    const Shape shape{v};
    Follows<Shape>(shape, *v.mixed).shuffled(ZoneId(z));
  }
}
template <class Shape>
void place_anywhere(PrintedView& v, int token, int z, Going going) {
  const TokenId t(token);
  const Shape shape{v};
  const ZoneId from(shape.token(t).zone);
  Writes<Shape>(shape).move(t, ZoneId(z), [&] {
    change_arrival(shape, t, z);
    TokenId before = top_of<Shape>(v, z);
    if (shape.zone(z).count > 0)
      for (std::int64_t k = luck(v).between(0, shape.zone(z).count); k > 0; --k)
        before = linked(shape.token(before).next);
    return before;
  });
  follow<Shape>(v, t, from, going);
  mixed_up<Shape>(v, z);
}
// The tokens of a zone, behind those that are there already.
inline constexpr std::size_t most_shuffled = 32'768;
struct Order {
  std::int32_t tokens[most_shuffled];
  std::size_t size = 0;

  template <class Shape>
  void add(PrintedView& v, int z) {
    for (TokenId t = top_of<Shape>(v, z); !t.is_none(); t = linked(Shape{v}.token(t).next))
      tokens[size++] = t.value;
  }
  void mix(PrintedView& v) {
    if (size < 2) return;
    Rng rng = luck(v);
    for (std::size_t k = size - 1; k > 0; --k)
      std::swap(tokens[k], tokens[rng.between(0, static_cast<std::int64_t>(k))]);
    luck(v) = rng;
  }
  std::span<const TokenId> ids() const {
    static_assert(sizeof(TokenId) == sizeof tokens[0]);
    return {reinterpret_cast<const TokenId*>(tokens), size};
  }
};
template <class Shape>
void shuffle(PrintedView& v, int z) {
  if (Shape{v}.zone(z).count < 2) return;
  Order order;
  order.add<Shape>(v, z);
  order.mix(v);
  const Shape shape{v};
  Writes<Shape>(shape).reorder(ZoneId(z), order.ids());
  if constexpr (Shape::hides) Follows<Shape>(shape, *v.mixed).shuffled(ZoneId(z), order.ids());
}
// A pile that has not as many as are drawn gets back what went from it, below what is left.
template <class Shape>
void reshuffle(PrintedView& v, int z, int reserve, std::int64_t wanted) {
  const Shape shape{v};
  if (reserve < 0 || shape.zone(z).count >= wanted || shape.zone(reserve).count == 0) return;
  Order order;
  order.add<Shape>(v, z);
  const std::size_t left = order.size;
  order.add<Shape>(v, reserve);
  [[maybe_unused]] const auto back = order.ids().subspan(left);
  if constexpr (Shape::hides) {
    Follows<Shape> follows(shape, *v.mixed);
    if (!follows.can_gather(ZoneId(reserve), back, ZoneId(z))) {
      for (const TokenId t : back)
        place_before<Shape, false>(v, t, z, TokenId::none(), {.how = Taken::by_place});
      return shuffle<Shape>(v, z);
    }
    follows.gathered(back, ZoneId(z));
  }
  order.mix(v);
  Writes<Shape>(shape).gather(ZoneId(reserve), ZoneId(z), order.ids());
  if constexpr (Shape::hides)
    if (order.size > 1) Follows<Shape>(shape, *v.mixed).shuffled(ZoneId(z), order.ids());
}
template <class Shape>
int count_types(PrintedView& v, int z, const bool* types) {
  const Shape shape{v};
  int count = 0;
  for (TokenId t = top_of<Shape>(v, z); !t.is_none(); t = linked(shape.token(t).next))
    count += types[shape.token(t).type] ? 1 : 0;
  return count;
}

// One more use, or (0) none.
inline void write_use(PrintedView& v, std::size_t hash, std::size_t usage, int cell,
                      std::uint32_t more) {
  std::uint32_t& uses = v.ref<std::uint32_t>(usage + place(cell) * 4);
  write_hashed(v.ref<std::uint64_t>(hash), usage_key(place(cell)), uses,
               more == 0 ? 0 : uses + more);
}

}  // namespace parlor::kernel
