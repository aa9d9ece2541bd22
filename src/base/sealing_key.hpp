#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace sluice {

/// A secret that seals and opens: see Sealer. Never printed; wiped where a copy of it dies.
class SealingKey {
 public:
  static constexpr std::size_t kBytes = 32;
  using Id = std::array<unsigned char, 4>;

  /// 64 hexadecimal digits, or base64 in either alphabet, with its padding or without.
  [[nodiscard]] static std::optional<SealingKey> parse(std::string_view text);
  [[nodiscard]] static SealingKey random();

  SealingKey(const SealingKey&) = default;
  SealingKey& operator=(const SealingKey&) = default;
  ~SealingKey();

  /// Tells keys apart in what they have sealed, and says nothing of their bytes.
  [[nodiscard]] const Id& id() const noexcept { return id_; }
  [[nodiscard]] const unsigned char* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] bool operator==(const SealingKey& other) const noexcept;

 private:
  using Bytes = std::array<unsigned char, kBytes>;
  explicit SealingKey(const Bytes& bytes);

  Bytes bytes_;
  Id id_;
};

}  // namespace sluice
