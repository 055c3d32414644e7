// Several nodes on one archive: which of them runs a table.
//
// A node takes a table before it runs it and has it for a while (a lease), which it prolongs for
// all its tables at once. Each taking has a number, the epoch, and whatever a node writes about a
// table says with which it was taken: a node that slept past its lease and does not know that
// somebody else has the table by now writes nothing.
#pragma once

#include "host/archive.h"

namespace parlor::host {

struct Taken {
  std::optional<TableRow> row;  // nothing: there is no such table, or somebody else has it
  std::string elsewhere;        // where the node is that has it, ADDRESS:PORT
};

class Cluster {
 public:
  virtual ~Cluster() = default;
  template <class T>
  using Read = tl::expected<T, Rejection>;

  virtual Read<Taken> take(const std::string& table) = 0;
  // The room has left the memory: anybody may take it now.
  virtual void give_up(const std::string& table, std::uint64_t epoch) = 0;
  // Prolongs every lease of this node; the tables that somebody else has by now.
  virtual Read<std::vector<std::string>> renew() = 0;
  virtual Time renew_every() const = 0;  // early enough to fail twice
  // Tables nobody runs that need somebody: a flag must fall, a bot must move.
  virtual Read<std::vector<std::string>> orphans() = 0;
  virtual void leave() = 0;                    // gives everything up
  virtual const std::string& key() const = 0;  // by which nodes know each other
};

}  // namespace parlor::host
