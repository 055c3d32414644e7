#include "open/native_code.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/hash.h"
#include "base/version.h"
#include "kernel/kernel.h"
#include "kernel/printed/print.h"
#include "open/printed_headers.h"

extern char** environ;

namespace parlor::open {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

// ---- The compiler

struct Compiler {
  fs::path path;
  std::string identity;  // changes when another one is installed
};

std::optional<fs::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return access(name.c_str(), X_OK) == 0 ? std::optional<fs::path>(name) : std::nullopt;
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path path = fs::path(folder) / name;
    if (!folder.empty() && access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

Compiler compiler_at(const fs::path& path) {
  std::error_code ignored;
  const fs::path real = fs::canonical(path, ignored);
  const auto changed = fs::last_write_time(real, ignored).time_since_epoch().count();
  return {path, fmt::format("{} {}", real.string(), changed)};
}

tl::expected<Compiler, std::string> find_compiler() {
  for (const char* variable : {"PARLOR_CXX", "CXX"})
    if (const std::string named = environment(variable); !named.empty()) {
      if (const auto path = find_program(named)) return compiler_at(*path);
      return tl::unexpected(fmt::format("${} names `{}`, which cannot be run", variable, named));
    }
  for (const char* name : {"c++", "g++", "clang++"})
    if (const auto path = find_program(name)) return compiler_at(*path);
  return tl::unexpected(
      std::string("there is no C++ compiler (c++, g++ or clang++ in the PATH, or $PARLOR_CXX)"));
}

// What kind of processor this is: code for one may not run on another.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string out;
  for (std::string line; std::getline(info, line) && !line.empty();)
    for (const char* key : {"model name", "flags", "Features", "CPU part", "isa"})
      if (line.starts_with(key)) out += line + "\n";
  return out;
}

// Starts a program; everything it says goes into the file. 0: it does not start.
pid_t begin(const std::vector<std::string>& words, const fs::path& says) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, says.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, words[0].c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return failed == 0 ? child : 0;
}
// Waits for it; whether it did well.
bool did_well(pid_t child) {
  if (child == 0) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// ---- The cache

// Belongs to this user, and nobody else may write to it.
bool is_ours(const struct stat& about) {
  return about.st_uid == geteuid() && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// The folder, made if need be, open: what lies in it is looked at through this handle, so that
// nobody can put another folder in its place meanwhile.
tl::expected<int, std::string> open_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path().parent_path(), error);
  for (const fs::path& part : {folder.parent_path(), folder}) {
    if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
      return tl::unexpected(
          fmt::format("the folder `{}` cannot be made: {}", part.string(), std::strerror(errno)));
    struct stat about {};
    if (lstat(part.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || !is_ours(about))
      return tl::unexpected(fmt::format(
          "`{}` is no folder of this user's own that nobody else may write to", part.string()));
  }
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat about {};
  if (handle >= 0 && fstat(handle, &about) == 0 && is_ours(about)) return handle;
  if (handle >= 0) close(handle);
  return tl::unexpected(fmt::format("the folder `{}` cannot be opened", folder.string()));
}

tl::expected<fs::path, std::string> cache_folder() {
  // As the XDG base directory specification has it: what is not absolute does not count.
  if (const fs::path cache = environment("XDG_CACHE_HOME"); cache.is_absolute())
    return cache / "parlor" / "native";
  if (const fs::path home = environment("HOME"); home.is_absolute())
    return home / ".cache" / "parlor" / "native";
  return tl::unexpected(std::string("neither $XDG_CACHE_HOME nor $HOME names a folder"));
}

// What stands behind the code in its file: a sum of everything before it. A file that was cut off
// or damaged would be loaded as far as it goes, and run.
struct Seal {
  std::uint64_t mark = 0x6c6165732072616c;
  std::uint64_t sum = 0;
  bool operator==(const Seal&) const = default;
};
Seal seal_of(std::string_view code) {
  return {.sum = hash_text(code)};
}

bool add_seal(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(in), {}};
  if (!in || code.empty()) return false;
  const Seal seal = seal_of(code);
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out.write(reinterpret_cast<const char*>(&seal), sizeof seal);
  return static_cast<bool>(out.flush());
}

// Whether an open file is as it was made.
bool is_whole(int file, std::size_t size) {
  if (size < sizeof(Seal)) return false;
  std::string all(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const ssize_t more = pread(file, all.data() + done, size - done, static_cast<off_t>(done));
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    done += static_cast<std::size_t>(more);
  }
  const std::string_view code = std::string_view(all).substr(0, size - sizeof(Seal));
  Seal found;
  std::memcpy(&found, all.data() + code.size(), sizeof found);
  return found == seal_of(code);
}

// The code in a file of the folder; nothing: there is none that may be loaded and fits. What is
// loaded stays loaded, and so does its handle: it is what the loader knows the file by.
const kernel::PrintedCode* load_code(int folder, const std::string& name, std::uint64_t print) {
  const int file = openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat about {};
  const kernel::PrintedCode* code = nullptr;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && is_ours(about) &&
      is_whole(file, static_cast<std::size_t>(about.st_size))) {
    if (void* library =
            dlopen(fmt::format("/proc/self/fd/{}", file).c_str(), RTLD_NOW | RTLD_LOCAL)) {
      code = static_cast<const kernel::PrintedCode*>(dlsym(library, kernel::printed_symbol));
      if (code != nullptr && code->interface == kernel::printed_interface && code->print == print) {
        futimens(file, nullptr);  // used now: what was not for long is what goes first
        return code;
      }
      dlclose(library);
    }
  }
  close(file);
  return nullptr;
}

// Whether a file has the form of name that `file_name` makes.
bool is_code(std::string_view name) {
  if (name.size() != 53 || !name.ends_with(".so") || name[16] != '-' || name[33] != '-')
    return false;
  return std::ranges::all_of(name.substr(0, 50), [](char c) {
    return c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

// Removes what was used longest ago, until what is left is few enough and small enough. Whoever has
// one of them loaded keeps it.
void prune(int folder, const std::string& newest) {
  constexpr std::size_t most_files = 64;
  constexpr std::int64_t most_bytes = std::int64_t{256} << 20;
  struct Kept {
    std::string name;
    std::pair<std::int64_t, std::int64_t> used;
    std::int64_t bytes;
  };
  std::vector<Kept> all;
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const listing = again < 0 ? nullptr : fdopendir(again);
  if (listing == nullptr) {
    if (again >= 0) close(again);
    return;
  }
  while (const dirent* entry = readdir(listing)) {
    struct stat about {};
    if (entry->d_name != newest && is_code(entry->d_name) &&
        fstatat(folder, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0)
      all.push_back({entry->d_name, {about.st_mtim.tv_sec, about.st_mtim.tv_nsec}, about.st_size});
  }
  closedir(listing);
  std::ranges::sort(all, std::greater<>(), &Kept::used);
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bytes += all[i].bytes;
    if (i + 1 >= most_files || bytes > most_bytes) unlinkat(folder, all[i].name.c_str(), 0);
  }
}

constexpr std::string_view workshop_name = "making-";

// Removes what was being made when somebody was stopped in the middle of it, long ago.
void clear_away(const fs::path& cache) {
  constexpr auto longest = std::chrono::hours(24);  // that anybody compiles
  std::error_code ignored;
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(cache, ignored), end; entry != end; entry.increment(ignored)) {
    const bool workshop = entry->path().filename().string().starts_with(workshop_name) &&
                          entry->symlink_status(ignored).type() == fs::file_type::directory;
    const auto used = entry->last_write_time(ignored);
    if (workshop && !ignored && fs::file_time_type::clock::now() - used > longest)
      left.push_back(entry->path());
  }
  for (const fs::path& folder : left) fs::remove_all(folder, ignored);
}

bool write(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

// The first lines that somebody said.
std::string beginning_of(const fs::path& file) {
  std::ifstream in(file);
  std::string out;
  int lines = 0;
  for (std::string line; lines < 5 && std::getline(in, line); ++lines) out += "\n  " + line;
  return out;
}

// ---- Making it

// A folder inside the cache that only this call uses, gone when it ends.
class Workshop {
 public:
  explicit Workshop(const fs::path& cache) {
    std::string name = (cache / fmt::format("{}XXXXXX", workshop_name)).string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Workshop() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Zone sets of several words gain a fifth by -O3, and it takes no longer than -O2.
constexpr const char* compiler_options[] = {
    "-std=c++20", "-O3", "-march=native", "-fPIC", "-fvisibility=hidden", "-fno-exceptions",
    "-fno-rtti",  "-w"};

std::vector<std::string> compiling(const Compiler& compiler, const fs::path& headers,
                                   const fs::path& source, const std::string& object) {
  std::vector<std::string> out = {compiler.path.string()};
  out.insert(out.end(), std::begin(compiler_options), std::end(compiler_options));
  for (const std::string& word : {std::string("-I"), headers.string(), std::string("-c"),
                                  std::string("-o"), object, source.string()})
    out.push_back(word);
  return out;
}

// Compiles into the cache, under this name; the error says why not. Whoever makes the same
// meanwhile makes the same bytes' worth: the last one stays, and nobody sees half a file.
std::optional<std::string> make(const Compiler& compiler, const fs::path& cache,
                                const std::string& name, const kernel::PrintedSource& source) {
  const Workshop workshop(cache);
  if (workshop.path().empty())
    return fmt::format("nothing can be written in `{}`: {}", cache.string(), std::strerror(errno));
  std::error_code error;
  for (const PrintedHeader& header : printed_headers()) {
    const fs::path path = workshop.path() / header.path;
    fs::create_directories(path.parent_path(), error);
    if (!write(path, header.text)) return fmt::format("`{}` cannot be written", path.string());
  }
  const auto refused = [&](const fs::path& said) {
    return fmt::format("`{}` does not compile the printed code:{}", compiler.path.string(),
                       beginning_of(said));
  };
  std::vector<std::string> link = {compiler.path.string(), "-shared", "-o",
                                   (workshop.path() / "game.so").string()};
  std::vector<fs::path> sources;
  for (std::size_t i = 0; i < source.parts.size(); ++i) {
    sources.push_back(workshop.path() / fmt::format("part{}.cpp", i));
    link.push_back(fs::path(sources.back()).replace_extension(".o").string());
    if (!write(sources.back(), source.parts[i]))
      return fmt::format("`{}` cannot be written", sources.back().string());
  }
  // As many at a time as there are cores.
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t first = 0; first < sources.size(); first += cores) {
    std::vector<std::pair<pid_t, fs::path>> children;
    for (std::size_t i = first; i < std::min(first + cores, sources.size()); ++i) {
      const fs::path said = fs::path(sources[i]).replace_extension(".said");
      children.emplace_back(
          begin(compiling(compiler, workshop.path(), sources[i], link[4 + i]), said), said);
    }
    std::optional<std::string> trouble;
    for (const auto& [child, said] : children)
      if (!did_well(child) && !trouble) trouble = refused(said);
    if (trouble) return trouble;
  }
  const fs::path made = workshop.path() / "game.so", said = workshop.path() / "said";
  if (!did_well(begin(link, said))) return refused(said);
  if (!add_seal(made)) return fmt::format("`{}` cannot be written", made.string());
  fs::permissions(made, fs::perms::owner_all, error);
  fs::rename(made, cache / name, error);
  if (error)
    return fmt::format("`{}` cannot be written: {}", (cache / name).string(), error.message());
  return std::nullopt;
}

std::string file_name(const kernel::Program& program, const kernel::PrintedSource& source,
                      const Compiler& compiler) {
  std::string all = fmt::format("{}\n{}\n{}\n", parlor_version(), compiler.identity, processor());
  for (const char* option : compiler_options) all += option;
  for (const PrintedHeader& header : printed_headers()) all += header.text;
  return fmt::format("{:016x}-{:016x}-{:016x}.so", program.fingerprint, source.print,
                     hash_text(all, 1));
}

tl::expected<const kernel::PrintedCode*, std::string> find_code(const kernel::Program& program,
                                                                const NativeProgress& progress,
                                                                bool& compiled_now) {
  const auto compiler = find_compiler();
  if (!compiler) return tl::unexpected(compiler.error());
  const kernel::PrintedSource source = kernel::print_source(program);
  if (source.functions == 0)
    return tl::unexpected(std::string("nothing in its rules would be faster compiled"));
  const auto cache = cache_folder();
  if (!cache) return tl::unexpected(cache.error());
  const std::string name = file_name(program, source, *compiler);
  // One at a time: threads of one process that want the same wait for it.
  static std::mutex guard;
  static std::map<std::string, const kernel::PrintedCode*> loaded;
  const std::lock_guard lock(guard);
  if (const auto known = loaded.find(name); known != loaded.end()) return known->second;
  const auto folder = open_folder(*cache);
  if (!folder) return tl::unexpected(folder.error());
  const kernel::PrintedCode* code = load_code(*folder, name, source.print);
  std::optional<std::string> trouble;
  if (code == nullptr) {
    if (progress)
      progress(
          fmt::format("compiling {} ({} expressions)", program.def.metadata.id, source.functions));
    trouble = make(*compiler, *cache, name, source);
    if (!trouble) code = load_code(*folder, name, source.print);
    prune(*folder, name);
    clear_away(*cache);
    compiled_now = true;
  }
  close(*folder);
  if (trouble) return tl::unexpected(*trouble);
  if (code == nullptr)
    return tl::unexpected(
        fmt::format("what was compiled cannot be loaded from `{}`", cache->string()));
  loaded.emplace(name, code);
  return code;
}

}  // namespace

NativeGame make_native(std::shared_ptr<const Game> game, const NativeProgress& progress) {
  NativeGame out{std::move(game), {}};
  const auto* kernel_game = dynamic_cast<const kernel::KernelGame*>(out.game.get());
  if (kernel_game == nullptr) return out;  // it is compiled already
  const auto code = find_code(kernel_game->program(), progress, out.compiled_now);
  if (!code) {
    out.trouble = code.error();
    return out;
  }
  auto native = kernel::run_printed(*kernel_game, **code);
  if (native)
    out.game = std::move(*native);
  else
    out.trouble = native.error();
  return out;
}

}  // namespace parlor::open
