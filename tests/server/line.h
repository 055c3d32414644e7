// A client by hand: bytes on a socket, so that tests can also send what no library would.
#pragma once

#include <arpa/inet.h>
#include <chrono>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "game/game.h"

namespace parlor::test {

class Line {
 public:
  explicit Line(unsigned short port, int receive_buffer = 0) {
    fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (receive_buffer > 0)
      setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
    open_ = connect(fd_, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0;
    const int one = 1;
    setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() { hang_up(); }

  bool open() const { return open_; }
  int descriptor() const { return fd_; }
  void hang_up() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
    open_ = false;
  }
  void send_bytes(std::string_view bytes) {
    while (!bytes.empty() && open_) {
      const ssize_t done = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (done <= 0) {
        open_ = false;
        return;
      }
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }
  // More bytes into the buffer; false when nothing came in time or the line is closed.
  bool receive(int milliseconds) {
    pollfd waiting{fd_, POLLIN, 0};
    if (fd_ < 0 || poll(&waiting, 1, milliseconds) <= 0) return false;
    char block[65536];
    const ssize_t got = recv(fd_, block, sizeof block, 0);
    if (got <= 0) {
      open_ = false;
      return false;
    }
    buffer.append(block, static_cast<std::size_t>(got));
    return true;
  }
  std::string buffer;

 private:
  int fd_ = -1;
  bool open_ = false;
};

constexpr int patience = 100'000;  // milliseconds; only a failing test waits so long

struct Reply {
  int status = 0;
  std::string head, body;
  Json json() const { return parse_json(body).value_or(Json()); }
  bool has(std::string_view header) const { return head.find(header) != std::string::npos; }
};

// One answer to a request that was sent.
inline Reply read_reply(Line& line, int wait = patience) {
  Reply out;
  std::size_t end = std::string::npos;
  while ((end = line.buffer.find("\r\n\r\n")) == std::string::npos)
    if (!line.receive(wait)) return out;
  out.head = line.buffer.substr(0, end);
  line.buffer.erase(0, end + 4);
  out.status = std::atoi(out.head.c_str() + std::string_view{"HTTP/1.1 "}.size());
  std::size_t length = 0;
  if (const auto at = out.head.find("Content-Length: "); at != std::string::npos)
    length = std::strtoull(out.head.c_str() + at + 16, nullptr, 10);
  while (line.buffer.size() < length)
    if (!line.receive(wait)) return out;
  out.body = line.buffer.substr(0, length);
  line.buffer.erase(0, length);
  return out;
}

inline Reply ask(unsigned short port, const std::string& method, const std::string& target,
                 const std::string& token = {}, const Json& body = nullptr,
                 const std::string& more_headers = {}) {
  Line line{port};
  const std::string text = body.is_null()     ? ""
                           : body.is_string() ? body.get<std::string>()
                                              : body.dump();
  line.send_bytes(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" +
                  (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n") + more_headers +
                  "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
  return read_reply(line);
}

class Socket {
 public:
  Socket(unsigned short port, const std::string& table, int receive_buffer = 0,
         const std::string& more_headers = "Sec-WebSocket-Protocol: parlor.1\r\n")
      : line(port, receive_buffer) {
    line.send_bytes(
        "GET /api/v1/tables/" + table +
        "/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
        more_headers + "\r\n");
    reply = read_reply(line);
  }
  void send(const Json& json) { send_frame(json.dump()); }
  static std::string frame_of(std::string_view text, unsigned char first = 0x81) {
    std::string out(1, static_cast<char>(first));
    if (text.size() < 126) {
      out += static_cast<char>(0x80 | text.size());
    } else if (text.size() < 65536) {
      out += static_cast<char>(0x80 | 126);
      out += static_cast<char>(text.size() >> 8);
      out += static_cast<char>(text.size() & 255);
    } else {
      out += static_cast<char>(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8)
        out += static_cast<char>(static_cast<std::uint64_t>(text.size()) >> shift & 255);
    }
    out.append(4, '\0');  // a mask that changes nothing
    out += text;
    return out;
  }
  void send_frame(std::string_view text) { line.send_bytes(frame_of(text)); }

  // The next text frame; nothing when the line is closed or silent. Pings are answered.
  std::optional<Json> next(int wait = patience) {
    while (true) {
      const auto frame = take_frame();
      if (!frame) {
        if (closed != 0 || !line.receive(wait)) return std::nullopt;
        continue;
      }
      if (frame->first == 0x1) return Json::parse(frame->second);
      if (frame->first == 0x9) line.send_bytes(frame_of(frame->second, 0x8a));
      if (frame->first == 0x8) {
        closed = frame->second.size() < 2 ? 1005
                                          : static_cast<unsigned char>(frame->second[0]) << 8 |
                                                static_cast<unsigned char>(frame->second[1]);
        line.send_bytes(frame_of(frame->second.substr(0, 2), 0x88));
      }
    }
  }
  // The next frame of this kind; others are handed to `heard`.
  std::optional<Json> until(std::string_view kind,
                            const std::function<void(const Json&)>& heard = {}) {
    while (auto frame = next()) {
      if (heard) heard(*frame);
      if ((*frame)["t"] == kind) return frame;
    }
    return std::nullopt;
  }
  // Reads on until the other side closes; the code it gave.
  int wait_closed() {
    while (next()) {
    }
    return closed;
  }

  Line line;
  Reply reply;
  int closed = 0;

 private:
  std::optional<std::pair<int, std::string>> take_frame() {
    const std::string& b = line.buffer;
    if (b.size() < 2) return std::nullopt;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(b[i]); };
    std::size_t length = byte(1) & 127, head = 2;
    if (length == 126) {
      if (b.size() < 4) return std::nullopt;
      length = static_cast<std::size_t>(byte(2)) << 8 | byte(3);
      head = 4;
    } else if (length == 127) {
      if (b.size() < 10) return std::nullopt;
      length = 0;
      for (std::size_t i = 2; i < 10; ++i) length = length << 8 | byte(i);
      head = 10;
    }
    if (b.size() < head + length) return std::nullopt;
    std::pair<int, std::string> out{byte(0) & 15, b.substr(head, length)};
    line.buffer.erase(0, head + length);
    return out;
  }
};

}  // namespace parlor::test
