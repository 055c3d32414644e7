// A connection to PostgreSQL, on libpq: statements that are prepared once, values as text, many
// statements in one trip (a pipeline), and a new connection when the old one is gone.
#pragma once

#include <libpq-fe.h>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parlor::table_pg {

// What the database or the line to it says is wrong.
struct DatabaseError : std::runtime_error {
  DatabaseError(const std::string& message, std::string sqlstate)
      : std::runtime_error(message), state(std::move(sqlstate)) {}
  std::string state;  // empty: the line
};

// A value of a statement; nothing is NULL.
using Value = std::optional<std::string>;
using Values = std::vector<Value>;

Value bytes(const std::string& raw);  // bytea
std::string raw_bytes(const std::string& hexadecimal);

class Rows {
 public:
  explicit Rows(PGresult* result) : result_(result, PQclear) {}
  std::size_t size() const { return static_cast<std::size_t>(PQntuples(result_.get())); }
  bool is_null(std::size_t row, int column) const {
    return PQgetisnull(result_.get(), static_cast<int>(row), column) != 0;
  }
  std::string text(std::size_t row, int column) const {
    const int r = static_cast<int>(row);
    return {PQgetvalue(result_.get(), r, column),
            static_cast<std::size_t>(PQgetlength(result_.get(), r, column))};
  }
  std::int64_t number(std::size_t row, int column) const { return std::stoll(text(row, column)); }
  bool flag(std::size_t row, int column) const { return text(row, column) == "t"; }
  std::size_t changed() const {  // rows that were written
    const std::string_view count = PQcmdTuples(result_.get());
    return count.empty() ? 0 : std::stoull(std::string{count});
  }

 private:
  std::unique_ptr<PGresult, decltype(&PQclear)> result_;
};

class Connection {
 public:
  explicit Connection(std::string conninfo);

  // One statement and its answer. Throws DatabaseError.
  Rows run(const char* sql, const Values& values = {});
  void script(const std::string& sql);  // several statements, no values

  // Statements that travel together: `send` each, then `receive` an answer for each, in order. An
  // error ends the transaction they are in, so every later answer is an error as well.
  struct Sent {
    const char* sql;
    Values values;
  };
  std::vector<Rows> together(const std::vector<Sent>& statements);

  // Begins anew if the line is broken.
  void heal();

 private:
  void connect();
  const std::string& prepared(const char* sql);
  [[noreturn]] void fail(const PGresult* result) const;
  Rows checked(PGresult* result) const;

  std::string conninfo_;
  std::unique_ptr<PGconn, decltype(&PQfinish)> line_{nullptr, PQfinish};
  std::map<const char*, std::string> prepared_;
};

}  // namespace parlor::table_pg
