#include "server/listener.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <charconv>
#include <fmt/core.h>

#include "host/secrets.h"
#include "server/relay_line.h"

namespace parlor::server {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using std::chrono::milliseconds;

constexpr std::size_t longest_header = 8 * 1024;
constexpr std::string_view subprotocol = "parlor.1";

class Socket;

// What connections share.
struct Shared {
  net::io_context io{1};
  host::Host& host;
  Router& router;
  Gate& gate;
  Journal& journal;
  const ServerSettings& settings;
  std::string cluster_key = {};  // empty: there are no other nodes
  std::unique_ptr<Relays> relays = {};

  std::shared_ptr<RelayAsking> way_to(const std::string& address) {
    return relays ? relays->to(address) : nullptr;
  }

  // From the threads of tables to that of the sockets: one errand for all frames that wait, of
  // which a table with thousands who watch has as many.
  void send(std::shared_ptr<Socket> to, host::FramePtr frame);
  void hand_out();
  std::mutex outgoing_mutex = {};
  std::vector<std::pair<std::shared_ptr<Socket>, host::FramePtr>> outgoing = {};
};

std::string text_of(beast::string_view view) {
  return {view.data(), view.size()};
}

// ---- A socket of a table.

class Socket final : public Outlet, public std::enable_shared_from_this<Socket> {
 public:
  Socket(Shared& shared, beast::tcp_stream stream, std::string address)
      : shared_(shared),
        stream_(std::move(stream)),
        timer_(shared.io),
        address_(std::move(address)) {}
  ~Socket() override { shared_.gate.close_socket(address_); }

  void accept(const http::request<http::string_body>& request, const std::string& table) {
    dialogue_ = std::make_shared<Dialogue>(
        shared_.host, shared_.gate, table, address_, shared_from_this(),
        [&shared = shared_](const std::string& address) { return shared.way_to(address); });
    websocket::stream_base::timeout limits{};
    limits.handshake_timeout = milliseconds{shared_.settings.limits.header_within};
    limits.idle_timeout = milliseconds{2 * shared_.settings.limits.ping_every};
    limits.keep_alive_pings = true;  // without it a pong is no sign of life to Beast
    stream_.set_option(limits);
    stream_.read_message_max(wire::longest_frame);
    const bool named = request.find(http::field::sec_websocket_protocol) != request.end();
    stream_.set_option(websocket::stream_base::decorator([named](websocket::response_type& answer) {
      if (named) answer.set(http::field::sec_websocket_protocol, subprotocol);
    }));
    stream_.control_callback([this](websocket::frame_type kind, beast::string_view payload) {
      if (kind == websocket::frame_type::pong) on_pong(payload);
    });
    stream_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (error) return self->finish();
      self->wait_for_hello();
      self->ping();
      self->read();
    });
  }

  // ---- Outlet, from any thread.
  void send(host::FramePtr frame) override { shared_.send(shared_from_this(), std::move(frame)); }
  void close(int code, std::string reason, host::Time retry_after) override {
    net::post(shared_.io, [self = shared_from_this(), code, reason, retry_after] {
      self->say_goodbye(code, reason, retry_after);
    });
  }
  void post(host::Task task) override { net::post(shared_.io, std::move(task)); }
  host::Time lag() const override { return lag_; }

  void enqueue(const host::FramePtr& frame) {
    if (closing_ || finished_) return;
    waiting_bytes_ += frame->text.size();
    waiting_.push_back(frame);
    // One frame may be large; a reader is slow when several wait.
    const Limits& limits = shared_.settings.limits;
    if (waiting_.size() > limits.waiting_frames ||
        (waiting_.size() > 1 && waiting_bytes_ > limits.waiting_bytes))
      return too_slow();
    if (!writing_) write();
  }

 private:
  static host::Time steady_now() {
    return std::chrono::duration_cast<milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  void wait_for_hello() {
    timer_.expires_after(milliseconds{shared_.settings.limits.hello_within});
    timer_.async_wait([weak = weak_from_this()](beast::error_code error) {
      const auto self = weak.lock();
      if (!self || error) return;
      if (self->dialogue_ && !self->dialogue_->greeted())
        self->say_goodbye(close_no_hello, "no `hello` came", 0);
      else
        self->ping_later();
    });
  }
  void ping_later() {
    timer_.expires_after(milliseconds{shared_.settings.limits.ping_every});
    timer_.async_wait([weak = weak_from_this()](beast::error_code error) {
      const auto self = weak.lock();
      if (!self || error || self->closing_) return;
      self->ping();
      self->ping_later();
    });
  }
  // Keeps the line open and measures it.
  void ping() {
    if (pinging_ || closing_) return;
    pinging_ = true;
    websocket::ping_data payload;
    const std::string text = std::to_string(steady_now());
    payload.assign(text.begin(), text.end());
    stream_.async_ping(payload,
                       [self = shared_from_this()](beast::error_code) { self->pinging_ = false; });
  }
  void on_pong(beast::string_view payload) {
    host::Time sent = 0;
    const auto [end, error] =
        std::from_chars(payload.data(), payload.data() + payload.size(), sent);
    // What the client could have made up is only believed within reason.
    if (error == std::errc{} && sent <= steady_now() && steady_now() - sent < 10'000)
      lag_ = (steady_now() - sent) / 2;
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->finish();
      if (!self->closing_ && self->dialogue_) {
        if (!self->stream_.got_text()) {
          self->say_goodbye(1003, "frames are text", 0);
        } else {
          const auto data = self->buffer_.cdata();
          self->dialogue_->on_text({static_cast<const char*>(data.data()), data.size()});
        }
      }
      self->buffer_.consume(self->buffer_.size());
      if (self->buffer_.capacity() > 4096) self->buffer_.shrink_to_fit();
      self->read();
    });
  }

  void write() {
    writing_ = true;
    current_ = waiting_.front();
    stream_.text(true);
    stream_.auto_fragment(false);  // one frame is one JSON object
    stream_.async_write(net::buffer(current_->text),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          self->writing_ = false;
                          if (error) return self->finish();
                          self->waiting_bytes_ -= self->current_->text.size();
                          self->waiting_.pop_front();
                          self->current_.reset();
                          if (!self->waiting_.empty())
                            self->write();
                          else if (self->closing_)
                            self->close_now();
                        });
  }
  // Nothing more can be said to somebody who does not listen.
  void too_slow() {
    closing_ = true;
    shared_.gate.note_slow();
    shared_.journal.note("slow", {{"address", address_}});
    close_reason_ =
        websocket::close_reason(static_cast<websocket::close_code>(close_slow), "too slow");
    while (waiting_.size() > 1) {
      waiting_bytes_ -= waiting_.back()->text.size();
      waiting_.pop_back();
    }
    drop_soon();
    gone();
  }

  void say_goodbye(int code, const std::string& reason, host::Time retry_after) {
    if (closing_ || finished_) return;
    auto bye = std::make_shared<const host::Frame>(
        host::Frame{0, wire::encode_bye(code, reason, retry_after)});
    waiting_bytes_ += bye->text.size();
    waiting_.push_back(std::move(bye));
    closing_ = true;
    close_reason_ =
        websocket::close_reason(static_cast<websocket::close_code>(code), reason.substr(0, 100));
    drop_soon();
    if (!writing_) write();
  }
  // Whoever does not answer the close frame is cut off.
  void drop_soon() {
    timer_.expires_after(milliseconds{2'000});
    timer_.async_wait([weak = weak_from_this()](beast::error_code error) {
      const auto self = weak.lock();
      if (self && !error) beast::get_lowest_layer(self->stream_).close();
    });
  }
  void close_now() {
    stream_.async_close(close_reason_,
                        [self = shared_from_this()](beast::error_code) { self->finish(); });
  }
  void finish() {
    if (finished_) return;
    finished_ = true;
    timer_.cancel();
    beast::get_lowest_layer(stream_).close();
    gone();
  }
  // The table is told once, and the two no longer hold each other.
  void gone() {
    if (!dialogue_) return;
    dialogue_->on_closed();
    dialogue_.reset();
  }

  Shared& shared_;
  websocket::stream<beast::tcp_stream> stream_;
  net::steady_timer timer_;
  const std::string address_;
  beast::flat_buffer buffer_;
  std::shared_ptr<Dialogue> dialogue_;
  std::deque<host::FramePtr> waiting_;
  host::FramePtr current_;
  std::size_t waiting_bytes_ = 0;
  bool writing_ = false, closing_ = false, finished_ = false, pinging_ = false;
  websocket::close_reason close_reason_;
  std::atomic<host::Time> lag_ = 0;
};

void Shared::send(std::shared_ptr<Socket> to, host::FramePtr frame) {
  const std::lock_guard lock{outgoing_mutex};
  outgoing.emplace_back(std::move(to), std::move(frame));
  if (outgoing.size() == 1) net::post(io, [this] { hand_out(); });
}

void Shared::hand_out() {
  std::vector<std::pair<std::shared_ptr<Socket>, host::FramePtr>> all;
  {
    const std::lock_guard lock{outgoing_mutex};
    all.swap(outgoing);
  }
  for (const auto& [socket, frame] : all) socket->enqueue(frame);
}

// ---- A connection that sends requests.

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Shared& shared, tcp::socket socket, bool admin)
      : shared_(shared), stream_(std::move(socket)), admin_(admin) {
    beast::error_code ignored;
    const auto end = stream_.socket().remote_endpoint(ignored);
    if (!ignored) address_ = end.address().to_string();
    stream_.socket().set_option(tcp::no_delay(true), ignored);
    // What waits for a slow reader waits here, where it is counted, not in the system (S-65).
    stream_.socket().set_option(net::socket_base::send_buffer_size(64 * 1024), ignored);
  }

  void read_header() {
    parser_.emplace();
    parser_->header_limit(longest_header);
    parser_->body_limit(wire::longest_upload);
    stream_.expires_after(milliseconds{shared_.settings.limits.header_within});
    http::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](beast::error_code error, std::size_t read) {
          // Beast notices what is too long only at the end of a field.
          if (error == http::error::header_limit || (!error && read > longest_header))
            return self->refuse_at_once(431, "the header is too large");
          if (error == http::error::body_limit)
            return self->refuse_at_once(413, "the body is too large");
          if (error) return self->drop();
          self->read_body();
        });
  }

 private:
  void read_body() {
    const auto& head = parser_->get();
    if (websocket::is_upgrade(head)) return upgrade();
    parser_->body_limit(longest_body_of(text_of(head.method_string()), text_of(head.target())));
    stream_.expires_after(milliseconds{shared_.settings.limits.header_within});
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (error == http::error::body_limit)
                         return self->refuse_at_once(413, "the body is too large");
                       if (error) return self->drop();
                       self->answer();
                     });
  }

  HttpRequest request_of(const http::request<http::string_body>& message) const {
    HttpRequest out{.method = text_of(message.method_string()),
                    .target = text_of(message.target()),
                    .body = message.body(),
                    .headers = {},
                    .address = address_,
                    .admin = admin_};
    for (const auto& field : message) {
      std::string name = text_of(field.name_string());
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      out.headers[name] = text_of(field.value());
    }
    // Behind a proxy that is known, the last address it names is who asks.
    const auto& proxies = shared_.settings.proxies;
    if (std::ranges::find(proxies, address_) != proxies.end()) {
      std::string chain = out.header("x-forwarded-for");
      if (const auto comma = chain.rfind(','); comma != std::string::npos)
        chain.erase(0, comma + 1);
      std::erase(chain, ' ');
      if (!chain.empty()) out.address = chain;
    }
    return out;
  }

  void answer() {
    const auto message = parser_->release();
    keep_alive_ = message.keep_alive();
    version_ = message.version();
    head_only_ = message.method() == http::verb::head;
    stream_.expires_never();
    shared_.router.handle(request_of(message), [self = shared_from_this()](HttpResponse response) {
      net::post(self->shared_.io, [self, response = std::move(response)]() mutable {
        self->write(std::move(response));
      });
    });
  }

  void write(HttpResponse response) {
    auto out = std::make_shared<http::response<http::string_body>>(
        static_cast<http::status>(response.status), version_);
    for (const auto& [name, value] : Router::safety_headers()) out->set(name, value);
    for (const auto& [name, value] : response.headers) out->set(name, value);
    if (response.status != 304) out->set(http::field::content_type, response.type);
    out->keep_alive(keep_alive_);
    const std::size_t length = response.body.size();
    if (!head_only_) out->body() = std::move(response.body);
    out->prepare_payload();
    if (head_only_) out->content_length(length);
    stream_.expires_after(milliseconds{30'000});
    http::async_write(stream_, *out,
                      [self = shared_from_this(), out](beast::error_code error, std::size_t) {
                        if (!error && self->cut_short_) return self->linger();
                        if (error || !self->keep_alive_) return self->drop();
                        self->read_header();
                      });
  }

  void refuse_at_once(unsigned status, const std::string& message) {
    keep_alive_ = false;
    cut_short_ = true;
    write({status, {}, canonical(wire::error_body({host::code::REQUEST_TOO_LARGE, message}))});
  }
  void refuse(const Rejection& rejection) {
    keep_alive_ = false;
    write(refusal(rejection));
  }

  void upgrade() {
    const http::request<http::string_body> message = parser_->release();
    version_ = message.version();
    const HttpRequest request = request_of(message);
    if (request.target == relay_target) return join_nodes(message, request);
    const auto table = shared_.router.socket_table(request);
    if (!table) return refuse(table.error());
    const auto protocols = message.find(http::field::sec_websocket_protocol);
    if (protocols != message.end() &&
        !http::token_list{protocols->value()}.exists(
            beast::string_view{subprotocol.data(), subprotocol.size()}))
      return refuse({host::code::REQUEST_INVALID, "the subprotocol is `parlor.1`"});
    if (shared_.host.draining()) return refuse({host::code::DRAINING, "this server is going down"});
    if (auto slow = shared_.gate.refuse(Doing::request, request.address, "",
                                        shared_.host.services().timers.now()))
      return refuse(*slow);
    if (!shared_.gate.open_socket(request.address))
      return refuse({host::code::RATE_LIMITED, "too many sockets", {{"retryAfterMs", 1000}}});
    stream_.expires_never();
    std::make_shared<Socket>(shared_, std::move(stream_), request.address)->accept(message, *table);
  }

  // Another node, that asks for those who are connected there.
  void join_nodes(const http::request<http::string_body>& message, const HttpRequest& request) {
    if (shared_.cluster_key.empty() || !host::same_secret(bearer(request), shared_.cluster_key))
      return refuse({host::code::ROUTE_UNKNOWN, "there is no socket here"});
    stream_.expires_never();
    auto line = std::make_shared<SocketLine>(shared_.io, std::move(stream_));
    auto end = std::make_shared<RelayAnswering>(
        RelayAnswering::Parts{
            shared_.host, shared_.router, shared_.gate,
            [&io = shared_.io](host::Task task) { net::post(io, std::move(task)); }},
        line);
    line->accept(message, {[end](std::string_view text) { end->on_text(text); },
                           [end] { end->on_closed(); }});
  }

  void drop() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.close();
  }
  // A line that is closed while something is on its way to us is reset, and our answer is lost with
  // it: what somebody goes on to send is thrown away for a moment.
  void linger() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(milliseconds{1'000});
    discard(4 * wire::longest_upload);
  }
  void discard(std::size_t most) {
    buffer_.clear();
    stream_.async_read_some(
        buffer_.prepare(16 * 1024),
        [self = shared_from_this(), most](beast::error_code error, std::size_t got) {
          if (error || got >= most) return self->stream_.close();
          self->discard(most - got);
        });
  }

  Shared& shared_;
  beast::tcp_stream stream_;
  const bool admin_;
  std::string address_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  bool keep_alive_ = true, head_only_ = false;
  bool cut_short_ = false;  // not all that was sent has been read
  unsigned version_ = 11;
};

// ---- Doors.

class Door : public std::enable_shared_from_this<Door> {
 public:
  Door(Shared& shared, bool admin)
      : shared_(shared), acceptor_(shared.io), retry_(shared.io), admin_(admin) {}

  tl::expected<unsigned short, std::string> open(const std::string& where) {
    const auto colon = where.rfind(':');
    if (colon == std::string::npos)
      return tl::unexpected(fmt::format("`{}` is no ADDRESS:PORT", where));
    std::string host = where.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (host == "localhost") host = "127.0.0.1";
    unsigned short port = 0;
    const char* const end = where.data() + where.size();
    beast::error_code error;
    const auto address = net::ip::make_address(host, error);
    if (error || std::from_chars(where.data() + colon + 1, end, port).ptr != end)
      return tl::unexpected(fmt::format("`{}` is no ADDRESS:PORT", where));
    const tcp::endpoint place{address, port};
    acceptor_.open(place.protocol(), error);
    if (!error) acceptor_.set_option(net::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(place, error);
    if (!error) acceptor_.listen(1024, error);
    if (error)
      return tl::unexpected(fmt::format("cannot listen on {}: {}", where, error.message()));
    accept();
    return acceptor_.local_endpoint().port();
  }
  void close() {
    beast::error_code ignored;
    acceptor_.close(ignored);
  }

 private:
  void accept() {
    acceptor_.async_accept([self = shared_from_this()](beast::error_code error,
                                                       tcp::socket socket) {
      if (!self->acceptor_.is_open()) return;
      if (!error) {
        std::make_shared<Connection>(self->shared_, std::move(socket), self->admin_)->read_header();
        return self->accept();
      }
      // No descriptors left, for example: others may close in a moment.
      self->retry_.expires_after(milliseconds{50});
      self->retry_.async_wait([self](beast::error_code stopped) {
        if (!stopped) self->accept();
      });
    });
  }

  Shared& shared_;
  tcp::acceptor acceptor_;
  net::steady_timer retry_;
  const bool admin_;
};

}  // namespace

struct Listener::Parts {
  Shared shared;
  std::vector<std::shared_ptr<Door>> doors = {};
};

Listener::Listener(host::Host& host, Router& router, Gate& gate, Journal& journal,
                   const ServerSettings& settings, const host::Cluster* cluster)
    : parts_(new Parts{{.host = host,
                        .router = router,
                        .gate = gate,
                        .journal = journal,
                        .settings = settings}}) {
  if (cluster == nullptr) return;
  Shared& shared = parts_->shared;
  shared.cluster_key = cluster->key();
  shared.relays = std::make_unique<Relays>(
      [&shared](const std::string& address, std::function<void(std::string_view)> on_text,
                std::function<void()> on_closed) -> std::shared_ptr<Line> {
        auto line = std::make_shared<SocketLine>(shared.io, beast::tcp_stream{shared.io});
        line->connect(address, shared.cluster_key, {std::move(on_text), std::move(on_closed)});
        return line;
      });
  router.set_forward(
      [&shared](const std::string& address, const HttpRequest& request, Respond respond) {
        net::post(shared.io, [&shared, address, request, respond = std::move(respond)]() mutable {
          shared.way_to(address)->ask(request, std::move(respond));
        });
      });
}

Listener::~Listener() = default;

tl::expected<unsigned short, std::string> Listener::listen(const std::string& where, bool admin) {
  auto door = std::make_shared<Door>(parts_->shared, admin);
  auto port = door->open(where);
  if (port) parts_->doors.push_back(std::move(door));
  return port;
}

void Listener::run(std::function<void()> on_signal) {
  net::signal_set signals{parts_->shared.io};
  if (on_signal) {
    signals.add(SIGINT);
    signals.add(SIGTERM);
    signals.async_wait([&](beast::error_code error, int) {
      if (!error) on_signal();
    });
  }
  parts_->shared.io.run();
}

void Listener::stop_accepting() {
  net::post(parts_->shared.io, [this] {
    for (const auto& door : parts_->doors) door->close();
  });
}

void Listener::stop() {
  parts_->shared.io.stop();
}

void Listener::after(host::Time wait, host::Task task) {
  auto timer = std::make_shared<net::steady_timer>(parts_->shared.io, milliseconds{wait});
  timer->async_wait([timer, task = std::move(task)](beast::error_code error) {
    if (!error) task();
  });
}

}  // namespace parlor::server
