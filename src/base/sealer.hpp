#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/error.hpp>

#include "base/sealing_key.hpp"

namespace sluice {

/// Seals what is given to clients to be brought back: nobody else can read, make or change it, and
/// it is good for one purpose and until a time. Whoever has the key opens it: another process,
/// another replica, the same one after a restart.
///
/// Bytes, as base64url: version (1), key id (4), nonce (12, random), then encrypted with
/// AES-256-GCM the time (8, seconds, big-endian) and the text, then the tag (16). What is in clear
/// and the purpose are authenticated too.
///
/// Threads:   immutable, any.
/// Bounds:    a key is good for 2^32 seals, because nonces are random (NIST SP 800-38D section
///            8.3); keys in use for years want to be replaced before.
class Sealer {
 public:
  using Time = std::chrono::sys_seconds;
  struct Opened {
    std::string text;
    Time expires;
  };

  /// The first key seals, all open. REQUIRES: there is one.
  explicit Sealer(std::vector<SealingKey> keys);

  [[nodiscard]] std::string seal(std::string_view purpose, std::string_view text,
                                 Time expires) const;
  /// Errors: Errc::forged where it was not sealed by one of the keys for this purpose, or was
  ///         changed; Errc::expired.
  [[nodiscard]] Result<Opened> open(std::string_view purpose, std::string_view sealed,
                                    Time now) const;

  /// The length of what seal() makes of so many bytes.
  [[nodiscard]] static constexpr std::size_t sealed_size(std::size_t text) noexcept {
    return ((kInClear + kTime + text + kTag) * 4 + 2) / 3;
  }

  [[nodiscard]] static Time now() noexcept {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  }

 private:
  static constexpr std::size_t kHead = 1 + std::tuple_size_v<SealingKey::Id>;
  static constexpr std::size_t kNonce = 12;
  static constexpr std::size_t kInClear = kHead + kNonce;
  static constexpr std::size_t kTime = 8;
  static constexpr std::size_t kTag = 16;

  std::vector<SealingKey> keys_;
};

}  // namespace sluice
