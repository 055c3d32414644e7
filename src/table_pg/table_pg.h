// The archive of a server on PostgreSQL, for one node or several.
//
//   auto made = table_pg::open({.conninfo = "dbname=parlor", .node = "a", .address =
//   "10.0.0.1:8081"}); made->archive   what host::Archive promises, in pipelined transactions
//   made->cluster   leases: which node runs which table
//
// Time is the database's: leases end when its clock says so, whatever a node believes. Nothing here
// depends on notifications.
#pragma once

#include <functional>

#include "host/cluster.h"

namespace parlor::table_pg {

struct PgSettings {
  std::string conninfo;
  std::string node;     // a name that no other node has
  std::string address;  // where other nodes reach it, ADDRESS:PORT
  int lease_seconds = 10;
  std::string fresh_key;  // for the first node of a cluster: bytes nobody can foresee, as text
};

class PgStore : public host::Archive, public host::Cluster {
 public:
  template <class T>
  using Read = tl::expected<T, Rejection>;
  // The database's clock minus this machine's, in milliseconds.
  virtual host::Time clock_offset() const = 0;
};

tl::expected<std::unique_ptr<PgStore>, Rejection> open(const PgSettings& settings);

}  // namespace parlor::table_pg
