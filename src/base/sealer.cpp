#include "base/sealer.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/base64url.hpp"
#include "base/check.hpp"

namespace sluice {
namespace {

constexpr char kVersion = 1;

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const noexcept { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const unsigned char* bytes_of(std::string_view text) noexcept {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) noexcept {
  return reinterpret_cast<unsigned char*>(text.data());
}
int size_of(std::string_view text) noexcept { return static_cast<int>(text.size()); }

/// Encrypts `in`; the tag goes behind.
std::optional<std::string> encrypt(const SealingKey& key, std::string_view nonce,
                                   std::string_view head, std::string_view purpose,
                                   std::string_view in, std::size_t tag) {
  const Context context(EVP_CIPHER_CTX_new());
  std::string out(in.size() + tag, '\0');
  int n = 0;
  if (context == nullptr ||
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), bytes_of(nonce)) !=
          1 ||
      EVP_EncryptUpdate(context.get(), nullptr, &n, bytes_of(head), size_of(head)) != 1 ||
      EVP_EncryptUpdate(context.get(), nullptr, &n, bytes_of(purpose), size_of(purpose)) != 1 ||
      EVP_EncryptUpdate(context.get(), bytes_of(out), &n, bytes_of(in), size_of(in)) != 1 ||
      EVP_EncryptFinal_ex(context.get(), bytes_of(out) + n, &n) != 1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(tag),
                          bytes_of(out) + in.size()) != 1)
    return std::nullopt;
  return out;
}

std::optional<std::string> decrypt(const SealingKey& key, std::string_view nonce,
                                   std::string_view head, std::string_view purpose,
                                   std::string_view in, std::string tag) {
  const Context context(EVP_CIPHER_CTX_new());
  std::string out(in.size(), '\0');
  int n = 0;
  if (context == nullptr ||
      EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), bytes_of(nonce)) !=
          1 ||
      EVP_DecryptUpdate(context.get(), nullptr, &n, bytes_of(head), size_of(head)) != 1 ||
      EVP_DecryptUpdate(context.get(), nullptr, &n, bytes_of(purpose), size_of(purpose)) != 1 ||
      EVP_DecryptUpdate(context.get(), bytes_of(out), &n, bytes_of(in), size_of(in)) != 1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, size_of(tag), bytes_of(tag)) != 1 ||
      EVP_DecryptFinal_ex(context.get(), bytes_of(out) + n, &n) != 1)
    return std::nullopt;
  return out;
}

void append_time(std::string& out, Sealer::Time time) {
  const auto seconds = static_cast<std::uint64_t>(time.time_since_epoch().count());
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(seconds >> shift & 0xff);
}

Sealer::Time read_time(std::string_view bytes) noexcept {
  std::uint64_t seconds = 0;
  for (const char c : bytes) seconds = seconds << 8 | static_cast<unsigned char>(c);
  return Sealer::Time(std::chrono::seconds(static_cast<std::int64_t>(seconds)));
}

}  // namespace

Sealer::Sealer(std::vector<SealingKey> keys) : keys_(std::move(keys)) {
  SLUICE_CHECK(!keys_.empty());
}

std::string Sealer::seal(std::string_view purpose, std::string_view text, Time expires) const {
  const SealingKey& key = keys_.front();
  std::string out(1, kVersion);
  out.append(reinterpret_cast<const char*>(key.id().data()), key.id().size());
  std::string nonce(kNonce, '\0');
  SLUICE_CHECK(RAND_bytes(bytes_of(nonce), static_cast<int>(kNonce)) == 1);
  std::string inside;
  inside.reserve(kTime + text.size());
  append_time(inside, expires);
  inside += text;
  const auto body = encrypt(key, nonce, out, purpose, inside, kTag);
  SLUICE_CHECK(body.has_value());
  out += nonce;
  out += *body;
  return base64url_encode(out);
}

Result<Sealer::Opened> Sealer::open(std::string_view purpose, std::string_view sealed,
                                    Time now) const {
  const auto raw = base64url_decode(sealed);
  if (!raw || raw->size() < kInClear + kTime + kTag || raw->front() != kVersion)
    return Errc::forged;
  const std::string_view all = *raw;
  const auto head = all.substr(0, kHead);
  const auto nonce = all.substr(kHead, kNonce);
  const auto body = all.substr(kInClear, all.size() - kInClear - kTag);
  const std::string tag(all.substr(all.size() - kTag));
  for (const auto& key : keys_) {
    const bool is_named = std::equal(key.id().begin(), key.id().end(), bytes_of(head) + 1);
    if (!is_named) continue;
    const auto inside = decrypt(key, nonce, head, purpose, body, tag);
    if (!inside) continue;
    const Time expires = read_time(std::string_view(*inside).substr(0, kTime));
    if (now >= expires) return Errc::expired;
    return Opened{inside->substr(kTime), expires};
  }
  return Errc::forged;
}

}  // namespace sluice
