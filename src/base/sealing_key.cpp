#include "base/sealing_key.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <string>

#include "base/base64url.hpp"
#include "base/check.hpp"
#include "base/digest.hpp"

namespace sluice {
namespace {

int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> from_hex(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const int high = hex_value(text[i]);
    const int low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high << 4 | low);
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string url(text);
  if (url.ends_with('=') && url.size() % 4 == 0) url.pop_back();
  std::ranges::replace(url, '+', '-');
  std::ranges::replace(url, '/', '_');
  auto out = base64url_decode(url);
  OPENSSL_cleanse(url.data(), url.size());
  return out;
}

}  // namespace

SealingKey::SealingKey(const Bytes& bytes) : bytes_(bytes), id_{} {
  std::string named = "sluice sealing key ";
  named.append(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
  std::string digest;
  SLUICE_CHECK(append_sha256(digest, named));
  OPENSSL_cleanse(named.data(), named.size());
  std::copy_n(digest.begin(), id_.size(), reinterpret_cast<char*>(id_.data()));
}

SealingKey::~SealingKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

std::optional<SealingKey> SealingKey::parse(std::string_view text) {
  auto raw = text.size() == 2 * kBytes ? from_hex(text) : from_base64(text);
  if (!raw) return std::nullopt;
  std::optional<SealingKey> key;
  if (raw->size() == kBytes) {
    Bytes bytes;
    std::copy_n(raw->begin(), kBytes, reinterpret_cast<char*>(bytes.data()));
    key = SealingKey(bytes);
    OPENSSL_cleanse(bytes.data(), bytes.size());
  }
  OPENSSL_cleanse(raw->data(), raw->size());
  return key;
}

SealingKey SealingKey::random() {
  Bytes bytes;
  SLUICE_CHECK(RAND_priv_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  SealingKey key(bytes);
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return key;
}

bool SealingKey::operator==(const SealingKey& other) const noexcept {
  return CRYPTO_memcmp(bytes_.data(), other.bytes_.data(), kBytes) == 0;
}

}  // namespace sluice
