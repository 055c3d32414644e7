// A line between two nodes, as a WebSocket. Only sources that know sockets include this.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>

#include "server/relay.h"

namespace parlor::server {

class SocketLine final : public Line, public std::enable_shared_from_this<SocketLine> {
 public:
  using Stream = boost::beast::websocket::stream<boost::beast::tcp_stream>;
  struct Ears {
    std::function<void(std::string_view)> on_text;
    std::function<void()> on_closed;
  };

  SocketLine(boost::asio::io_context& io, boost::beast::tcp_stream stream);

  // To a node; what is said before it answers waits.
  void connect(const std::string& address, const std::string& key, Ears ears);
  // From a node.
  void accept(const boost::beast::http::request<boost::beast::http::string_body>& request,
              Ears ears);

  void send(std::string text) override;
  void close() override;

 private:
  void opened();
  void read();
  void write();
  void finish();

  boost::asio::io_context& io_;
  Stream stream_;
  boost::beast::flat_buffer buffer_;
  std::deque<std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
  Ears ears_;
  std::string host_;
  bool open_ = false, writing_ = false, finished_ = false;
};

}  // namespace parlor::server
