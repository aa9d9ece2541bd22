#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/error.hpp>
#include <sluice/json.hpp>

namespace sluice::json {

/// What simdjson may read, never use, behind a document: a request body is read into a string with
/// this much capacity to spare.
inline constexpr std::size_t kPadding = 64;

/// A parsed JSON text. simdjson finds the structure, checks UTF-8 and undoes escapes; the values
/// are kept as a flat array of nodes that point into the text, so that numbers and spacing stay as
/// they came.
///
/// Ownership: keeps a reference to the text, not a copy; the text must outlive the values.
/// Threads:   one at a time while parsing; the values then are immutable.
/// Bounds:    nesting as given; memory in proportion to the text, kept for reuse up to a size, then
///            given back.
class Document {
 public:
  Document();
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  /// Parses `text`, of which `capacity` bytes from text.data() on are readable, at least
  /// text.size() + kPadding.
  /// Errors: Errc::parse_error, Errc::too_deep. One JSON value and white
  /// space around it, nothing more (RFC 8259);
  ///         a byte order mark is refused; lone surrogates in escapes are refused.
  [[nodiscard]] Result<Json> parse(std::string_view text, std::size_t capacity,
                                   std::uint32_t max_depth);
  /// The same for text without spare bytes: copies it first and keeps the copy.
  [[nodiscard]] Result<Json> parse_copy(std::string_view text, std::uint32_t max_depth = 128);
  /// Bounds how many values a text may hold, from now on; names of members count too. Errors:
  /// Errc::too_many_values. Without it there is no such bound.
  void set_max_values(std::size_t values) noexcept;
  /// The last text's value; not there after a failure or clear().
  [[nodiscard]] Json root() const noexcept;
  /// Forgets the text and gives memory beyond the usual back. The next parse does so too; this is
  /// for a document that waits in a pool. Ends all views.
  void clear() noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Appends `text` to `out` as a JSON string with its quotes; what is not UTF-8 becomes U+FFFD.
void append_string(std::string& out, std::string_view text);

}  // namespace sluice::json
