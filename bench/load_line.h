// Lines to a server for measurements: sockets that are always ready, requests, WebSocket frames.
// All trouble ends the program.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"

namespace parlor::load {

[[noreturn]] inline void give_up(const std::string& why) {
  fmt::print(stderr, "server_load: {}\n", why);
  std::exit(1);
}

inline int connect_to(unsigned short port) {
  const int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
  if (connect(line, reinterpret_cast<sockaddr*>(&where), sizeof where) != 0) {
    close(line);
    return -1;
  }
  const int one = 1;
  setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return line;
}

inline void send_all(int line, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = send(line, text.data(), text.size(), MSG_NOSIGNAL);
    if (done <= 0) give_up("the server hung up");
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

// What has arrived, into the buffer; false: nothing more for now.
inline bool receive(int line, std::string& buffer, bool wait) {
  char block[65536];
  const ssize_t got = recv(line, block, sizeof block, wait ? 0 : MSG_DONTWAIT);
  if (got == 0) give_up("the server hung up");
  if (got < 0) return false;
  buffer.append(block, static_cast<std::size_t>(got));
  return true;
}

// One line for many requests. A server closes lines on which nothing is asked for a while.
class Asker {
 public:
  explicit Asker(unsigned short port) : port_(port), line_(connect_to(port)) {}
  ~Asker() { close(line_); }
  bool open() const { return line_ >= 0; }

  Json ask(std::string_view method, const std::string& path, const std::string& token,
           const Json& body) {
    const std::string text = body.dump();
    if (was_closed()) {
      close(line_);
      line_ = connect_to(port_);
    }
    send_all(line_, fmt::format("{} /api/v1{} HTTP/1.1\r\nHost: 127.0.0.1\r\n{}Content-Length: "
                                "{}\r\n\r\n{}",
                                method, path,
                                token.empty() ? "" : "Authorization: Bearer " + token + "\r\n",
                                text.size(), text));
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) receive(line_, buffer_, true);
    const auto at = buffer_.find("Content-Length: ");
    const std::size_t length = std::stoull(buffer_.substr(at + 16));
    while (buffer_.size() < end + 4 + length) receive(line_, buffer_, true);
    const auto json = parse_json(buffer_.substr(end + 4, length));
    buffer_.erase(0, end + 4 + length);
    if (!json || !json->value("ok", false)) give_up(path + ": " + (json ? json->dump() : "?"));
    return *json;
  }

 private:
  bool was_closed() const {
    char byte = 0;
    return recv(line_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
  }

  unsigned short port_;
  int line_;
  std::string buffer_;
};

inline std::string frame_of(const std::string& text) {
  std::string out = "\x81";
  if (text.size() < 126) {
    out += static_cast<char>(0x80 | text.size());
  } else {
    out += static_cast<char>(0x80 | 126);
    out += static_cast<char>(text.size() >> 8);
    out += static_cast<char>(text.size() & 255);
  }
  return out + std::string(4, '\0') + text;  // a mask that changes nothing
}

// The whole frames of a buffer. Pings are answered.
template <class Take>
void take_frames(int line, std::string& b, const Take& take) {
  std::size_t from = 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(b[from + i]); };
  while (b.size() - from >= 2) {
    std::size_t length = byte(1) & 127, head = 2;
    if (length == 126) {
      if (b.size() - from < 4) break;
      length = static_cast<std::size_t>(byte(2)) << 8 | byte(3);
      head = 4;
    } else if (length == 127) {
      if (b.size() - from < 10) break;
      length = 0;
      for (std::size_t i = 2; i < 10; ++i) length = length << 8 | byte(i);
      head = 10;
    }
    if (b.size() - from < head + length) break;
    const int kind = byte(0) & 15;
    const std::string_view payload{b.data() + from + head, length};
    if (kind == 1) take(payload);
    if (kind == 8) give_up("a socket was closed");
    if (kind == 9) {
      std::string pong = frame_of(std::string{payload});
      pong[0] = static_cast<char>(0x8a);
      send_all(line, pong);
    }
    from += head + length;
  }
  b.erase(0, from);
  if (b.empty()) b.shrink_to_fit();
}

}  // namespace parlor::load
