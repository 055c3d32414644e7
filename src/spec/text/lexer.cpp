#include "spec/text/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace parlor::spec::text {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
// Letters of other scripts are letters as well: every byte beyond ASCII.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_part(char c) {
  return is_letter(c) || is_digit(c);
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    out_.reserve(text_.size() / 3 + 2);
    while (true) {
      while (at_ < text_.size() &&
             (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
        ++at_;
      out_.push_back(next());
      if (out_.back().kind == Token::Kind::end) return std::move(out_);
    }
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  Token make(Token::Kind kind, std::size_t begin) const {
    return {kind, text_.substr(begin, at_ - begin), begin, at_, 0};
  }

  // Letters, digits, `-` between two of them, and placeholders of templates in braces.
  void name() {
    while (at_ < text_.size()) {
      if (is_part(peek()) || (peek() == '-' && is_part(peek(1))))
        ++at_;
      else if (peek() == '{' || (peek() == '@' && peek(1) == '{')) {
        if (!braces()) return;
      } else
        return;
    }
  }

  // Over a placeholder; false, and nothing passed, if its brace is never closed.
  bool braces() {
    if (closing_.empty()) find_closing();
    const std::size_t end = closing_[peek() == '@' ? at_ + 1 : at_];
    if (end == never) return false;
    at_ = end + 1;
    return true;
  }

  // Where each brace is closed, for all of them at once: asked one by one, a text of nothing but
  // braces would be gone through for each.
  void find_closing() {
    closing_.assign(text_.size(), never);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '{') open.push_back(i);
      if (text_[i] != '}' || open.empty()) continue;
      closing_[open.back()] = i;
      open.pop_back();
    }
  }

  Token quoted() {
    const char quote = peek();
    const std::size_t begin = at_++;
    while (at_ < text_.size() && peek() != quote) ++at_;
    if (at_ == text_.size()) {
      at_ = begin + 1;
      return make(Token::Kind::unknown, begin);
    }
    ++at_;
    return {Token::Kind::string, text_.substr(begin + 1, at_ - begin - 2), begin, at_, 0};
  }

  Token number() {
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    if (is_letter(peek())) {
      name();
      return make(Token::Kind::unknown, begin);
    }
    Token out = make(Token::Kind::number, begin);
    const auto [end, error] =
        std::from_chars(out.text.data(), out.text.data() + out.text.size(), out.number);
    constexpr std::int64_t largest = (std::int64_t{1} << 53) - 1;
    if (error != std::errc{} || out.number > largest) out.kind = Token::Kind::unknown;
    return out;
  }

  Token word() {
    const std::size_t begin = at_;
    name();
    // `hand:actor`, `hand:$p`, `deck:none`: nothing but the owner follows the colon.
    if (peek() == ':' && (is_part(peek(1)) || peek(1) == '$' || peek(1) == '{')) {
      ++at_;
      if (peek() == '$') ++at_;
      name();
      return make(Token::Kind::zone, begin);
    }
    return make(Token::Kind::word, begin);
  }

  Token symbol() {
    constexpr std::array<std::string_view, 18> longer{"===", "!==", "==", "!=", "<=", ">=",
                                                      "<>",  "+=",  "-=", "*=", "/=", "//",
                                                      "..",  "&&",  "||", "++", "--", "=>"};
    const std::size_t begin = at_;
    const auto found = std::ranges::find_if(
        longer, [&](std::string_view s) { return text_.substr(at_).starts_with(s); });
    at_ += found == longer.end() ? 1 : found->size();
    const bool known = found != longer.end() || std::string_view{"+-*/%<>=().,:[]!?&|^;"}.find(
                                                    text_[begin]) != std::string_view::npos;
    return make(known ? Token::Kind::symbol : Token::Kind::unknown, begin);
  }

  Token next() {
    if (at_ == text_.size()) return make(Token::Kind::end, at_);
    const char c = peek();
    if (is_digit(c)) return number();
    if (is_letter(c)) return word();
    if (c == '"' || c == '\'') return quoted();
    const std::size_t begin = at_;
    if (c == '$' && (is_part(peek(1)))) {
      ++at_;
      name();
      return make(Token::Kind::binding, begin);
    }
    if (c == '{' && braces()) return make(Token::Kind::word, begin);
    return symbol();
  }

  static constexpr std::size_t never = std::string_view::npos;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> out_;
  std::vector<std::size_t> closing_;  // of braces, once there was one
};

}  // namespace

std::vector<Token> split(std::string_view text) {
  return Splitter{text}.all();
}

// Words that hold sentences together cannot be names, unless they stand in quotes.
bool is_joint(std::string_view word) {
  constexpr std::string_view joints[] = {"where", "then", "from", "to",    "of",      "as",
                                         "in",    "and",  "or",   "with",  "while",   "until",
                                         "by",    "for",  "step", "after", "through", "else"};
  return std::ranges::find(joints, word) != std::end(joints);
}

bool is_turn_word(std::string_view word) {
  return word == "next" || word == "previous" || word == "opponent";
}

bool is_dotted(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || is_joint(text.substr(0, dot))) return false;
  const std::string_view rest = text.substr(dot + 1);
  return is_name(text.substr(0, dot)) && (is_name(rest) || is_dotted(rest));
}

bool is_name(std::string_view text) {
  if (text.empty() || text.find('{') != std::string_view::npos) return false;
  const std::vector<Token> tokens = split(text);
  return tokens.size() == 2 && tokens[0].kind == Token::Kind::word &&
         tokens[0].text.size() == text.size();
}

}  // namespace parlor::spec::text
