#include "base/random_id.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "base/hex.hpp"

namespace sluice {

std::string random_id() {
  std::array<unsigned char, 16> bytes;
  SLUICE_CHECK(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

bool is_random_id(std::string_view text) noexcept {
  return text.size() == 32 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace sluice
