#include "server/call.h"

#include "host/secrets.h"

namespace parlor::server {

void Router::Call::answer(unsigned status, Json json) {
  respond({status, {{"Cache-Control", "no-store"}}, canonical(json)});
}

HttpResponse refusal(const Rejection& rejection) {
  HttpResponse response{wire::status_of(rejection),
                        {{"Cache-Control", "no-store"}},
                        canonical(wire::error_body(rejection))};
  if (response.status == 429) {
    const std::int64_t wait = rejection.details.value("retryAfterMs", std::int64_t{1000});
    response.headers.emplace_back("Retry-After", std::to_string((wait + 999) / 1000));
  }
  if (response.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

void Router::Call::refuse(const Rejection& rejection) {
  respond(refusal(rejection));
}

void Router::Call::answer_tagged(std::string text) {
  const std::string tag = "\"" + host::sha256_hex(text).substr(0, 32) + "\"";
  HttpResponse response{200, {{"Cache-Control", "no-cache"}, {"ETag", tag}}, std::move(text)};
  if (request.header("if-none-match") == tag) {
    response.status = 304;
    response.body.clear();
  }
  respond(std::move(response));
}

void Router::Call::send_file(const StaticFile& file, unsigned status) {
  HttpResponse response{
      status,
      {{"ETag", file.etag},
       {"Vary", "Accept-Encoding"},
       {"Cache-Control", file.immutable ? "public, max-age=31536000, immutable" : "no-cache"}},
      {},
      file.type};
  if (status == 200 && request.header("if-none-match") == file.etag) {
    response.status = 304;
  } else if (!file.gzip.empty() &&
             request.header("accept-encoding").find("gzip") != std::string::npos) {
    response.body = file.gzip;
    response.headers.emplace_back("Content-Encoding", "gzip");
  } else {
    response.body = file.body;
  }
  respond(std::move(response));
}

}  // namespace parlor::server
