#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::json {

enum class TableFormat : std::uint8_t {
  /// RFC 4180, with LF behind each record: a cell that holds a comma, a quote or a line break is
  /// quoted.
  csv,
  /// A table of GitHub Flavored Markdown, without blanks around cells: `|` is escaped, a line break
  /// is `<br>`.
  markdown,
  /// Each row as it is, on a line of its own (NDJSON).
  lines,
};

/// What a row of `bytes` bytes with so many cells takes at most, as csv or markdown.
[[nodiscard]] constexpr std::size_t row_room(std::size_t bytes, std::size_t cells) noexcept {
  return 4 * bytes + 3 * cells + 8;
}

/// Writes a cell's text at `out`; returns where it ends. `raw` is a JSON value: of a string its
/// characters are written, of null nothing, of a container its text without blanks, of all else its
/// text. An empty string in csv is `""`, so that it is not null.
///
/// REQUIRES: room for it (row_room). `scratch` is memory to work with, kept between calls.
[[nodiscard]] char* put_csv_cell(char* out, std::string_view raw, std::string& scratch);
[[nodiscard]] char* put_markdown_cell(char* out, std::string_view raw, std::string& scratch);

}  // namespace sluice::json
