// opcodes.def says once what an operation is made of and what is true of it: everybody
// who walks through a Program takes it from there.
#include "kernel/program/operands.h"

#include <gtest/gtest.h>

#include "kernel/program/traits.h"

namespace parlor::kernel {
namespace {

struct Line {
  const char *name, *help;
};
constexpr Line lines[] = {
#define STATEMENT(name, traits, help) {#name, help},
#define EXPRESSION(name, gives, traits, help) {#name, help},
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
};

std::vector<int> parts(const Program& p, Node n) {
  std::vector<int> out;
  each_operand(p, n, [&](NodeId part) { out.push_back(part.value); });
  return out;
}

TEST(Operands, AreThoseTheHelpMarks) {
  for (const Line& line : lines)
    EXPECT_EQ(held_by(line.help).size > 0,
              std::string_view(line.help).find('#') != std::string_view::npos)
        << line.name << ": " << line.help;
}

TEST(Operands, LieInFieldsRowsAndRecords) {
  Program p;
  for (int i = 0; i < 40; ++i) p.extra.push_back(100 + i);
  EXPECT_EQ(parts(p, {.op = Ex::if_value, .a = 1, .b = 2, .c = 3, .d = 4}),
            (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(parts(p, {.op = Ex::exists, .a = 1, .b = 2, .c = -1}), std::vector<int>{1});
  EXPECT_EQ(parts(p, {.op = Ex::gvar, .a = 1}), std::vector<int>{});
  EXPECT_EQ(parts(p, {.op = Ex::all_of, .a = 7, .b = 3}), (std::vector<int>{107, 108, 109}));
  EXPECT_EQ(parts(p, {.op = Ex::q_rows, .a = 0, .b = 10, .c = 2}), (std::vector<int>{112, 115}));
  p.extra[24] = 2;  // two numbers that are always included
  EXPECT_EQ(parts(p, {.op = Ex::q_ints, .a = 20}),
            (std::vector<int>{120, 121, 122, 123, 125, 126}));
  EXPECT_EQ(parts(p, {.op = Ex::q_var_ints, .a = 20, .b = 5, .d = 0}).size(), 6u);
  EXPECT_EQ(parts(p, {.op = Ex::q_var_ints, .a = 20, .b = 5, .d = 1}).front(), 5);
}

// A set that a scan must lie in is a part of it: whoever asks what an expression reads must see it.
TEST(Operands, OfAScanAreAllItsSets) {
  const Program p;
  EXPECT_EQ(parts(p, {.op = Ex::b_scan, .a = 1, .b = 2, .c = 3, .d = 4}),
            (std::vector<int>{1, 2, 3}));
}

TEST(Operands, OfStatementsAreFoundTheSameWay) {
  Program p;
  for (int i = 0; i < 20; ++i) p.extra.push_back(100 + i);
  const auto of = [&](Instr i) {
    std::vector<int> out;
    each_operand(p, i, [&](NodeId part) { out.push_back(part.value); });
    return out;
  };
  EXPECT_EQ(of({.op = Op::set_var, .a = 1, .b = -1, .c = 3, .d = 0}), std::vector<int>{3});
  EXPECT_EQ(of({.op = Op::add_var, .a = 1, .b = 2, .c = 3, .d = 1}), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(of({.op = Op::reduce, .a = 4}), (std::vector<int>{104, 105, 106, 107}));
  EXPECT_EQ(of({.op = Op::create_token, .a = 9, .b = 0, .c = 2}), (std::vector<int>{9, 101, 103}));
  p.extra[3] = 1;  // the name of the variable that is paid from is computed
  EXPECT_EQ(of({.op = Op::transfer_var, .a = 0}), (std::vector<int>{102, 106, 108, 109, 110, 101}));
  EXPECT_EQ(of({.op = Op::jump, .a = 3}), std::vector<int>{});
}

constexpr Line expressions[] = {
#define STATEMENT(name, traits, help)
#define EXPRESSION(name, gives, traits, help) {#name, help},
#include "kernel/program/opcodes.def"
#undef STATEMENT
#undef EXPRESSION
};

// What a statement's line says of its target is where it goes on.
TEST(Operands, ThatAreCodeAddressesSayWhereItGoesOn) {
  const Instr fields{.a = 1, .b = 2, .c = 3};
  const auto of = [&](Op op) {
    Instr i = fields;
    i.op = op;
    return target_of(i);
  };
  EXPECT_EQ(of(Op::jump), 1);
  EXPECT_EQ(of(Op::jump_unless), 1);
  EXPECT_EQ(of(Op::loop_next), 3);
  EXPECT_EQ(of(Op::loop_begin), -1);
  EXPECT_EQ(of(Op::ret), -1);
}

// A trait that is about an operand agrees with what the help says that operand is.
TEST(Traits, AgreeWithTheOperands) {
  for (std::size_t k = 0; k < std::size(expressions); ++k) {
    const auto op = static_cast<Ex>(k);
    const std::string_view help = expressions[k].help;
    const Traits by[] = {trait::by_a, trait::by_b, trait::by_c};
    for (const Held& held : held_by(op).items) {
      if (&held - held_by(op).items.data() >= static_cast<std::ptrdiff_t>(held_by(op).size)) break;
      if (held.field < 3 && held.how == Held::How::here) {
        EXPECT_FALSE(has(op, by[held.field]))
            << expressions[k].name << ": an expression is no number";
      }
    }
    EXPECT_TRUE(!has(op, trait::memo) || help.find("d memo or -1") != std::string_view::npos)
        << expressions[k].name;
    if (has(op, trait::leaf)) {
      EXPECT_EQ(held_by(op).size, 0u) << expressions[k].name;
    }
    if (has(op, trait::words)) {
      EXPECT_EQ(gives(op), Gives::set) << expressions[k].name;
    }
  }
}

TEST(Traits, TellOperationsApart) {
  EXPECT_TRUE(has(Ex::less, trait::comparison));
  EXPECT_TRUE(has(Ex::less, trait::plain));
  EXPECT_FALSE(has(Ex::all_of, trait::comparison));
  EXPECT_TRUE(has(Ex::b_words, trait::sure));
  EXPECT_FALSE(has(Ex::b_and, trait::leaf));
  EXPECT_FALSE(has(Ex::divide, trait::corners)) << "between -1 and 1 it has no bounds";
  EXPECT_FALSE(has(Ex::divide, trait::sure));
  EXPECT_TRUE(has(Op::choose_one, trait::reads));
  EXPECT_FALSE(has(Op::set_var, trait::reads));
  EXPECT_EQ(gives(Ex::any_bit), Gives::condition);
  EXPECT_EQ(gives(Ex::d_list), Gives::directions);
}

}  // namespace
}  // namespace parlor::kernel
