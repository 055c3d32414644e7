// A Program as C++: `parlor native GAME` prints it, `--native` compiles and loads it, an embedder
// may compile it into a program of theirs. The printer walks the Program that the interpreter runs,
// so nothing is decided twice; what it does not print stays with the interpreter.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "kernel/printed/code.h"
#include "kernel/program/program.h"

namespace parlor::kernel {

struct PrintedSource {
  // C++ that needs printed/code.h: compiled one by one, together a shared object. The last one has
  // the table of all functions.
  std::vector<std::string> parts;
  std::uint64_t print = 0;  // of the text: code made from another one does not fit
  std::size_t functions = 0;
};
PrintedSource print_source(const Program& program);

// The same with the rules themselves, as a source that stands alone with Parlor's headers (V-14):
// it defines `std::shared_ptr<const parlor::Game> parlor_games::NAME::open()`.
std::string print_library(const Program& program);

// The symbol under which a shared object has its PrintedCode.
inline constexpr const char* printed_symbol = "parlor_printed_code";

// The same Program, running this code. The error says why the code does not fit.
tl::expected<std::shared_ptr<const Program>, std::string> attach(
    std::shared_ptr<const Program> program, const PrintedCode& code);

}  // namespace parlor::kernel
