#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string_view>

namespace sluice::json::test {

/// What the fuzzer made, from both ends: choices are taken from the back, the front is the text.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : bytes_(reinterpret_cast<const char*>(data), size) {}

  /// From 0 to 255; 0 where nothing is left.
  [[nodiscard]] std::size_t choice() noexcept {
    if (bytes_.empty()) return 0;
    const auto value = static_cast<unsigned char>(bytes_.back());
    bytes_.remove_suffix(1);
    return value;
  }
  [[nodiscard]] std::string_view rest() const noexcept { return bytes_; }

 private:
  std::string_view bytes_;
};

/// Says where it is that this does not hold, so that a failure is told without a debugger.
inline void require(bool condition, std::source_location where = std::source_location::current()) {
  if (condition) return;
  std::fprintf(stderr, "%s:%u: not so\n", where.file_name(), static_cast<unsigned>(where.line()));
  std::abort();
}

}  // namespace sluice::json::test
