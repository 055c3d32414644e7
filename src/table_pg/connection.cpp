#include "table_pg/connection.h"

#include <fmt/core.h>

namespace parlor::table_pg {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

// As libpq wants them: pointers, and nothing for NULL.
std::vector<const char*> pointers(const Values& values) {
  std::vector<const char*> out;
  for (const Value& value : values) out.push_back(value ? value->c_str() : nullptr);
  return out;
}

}  // namespace

Value bytes(const std::string& raw) {
  std::string out = "\\x";
  for (const char c : raw) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::string raw_bytes(const std::string& hexadecimal) {
  std::string out;
  for (std::size_t i = 2; i + 1 < hexadecimal.size(); i += 2)
    out += static_cast<char>(digits.find(hexadecimal[i]) << 4 | digits.find(hexadecimal[i + 1]));
  return out;
}

Connection::Connection(std::string conninfo) : conninfo_(std::move(conninfo)) {
  connect();
}

void Connection::connect() {
  prepared_.clear();
  line_.reset(PQconnectdb(conninfo_.c_str()));
  if (PQstatus(line_.get()) != CONNECTION_OK) throw DatabaseError(PQerrorMessage(line_.get()), "");
  PQsetNoticeProcessor(
      line_.get(), [](void*, const char*) {}, nullptr);
}

void Connection::heal() {
  if (PQstatus(line_.get()) == CONNECTION_OK && PQtransactionStatus(line_.get()) == PQTRANS_IDLE &&
      PQpipelineStatus(line_.get()) == PQ_PIPELINE_OFF)
    return;
  connect();
}

void Connection::fail(const PGresult* result) const {
  const char* const state =
      result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
  std::string message =
      result == nullptr ? PQerrorMessage(line_.get()) : PQresultErrorMessage(result);
  while (!message.empty() && message.back() == '\n') message.pop_back();
  throw DatabaseError(message, state == nullptr ? "" : state);
}

Rows Connection::checked(PGresult* result) const {
  Rows rows{result};
  const ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail(result);
  return rows;
}

// Statements are literals: the pointer is the name.
const std::string& Connection::prepared(const char* sql) {
  auto& name = prepared_[sql];
  if (!name.empty()) return name;
  const std::string fresh = fmt::format("s{}", prepared_.size());
  checked(PQprepare(line_.get(), fresh.c_str(), sql, 0, nullptr));
  return name = fresh;
}

Rows Connection::run(const char* sql, const Values& values) {
  const std::string& name = prepared(sql);
  const auto given = pointers(values);
  return checked(PQexecPrepared(line_.get(), name.c_str(), static_cast<int>(given.size()),
                                given.data(), nullptr, nullptr, 0));
}

void Connection::script(const std::string& sql) {
  checked(PQexec(line_.get(), sql.c_str()));
}

std::vector<Rows> Connection::together(const std::vector<Sent>& statements) {
  for (const Sent& one : statements) prepared(one.sql);
  if (PQenterPipelineMode(line_.get()) != 1) fail(nullptr);
  for (const Sent& one : statements) {
    const auto given = pointers(one.values);
    if (PQsendQueryPrepared(line_.get(), prepared_[one.sql].c_str(), static_cast<int>(given.size()),
                            given.data(), nullptr, nullptr, 0) != 1)
      fail(nullptr);
  }
  if (PQpipelineSync(line_.get()) != 1) fail(nullptr);
  std::vector<Rows> out;
  std::optional<DatabaseError> wrong;
  while (true) {
    PGresult* const result = PQgetResult(line_.get());
    if (result == nullptr) {  // between two answers, or the line is gone
      if (PQstatus(line_.get()) != CONNECTION_OK) fail(nullptr);
      continue;
    }
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_PIPELINE_SYNC) {
      PQclear(result);
      break;
    }
    try {
      out.push_back(checked(result));
    } catch (const DatabaseError& error) {
      // The first one says why; those after it were only not carried out.
      if (!wrong && status != PGRES_PIPELINE_ABORTED) wrong = error;
    }
  }
  PQexitPipelineMode(line_.get());
  if (wrong) throw DatabaseError(*wrong);
  return out;
}

}  // namespace parlor::table_pg
