#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "buffer/content_coding.hpp"

namespace sluice::http {

/// The fields of a response head that vary.
struct ResponseHead {
  unsigned status = 200;
  std::string_view content_type;  ///< Empty: none.
  std::optional<std::uint64_t>
      length;  ///< None: chunked where `chunked`, else until the connection ends.
  bool chunked = true;
  ContentCoding coding = ContentCoding::identity;
  bool varies =
      false;  ///< Another Accept-Encoding may get another coding; true where there is one.
  bool keep_alive = true;
  bool http10 = false;
  std::string_view date;  ///< IMF-fixdate; empty: none.
  std::string_view session_id;
  std::string_view allow;
  std::string_view origin;         ///< Of an allowed cross-origin request; empty: none.
  std::string_view allow_headers;  ///< Preflight: what Access-Control-Request-Headers asked for;
                                   ///< empty: no preflight.
  std::string_view retry_after;
};

/// Writes the head, the empty line too; returns its length. REQUIRES: it fits (the variable parts
/// are bounded by the caller: session_id, origin and allow_headers 256 bytes each).
[[nodiscard]] std::size_t write_response_head(std::span<char> out,
                                              const ResponseHead& head) noexcept;

/// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 section 5.6.7).
[[nodiscard]] std::string format_date(std::int64_t unix_seconds);

}  // namespace sluice::http
