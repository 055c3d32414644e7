#include "kernel/program/operands.h"

#include <charconv>

namespace parlor::kernel {

namespace {

// The words of a line of help, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      if (end > 0) words_.push_back(text.substr(0, end));
      text.remove_prefix(std::min(text.size(), end + 1));
    }
  }
  std::size_t size() const { return words_.size(); }
  std::string_view operator[](std::size_t i) const { return i < size() ? words_[i] : ""; }
  bool is(std::size_t i, std::string_view word) const { return (*this)[i] == word; }
  bool is_expression(std::size_t i) const { return (*this)[i].starts_with('#'); }
  bool is_field(std::size_t i) const {
    return (*this)[i].size() == 1 && (*this)[i][0] >= 'a' && (*this)[i][0] <= 'd';
  }
  std::uint8_t field(std::size_t i) const { return static_cast<std::uint8_t>((*this)[i][0] - 'a'); }

 private:
  std::vector<std::string_view> words_;
};

class Reader {
 public:
  explicit Reader(std::string_view help) : words_(help) {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_.is_field(i)) field(i);
  }
  const HeldList& list() const { return list_; }

 private:
  void add(Held held) { list_.items.at(list_.size++) = held; }

  void field(std::size_t i) {
    const std::uint8_t field = words_.field(i);
    if (words_.is_expression(i + 1)) {
      add({.how = Held::How::here, .field = field});
    } else if (words_.is(i + 2, "or") && words_.is_expression(i + 3)) {
      add({.how = Held::How::here_if_named, .field = field});
    } else if (words_.is(i + 1, "first") && words_[i + 2].starts_with('(')) {
      records(field, i + 2);
    } else if (words_.is(i + 1, "first") && words_.is(i + 2, "of")) {
      row(field, i + 3);
    }
  }

  // (column, op, #value) in the extra table, c how many
  void records(std::uint8_t field, std::size_t i) {
    const std::size_t before = list_.size;
    std::uint8_t size = 0;
    bool open = true, holds = false;
    for (; open; ++i) {
      const std::string_view word = words_[i];
      open = word.find(')') == std::string_view::npos && i < words_.size();
      holds = holds || word.find('#') != std::string_view::npos;
      if (open && !word.ends_with(',')) continue;  // one part of the record has several words
      if (holds) add({.how = Held::How::of_records, .field = field, .at = size});
      holds = false;
      ++size;
    }
    while (i < words_.size() && !(words_.is_field(i) && words_.is(i + 1, "how"))) ++i;
    for (std::size_t k = before; k < list_.size; ++k) {
      list_.items[k].size = size;
      list_.items[k].count = words_.field(i);
    }
  }

  // 4 in the extra table: #min #max count $bind, then #more…
  void row(std::uint8_t field, std::size_t i) {
    std::uint8_t size = 0;
    const std::string_view number = words_[i];
    std::from_chars(number.data(), number.data() + number.size(), size);
    if (size == 0) return;  // the first of something else
    while (i < words_.size() && !words_.is(i, "table:")) ++i;
    for (std::uint8_t at = 0; at < size; ++at)
      if (words_.is_expression(++i)) add({.how = Held::How::of_row, .field = field, .at = at});
    if (words_.is(i + 1, "then") && words_.is_expression(i + 2))
      add({.how = Held::How::behind_row,
           .field = field,
           .at = static_cast<std::uint8_t>(size - 1)});
  }

  Words words_;
  HeldList list_;
};

int field_of_target(std::string_view help) {
  const Words words(help);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words.is_field(i) && words[i + 1].starts_with('@')) return words.field(i);
  return -1;
}

}  // namespace

int target_of(const Instr& i) {
  static const std::vector<int> fields = {
#define STATEMENT(name, traits, help) field_of_target(help),
#define EXPRESSION(name, gives, traits, help)
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
  };
  const int field = fields[static_cast<std::size_t>(i.op)];
  return field < 0 ? -1 : (field == 0 ? i.a : field == 1 ? i.b : i.c).value;
}

HeldList held_by(std::string_view help) {
  return Reader(help).list();
}

const HeldList& held_by(Ex op) {
  static const std::vector<HeldList> lists = {
#define STATEMENT(name, traits, help)
#define EXPRESSION(name, gives, traits, help) held_by(help),
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
  };
  return lists[static_cast<std::size_t>(op)];
}

const HeldList& held_by(Op op) {
  static const std::vector<HeldList> lists = {
#define STATEMENT(name, traits, help) held_by(help),
#define EXPRESSION(name, gives, traits, help)
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
  };
  return lists[static_cast<std::size_t>(op)];
}

}  // namespace parlor::kernel
