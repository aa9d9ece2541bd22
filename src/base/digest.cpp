#include "base/digest.hpp"

#include <openssl/evp.h>

#include <array>

namespace sluice {

bool append_sha256(std::string& out, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    return false;
  out.append(reinterpret_cast<const char*>(digest.data()), size);
  return true;
}

}  // namespace sluice
