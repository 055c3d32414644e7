// Several processes that work on one job, started by mpirun. The MPI library is behind a module
// next to the program (src/mpi) that is loaded only when mpirun started this process.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace parlor::cli {

class Ranks {
 public:
  // One rank when mpirun did not start this process; an error if it did but this build has no MPI.
  static tl::expected<Ranks, std::string> begin();

  int rank() const { return rank_; }
  int count() const { return count_; }
  bool first() const { return rank_ == 0; }
  // A fair share of this machine's cores when several ranks run on it; 0: all of them.
  unsigned threads() const;
  // At rank 0 the texts of all ranks, in order; elsewhere nothing.
  std::vector<std::string> gather(const std::string& text) const;

 private:
  struct Module;
  std::shared_ptr<Module> module_;  // empty when alone
  int rank_ = 0;
  int count_ = 1;
};

}  // namespace parlor::cli
