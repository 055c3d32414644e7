#include "chess/pgn.h"

#include <algorithm>
#include <cctype>
#include <fmt/core.h>

#include "chess/boards.h"
#include "chess/modifiers/descriptor.h"
#include "chess/notation.h"
#include "chess/variants.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

std::string_view result_text(const Position& position) {
  switch (position.result) {
    case Result::white_wins:
      return "1-0";
    case Result::black_wins:
      return "0-1";
    case Result::draw:
      return "1/2-1/2";
    default:
      return "*";
  }
}

std::string in_quotes(const std::string& value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string comment(const std::vector<std::string>& effects) {
  std::string out;
  for (const std::string& effect : effects) out += (out.empty() ? "{" : "; ") + effect;
  std::erase(out, '}');
  return out + "}";
}

// Lines of at most 80 columns, broken between words.
std::string wrapped(const std::vector<std::string>& words) {
  std::string out;
  std::size_t column = 0;
  for (const std::string& word : words) {
    if (column != 0 && column + 1 + word.size() > 80) {
      out += '\n';
      column = 0;
    }
    if (column != 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

constexpr std::string_view switch_mark = "[%rules";

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

// A comment ends at its first brace, so parameters stand in round ones there.
std::string with_round_braces(std::string text) {
  std::ranges::replace(text, '{', '(');
  std::ranges::replace(text, '}', ')');
  return text;
}
std::string with_curly_braces(std::string text) {
  std::ranges::replace(text, '(', '{');
  std::ranges::replace(text, ')', '}');
  return text;
}

tl::expected<std::vector<rules::Activation>, std::string> parse_rules(
    const std::vector<std::string>& texts) {
  std::vector<rules::Activation> out;
  for (const std::string& entry : texts) {
    auto rule = rules::parse_activation(entry, seat_names());
    if (!rule) return tl::unexpected(rule.error().message);
    out.push_back(std::move(*rule));
  }
  return out;
}

tl::expected<void, std::string> switch_rules(const ChessGame& game, State& state,
                                             std::string_view text) {
  const auto set = parse_rules(rules::split_rules(text));
  if (!set) return tl::unexpected(set.error());
  if (auto done = game.set_active_presets(state.block(), *set); !done)
    return tl::unexpected(done.error().all().front().message);
  return {};
}

std::vector<std::string> move_words(const ChessGame& game, const State& state) {
  std::vector<std::string> words;
  State replay = game.start(0).value();
  bool number_due = true;
  const auto records = game.history(state.block()).records();
  for (std::size_t i = 1; i < records.size(); ++i) {
    const MoveRecord& record = records[i];
    if (record.move.kind() == MoveKind::claim_draw) break;
    if (record.switches_rules()) {
      const std::string rules = joined(record.effects);
      words.push_back(fmt::format("{{{} {}]}}", switch_mark, with_round_braces(rules)));
      if (!switch_rules(game, replay, rules)) break;
      number_due = true;
      continue;
    }
    const Engine engine = game.engine(replay.block());
    const bool first_of_turn = engine.half_moves() == 0;
    if (first_of_turn && (record.side == white || number_due))
      words.push_back(
          fmt::format("{}{}", engine.board().full_move, record.side == white ? "." : "..."));
    words.push_back(to_san(engine, record.move));
    number_due = !record.effects.empty();
    if (number_due) words.push_back(comment(record.effects));
    if (!replay.apply(Option{record.move.bits})) break;
  }
  words.emplace_back(result_text(game.position(state.block())));
  return words;
}

// ---- Reading

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  PgnTags tags() {
    PgnTags out;
    while (skip_blanks(), peek() == '[') {
      ++at_;
      std::string name;
      while (peek() != '\0' && std::isspace(static_cast<unsigned char>(peek())) == 0 &&
             peek() != '"')
        name += next();
      skip_blanks();
      std::string value;
      if (peek() == '"') {
        ++at_;
        while (peek() != '\0' && peek() != '"') {
          if (peek() == '\\') ++at_;
          value += next();
        }
      }
      while (peek() != '\0' && peek() != ']') ++at_;
      if (peek() == ']') ++at_;
      out[name] = value;
    }
    return out;
  }

  // What comes next: a move, or rules that are switched on, or (an empty text) the end of the game.
  struct Item {
    std::string text;
    bool switches_rules = false;
  };
  Item next_item() {
    while (true) {
      skip_blanks();
      const char c = peek();
      if (c == '\0' || c == '[') return {};
      if (c == '*') return word(), Item{};
      if (c == '{') {
        const std::string_view inside = comment_text();
        if (inside.starts_with(switch_mark)) return {with_curly_braces(rules_in(inside)), true};
      } else if (c == ';') {
        skip_to('\n');
      } else if (c == '(') {
        skip_variation();
      } else if (c == '$') {
        word();
      } else if (const std::string found = without_number(word()); is_result(found)) {
        drawn_ = found == "1/2-1/2";
        return {};
      } else if (!found.empty()) {
        return {found};
      }
    }
  }
  bool ended_drawn() const { return drawn_; }
  std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char next() { return at_ < text_.size() ? text_[at_++] : '\0'; }
  void skip_blanks() {
    while (std::isspace(static_cast<unsigned char>(peek())) != 0) ++at_;
  }
  void skip_to(char end) {
    while (peek() != '\0' && peek() != end) ++at_;
    if (peek() != '\0') ++at_;
  }
  std::string_view comment_text() {
    const std::size_t begin = at_ + 1;
    skip_to('}');
    return text_.substr(begin, std::max(at_, begin + 1) - begin - 1);
  }
  static std::string rules_in(std::string_view comment) {
    std::string out;
    for (const char c : comment.substr(switch_mark.size())) {
      if (c == ']') break;
      if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
    }
    return out;
  }
  void skip_variation() {
    int depth = 0;
    do {
      if (peek() == '{') {
        skip_to('}');
        continue;
      }
      const char c = next();
      if (c == '\0') return;
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    } while (depth > 0);
  }
  std::string word() {
    std::string out;
    while (peek() != '\0' && std::isspace(static_cast<unsigned char>(peek())) == 0 &&
           peek() != '{' && peek() != '(' && peek() != ')' && peek() != ';')
      out += next();
    if (out.empty()) ++at_;  // a stray bracket
    return out;
  }
  // "12.e4" and "12..." lose their number.
  static std::string without_number(const std::string& word) {
    std::size_t i = 0;
    while (i < word.size() && std::isdigit(static_cast<unsigned char>(word[i])) != 0) ++i;
    if (i == 0 || i >= word.size() || word[i] != '.') return i == word.size() ? "" : word;
    while (i < word.size() && word[i] == '.') ++i;
    return word.substr(i);
  }
  static bool is_result(const std::string& word) {
    return word == "1-0" || word == "0-1" || word == "1/2-1/2";
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool drawn_ = false;
};

// Position and rules from the tags. Where nobody says which rules, a variant's name does.
OpenOptions asked_by(const PgnTags& tags) {
  OpenOptions out;
  const auto text = [&](const char* name) {
    const auto found = tags.find(name);
    return found == tags.end() ? std::string() : found->second;
  };
  out.position = text("FEN");
  out.rules = rules::split_rules(text("Rules"));
  const KnownVariant* variant = variant_named(text("Variant"));
  if (variant == nullptr || !out.rules.empty()) return out;
  out.rules = rules::split_rules(variant->rules);
  if (out.position.empty()) out.layout = variant->layout;
  return out;
}

// What the game was opened with, from its tags. Rules may be switched on later, so there is room.
tl::expected<ChessConfig, std::string> config_of(const PgnTags& tags, bool switches) {
  ChessConfig config;
  config.house_rules = switches;
  const OpenOptions asked = asked_by(tags);
  config.fen = asked.position;
  if (!asked.layout.empty()) config.fen = find_layout(asked.layout).value().fen;
  if (const auto found = tags.find("Modifiers"); found != tags.end()) {
    const auto files = parse_json(found->second);
    if (!files || !files->is_object())
      return tl::unexpected(std::string("the tag Modifiers is not a JSON object"));
    for (const auto& [id, descriptors] : files->items()) {
      auto book = modifiers::with_modifiers(config.book ? *config.book : standard_rulebook(),
                                            canonical(descriptors), "Modifiers", id);
      if (!book) return tl::unexpected(book.error().all().front().message);
      config.book = *book;
    }
  }
  auto set = parse_rules(asked.rules);
  if (!set) return tl::unexpected(set.error());
  config.rules = std::move(*set);
  return config;
}

Json modifiers_of(const Rulebook& book) {
  Json out = Json::object();
  for (std::size_t i = 0; i < book.preset_count(); ++i)
    if (const Preset& preset = book.preset(i); !preset.source.is_null())
      out[preset.module.id] = preset.source;
  return out;
}

}  // namespace

std::string ChessGame::pgn(const State& state, const PgnTags& tags) const {
  const Position& position = this->position(state.block());
  std::vector<std::pair<std::string, std::string>> all{
      {"Event", "?"},
      {"Site", "?"},
      {"Date", "????.??.??"},
      {"Round", "?"},
      {"White", "?"},
      {"Black", "?"},
      {"Result", std::string(result_text(position))}};
  // Whoever reads a game without a FEN takes it for one on 8×8.
  if (!one_word || fen_ != named_layouts().front().fen) {
    all.emplace_back("SetUp", "1");
    all.emplace_back("FEN", fen_);
  }
  if (!info_.rules.empty()) all.emplace_back("Rules", joined(info_.rules));
  if (const Json data = modifiers_of(*book_); !data.empty())
    all.emplace_back("Modifiers", canonical(data));
  if (position.result != Result::ongoing) all.emplace_back("Termination", position.reason.data());
  std::string out;
  for (auto& [name, value] : all) {
    if (const auto given = tags.find(name); given != tags.end()) value = given->second;
    out += fmt::format("[{} {}]\n", name, in_quotes(value));
  }
  return out + "\n" + wrapped(move_words(*this, state));
}

namespace {

ReadPgn read_here(std::string_view text, std::string_view* rest) {
  Reader reader(text);
  auto tags = reader.tags();
  auto config = config_of(tags, text.find(switch_mark) != text.npos);
  if (!config) return tl::unexpected(config.error());
  auto game = ChessGame::open(std::move(*config));
  if (!game) return tl::unexpected(game.error().all().front().message);
  State state = (*game)->start(0).value();
  int number = 0;
  for (auto item = reader.next_item(); !item.text.empty() || item.switches_rules;
       item = reader.next_item()) {
    const auto wrong = [&](const std::string& why) {
      return tl::unexpected(fmt::format("half-move {}: {}", number, why));
    };
    if (item.switches_rules) {
      if (auto done = switch_rules(**game, state, item.text); !done) return wrong(done.error());
      continue;
    }
    ++number;
    const auto found = parse_move((*game)->engine(state.block()), item.text);
    if (!found) return wrong(found.error());
    if (auto done = state.apply(Option{found->bits}); !done) return wrong(done.error().message);
  }
  // A draw that nothing on the board explains was claimed, if it could be.
  if (reader.ended_drawn() && claimable((*game)->position(state.block())))
    std::ignore = state.apply(Option{Move::claim_draw().bits});
  if (rest != nullptr) *rest = reader.rest();
  return ImportedGame{*game, std::move(state), std::move(tags)};
}

}  // namespace

}  // namespace parlor::chess::inline PARLOR_BOARD

namespace parlor::chess {

template <>
ReadPgn read_pgn_on<board_files, board_ranks>(std::string_view text, std::string_view* rest) {
  return read_here(text, rest);
}

#if PARLOR_BOARD_FILES == 8 && PARLOR_BOARD_RANKS == 8

std::string to_pgn(const State& state, const PgnTags& tags) {
  return any_chess(state.game())->pgn(state, tags);
}

// The tags say which board it is.
ReadPgn read_pgn(std::string_view text, std::string_view* rest) {
  const BoardServices* other = other_board(asked_by(Reader(text).tags()));
  return other != nullptr ? other->read_pgn(text, rest) : read_here(text, rest);
}

#endif

}  // namespace parlor::chess
