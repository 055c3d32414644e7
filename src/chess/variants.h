// What other programs call a variant (the UCI option UCI_Variant, the PGN tag Variant), and what it
// is here.
#pragma once

#include <array>
#include <string_view>

namespace parlor::chess {

struct KnownVariant {
  std::string_view name;  // as UCI writes it
  std::string_view rules;
  std::string_view layout;
};
inline constexpr std::array known_variants{
    KnownVariant{"chess", "", ""},
    KnownVariant{"3check", "three-check", ""},
    KnownVariant{"antichess", "suicide-chess", ""},
    KnownVariant{"atomic", "atomic", ""},
    KnownVariant{"berolina", "berolina-pawns", ""},
#ifndef PARLOR_ONE_BOARD
    KnownVariant{"capablanca", "capablanca", "capablanca"},
#endif
    KnownVariant{"coregal", "coregal", ""},
    KnownVariant{"crazyhouse", "crazyhouse", ""},
#ifndef PARLOR_ONE_BOARD
    KnownVariant{"grand", "grand-chess", "grand-chess"},
#endif
    KnownVariant{"horde", "horde", "horde"},
    KnownVariant{"kingofthehill", "king-of-the-hill", ""},
    KnownVariant{"knightmate", "knightmate-rules", "knightmate"},
    KnownVariant{"racingkings", "racing-kings", "racing-kings"},
};

// By its name in any spelling: "King of the Hill", "Three-check". Nothing: not known.
const KnownVariant* variant_named(std::string_view name);

}  // namespace parlor::chess
