#include "chess/pgn.h"

#include <cctype>
#include <fmt/core.h>

#include "chess/notation.h"

namespace parlor::chess {
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

std::vector<std::string> move_words(const ChessGame& game, const State& state) {
  std::vector<std::string> words;
  State replay = game.start(0).value();
  bool number_due = true;
  const auto records = game.history(state.block()).records();
  for (std::size_t i = 1; i < records.size(); ++i) {
    const MoveRecord& record = records[i];
    if (record.move.kind() == MoveKind::claim_draw) break;
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

  std::map<std::string, std::string> tags() {
    std::map<std::string, std::string> out;
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

  // The next move, or nothing at the end of the game.
  std::string move() {
    while (true) {
      skip_blanks();
      const char c = peek();
      if (c == '\0' || c == '[' || c == '*') return "";
      if (c == '{') {
        skip_to('}');
      } else if (c == ';') {
        skip_to('\n');
      } else if (c == '(') {
        skip_variation();
      } else if (c == '$') {
        word();
      } else if (const std::string found = without_number(word()); is_result(found)) {
        return "";
      } else if (!found.empty()) {
        return found;
      }
    }
  }

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
};

}  // namespace

std::string to_pgn(const State& state, const std::map<std::string, std::string>& tags) {
  const auto& game = static_cast<const ChessGame&>(state.game());
  const Position& position = game.position(state.block());
  std::vector<std::pair<std::string, std::string>> all{
      {"Event", "?"},
      {"Site", "?"},
      {"Date", "????.??.??"},
      {"Round", "?"},
      {"White", "?"},
      {"Black", "?"},
      {"Result", std::string(result_text(position))}};
  if (game.start_fen() != named_layouts().front().fen) {
    all.emplace_back("SetUp", "1");
    all.emplace_back("FEN", game.start_fen());
  }
  if (!game.info().rules.empty()) {
    std::string rules;
    for (const std::string& rule : game.info().rules) rules += (rules.empty() ? "" : ",") + rule;
    all.emplace_back("Rules", rules);
  }
  if (position.result != Result::ongoing) all.emplace_back("Termination", position.reason.data());
  std::string out;
  for (auto& [name, value] : all) {
    if (const auto given = tags.find(name); given != tags.end()) value = given->second;
    out += fmt::format("[{} {}]\n", name, in_quotes(value));
  }
  return out + "\n" + wrapped(move_words(game, state));
}

tl::expected<ImportedGame, std::string> read_pgn(std::string_view text) {
  Reader reader(text);
  auto tags = reader.tags();
  ChessConfig config;
  if (const auto fen = tags.find("FEN"); fen != tags.end()) config.fen = fen->second;
  if (const auto rules = tags.find("Rules"); rules != tags.end()) {
    std::string word;
    for (const char c : rules->second + ",") {
      if (c != ',') {
        word += c;
        continue;
      }
      auto rule = rules::parse_activation(word, seat_names());
      if (!rule) return tl::unexpected(rule.error().message);
      config.rules.push_back(std::move(*rule));
      word.clear();
    }
  }
  auto game = ChessGame::open(std::move(config));
  if (!game) return tl::unexpected(game.error().all().front().message);
  State state = (*game)->start(0).value();
  int number = 0;
  for (std::string move = reader.move(); !move.empty(); move = reader.move()) {
    ++number;
    const auto found = parse_move((*game)->engine(state.block()), move);
    if (!found) return tl::unexpected(fmt::format("half-move {}: {}", number, found.error()));
    if (auto done = state.apply(Option{found->bits}); !done)
      return tl::unexpected(fmt::format("half-move {}: {}", number, done.error().message));
  }
  return ImportedGame{*game, std::move(state), std::move(tags)};
}

}  // namespace parlor::chess
