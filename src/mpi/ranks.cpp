// The only part that knows MPI: a module the program loads when mpirun started it, so that `parlor`
// itself neither needs an MPI library nor spends time on starting one. src/cli/ranks.h is the other
// side.
#include <limits>
#include <mpi.h>
#include <string>
#include <vector>

// Found by name, so they are seen outside of the module.
#pragma GCC visibility push(default)
extern "C" {

bool parlor_ranks_begin(int* rank, int* count) {
  if (MPI_Init(nullptr, nullptr) != MPI_SUCCESS) return false;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, count);
  return true;
}

void parlor_ranks_end() {
  MPI_Finalize();
}

// Brings the text of every rank to rank 0 and hands each to `take` there, in order.
bool parlor_ranks_gather(const char* text, std::size_t length,
                         void (*take)(void* to, const char* text, std::size_t length), void* to) {
  if (length > static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
  int rank = 0, count = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  const int mine = static_cast<int>(length);
  std::vector<int> lengths(static_cast<std::size_t>(count)), starts(lengths.size());
  if (MPI_Gather(&mine, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
    return false;
  int total = 0;
  for (std::size_t i = 0; i < lengths.size() && rank == 0; ++i) {
    starts[i] = total;
    total += lengths[i];
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  if (MPI_Gatherv(text, mine, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, 0,
                  MPI_COMM_WORLD) != MPI_SUCCESS)
    return false;
  for (std::size_t i = 0; i < lengths.size() && rank == 0; ++i)
    take(to, all.data() + starts[i], static_cast<std::size_t>(lengths[i]));
  return true;
}

}  // extern "C"
#pragma GCC visibility pop
