#include "server/check.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "game/scene.h"
#include "kernel/kernel.h"
#include "open/open.h"
#include "play/evaluation.h"

extern char** environ;

namespace parlor::server {
namespace {

constexpr std::size_t most_zones = 1024;
constexpr int processor_seconds = 5;
constexpr int patience_ms = 60'000;  // longer than that much of a busy machine takes
constexpr std::array apart_names{"check", "evaluate", "compile"};
constexpr rlim_t memory_bytes = rlim_t{512} << 20;

Rejection invalid_bundle(std::string message) {
  return {host::code::REQUEST_INVALID, std::move(message)};
}

// A plain name, or one in folders below; nothing that leads out of the bundle.
bool could_be_name(const std::string& name) {
  return !name.empty() && name.size() <= 100 && name.front() != '/' &&
         name.find("..") == std::string::npos && name.find('\0') == std::string::npos;
}

Json one_problem(Code code, std::string message) {
  Diagnostics found;
  found.add({.code = code, .message = std::move(message)});
  return {{"ok", false}, {"diagnostics", parlor::to_json(found)}};
}

// The child, its input and its output.
struct Child {
  pid_t pid = -1;
  int in = -1, out = -1;
};

std::optional<Child> start_child(const std::string& program, const char* work) {
  int in[2], out[2];
  // Not a pipe: to write to one that nobody reads any more would be the end of this process.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0) return std::nullopt;
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    return std::nullopt;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const char* arguments[]{"parlor", "serve", "--bundle", work, nullptr};
  Child child;
  const int failed = posix_spawn(&child.pid, program.c_str(), &actions, nullptr,
                                 const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  child.in = in[1];
  child.out = out[0];
  if (failed == 0) return child;
  close(child.in);
  close(child.out);
  return std::nullopt;
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;  // it has gone; its answer says so
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

// Everything it says, until it ends or takes too long.
std::string read_all(int fd) {
  constexpr std::size_t most = 4 << 20;
  std::string out;
  char block[8192];
  pollfd waiting{fd, POLLIN, 0};
  while (out.size() < most && poll(&waiting, 1, patience_ms) > 0) {
    const ssize_t got = read(fd, block, sizeof block);
    if (got <= 0) break;
    out.append(block, static_cast<std::size_t>(got));
  }
  return out;
}

}  // namespace

tl::expected<Bundle, Rejection> read_bundle(const Json& body) {
  const Json files = body.value("files", Json()), main = body.value("main", Json());
  if (!files.is_object() || files.empty() || files.size() > most_bundle_files)
    return tl::unexpected(invalid_bundle(
        fmt::format("`files` must be an object with 1 to {} texts", most_bundle_files)));
  Bundle out;
  std::size_t bytes = 0;
  for (const auto& [name, text] : files.items()) {
    if (!could_be_name(name) || !text.is_string())
      return tl::unexpected(invalid_bundle("a file has a plain name and a text"));
    bytes += text.get_ref<const std::string&>().size();
    out.files[name] = text;
  }
  if (bytes > most_bundle_bytes)
    return tl::unexpected(
        Rejection{host::code::REQUEST_TOO_LARGE, "the files are too large together"});
  if (!main.is_string() || !out.files.contains(main.get<std::string>()))
    return tl::unexpected(invalid_bundle("`main` must name one of the files"));
  out.main = main;
  return out;
}

Json to_json(const Bundle& bundle) {
  return {{"files", bundle.files}, {"main", bundle.main}};
}

namespace {

// What the compiler makes of a bundle, and what it says.
struct Looked {
  std::optional<spec::GameDef> game;
  Json diagnostics;
  bool fine = false;
};

Looked look_at(const Bundle& bundle) {
  const std::filesystem::path root = "/bundle";
  const auto read = [&](const std::filesystem::path& path) -> decltype(spec::read_file(path)) {
    const std::string name = path.lexically_normal().lexically_relative(root).generic_string();
    const auto found = bundle.files.find(name);
    if (found == bundle.files.end()) return {};
    return found->second;
  };
  auto compiled = open::compile_game_file(root / bundle.main, {}, open::Files::none, {}, read);
  const Diagnostics& found = compiled ? compiled->result.diagnostics : compiled.error().diagnostics;
  Looked out{.game = {}, .diagnostics = parlor::to_json(found), .fine = !found.has_errors()};
  // Where the bundle lies is nobody's business.
  for (Json& one : out.diagnostics)
    if (one.contains("file") && one["file"].is_string()) {
      std::string file = one["file"];
      if (file.starts_with("/bundle/")) one["file"] = file.substr(8);
    }
  if (compiled && out.fine) out.game = std::move(compiled->result.game);
  return out;
}

std::atomic<bool> short_of_time = false;

}  // namespace

Json check_here(const Bundle& bundle) {
  Looked looked = look_at(bundle);
  return {{"ok", looked.fine}, {"diagnostics", std::move(looked.diagnostics)}};
}

Json evaluate_here(const Bundle& bundle, const std::atomic<bool>& stop) {
  Looked looked = look_at(bundle);
  Json out{{"ok", false}, {"diagnostics", std::move(looked.diagnostics)}};
  if (!looked.game) return out;
  const auto game = kernel::open_game(std::move(*looked.game), {});
  if (!game) {
    out["diagnostics"] = parlor::to_json(game.error());
    return out;
  }
  const auto seen = play::evaluate(**game, {.games = 40,
                                            .agents = {},
                                            .iterations = 30,
                                            .threads = 1,
                                            .max_decisions = 500,
                                            .cancel = &stop,
                                            .progress = {}});
  if (!seen) {
    Diagnostics why;
    why.add(seen.error());
    out["diagnostics"] = parlor::to_json(why);
    return out;
  }
  out["ok"] = true;
  out["evaluation"] = play::to_json(*seen);
  return out;
}

Json compile_here(const Bundle& bundle) {
  Looked looked = look_at(bundle);
  Json out{{"ok", false}, {"diagnostics", std::move(looked.diagnostics)}};
  if (!looked.game) return out;
  Json compiled = spec::to_json(*looked.game);
  const auto game = kernel::open_game(std::move(*looked.game), {});
  if (!game) {
    out["diagnostics"] = parlor::to_json(game.error());
    return out;
  }
  const Json scene = scene_of(**game);
  std::size_t zones = scene["areas"].size();
  for (const Json& board : scene["boards"]) zones += board["cells"].size();
  if (zones > most_zones)
    return one_problem(
        Code::FILE_TOO_LARGE,
        fmt::format("the game has {} zones; at most {} are allowed", zones, most_zones));
  out["ok"] = true;
  out["game"] = std::move(compiled);
  return out;
}

Json do_apart(Apart what, const Bundle& bundle, const std::string& program) {
  const auto child = start_child(program, apart_names[static_cast<std::size_t>(what)]);
  if (!child) return one_problem(Code::INTERNAL, "the compiler could not be started");
  write_all(child->in, canonical(to_json(bundle)));
  close(child->in);
  const std::string said = read_all(child->out);
  close(child->out);
  kill(child->pid, SIGKILL);
  int status = 0;
  while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (auto json = parse_json(said); json && json->is_object() && json->contains("diagnostics"))
    return std::move(*json);
  return one_problem(Code::FILE_TOO_LARGE,
                     fmt::format("compiling took more than {} seconds or {} MB", processor_seconds,
                                 memory_bytes >> 20));
}

const std::atomic<bool>& time_is_short() {
  return short_of_time;
}

void limit_this_process() {
  const auto limit = [](auto what, rlim_t most) {
    const rlimit value{most, most};
    setrlimit(what, &value);
  };
  limit(RLIMIT_CPU, processor_seconds);
  const itimerval most_of_it{{0, 0}, {processor_seconds * 3 / 5, 0}};
  std::signal(SIGPROF, [](int) { short_of_time = true; });
  setitimer(ITIMER_PROF, &most_of_it, nullptr);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their shadows are larger
  limit(RLIMIT_AS, memory_bytes);
#endif
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NPROC, 0);
  // No file and no socket can be opened any more; standard input and output are open already.
  limit(RLIMIT_NOFILE, 3);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace parlor::server
