#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "chess/preset.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

TypeInfo fide(PieceType type, const char* id, const char* name, char letter,
              const char* white_symbol, const char* black_symbol, int value) {
  TypeInfo info;
  info.id = id;
  info.name = name;
  info.letter = letter;
  info.symbols = {white_symbol, black_symbol};
  info.value = value;
  info.assets = {fmt::format("pieces/white-{}.svg", id), fmt::format("pieces/black-{}.svg", id)};
  info.ways = fide_ways(type);
  return info;
}

constexpr std::size_t max_movers = 32;  // two bits each in a key

// The ways of a type with all that the rules in force say about it.
struct Reworked {
  Ways ways;
  bool changed = false;
  void change(const std::vector<const Movement*>& rules, PieceType type) {
    Ways instead;
    Ways more;
    for (const Movement* rule : rules)
      for (const Movement::Change& change : rule->changes)
        if (includes(change.types, type)) {
          changed = true;
          (change.instead ? instead : more) = (change.instead ? instead : more) + change.ways;
        }
    if (!instead.empty()) ways = std::move(instead);
    ways = std::move(ways) + more;
    for (const Movement* rule : rules)
      if (includes(rule->bouncing, type)) bounce(*rule);
  }
  void bounce(const Movement& rule) {
    changed = true;
    for (Way& way : ways)
      if (way.slides() && way.diagonal()) {
        way.bounces = std::max(way.bounces, rule.bounces);
        way.off_ends = way.off_ends || rule.off_ends;
      }
  }
};

}  // namespace

struct Rulebook::Worked {
  std::shared_mutex guard;
  std::map<std::uint64_t, MovementSet> sets;
  // The same ways on the same board need only be worked out once.
  std::map<std::tuple<Ways, bool, Side>, std::shared_ptr<const Reach>> reaches;

  std::shared_ptr<const Reach> reach(const Ways& ways, bool wraps, Side side) {
    auto& known = reaches[{ways, wraps, side}];
    if (!known) known = std::make_shared<const Reach>(ways, wraps, side);
    return known;
  }
};
Rulebook::WorkedHolder::WorkedHolder() : worked(std::make_shared<Worked>()) {}

std::uint64_t Rulebook::movement_bits(std::size_t preset, std::uint8_t scope) const {
  const auto found = std::ranges::find(movers_, preset);
  if (found == movers_.end()) return 0;
  return std::uint64_t{scope} << (2 * (found - movers_.begin()));
}

const MovementSet& Rulebook::movements(std::uint64_t key) const {
  Worked& worked = *worked_.worked;
  {
    const std::shared_lock lock(worked.guard);
    if (const auto found = worked.sets.find(key); found != worked.sets.end()) return found->second;
  }
  const std::unique_lock lock(worked.guard);
  const auto [entry, fresh] = worked.sets.try_emplace(key);
  MovementSet& out = entry->second;
  if (!fresh) return out;
  for (const Side side : both_sides) {
    std::vector<const Movement*> rules;
    bool wraps = false;
    for (std::size_t i = 0; i < movers_.size(); ++i)
      if ((key >> (2 * i + side) & 1) != 0) {
        rules.push_back(&presets_[movers_[i]].movement);
        wraps = wraps || rules.back()->wraps;
      }
    for (std::size_t index = 1; index < types_.size(); ++index) {
      const auto type = static_cast<PieceType>(index);
      Reworked work{types_[index].ways};
      work.change(rules, type);
      if (types_[index].targets && !work.changed) continue;  // code says how it goes
      if (type <= king && !work.changed && !wraps) continue;
      out.reach[side][type] = worked.reach(work.ways, wraps, side);
      out.moved[side] |= types(type);
    }
  }
  return out;
}

const std::vector<std::string>& seat_names() {
  static const std::vector<std::string> names{"white", "black"};
  return names;
}

Rulebook::Rulebook() : types_(1) {
  types_.push_back(fide(pawn, "pawn", "Pawn", 'P', "♙", "♟", 100));
  types_.push_back(fide(knight, "knight", "Knight", 'N', "♘", "♞", 320));
  types_.push_back(fide(bishop, "bishop", "Bishop", 'B', "♗", "♝", 330));
  types_.push_back(fide(rook, "rook", "Rook", 'R', "♖", "♜", 500));
  types_.push_back(fide(queen, "queen", "Queen", 'Q', "♕", "♛", 900));
  types_.push_back(fide(king, "king", "King", 'K', "♔", "♚", 400));
}

Diagnostics Rulebook::add(Preset preset) {
  Diagnostics out = registry_.add(preset.module);
  std::size_t fresh = 0;
  for (const Attribute& attribute : preset.attributes)
    if (!find_attribute(attribute.name)) ++fresh;
  const std::size_t bytes = state_bytes_ + (preset.state_bytes + 7) / 8 * 8;
  const auto no_room = [&](std::string what) {
    out.add({.code = Code::CHESS_NO_ROOM,
             .message = fmt::format("no room for rule `{}`: {}", preset.module.id, what)});
  };
  if (attributes_.size() + fresh > max_attributes)
    no_room(fmt::format("it brings {} attributes, there are {} already, and at most {} fit", fresh,
                        attributes_.size(), max_attributes));
  if (bytes > max_state_bytes)
    no_room(fmt::format("the state of all rules would take {} bytes, at most {} fit", bytes,
                        max_state_bytes));
  if (presets_.size() >= 255) no_room("there are 255 rules already");
  if (!preset.movement.empty() && movers_.size() == max_movers)
    no_room(fmt::format("there are {} rules about how pieces go already", max_movers));
  if (out.has_errors()) return out;
  state_bytes_ = bytes;
  std::uint64_t mask = 0;
  for (const Attribute& attribute : preset.attributes) {
    if (!find_attribute(attribute.name)) attributes_.push_back(attribute);
    // Rules that share an attribute may each need other bounds: the widest hold.
    Attribute& known = attributes_[*find_attribute(attribute.name)];
    known.low = std::min(known.low, attribute.low);
    known.high = std::max(known.high, std::min<std::int16_t>(attribute.high, 32766));
    mask |= std::uint64_t{1} << *find_attribute(attribute.name);
  }
  if (!preset.movement.empty()) movers_.push_back(presets_.size());
  presets_.push_back(std::move(preset));
  masks_.push_back(mask);
  return out;
}

std::optional<PieceType> Rulebook::add_type(TypeInfo info) {
  if (types_.size() >= max_types || find_type(info.id) != no_type ||
      type_by_letter(info.letter) != no_type || info.letter < 'A' || info.letter > 'Z' ||
      (!info.targets && info.ways.empty()))
    return std::nullopt;
  types_.push_back(std::move(info));
  return static_cast<PieceType>(types_.size() - 1);
}

tl::expected<int, std::string> Rulebook::parameter_value(const Parameter& parameter,
                                                         const std::string& text) const {
  if (parameter.kind == Parameter::Kind::piece_type) {
    if (const PieceType type = find_type(text); type != no_type) return type;
    return tl::unexpected(fmt::format("`{}` is no kind of piece", text));
  }
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || value < parameter.low ||
      value > parameter.high)
    return tl::unexpected(fmt::format("`{}` is a number from {} to {}", parameter.name,
                                      parameter.low, parameter.high));
  return value;
}

std::string Rulebook::parameter_text(const Parameter& parameter, std::int64_t value) const {
  if (parameter.kind == Parameter::Kind::number) return fmt::format("{}", value);
  return type(static_cast<PieceType>(value)).id;
}

Diagnostics Rulebook::check(std::span<const rules::Activation> set) const {
  Diagnostics out = registry_.check(set);
  for (const rules::Activation& rule : set) {
    const Preset* preset = find_preset(rule.id);
    if (preset == nullptr) continue;
    for (const auto& [name, text] : rule.parameters) {
      std::vector<std::string> names;
      for (const Parameter& parameter : preset->parameters) names.push_back(parameter.name);
      const auto found = std::ranges::find(preset->parameters, name, &Parameter::name);
      Diagnostic problem{.code = Code::RULE_PARAMETER_INVALID, .message = {}};
      if (found == preset->parameters.end()) {
        problem.message = fmt::format("rule `{}` has no parameter `{}`", rule.id, name);
        problem.alternatives = names;
      } else if (const auto value = parameter_value(*found, text); !value) {
        problem.message = fmt::format("rule `{}`: {}", rule.id, value.error());
      } else {
        continue;
      }
      out.add(std::move(problem));
    }
  }
  return out;
}

const Preset* Rulebook::find_preset(std::string_view id) const {
  const auto index = registry_.index_of(id);
  return index ? &presets_[*index] : nullptr;
}

PieceType Rulebook::find_type(std::string_view id) const {
  for (std::size_t type = 1; type < types_.size(); ++type)
    if (types_[type].id == id) return static_cast<PieceType>(type);
  return no_type;
}

PieceType Rulebook::type_by_letter(char letter) const {
  if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  for (std::size_t type = 1; type < types_.size(); ++type)
    if (types_[type].letter == letter) return static_cast<PieceType>(type);
  return no_type;
}

std::optional<std::size_t> Rulebook::find_attribute(std::string_view name) const {
  for (std::size_t column = 0; column < attributes_.size(); ++column)
    if (attributes_[column].name == name) return column;
  return std::nullopt;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
