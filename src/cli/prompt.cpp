#include "cli/prompt.h"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>

#ifdef PARLOR_LIBEDIT
#include <editline/readline.h>
#endif

namespace parlor::cli {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

#ifdef PARLOR_LIBEDIT

// The library asks plain functions, so what it may complete lies here while it reads.
std::vector<std::string>& completions() {
  static std::vector<std::string> words;
  return words;
}

char* next_completion(const char* begun, int state) {
  static std::size_t at;
  if (state == 0) at = 0;
  for (; at < completions().size(); ++at)
    if (completions()[at].starts_with(begun)) return ::strdup(completions()[at++].c_str());
  return nullptr;
}

char** complete(const char* begun, int, int) {
  rl_attempted_completion_over = 1;  // names of files mean nothing here
  return rl_completion_matches(begun, next_completion);
}

std::optional<std::string> edit_line(const std::string& prompt, std::vector<std::string> words) {
  static bool ready = false;
  if (!ready) {
    rl_readline_name = "parlor";
    // Letters beyond ASCII are typed as the terminal has them.
    const char* letters = std::setlocale(LC_CTYPE, "");
    if (letters == nullptr || std::strcmp(letters, "C") == 0) std::setlocale(LC_CTYPE, "C.UTF-8");
    static char breaks[] = "\t\n";  // options have blanks in them: the whole line is completed
    rl_basic_word_break_characters = breaks;
    rl_completer_word_break_characters = breaks;
    rl_attempted_completion_function = complete;
    using_history();
    ready = true;
  }
  completions() = std::move(words);
  const std::unique_ptr<char, decltype(&std::free)> line(::readline(prompt.c_str()), &std::free);
  if (!line) return std::nullopt;
  std::string text = trimmed(without_controls(line.get()));
  if (!text.empty()) add_history(text.c_str());
  return text;
}

#endif

}  // namespace

std::string without_controls(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool eight_bit = c == 0xC2 && i + 1 < text.size() &&
                           static_cast<unsigned char>(text[i + 1]) < 0xA0;  // U+0080 to U+009F
    if (eight_bit) {
      ++i;
      continue;
    }
    if (c == '\t')
      out += ' ';
    else if (c >= 0x20 && c != 0x7F)
      out += text[i];
  }
  return out;
}

std::optional<std::string> Prompt::ask(const std::string& prompt, std::vector<std::string> words) {
#ifdef PARLOR_LIBEDIT
  if (context_.interactive && !context_.json && &context_.in == &std::cin) {
    context_.out << std::flush;
    return edit_line(prompt, std::move(words));
  }
#endif
  if (!context_.json) context_.out << prompt << std::flush;
  std::string line;
  if (!std::getline(context_.in, line)) return std::nullopt;
  return trimmed(without_controls(line));
}

}  // namespace parlor::cli
