#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::schema {

/// Which elements or members of one value some schema has looked at; what `unevaluated*` is about.
/// Allocates only for values of more than 64.
class Marks {
 public:
  void set(std::size_t i) {
    if (i < 64) {
      first_ |= std::uint64_t{1} << i;
      return;
    }
    const auto word = i / 64 - 1;
    if (word >= more_.size()) more_.resize(word + 1);
    more_[word] |= std::uint64_t{1} << (i % 64);
  }
  void set_all() noexcept { all_ = true; }
  [[nodiscard]] bool has(std::size_t i) const noexcept {
    if (all_) return true;
    if (i < 64) return ((first_ >> i) & 1) != 0;
    const auto word = i / 64 - 1;
    return word < more_.size() && ((more_[word] >> (i % 64)) & 1) != 0;
  }
  void add(const Marks& other) {
    all_ = all_ || other.all_;
    first_ |= other.first_;
    if (other.more_.size() > more_.size()) more_.resize(other.more_.size());
    for (std::size_t i = 0; i < other.more_.size(); ++i) more_[i] |= other.more_[i];
  }
  /// Words that add() goes through.
  [[nodiscard]] std::size_t size() const noexcept { return 1 + more_.size(); }

 private:
  bool all_ = false;
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;
};

}  // namespace sluice::schema
