// Native modules that lie ready as shared objects.
#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/core.h>
#include <mutex>

#include "open/open.h"

namespace parlor::open {
namespace {

namespace fs = std::filesystem;

Diagnostic no_module(const fs::path& file, const std::string& why) {
  return {.code = Code::MODULE_LIBRARY,
          .message = fmt::format("`{}` is no module: {}", file.string(), why)};
}

// What is loaded stays loaded: games that use it may live as long as the program.
tl::expected<std::shared_ptr<const kernel::NativeModule>, Diagnostic> load(const fs::path& file) {
  void* library = dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return tl::unexpected(no_module(file, dlerror()));
  const auto* entry =
      static_cast<const kernel::ModuleEntry*>(dlsym(library, kernel::module_symbol));
  if (entry == nullptr)
    return tl::unexpected(
        no_module(file, fmt::format("it has no `{}` (PARLOR_MODULE)", kernel::module_symbol)));
  if (entry->interface != kernel::module_interface)
    return tl::unexpected(
        no_module(file, fmt::format("it was made for interface {} of modules, and this is {}",
                                    entry->interface, kernel::module_interface)));
  try {
    if (auto module = entry->make()) return module;
    return tl::unexpected(no_module(file, "it makes nothing"));
  } catch (const std::exception& error) {
    return tl::unexpected(no_module(file, error.what()));
  }
}

}  // namespace

tl::expected<std::shared_ptr<const kernel::NativeModule>, Diagnostic> load_module(
    const fs::path& file) {
  static std::mutex guard;
  static std::map<fs::path, std::shared_ptr<const kernel::NativeModule>> loaded;
  const std::lock_guard lock(guard);
  std::error_code ignored;
  const fs::path key = fs::weakly_canonical(file, ignored);
  if (const auto known = loaded.find(key); known != loaded.end()) return known->second;
  auto module = load(key);
  if (module) loaded.emplace(key, *module);
  return module;
}

std::vector<fs::path> module_libraries() {
  std::vector<fs::path> out;
  const char* folder = std::getenv("PARLOR_MODULES");
  if (folder == nullptr || *folder == '\0') return out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator{folder, ignored})
    if (entry.path().extension() == ".so") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

}  // namespace parlor::open
