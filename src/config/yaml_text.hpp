#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "config/complaints.hpp"

namespace sluice::config::yaml {

/// The lines of a file: turns the parser's byte columns into columns of characters, and finds what
/// the parser lets pass.
///
/// Ownership: a view; the text outlives it.
class SourceText {
 public:
  explicit SourceText(std::string_view text);

  /// Line and column from 0, in bytes.
  [[nodiscard]] Spot spot(int line, int column) const;
  [[nodiscard]] std::string_view line(int index) const;
  [[nodiscard]] bool is_indented_by_tab(int line) const;
  /// A quote opens at this place and nothing closes it.
  [[nodiscard]] bool is_unclosed_quote(int line, int column) const;
  /// Bytes that are not UTF-8, controls, lines that begin with a tab. False where the text is not
  /// worth parsing.
  [[nodiscard]] bool check(Complaints& complaints) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

}  // namespace sluice::config::yaml
