#include "play/beginnings.h"

#include "base/wide_vectors.h"

namespace parlor::play {

void Beginnings::make(Seed of_all, std::uint64_t index) {
  // The first game after others of another distance.
  const bool goes_on = of_all == of_all_ && index == next_;
  if (!goes_on && of_all == of_all_) stride_ = index - (next_ - stride_);
  of_all_ = of_all;
  lane_ = 0;
  make_all(SeedStreams(of_all), index);
}

PARLOR_WIDE_VECTORS
void Beginnings::make_all(SeedStreams of_all, std::uint64_t index) {
  for (std::size_t lane = 0; lane < lanes; ++lane)
    mixed_[lane] = SeedStreams(of_all[index + lane * stride_]).mixed();
  for (std::size_t seat = 0; seat < generators_.size(); ++seat) {
    auto& words = generators_[seat];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Rng::Words own = Rng::words(SeedStreams::of_mixed(mixed_[lane])[seat]);
      words[0][lane] = own.state_low;
      words[1][lane] = own.state_high;
      words[2][lane] = own.increment_low;
      words[3][lane] = own.increment_high;
    }
  }
}

}  // namespace parlor::play
