#include <algorithm>
#include <fmt/core.h>

#include "chess/modifiers/conditions.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {
namespace {

// What set a primitive off.
struct Context {
  Engine& engine;
  Piece piece;  // self
  const std::vector<Descriptor>& all;
  const Descriptor* descriptor;
  int depth = 0;  // how many effects lie between the move and this one
  Piece attacker = {};
  Piece defender = {};
  bool capture_event = false;
  Square event_square = no_square;
  int* damage = nullptr;  // of onDamaged: what is left of it
};

constexpr int deepest = 3;  // effects that set off others

// The state keys this preset uses.
constexpr std::string_view extra_key = "extra";      // bit per side that is owed another move
constexpr std::string_view checked_key = "checked";  // bit per side that was in check
constexpr std::string_view verdict_key = "verdict";  // who has won, or `drawn`
constexpr int drawn = 2;
std::string passes_key(Side side) {
  return fmt::format("passes.{}", side_name(side));
}
std::string piece_key(std::size_t descriptor, std::size_t attachment, Square square) {
  return fmt::format("p{}.{}.{}", descriptor, attachment, square_name(square));
}

// Everybody of a relation and place, as seen from a piece; never itself.
Bitboard around(const Board& board, const Piece& piece, const Target& target) {
  Bitboard out = board.of(target.filter);
  if (!target.allies) out &= ~board.of(piece.side);
  if (!target.enemies) out &= ~board.of(other(piece.side));
  for (const Side side : both_sides)
    if (!target.sides[side]) out &= ~board.of(side);
  if (piece.square >= no_square) return target.where == Target::Where::anywhere ? out : 0;
  const int ahead = rank_of(piece.square) + (piece.side == white ? 1 : -1);
  switch (target.where) {
    case Target::Where::anywhere:
      break;
    case Target::Where::neighbours:
      out &= king_attacks(piece.square);
      break;
    case Target::Where::in_front:
      out &= on_board(0, ahead) ? bit(square_at(file_of(piece.square), ahead)) : 0;
      break;
    case Target::Where::same_file:
      out &= file_bb(file_of(piece.square));
      break;
  }
  return out & ~bit(piece.square);
}

// The one resolver of targets. An attacker or defender without a capture is an error, never nobody.
tl::expected<std::vector<Piece>, std::string> resolve(const Context& context,
                                                      const Target& target) {
  std::vector<Piece> out;
  const Engine& engine = context.engine;
  const auto add = [&](Bitboard squares) {
    for (const Square square : squares_of(squares & engine.board().occupied()))
      out.push_back(engine.piece_at(square));
  };
  switch (target.kind) {
    case Target::Kind::self:
      out.push_back(context.piece);
      break;
    case Target::Kind::attacker:
    case Target::Kind::defender: {
      const Piece& who =
          target.kind == Target::Kind::attacker ? context.attacker : context.defender;
      if (!context.capture_event || !who)
        return tl::unexpected(
            std::string("there is no attacker or defender: nothing was captured"));
      out.push_back(who);
      break;
    }
    case Target::Kind::squares:
      add(target.squares);
      break;
    case Target::Kind::around:
      add(around(engine.board(), context.piece, target));
      break;
  }
  return out;
}

void run(Context& context, const Primitive& primitive);

void run_all(Context& context, const std::vector<Primitive>& primitives) {
  for (const Primitive& primitive : primitives) run(context, primitive);
}

void change_attribute(Engine& engine, const Piece& piece, const Primitive& p) {
  const auto column = column_of(engine, p.attribute);
  if (!column || !piece) return;
  const int old = engine.attribute(piece, *column);
  switch (p.effect) {
    case EffectKind::seed_attribute:
      return engine.set_attribute(piece, *column, p.amount);
    case EffectKind::add_to_attribute:
      return engine.set_attribute(piece, *column, old + p.amount);
    case EffectKind::multiply_attribute:
      return engine.set_attribute(piece, *column, old * p.amount / p.divisor);
    default:  // heal: up to the limit, never down
      if (old < p.limit) engine.set_attribute(piece, *column, std::min(old + p.amount, p.limit));
  }
}

void absorb(Context& context, const Piece& piece, const Primitive& p) {
  const auto column = column_of(context.engine, p.attribute);
  if (!column || context.damage == nullptr) return;
  const int taken = std::clamp(context.engine.attribute(piece, *column), 0, *context.damage);
  if (taken == 0) return;
  context.engine.set_attribute(piece, *column, context.engine.attribute(piece, *column) - taken);
  *context.damage -= taken;
}

void spawn(Context& context, const Piece& piece, const Primitive& p) {
  Square square = p.square;
  if (square == no_square) square = context.event_square;
  const Side side = p.to_enemies ? other(piece.side) : piece.side;
  if (square < no_square && context.engine.board().empty(square))
    std::ignore = context.engine.spawn_piece(p.type, side, square);
}

void move_to(Context& context, const Piece& piece, Square to);

void run_on(Context& context, const Primitive& p, const Piece& piece) {
  Engine& engine = context.engine;
  switch (p.effect) {
    case EffectKind::seed_attribute:
    case EffectKind::add_to_attribute:
    case EffectKind::multiply_attribute:
    case EffectKind::heal:
      return change_attribute(engine, engine.now(piece), p);
    case EffectKind::absorb_damage:
      return absorb(context, piece, p);
    case EffectKind::deal_damage:
      engine.deal_damage(engine.now(piece), p.amount, p.text, context.piece);
      return;
    case EffectKind::set_type:
      return engine.set_type(piece, p.type);
    case EffectKind::spawn_piece:
      return spawn(context, piece, p);
    case EffectKind::remove_piece:
      return engine.remove_piece(engine.now(piece));
    case EffectKind::move_piece:
      return move_to(context, piece, p.square);
    case EffectKind::extra_turn:
      engine.set_state(extra_key, engine.state(extra_key).value_or(0) | 1 << piece.side);
      return;
    case EffectKind::emit_effect:
      if (engine.watched())
        engine.emit_effect({p.text, piece.square, p.limit, nullptr,
                            fmt::format("{} on {}", p.text, square_name(piece.square))});
      return;
    case EffectKind::win:
      engine.set_state(verdict_key, piece.side);
      return;
    case EffectKind::lose:
      engine.set_state(verdict_key, other(piece.side));
      return;
    case EffectKind::draw:
      engine.set_state(verdict_key, drawn);
      return;
    case EffectKind::freeze:  // one more: its own next turn begins with one less
      if (const auto column = column_of(engine, std::string(frozen_attribute)))
        engine.set_attribute(engine.now(piece), *column, p.amount + 1);
      return;
    default:
      return;  // auras, patterns and conditions are not done to somebody
  }
}

void run(Context& context, const Primitive& primitive) {
  if (primitive.effect == EffectKind::conditional)
    return run_all(context, holds(context.engine, context.piece, *primitive.condition)
                                ? primitive.then
                                : primitive.otherwise);
  const auto targets = resolve(context, primitive.target);
  if (!targets) {
    context.engine.emit_effect({"modifier-error", context.piece.square, 1,
                                Json{{"message", targets.error()}}, targets.error()});
    return;
  }
  for (const Piece& piece : *targets) run_on(context, primitive, piece);
}

// ---- Who is attached to what

bool attached(const Engine& engine, std::size_t d, std::size_t a, const Attachment& attachment,
              const Piece& piece) {
  if (!attachment.sides[piece.side] || !engine.in_scope(piece.side)) return false;
  if (includes(attachment.types, piece.type)) return true;
  for (const Square square : squares_of(attachment.squares))
    if (engine.state(piece_key(d, a, square)) == piece.id) return true;
  return false;
}

// Calls `visit(descriptor, primitive)` for everything attached to the piece.
template <class Visit>
void each_primitive(const Engine& engine, const std::vector<Descriptor>& all, const Piece& piece,
                    Visit visit) {
  for (std::size_t d = 0; d < all.size(); ++d)
    for (std::size_t a = 0; a < all[d].attachments.size(); ++a) {
      const Attachment& attachment = all[d].attachments[a];
      if (!piece || !attached(engine, d, a, attachment, piece)) continue;
      for (const Primitive& primitive : attachment.primitives) visit(all[d], primitive);
    }
}

struct EventDetails {
  Piece attacker = {};
  Piece defender = {};
  bool capture_event = false;
  Square square = no_square;
  int* damage = nullptr;
  std::optional<Side> colour = {};  // whose turn it is about
  int depth = 0;
};

EventDetails at_square(Square square, int depth = 0) {
  EventDetails out;
  out.square = square;
  out.depth = depth;
  return out;
}

EventDetails in_turn_of(Side side) {
  EventDetails out;
  out.colour = side;
  return out;
}

void dispatch(Engine& engine, const std::vector<Descriptor>& all, Trigger trigger,
              const Piece& piece, const EventDetails& event) {
  each_primitive(engine, all, piece, [&](const Descriptor& descriptor, const Primitive& primitive) {
    if (primitive.trigger != trigger) return;
    if (trigger == Trigger::on_moved_onto_square && !has(primitive.squares, event.square)) return;
    if (primitive.colour && event.colour && *primitive.colour != *event.colour) return;
    Context context{engine,
                    piece,
                    all,
                    &descriptor,
                    event.depth,
                    event.attacker,
                    event.defender,
                    event.capture_event,
                    event.square,
                    event.damage};
    run(context, primitive);
  });
}

// A change of square like any other: it sets off onMove in its turn.
void move_to(Context& context, const Piece& piece, Square to) {
  if (!context.engine.move_piece(piece, to) || context.depth >= deepest) return;
  for (const Trigger trigger : {Trigger::on_move, Trigger::on_moved_onto_square})
    if (const Piece moved = context.engine.now(piece); moved && moved.square == to)
      dispatch(context.engine, context.all, trigger, moved, at_square(to, context.depth + 1));
}

std::vector<EntityId> ids_of(const Engine& engine, Bitboard squares) {
  std::vector<EntityId> out;
  for (const Square square : squares_of(squares)) out.push_back(engine.piece_at(square).id);
  std::ranges::sort(out);
  return out;
}

// ---- The moments

void seed(Engine& engine, const std::vector<Descriptor>& all, const Piece& piece) {
  each_primitive(engine, all, piece, [&](const Descriptor&, const Primitive& primitive) {
    if (primitive.effect == EffectKind::seed_attribute) change_attribute(engine, piece, primitive);
  });
}

void activate(Engine& engine, const std::vector<Descriptor>& all) {
  for (std::size_t d = 0; d < all.size(); ++d)
    for (std::size_t a = 0; a < all[d].attachments.size(); ++a)
      for (const Square square : squares_of(all[d].attachments[a].squares))
        if (const Piece piece = engine.piece_at(square))
          engine.set_state(piece_key(d, a, square), piece.id);
  for (const EntityId id : ids_of(engine, engine.board().occupied()))
    seed(engine, all, engine.piece(id));
}

void auras(Engine& engine, const std::vector<Descriptor>& all) {
  for (const EntityId id : ids_of(engine, engine.board().occupied())) {
    const Piece bearer = engine.piece(id);
    each_primitive(
        engine, all, bearer, [&](const Descriptor& descriptor, const Primitive& primitive) {
          if (primitive.effect != EffectKind::add_aura) return;
          const Side side = primitive.to_enemies ? other(bearer.side) : bearer.side;
          for (const EntityId near : ids_of(engine, engine.board().of(side))) {
            const Piece piece = engine.piece(near);
            if (!piece || near == id) continue;
            const int distance = std::max(std::abs(file_of(piece.square) - file_of(bearer.square)),
                                          std::abs(rank_of(piece.square) - rank_of(bearer.square)));
            if (distance > primitive.limit) continue;
            Context context{engine, piece, all, &descriptor};
            run_all(context, primitive.then);
          }
        });
  }
}

// Everybody whose capture would take one of the royals: the mover, a slider it revealed, or both.
void checks(Engine& engine, const std::vector<Descriptor>& all) {
  std::int64_t now = 0;
  const std::int64_t before = engine.state(checked_key).value_or(0);
  for (const Side side : both_sides) {
    const Bitboard royals = engine.royals(side);
    std::vector<EntityId> hit;
    for (const Square square : squares_of(royals))
      if (engine.attacked(square, other(side))) hit.push_back(engine.piece_at(square).id);
    if (hit.empty()) continue;
    now |= std::int64_t{1} << side;
    if ((before >> side & 1) != 0) continue;  // only when it begins
    for (const EntityId id : ids_of(engine, engine.board().of(other(side)))) {
      const Piece piece = engine.piece(id);
      if (piece && (engine.piece_moves(piece).capture & royals) != 0)
        dispatch(engine, all, Trigger::on_check_delivered, piece, at_square(piece.square));
    }
    for (const EntityId id : hit)
      if (const Piece piece = engine.piece(id))
        dispatch(engine, all, Trigger::on_check_received, piece, at_square(piece.square));
  }
  if (now != before) engine.set_state(checked_key, now);
}

void after_move(Engine& engine, const std::vector<Descriptor>& all, const MoveEvent& event) {
  const auto moved = [&](const Piece& before, Square landed, Trigger trigger) {
    const Piece piece = engine.now(before);
    if (piece && landed != before.square && landed < no_square)
      dispatch(engine, all, trigger, piece, at_square(landed));
  };
  for (const Trigger trigger : {Trigger::on_move, Trigger::on_moved_onto_square}) {
    moved(event.piece, event.landed, trigger);
    if (event.rook) moved(event.rook, event.rook_landed, trigger);
  }
  if (event.promoted)
    if (const Piece piece = engine.now(event.piece))
      dispatch(engine, all, Trigger::on_promotion, piece, at_square(event.landed));
  auras(engine, all);
  checks(engine, all);
  const std::int64_t owed = engine.state(extra_key).value_or(0);
  if (!event.turn_passed) {
    if ((owed >> event.mover & 1) != 0)
      engine.set_state(extra_key, owed & ~(std::int64_t{1} << event.mover));
    return;
  }
  for (const EntityId id : ids_of(engine, engine.board().occupied()))
    if (const Piece piece = engine.piece(id))
      dispatch(engine, all, Trigger::on_turn_end, piece, in_turn_of(event.mover));
}

void add_way(const Engine& engine, const Piece& piece, const Way& way, MoveSet& moves) {
  const Board& board = engine.board();
  const int up = piece.side == white ? 1 : -1;
  const int most = way.most == 0 ? std::max(board_files, board_ranks) - 1 : way.most;
  int met = 0;  // pieces on the way
  for (int step = 1; step <= most; ++step) {
    const int file = file_of(piece.square) + way.file * step;
    const int rank = rank_of(piece.square) + way.rank * up * step;
    if (!on_board(file, rank)) return;
    const Square square = square_at(file, rank);
    if (board.empty(square)) {
      if (way.mode != Way::Mode::capture) moves.quiet |= bit(square);
      continue;
    }
    if (way.mode != Way::Mode::quiet && met == (way.hops ? 1 : 0) &&
        board.side_on(square) != piece.side)
      moves.capture |= bit(square);
    if (++met > (way.hops ? 1 : 0)) return;
  }
}

// What is forbidden to a piece now, and what it is too stiff for.
void take_moves(const Engine& engine, const std::vector<Descriptor>& all, const Piece& piece,
                MoveSet& moves) {
  const auto column = column_of(engine, std::string(frozen_attribute));
  bool quiet = !column || engine.attribute(piece, *column) == 0;
  bool capture = quiet;
  each_primitive(engine, all, piece, [&](const Descriptor&, const Primitive& primitive) {
    if (primitive.effect != EffectKind::forbid_moves) return;
    if (primitive.condition && !holds(engine, piece, *primitive.condition)) return;
    quiet = quiet && !primitive.pattern.quiet;
    capture = capture && !primitive.pattern.capture;
  });
  if (!quiet) moves.quiet = 0;
  if (!capture) moves.capture = 0;
  std::uint8_t kept = 0;
  for (std::uint8_t i = 0; i < moves.special_count; ++i) {
    const bool takes = moves.special[i].kind() == MoveKind::en_passant;
    if (takes ? capture : quiet) moves.special[kept++] = moves.special[i];
  }
  moves.special_count = kept;
}

void thaw(Engine& engine, Side side) {
  const auto column = column_of(engine, std::string(frozen_attribute));
  if (!column) return;
  for (const Square square : squares_of(engine.pieces(side)))
    if (const Piece piece = engine.piece_at(square); engine.attribute(piece, *column) > 0)
      engine.set_attribute(piece, *column, engine.attribute(piece, *column) - 1);
}

// The hooks of rules about the whole game: passing, and who has won.
void add_game_rules(Hooks& hooks, int passes, bool verdicts) {
  if (passes > 0)
    hooks.offer_moves = [passes](const Engine& engine, Side side, MoveList& moves) {
      const Bitboard own = engine.pieces(side);
      if (own != 0 && engine.state(passes_key(side)).value_or(0) < passes)
        moves.add({first(own), first(own), MoveKind::pass});
    };
  if (verdicts)
    hooks.on_check_game_result = [](const Engine& engine) {
      const auto verdict = engine.state(verdict_key);
      if (!verdict) return Verdict::no_opinion();
      return *verdict == drawn ? Verdict::draw("modifier")
                               : Verdict::win(static_cast<Side>(*verdict), "modifier");
    };
}

bool changes_board(EffectKind effect) {
  switch (effect) {
    case EffectKind::deal_damage:
    case EffectKind::set_type:
    case EffectKind::spawn_piece:
    case EffectKind::remove_piece:
    case EffectKind::move_piece:
    case EffectKind::freeze:
      return true;
    default:
      return false;
  }
}

bool uses(const std::vector<Primitive>& primitives, auto&& predicate) {
  return std::ranges::any_of(primitives, [&](const Primitive& p) {
    return predicate(p) || uses(p.then, predicate) || uses(p.otherwise, predicate);
  });
}
bool uses(const std::vector<Descriptor>& all, auto&& predicate) {
  for (const Descriptor& descriptor : all)
    for (const Attachment& attachment : descriptor.attachments)
      if (uses(attachment.primitives, predicate)) return true;
  return false;
}

using Descriptors = std::shared_ptr<const std::vector<Descriptor>>;

// What the preset says of itself: everything its descriptors do.
Preset described(const std::vector<Descriptor>& all, std::string id) {
  Preset preset;
  preset.module.id = std::move(id);
  preset.module.category = "custom";
  for (const Descriptor& descriptor : all) {
    preset.module.name += (preset.module.name.empty() ? "" : ", ") + descriptor.name;
    preset.module.description +=
        (preset.module.description.empty() ? "" : " ") + descriptor.description;
    preset.castle_freely = preset.castle_freely || descriptor.castle_freely;
    for (const Attribute& attribute : descriptor.attributes)
      if (std::ranges::none_of(preset.attributes,
                               [&](const Attribute& a) { return a.name == attribute.name; }))
        preset.attributes.push_back(attribute);
  }
  return preset;
}

// What happens to pieces: damage and capture.
void add_piece_events(Hooks& hooks, const Descriptors& all) {
  const auto at = [&](Trigger trigger) {
    return uses(*all, [trigger](const Primitive& p) { return p.trigger == trigger; });
  };
  if (at(Trigger::on_damaged))
    hooks.on_damage = [all](Engine& engine, const Damage& damage) {
      int left = damage.amount;
      dispatch(engine, *all, Trigger::on_damaged, damage.target,
               {damage.attacker, damage.target, damage.is_capture(), damage.target.square, &left,
                std::nullopt});
      return DamageAnswer::pass(left);
    };
  if (at(Trigger::on_capture) || at(Trigger::on_captured))
    hooks.on_piece_retract = [all](Engine& engine, const Retraction& end) {
      if (end.kind != "capture" || !end.attacker) return;
      const EventDetails event{end.attacker,     end.piece, true,
                               end.piece.square, nullptr,   std::nullopt};
      dispatch(engine, *all, Trigger::on_capture, engine.now(end.attacker), event);
      dispatch(engine, *all, Trigger::on_captured, end.piece, event);
    };
}

}  // namespace

// Only the hooks that have something to do are implemented, so that the others cost nothing.
Preset make_preset(std::vector<Descriptor> descriptors, std::string id) {
  const auto all = std::make_shared<const std::vector<Descriptor>>(std::move(descriptors));
  Preset preset = described(*all, std::move(id));
  int passes = 0;
  for (const Descriptor& descriptor : *all) passes = std::max(passes, descriptor.passes);
  const auto at = [&](Trigger trigger) {
    return uses(*all, [trigger](const Primitive& p) { return p.trigger == trigger; });
  };
  Hooks& hooks = preset.hooks;
  hooks.on_activate = [all](Engine& engine) { activate(engine, *all); };
  hooks.on_piece_spawn = [all](Engine& engine, const Piece& piece) { seed(engine, *all, piece); };
  add_piece_events(hooks, all);
  preset.disturbs = uses(*all, [](const Primitive& p) { return changes_board(p.effect); });
  const bool extra =
      uses(*all, [](const Primitive& p) { return p.effect == EffectKind::extra_turn; });
  if (extra)
    hooks.should_advance_turn = [](const Engine& engine, const MoveEvent& event, int) {
      return (engine.state(extra_key).value_or(0) >> event.mover & 1) == 0;
    };
  hooks.on_after_move = [all, passes](Engine& engine, const MoveEvent& event) {
    if (passes > 0 && event.move.kind() == MoveKind::pass)
      engine.set_state(passes_key(event.mover),
                       engine.state(passes_key(event.mover)).value_or(0) + 1);
    after_move(engine, *all, event);
  };
  const auto does = [&](EffectKind kind) {
    return uses(*all, [kind](const Primitive& p) { return p.effect == kind; });
  };
  add_game_rules(hooks, passes,
                 does(EffectKind::win) || does(EffectKind::lose) || does(EffectKind::draw));
  if (does(EffectKind::freeze) || does(EffectKind::forbid_moves))
    hooks.filter_moves = [all](const Engine& engine, const Piece& piece, MoveSet& moves) {
      take_moves(engine, *all, piece, moves);
    };
  if (at(Trigger::on_turn_start) || does(EffectKind::freeze))
    hooks.on_turn_start = [all](Engine& engine, Side side) {
      thaw(engine, side);
      for (const EntityId id : ids_of(engine, engine.board().of(side)))
        if (const Piece piece = engine.piece(id))
          dispatch(engine, *all, Trigger::on_turn_start, piece, in_turn_of(side));
    };
  if (uses(*all, [](const Primitive& p) { return p.effect == EffectKind::grant_move_pattern; }))
    hooks.get_extra_moves = [all](const Engine& engine, const Piece& piece, MoveSet& moves) {
      each_primitive(engine, *all, piece, [&](const Descriptor&, const Primitive& primitive) {
        if (primitive.effect == EffectKind::grant_move_pattern)
          for (const Way& way : primitive.pattern.ways) add_way(engine, piece, way, moves);
      });
    };
  return preset;
}

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
