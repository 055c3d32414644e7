#include "convert.h"

#include <condition_variable>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace parlor::python {
namespace {

constexpr int deepest = 200;  // nesting of what is given

py::object error_class(const char* name) {
  return py::module_::import("parlor.errors").attr(name);
}

[[noreturn]] void raise_object(const py::object& type, const py::object& error) {
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

Json read(const py::handle& value, int depth) {
  if (depth > deepest) throw py::value_error("nested too deeply");
  if (value.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value) || PyIndex_Check(value.ptr()) != 0) {
    const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) throw py::error_already_set();
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow == 0 && small < 0) return small;
    if (overflow == 0) return static_cast<std::uint64_t>(small);  // as a parser would have it
    if (overflow < 0) throw py::value_error("a number is too small");
    const unsigned long long large = PyLong_AsUnsignedLongLong(number.ptr());
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    return large;
  }
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::dict>(value)) {
    Json out = Json::object();
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value))
      out[py::cast<std::string>(key)] = read(item, depth + 1);
    return out;
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    Json out = Json::array();
    for (const py::handle item : value) out.push_back(read(item, depth + 1));
    return out;
  }
  throw py::type_error("only dicts, lists, strings, numbers, booleans and None are understood");
}

}  // namespace

py::object to_python(const Json& json) {
  switch (json.type()) {
    case Json::value_t::object: {
      py::dict out;
      for (const auto& [key, value] : json.items()) out[py::str(key)] = to_python(value);
      return out;
    }
    case Json::value_t::array: {
      py::list out;
      for (const Json& value : json) out.append(to_python(value));
      return out;
    }
    case Json::value_t::string: {
      const std::string& text = json.get_ref<const std::string&>();
      return py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
    }
    case Json::value_t::boolean:
      return py::bool_(json.get<bool>());
    case Json::value_t::number_integer:
      return py::int_(json.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case Json::value_t::number_float:
      return py::float_(json.get<double>());
    default:
      return py::none();
  }
}

std::int64_t whole_number(const py::handle& value) {
  const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) throw py::error_already_set();
  int overflow = 0;
  const long long out = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0)
    throw py::index_error(fmt::format("there is no {}", py::str(number).cast<std::string>()));
  return out;
}

Json from_python(const py::handle& value) {
  return read(value, 0);
}

void raise(const Rejection& rejection) {
  const py::object type = error_class("Rejected");
  raise_object(type, type(rejection.code, rejection.message, to_python(rejection.details)));
}

void raise(const Diagnostics& diagnostics, const SourceTexts& texts) {
  const py::object type = error_class("GameError");
  raise_object(type,
               type(render(diagnostics, texts, Colour::never), to_python(to_json(diagnostics))));
}

void raise(const OpenFailure& failure) {
  raise(failure.diagnostics, failure.texts);
}

void raise(const Diagnostic& diagnostic) {
  Diagnostics one;
  one.add(diagnostic);
  raise(one);
}

bool run_interruptibly(std::atomic<bool>& cancel, const std::function<void()>& work) {
  using namespace std::chrono_literals;
  std::mutex mutex;
  std::condition_variable done;
  bool finished = false, interrupted = false;
  std::exception_ptr error;
  {
    const py::gil_scoped_release release;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      finished = true;
      done.notify_all();
    });
    std::unique_lock lock(mutex);
    while (!done.wait_for(lock, 50ms, [&] { return finished; })) {
      lock.unlock();
      {
        const py::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) {
          PyErr_Clear();
          interrupted = true;
          cancel.store(true);
        }
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (error) std::rethrow_exception(error);
  return interrupted;
}

void raise_interrupted(const py::object& partial) {
  const py::object type = error_class("Interrupted");
  raise_object(type, type(partial));
}

}  // namespace parlor::python
