#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::json {

/// A JSONPath expression (RFC 9535), as far as it can be followed in one pass over a text of which
/// the end is not known: member names, wildcards, indices and slices from the front, unions of
/// them, and descendants (`$..debug`). Filters, negative indices and slices that count from the
/// end or run backwards are refused.
///
/// What a path selects is a set: a value that a union names twice is selected once, and all come
/// in document order.
///
/// Threads: immutable, any.
class Path {
 public:
  static constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

  struct Selector {
    enum class Kind : std::uint8_t { name, wildcard, elements };
    Kind kind = Kind::wildcard;
    std::string name;  ///< UTF-8, escapes undone.
    // The elements from `from` to below `to`, every `step`th; 0: none (section 2.3.4.2.2).
    std::uint64_t from = 0;
    std::uint64_t to = kNoEnd;
    std::uint64_t step = 1;
    bool is_index = false;  ///< Written as one index, not as a slice.

    [[nodiscard]] bool takes_name(std::string_view member) const noexcept {
      return kind == Kind::wildcard || (kind == Kind::name && name == member);
    }
    [[nodiscard]] bool takes_index(std::uint64_t index) const noexcept {
      if (kind != Kind::elements) return kind == Kind::wildcard;
      return step != 0 && index >= from && index < to && (index - from) % step == 0;
    }
  };
  struct Segment {
    bool is_descendant = false;  ///< For all that is below too, at any depth.
    std::vector<Selector> selectors;

    /// Takes one value at most: a name, or an index.
    [[nodiscard]] bool is_definite() const noexcept;
  };
  struct Problem {
    std::size_t offset = 0;  ///< In bytes of the expression.
    std::string text;
  };

  /// nullopt, and `problem` says why and where.
  [[nodiscard]] static std::optional<Path> parse(std::string_view text, Problem& problem);

  /// As it was written.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const std::vector<Segment>& segments() const noexcept { return segments_; }
  /// Selects one value at most: names and indices alone ("singular query", section 2.3.5.1).
  [[nodiscard]] bool is_definite() const noexcept;
  /// How many segments at the front are definite.
  [[nodiscard]] std::size_t definite_segments() const noexcept;

 private:
  std::string text_;
  std::vector<Segment> segments_;
};

/// The same names and numbers, however they are written.
[[nodiscard]] bool operator==(const Path::Selector& a, const Path::Selector& b) noexcept;
[[nodiscard]] bool operator==(const Path::Segment& a, const Path::Segment& b) noexcept;

}  // namespace sluice::json
