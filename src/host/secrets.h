// Tokens: whoever knows one is who it was made for. Only their hashes are kept.
#pragma once

#include <string>
#include <string_view>

#include "game/game.h"
#include "host/services.h"

namespace parlor::host {

std::string new_token(const Random& random);  // 256 bits, base64url
std::string new_id(const Random& random);     // 128 bits, base32, small letters
Seed new_seed(const Random& random);

std::string sha256(std::string_view text);      // 32 bytes
std::string sha256_hex(std::string_view text);  // for names of files and scenes
// Takes as long wherever the two differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace parlor::host
