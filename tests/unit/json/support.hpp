#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::json::test {

/// Bytes in an allocation of exactly their size, so that ASan sees a read or write past them.
class ExactBytes {
 public:
  explicit ExactBytes(std::string_view text) : size_(text.size()), bytes_(new char[text.size()]) {
    if (size_ > 0) std::memcpy(bytes_.get(), text.data(), size_);
  }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
};

/// A span of `room` bytes with bytes behind it that nobody may touch; seen without ASan too.
class GuardedRoom {
 public:
  explicit GuardedRoom(std::size_t room) : room_(room), bytes_(room + kGuard, kMark) {}
  [[nodiscard]] char* data() noexcept { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return room_; }
  [[nodiscard]] bool is_intact() const noexcept {
    for (std::size_t i = room_; i < bytes_.size(); ++i) {
      if (bytes_[i] != kMark) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kGuard = 128;
  static constexpr char kMark = '\x5a';
  std::size_t room_;
  std::vector<char> bytes_;
};

/// Cuts `text` at the places given, in order.
inline std::vector<std::string_view> cut(std::string_view text,
                                         const std::vector<std::size_t>& places) {
  std::vector<std::string_view> pieces;
  std::size_t from = 0;
  for (const std::size_t place : places) {
    pieces.push_back(text.substr(from, place - from));
    from = place;
  }
  pieces.push_back(text.substr(from));
  return pieces;
}

inline std::vector<std::string_view> cut_every(std::string_view text, std::size_t length) {
  std::vector<std::size_t> places;
  for (std::size_t place = length; place < text.size(); place += length) places.push_back(place);
  return cut(text, places);
}

/// Random, and the same in every run.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  /// From 0 to below `n`.
  [[nodiscard]] std::size_t below(std::size_t n) { return engine_() % n; }
  [[nodiscard]] char byte() { return static_cast<char>(engine_() & 0xff); }
  [[nodiscard]] std::vector<std::string_view> cuts(std::string_view text, std::size_t longest) {
    std::vector<std::size_t> places;
    for (std::size_t at = below(longest + 1); at < text.size(); at += below(longest + 1)) {
      places.push_back(at);
    }
    return cut(text, places);
  }

 private:
  std::mt19937 engine_;
};

}  // namespace sluice::json::test
