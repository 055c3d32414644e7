#include "server/relay_line.h"

#include <boost/asio/post.hpp>

namespace parlor::server {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;

// A node that does not read what so many people are told is as good as gone.
constexpr std::size_t most_waiting = std::size_t{64} << 20;
constexpr std::chrono::seconds connect_within{3};

websocket::stream_base::timeout line_limits() {
  websocket::stream_base::timeout limits{};
  limits.handshake_timeout = connect_within;
  limits.idle_timeout = std::chrono::seconds{6};
  limits.keep_alive_pings = true;
  return limits;
}

}  // namespace

SocketLine::SocketLine(net::io_context& io, beast::tcp_stream stream)
    : io_(io), stream_(std::move(stream)) {
  stream_.read_message_max(longest_relayed);
}

void SocketLine::connect(const std::string& address, const std::string& key, Ears ears) {
  ears_ = std::move(ears);
  host_ = address;
  const auto colon = address.rfind(':');
  beast::error_code error;
  const auto where = net::ip::make_address(address.substr(0, colon), error);
  const unsigned long port =
      colon == std::string::npos ? 0 : std::strtoul(address.c_str() + colon + 1, nullptr, 10);
  if (error || port == 0 || port > 65'535)
    return net::post(io_, [self = shared_from_this()] { self->finish(); });
  beast::get_lowest_layer(stream_).expires_after(connect_within);
  beast::get_lowest_layer(stream_).async_connect(
      tcp::endpoint{where, static_cast<unsigned short>(port)},
      [self = shared_from_this(), key](beast::error_code failed) {
        if (failed) return self->finish();
        beast::error_code ignored;
        beast::get_lowest_layer(self->stream_).socket().set_option(tcp::no_delay(true), ignored);
        beast::get_lowest_layer(self->stream_).expires_never();
        self->stream_.set_option(line_limits());
        self->stream_.set_option(
            websocket::stream_base::decorator([key](websocket::request_type& request) {
              request.set(http::field::authorization, "Bearer " + key);
            }));
        self->stream_.async_handshake(self->host_, std::string{relay_target},
                                      [self](beast::error_code refused) {
                                        if (refused) return self->finish();
                                        self->opened();
                                      });
      });
}

void SocketLine::accept(const http::request<http::string_body>& request, Ears ears) {
  ears_ = std::move(ears);
  beast::get_lowest_layer(stream_).expires_never();
  stream_.set_option(line_limits());
  stream_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
    if (error) return self->finish();
    self->opened();
  });
}

void SocketLine::opened() {
  open_ = true;
  read();
  if (!waiting_.empty()) write();
}

void SocketLine::read() {
  stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
    if (error) return self->finish();
    const auto data = self->buffer_.cdata();
    if (self->ears_.on_text)
      self->ears_.on_text({static_cast<const char*>(data.data()), data.size()});
    self->buffer_.consume(self->buffer_.size());
    self->read();
  });
}

void SocketLine::send(std::string text) {
  net::post(io_, [self = shared_from_this(), text = std::move(text)]() mutable {
    if (self->finished_) return;
    self->waiting_bytes_ += text.size();
    self->waiting_.push_back(std::move(text));
    if (self->waiting_bytes_ > most_waiting) return self->finish();
    if (self->open_ && !self->writing_) self->write();
  });
}

void SocketLine::write() {
  writing_ = true;
  stream_.text(true);
  stream_.async_write(net::buffer(waiting_.front()),
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        self->writing_ = false;
                        if (error) return self->finish();
                        self->waiting_bytes_ -= self->waiting_.front().size();
                        self->waiting_.pop_front();
                        if (!self->waiting_.empty()) self->write();
                      });
}

void SocketLine::close() {
  net::post(io_, [self = shared_from_this()] { self->finish(); });
}

void SocketLine::finish() {
  if (finished_) return;
  finished_ = true;
  beast::get_lowest_layer(stream_).close();
  const Ears ears = std::exchange(ears_, {});
  if (ears.on_closed) ears.on_closed();
}

}  // namespace parlor::server
