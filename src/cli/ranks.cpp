#include "cli/ranks.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <thread>

namespace parlor::cli {
namespace {

constexpr const char* module_name = "libparlor_mpi.so";

// mpirun of Open MPI tells its processes about themselves in the environment.
int from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

struct Ranks::Module {
  using Take = void (*)(void* to, const char* text, std::size_t length);
  bool (*begin)(int* rank, int* count) = nullptr;
  void (*end)() = nullptr;
  bool (*gather)(const char* text, std::size_t length, Take take, void* to) = nullptr;
  bool begun = false;

  // The module stays loaded: MPI libraries do not survive being unloaded.
  bool load(const std::filesystem::path& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr) return false;
    begin = reinterpret_cast<decltype(begin)>(dlsym(handle, "parlor_ranks_begin"));
    end = reinterpret_cast<decltype(end)>(dlsym(handle, "parlor_ranks_end"));
    gather = reinterpret_cast<decltype(gather)>(dlsym(handle, "parlor_ranks_gather"));
    return begin != nullptr && end != nullptr && gather != nullptr;
  }
  ~Module() {
    if (begun) end();
  }
};

tl::expected<Ranks, std::string> Ranks::begin() {
  Ranks ranks;
  if (from_environment("OMPI_COMM_WORLD_SIZE") < 2) return ranks;
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  ranks.module_ = std::make_shared<Module>();
  if (failed || !ranks.module_->load(program.parent_path() / module_name))
    return tl::unexpected(
        std::string("mpirun started several processes, but this build has no MPI support (install "
                    "Open MPI and build again)"));
  if (!ranks.module_->begin(&ranks.rank_, &ranks.count_))
    return tl::unexpected(std::string("MPI could not be started"));
  ranks.module_->begun = true;
  return ranks;
}

unsigned Ranks::threads() const {
  const int here = from_environment("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (here < 2) return 0;
  return std::max(1U, std::thread::hardware_concurrency() / static_cast<unsigned>(here));
}

std::vector<std::string> Ranks::gather(const std::string& text) const {
  if (!module_) return {text};
  std::vector<std::string> texts;
  const auto take = [](void* to, const char* data, std::size_t length) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(data, length);
  };
  module_->gather(text.data(), text.size(), take, &texts);
  return texts;
}

}  // namespace parlor::cli
