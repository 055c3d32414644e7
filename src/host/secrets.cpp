#include "host/secrets.h"

#include <array>
#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace parlor::host {
namespace {

constexpr std::string_view base64url_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view base32_digits = "abcdefghijklmnopqrstuvwxyz234567";

// Digits of `bits` bits each, without padding.
std::string in_digits(std::span<const std::uint8_t> bytes, std::string_view digits, int bits) {
  std::string out;
  unsigned waiting = 0;
  int have = 0;
  for (const std::uint8_t byte : bytes) {
    waiting = waiting << 8 | byte;
    for (have += 8; have >= bits; have -= bits)
      out += digits[waiting >> (have - bits) & ((1u << bits) - 1)];
  }
  if (have > 0) out += digits[waiting << (bits - have) & ((1u << bits) - 1)];
  return out;
}

}  // namespace

std::string new_token(const Random& random) {
  std::array<std::uint8_t, 32> bytes{};
  random(bytes);
  return in_digits(bytes, base64url_digits, 6);
}

std::string new_id(const Random& random) {
  std::array<std::uint8_t, 16> bytes{};
  random(bytes);
  return in_digits(bytes, base32_digits, 5);
}

Seed new_seed(const Random& random) {
  std::array<std::uint8_t, 8> bytes{};
  random(bytes);
  Seed out = 0;
  for (const std::uint8_t byte : bytes) out = out << 8 | byte;
  return out;
}

std::string sha256(std::string_view text) {
  std::string out(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(out.data()));
  return out;
}

std::string sha256_hex(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : sha256(text)) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

bool same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace parlor::host
