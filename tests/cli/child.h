// The real `parlor` program as a child process, for what cannot be seen from inside: signals,
// terminals, several processes.
#pragma once

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "source_dir.h"

namespace parlor::test {

inline std::string program_path() {
  if (const char* path = std::getenv("PARLOR"); path != nullptr) return path;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "parlor";
}

class Child {
 public:
  enum class Errors { piped, terminal };

  explicit Child(std::vector<std::string> arguments, Errors errors = Errors::piped) {
    int out[2], err[2];
    if (pipe(out) != 0) throw std::runtime_error("no pipe");
    if (errors == Errors::terminal ? openpty(&err[0], &err[1], nullptr, nullptr, nullptr) != 0
                                   : pipe(err) != 0)
      throw std::runtime_error("no pipe or pseudo-terminal (is /dev/pts mounted?)");
    pid_ = fork();
    if (pid_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      dup2(err[1], STDERR_FILENO);
      for (const int fd : {out[0], out[1], err[0], err[1]}) close(fd);
      std::vector<char*> pointers;
      for (std::string& argument : arguments) pointers.push_back(argument.data());
      pointers.push_back(nullptr);
      execvp(pointers[0], pointers.data());
      _exit(127);
    }
    close(out[1]);
    close(err[1]);
    out_ = out[0];
    err_ = err[0];
  }
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(out_);
    close(err_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void signal(int number) const { kill(pid_, number); }

  // Reads until both ends are closed, then gives the exit code (-1: killed by a signal).
  int wait() {
    bool out_open = true, err_open = true;
    while (out_open || err_open) {
      pollfd ends[2] = {{out_open ? out_ : -1, POLLIN, 0}, {err_open ? err_ : -1, POLLIN, 0}};
      if (poll(ends, 2, 60'000) <= 0) break;
      if (ends[0].revents != 0) out_open = take(out_, out);
      if (ends[1].revents != 0) err_open = take(err_, err);
    }
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string out, err;

 private:
  static bool take(int from, std::string& into) {
    char buffer[4096];
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got > 0) into.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }

  pid_t pid_ = 0;
  int out_ = -1, err_ = -1;
};

}  // namespace parlor::test
