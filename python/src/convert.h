// Between C++ and Python: JSON as dicts, refusals and diagnostics as exceptions of one tree
// (python/parlor/errors.py), long calls that Ctrl-C can end.
#pragma once

#include <atomic>
#include <functional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "game/catalog.h"
#include "game/game.h"

namespace parlor::python {

namespace py = pybind11;

py::object to_python(const Json& json);
// Anything made of dicts, lists, strings, numbers, booleans and None; others are a TypeError.
Json from_python(const py::handle& value);

// A whole number of any kind, numpy's too; what would have to be rounded is a TypeError.
std::int64_t whole_number(const py::handle& value);

// parlor.Rejected and parlor.GameError.
[[noreturn]] void raise(const Rejection& rejection);
[[noreturn]] void raise(const Diagnostics& diagnostics, const SourceTexts& texts = {});
[[noreturn]] void raise(const OpenFailure& failure);
[[noreturn]] void raise(const Diagnostic& diagnostic);

template <class T>
T checked(tl::expected<T, Rejection> result) {
  if (!result) raise(result.error());
  return std::move(*result);
}

// Runs `work` without the GIL on a thread of its own and listens for signals meanwhile. Ctrl-C sets
// `cancel` and gives true once the work is done; errors inside come out here.
bool run_interruptibly(std::atomic<bool>& cancel, const std::function<void()>& work);
// parlor.Interrupted with what was reached.
[[noreturn]] void raise_interrupted(const py::object& partial);

// Each file of bindings.
void bind_game(py::module_& module);
void bind_play(py::module_& module);
void bind_vector(py::module_& module);

}  // namespace parlor::python
