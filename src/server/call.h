// One request on its way to an answer. Private to the router.
#pragma once

#include "server/router.h"
#include "wire/wire.h"

namespace parlor::server {

struct Router::Call {
  HttpRequest request;
  Respond respond;
  std::map<std::string, std::string> query = {};
  std::vector<std::string> stars = {};  // what stands for the `*` of the route
  std::string token = {};
  host::Caller caller = {};
  Json body = Json::object();

  void answer(unsigned status, Json body);
  void refuse(const Rejection& rejection);
  // With an ETag: who has it already gets nothing.
  void answer_tagged(std::string body);
  void send_file(const StaticFile& file, unsigned status = 200);
  template <class T, class Write>
  auto then(unsigned status, Write write);
};

// An answer for a host's callback: `write` makes the body.
template <class T, class Write>
auto Router::Call::then(unsigned status, Write write) {
  auto copy = std::make_shared<Call>(*this);
  return [copy, status, write](tl::expected<T, Rejection> done) {
    if (!done) return copy->refuse(done.error());
    Json body = write(*done);
    body["ok"] = true;
    copy->answer(status, std::move(body));
  };
}

}  // namespace parlor::server
