#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "json/base64_kernels.hpp"

namespace sluice::json {

/// Base64 (RFC 4648 section 4, with padding), chunk by chunk, in the way of Escaper.
class Base64Encoder {
 public:
  struct Step {
    std::size_t read;
    std::size_t written;
  };
  static constexpr std::size_t kMinRoom = 8;

  /// REQUIRES: this processor can run `with`.
  explicit Base64Encoder(Simd with = simd()) noexcept : encode_(base64_kernel(with)) {}

  /// Reads and writes as much as fits; up to two input bytes are carried over.
  [[nodiscard]] Step step(std::string_view in, std::span<char> out) noexcept;
  /// Writes what is carried, padded. REQUIRES: out.size() >= kMinRoom. The encoder is as new.
  [[nodiscard]] std::size_t finish(std::span<char> out) noexcept;

 private:
  Base64Kernel encode_;
  unsigned char carry_[3] = {};
  std::uint8_t carried_ = 0;
};

/// Strict: the padding must be there, unused bits must be zero, nothing else may be; nullopt
/// otherwise.
[[nodiscard]] std::optional<std::string> base64_decode(std::string_view text);

}  // namespace sluice::json
