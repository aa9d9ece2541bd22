#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <sluice/error.hpp>

#include "http/content_filter.hpp"

namespace sluice::http {

/// The `charset` parameter of a Content-Type value, without quotes; empty where there is none.
[[nodiscard]] std::string_view charset_of(std::string_view content_type) noexcept;

/// True where bytes of that charset already are UTF-8: "", utf-8, us-ascii.
[[nodiscard]] bool is_utf8_charset(std::string_view charset) noexcept;

/// Converts to UTF-8 with iconv. A character cut between two chunks is carried; what cannot be
/// decoded becomes U+FFFD. Null where the charset is not known.
[[nodiscard]] std::unique_ptr<ContentFilter> make_charset_converter(std::string_view charset);

/// Drops a byte order mark at the start of UTF-8 text, also one that comes in pieces, without
/// copying the text.
class ByteOrderMark {
 public:
  /// Takes the next piece and gives what of it is text. Bytes held back because they might have
  /// begun a mark come first, in `held`; it is valid for ever.
  [[nodiscard]] std::string_view strip(std::string_view piece, std::string_view& held) noexcept;
  /// The text is over: what was held back.
  [[nodiscard]] std::string_view finish() noexcept;

 private:
  std::size_t seen_ = 0;
  bool past_ = false;
};

}  // namespace sluice::http
