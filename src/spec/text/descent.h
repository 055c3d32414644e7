// The parser itself, for its two sources: parser.cpp has expressions, sentences.cpp the rest.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/expand/build.h"
#include "spec/text/lexer.h"
#include "spec/text/parser.h"
#include "spec/text/phrases.h"

namespace parlor::spec::text {

using Maybe = std::optional<Node>;

// How tightly operators bind, loosest first.
enum Level : int { level_or = 1, level_and, level_not, level_compare, level_sum, level_product };

// A query and the name its elements were given, if they were: `$c in hand:actor`.
struct Queried {
  Node node;
  std::string given;
};

class Parser {
 public:
  explicit Parser(const ParseRequest& request);
  ParseResult run();

 private:
  // ---- Tokens and mistakes
  const Token& peek(std::size_t ahead = 0) const;
  bool take(std::string_view word);
  bool next_are(std::string_view a, std::string_view b) const {
    return peek().is(a) && peek(1).is(b);
  }
  // Notes that something else was wanted here; the mistake furthest to the right is the one told.
  // What was wanted is not copied.
  std::nullopt_t miss(std::string_view wanted);
  // A mistake that is understood, at the token `at`.
  std::nullopt_t wrong(std::size_t at, std::string message, std::string suggestion = {},
                       std::vector<std::string> alternatives = {});
  TextError explain() const;
  // Every construct that can hold itself is entered through here.
  struct Deeper {
    explicit Deeper(Parser& p) : parser(p) { ++p.depth_; }
    ~Deeper() { --parser.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Parser& parser;
  };
  bool too_deep();

  Build build(std::size_t from) const;  // at everything from that token to the last one taken
  Build at_token(std::size_t index) const;
  bool is_param(std::string_view word) const { return request_.params.contains(word); }
  Node param_node(std::size_t token) const;
  Node param_value(std::size_t token) const;
  Maybe whole();

  // ---- Expressions
  Maybe expression(int level);
  struct Operator;
  const Operator* operator_here(int level) const;
  Maybe combine(std::size_t from, Node left, const Operator& op);
  Maybe relation(std::size_t from, const Node& left);
  Maybe asked_of_space(std::size_t from, const Node& left);
  Maybe operand(int level);
  Maybe field(std::size_t from, Node of);
  Maybe primary(int level);
  Maybe list();
  Maybe interpolated(std::size_t from);
  Maybe word(int level);
  Maybe plain_word(std::size_t from);
  Maybe dotted_macro();
  Maybe asked_of_element(std::size_t from, std::string_view text);
  Maybe choice();
  Maybe quantifier();

  // ---- Calls
  Maybe call(std::size_t from, std::string_view name);
  Maybe aggregate(std::size_t from, std::string_view op);
  Maybe counted(std::size_t from);
  std::optional<std::vector<Node>> arguments();
  Maybe rounded_up(std::size_t from);
  Maybe joined_text(std::size_t from);
  Maybe macro_call(std::size_t from, std::string_view kind, std::string_view name,
                   const std::vector<MacroParam>& params);
  Maybe macro_arguments(const std::vector<MacroParam>& params, std::string_view macro);
  Maybe argument(const MacroParam& param);
  std::size_t find_at_depth(std::string_view word) const;  // before the bracket closes; 0: nowhere

  // ---- Sentences
  Maybe phrase_node(const Phrase& phrase, bool first_word_taken = false);
  bool match(const std::vector<Part>& parts, std::size_t first, Node& out);
  bool match_field(const Part& part, Node& out);
  Maybe field_value(const Part& part);
  bool amount(const Part& part, Node& out);
  Maybe props();
  Maybe zone();
  Maybe zone_word();
  Maybe player();
  Maybe binding();
  Maybe token_name();
  Maybe any_word();
  Maybe words();
  Maybe name();
  Maybe directions();
  Maybe table();
  Maybe condition_of(std::string_view element);

  // ---- Queries
  Maybe query();
  Maybe loop();
  std::optional<Queried> named_query();
  Maybe joined_queries();
  Maybe query_part(std::string_view given);
  Maybe query_primary();
  bool range_ahead() const;
  Maybe range();
  Maybe others();
  Maybe next_player();
  Maybe tokens_of_type();
  Maybe where(Node query, std::string_view given);
  Maybe filtered(Node query, std::size_t from, std::string_view given);
  bool mentions(std::size_t from, std::size_t to, std::string_view binding) const;
  std::string fresh_element(const Node& query) const;

  // ---- Statements
  Maybe statement();
  Maybe verb_statement();
  Maybe chooses();
  Maybe macro_call();
  Maybe assignment();

  static constexpr std::size_t most_steps = 50'000;

  const ParseRequest& request_;
  const Names& names_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<std::string> elements_;  // those without a name of their own, outermost first
  bool then_ends_ = false;             // inside `if … then`: `then` joins no queries
  std::size_t joined_ = 0;             // where the and/or begins that was made last, plus one
  std::size_t furthest_ = 0;
  std::vector<std::string_view> wanted_;  // words of phrases.def and of the parser itself
  TextError said_;
  int depth_ = 0;
  std::size_t steps_ = 0;
};

template <class List>
bool among(const List& list, std::string_view word) {
  for (const auto& item : list)
    if (item == word) return true;
  return false;
}

}  // namespace parlor::spec::text
