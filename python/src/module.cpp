// parlor._core: what the package `parlor` is made of. Nothing else is imported by users.
#include "base/version.h"
#include "convert.h"

namespace py = pybind11;

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ side of parlor.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const py::cast_error& error) {
      PyErr_SetString(PyExc_TypeError, error.what());
    }
  });
  module.attr("version") = parlor_version();
  parlor::python::bind_game(module);
  parlor::python::bind_play(module);
  parlor::python::bind_vector(module);
}
