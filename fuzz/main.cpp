// The libFuzzer program. FUZZ_TARGET says which of the targets it feeds (fuzz/targets.h); texts are
// changed by tokens and JSON values as well as by bytes (fuzz/mutate.h). `scripts/fuzz` runs it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "base/rng.h"
#include "fuzz/mutate.h"
#include "fuzz/targets.h"

using namespace parlor;

namespace {

const fuzz::Target* target = nullptr;

// Texts to borrow from when one is changed.
const std::vector<std::string>& library() {
  static const std::vector<std::string> texts = fuzz::starting_points(*target);
  return texts;
}

}  // namespace

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("FUZZ_TARGET");
  target = fuzz::find_target(name == nullptr ? "" : name);
  if (target == nullptr) {
    std::fprintf(stderr, "FUZZ_TARGET is one of:\n");
    for (const fuzz::Target& one : fuzz::targets())
      std::fprintf(stderr, "  %-10s %s\n", std::string{one.name}.c_str(),
                   std::string{one.what}.c_str());
    std::exit(2);
  }
  // With FUZZ_SEEDS the inputs to begin with are written there, and that is all.
  if (const char* folder = std::getenv("FUZZ_SEEDS")) {
    std::filesystem::create_directories(folder);
    std::size_t n = 0;
    for (const std::string& text : library())
      std::ofstream{std::filesystem::path{folder} / ("seed-" + std::to_string(n++))} << text;
    std::exit(0);
  }
  // What is made once and kept (opened games, a server's world) is made here, so that it is not
  // taken for something the first input did.
  for (const std::string& text : target->seeds()) target->run(text);
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned seed) {
  Rng rng{mix(seed)};
  if (rng.below(6) == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string& other = library()[rng.below(library().size())];
  const std::string text =
      fuzz::mutate({reinterpret_cast<const char*>(data), size}, other, most, rng);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // extern "C"
