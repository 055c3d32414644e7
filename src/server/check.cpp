#include "server/check.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "open/open.h"

extern char** environ;

namespace parlor::server {
namespace {

constexpr int processor_seconds = 5, patience_ms = 15'000;
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

std::optional<Child> start_child() {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0) return std::nullopt;
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
  const char* arguments[]{"parlor", "serve", "--check-bundle", nullptr};
  Child child;
  const int failed = posix_spawn(&child.pid, "/proc/self/exe", &actions, nullptr,
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
    const ssize_t done = write(fd, text.data(), text.size());
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

Json check_here(const Bundle& bundle) {
  const std::filesystem::path root = "/bundle";
  const auto read = [&](const std::filesystem::path& path) -> decltype(spec::read_file(path)) {
    const std::string name = path.lexically_normal().lexically_relative(root).generic_string();
    const auto found = bundle.files.find(name);
    if (found == bundle.files.end()) return {};
    return found->second;
  };
  const auto compiled =
      open::compile_game_file(root / bundle.main, {}, open::Files::none, {}, read);
  const Diagnostics& found = compiled ? compiled->result.diagnostics : compiled.error().diagnostics;
  Json diagnostics = parlor::to_json(found);
  // Where the bundle lies is nobody's business.
  for (Json& one : diagnostics)
    if (one.contains("file") && one["file"].is_string()) {
      std::string file = one["file"];
      if (file.starts_with("/bundle/")) one["file"] = file.substr(8);
    }
  return {{"ok", !found.has_errors()}, {"diagnostics", std::move(diagnostics)}};
}

Json check_apart(const Bundle& bundle) {
  const auto child = start_child();
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

void limit_this_process() {
  const auto limit = [](auto what, rlim_t most) {
    const rlimit value{most, most};
    setrlimit(what, &value);
  };
  limit(RLIMIT_CPU, processor_seconds);
  limit(RLIMIT_AS, memory_bytes);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NPROC, 0);
  // No file and no socket can be opened any more; standard input and output are open already.
  limit(RLIMIT_NOFILE, 3);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace parlor::server
