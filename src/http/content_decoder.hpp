#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <sluice/error.hpp>

#include "http/content_filter.hpp"

namespace sluice::http {

/// What is asked for, and so what has to be decoded.
inline constexpr std::string_view kAcceptEncoding = "gzip, deflate, br, zstd";

/// Codings one over the other that are undone at most; nobody sends more than two.
inline constexpr std::size_t kMaxCodings = 4;

/// gzip (also concatenated members, RFC 1952), deflate (with zlib's wrapper, RFC 9110
/// section 8.4.1.2, and without, as some servers send it), br (RFC 7932), zstd (window up to 8 MiB,
/// RFC 9659). Null for any other name. A body that ends within a coding, or has more bytes behind
/// its end, is an error; an empty body is none.
[[nodiscard]] std::unique_ptr<ContentFilter> make_content_decoder(std::string_view coding);

/// Adds the decoders for a Content-Encoding value: a list, in any case, the coding applied last at
/// its end.
/// Errors:    Errc::source_failed where a coding is not known; `problem` then names it.
[[nodiscard]] Result<> add_content_decoders(ContentFilters& filters,
                                            std::string_view content_encoding,
                                            std::string& problem);

}  // namespace sluice::http
