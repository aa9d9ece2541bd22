#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/path.hpp"

namespace sluice::json {

/// Reads a path's text (RFC 9535, the grammar in appendix A) from front to back.
class PathReader {
 public:
  PathReader(std::string_view text, Path::Problem& problem) noexcept
      : text_(text), problem_(problem) {}

  /// False where the problem was told.
  [[nodiscard]] bool read(std::vector<Path::Segment>& out);

 private:
  using Selector = Path::Selector;

  [[nodiscard]] bool segment(Path::Segment& out);
  [[nodiscard]] bool shorthand(Path::Segment& out);
  [[nodiscard]] bool bracketed(Path::Segment& out);
  [[nodiscard]] bool selector(Selector& out);
  [[nodiscard]] bool quoted(std::string& out);
  [[nodiscard]] bool escape(char quote, std::string& out);
  [[nodiscard]] bool hexadecimal(std::uint32_t& out);
  [[nodiscard]] bool elements(Selector& out);
  [[nodiscard]] bool integer(std::optional<std::uint64_t>& out, std::string_view if_negative);

  [[nodiscard]] bool fail(std::size_t at, std::string_view why);
  [[nodiscard]] bool at_end() const noexcept { return at_ == text_.size(); }
  /// NUL at the end.
  [[nodiscard]] char peek() const noexcept { return at_end() ? '\0' : text_[at_]; }
  [[nodiscard]] bool take(char c) noexcept;
  void skip_blanks() noexcept;
  /// The bytes of the character here; 0 where it is none in UTF-8.
  [[nodiscard]] std::size_t character() const noexcept;

  std::string_view text_;
  Path::Problem& problem_;
  std::size_t at_ = 0;
};

}  // namespace sluice::json
