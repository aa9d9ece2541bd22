#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/simd.hpp"
#include "json/structure_blocks.hpp"

namespace sluice::json {

/// Where the tokens of a piece of JSON text are: the ground that everything stands on which walks
/// through JSON without parsing it. The text comes piece by piece, cut anywhere.
///
/// Says nothing on whether the text is JSON; what it is asked from where is the caller's to know.
///
/// Ownership: refers to the piece indexed last, which outlives the questions.
/// Bounds:    kPiece bytes at a time; no memory but its own.
class Structure {
 public:
  static constexpr std::size_t kPiece = 64 * 64;

  /// REQUIRES: this processor can run `with`.
  explicit Structure(Simd with = simd()) noexcept
      : kernel_(structure_kernel(with)), skip_(structure_skip(with)) {}

  /// Looks at the next piece of the text. REQUIRES: n <= kPiece.
  void index(const char* text, std::size_t n) noexcept {
    text_ = text;
    size_ = n;
    const std::size_t blocks = (n + 63) / 64;
    has_backslash_ = kernel_(text, n, blocks_.data(), carry_);
    blocks_[blocks] = {};
  }
  /// The next piece starts at a place of the one before, in a string or outside of it.
  void go_on(bool in_string) noexcept { carry_ = {in_string ? ~std::uint64_t{0} : 0, 0}; }
  /// As new.
  void reset() noexcept { carry_ = {}; }

  /// A backslash was seen; without one no string is to be unescaped.
  [[nodiscard]] bool has_backslash() const noexcept { return has_backslash_; }

  /// The piece ends in a string.
  [[nodiscard]] bool ends_in_string() const noexcept { return carry_.in_string != 0; }
  /// It ends behind a backslash that goes with the byte that follows.
  [[nodiscard]] bool ends_in_escape() const noexcept { return carry_.escaped != 0; }

  // The last one in the piece, or its size.

  [[nodiscard]] std::size_t last_quote() const noexcept {
    return last([](const StructureBlock& block) { return block.quotes; });
  }
  [[nodiscard]] std::size_t last_mark() const noexcept {
    return last([](const StructureBlock& block) { return block.marks; });
  }

  // The first place from `at` on, or the size of the piece. REQUIRES: at <= the size.

  /// The quote that ends the string which goes on at `at`.
  [[nodiscard]] std::size_t string_end(std::size_t at) const noexcept {
    return next(at, [](const StructureBlock& block) { return block.quotes; });
  }
  /// What is not blank. REQUIRES: outside of strings, as all below.
  [[nodiscard, gnu::always_inline]] std::size_t token(std::size_t at) const noexcept {
    // Mostly it stands right here. A processor that guesses so goes on at once, where it would wait
    // for the answer to a search.
    if (at < size_ && static_cast<unsigned char>(text_[at]) > ' ') return at;
    return next(
        at, [](const StructureBlock& block) { return block.quotes | block.marks | block.scalars; });
  }
  /// Behind the number or literal that goes on at `at`.
  [[nodiscard]] std::size_t scalar_end(std::size_t at) const noexcept {
    return next(at, [](const StructureBlock& block) { return ~block.scalars; });
  }
  /// `{ } [ ] : ,`, wherever it is asked from.
  [[nodiscard]] std::size_t mark(std::size_t at) const noexcept {
    return next(at, [](const StructureBlock& block) { return block.marks; });
  }
  /// How many marks there are from `from` to below `to`. REQUIRES: from <= to <= the size.
  [[nodiscard]] std::size_t count_marks(std::size_t from, std::size_t to) const noexcept {
    std::size_t count = 0;
    std::uint64_t mask = ~std::uint64_t{0} << (from % 64);
    for (std::size_t block = from / 64; block * 64 < to; ++block) {
      if (to - block * 64 < 64) mask &= (std::uint64_t{1} << (to % 64)) - 1;
      count += static_cast<std::size_t>(std::popcount(blocks_[block].marks & mask));
      mask = ~std::uint64_t{0};
    }
    return count;
  }
  [[nodiscard]] std::size_t bracket(std::size_t at) const noexcept {
    return next(at, [](const StructureBlock& block) { return block.opens | block.closes; });
  }
  /// Behind the bracket that closes the outermost of `depth` open ones, of which those that stay
  /// open are left in `depth`: 0, or the end of the piece was reached. REQUIRES: depth > 0.
  [[nodiscard]] std::size_t skip(std::size_t at, std::uint64_t& depth) const noexcept {
    return skip_(blocks_.data(), size_, at, depth);
  }

 private:
  template <class Pick>
  [[nodiscard]] std::size_t last(Pick pick) const noexcept {
    for (std::size_t block = (size_ + 63) / 64; block-- > 0;) {
      if (const std::uint64_t bits = pick(blocks_[block]); bits != 0)
        return block * 64 + static_cast<std::size_t>(std::bit_width(bits)) - 1;
    }
    return size_;
  }
  template <class Pick>
  [[nodiscard]] std::size_t next(std::size_t at, Pick pick) const noexcept {
    std::size_t block = at / 64;
    std::uint64_t bits = pick(blocks_[block]) >> (at % 64);
    while (bits == 0) {
      at = ++block * 64;
      if (at >= size_) return size_;
      bits = pick(blocks_[block]);
    }
    at += static_cast<std::size_t>(std::countr_zero(bits));
    return at < size_ ? at : size_;
  }

  StructureKernel kernel_;
  StructureSkip skip_;
  StructureCarry carry_;
  const char* text_ = nullptr;
  std::size_t size_ = 0;
  bool has_backslash_ = false;
  std::array<StructureBlock, kPiece / 64 + 1> blocks_;
};

}  // namespace sluice::json
