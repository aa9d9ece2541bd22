#pragma once

#include <optional>
#include <string_view>

#include "buffer/content_coding.hpp"

namespace sluice::http {

/// What an Accept field lets us send (RFC 9110 section 12.5.1): media ranges with wildcards, q=0
/// excludes, the most specific range decides. No field, or an empty one, accepts everything.
struct Acceptable {
  bool json = true;
  bool events = true;
};
[[nodiscard]] Acceptable parse_accept(std::optional<std::string_view> field) noexcept;

/// The coding to answer in, by an Accept-Encoding field (RFC 9110 section 12.5.3): the highest
/// weight, then the one that costs less and saves more (zstd, br, gzip), then none. identity where
/// there is no field, and where nothing else is acceptable: a response that cannot be sent as asked
/// is better than none. `*` stands for gzip, which everybody who says so can decode. A weight that is
/// none counts as 0.
[[nodiscard]] ContentCoding choose_coding(std::optional<std::string_view> field) noexcept;

/// True for application/json, with no charset or UTF-8 (RFC 9110 section 8.3.1).
[[nodiscard]] bool is_json_media_type(std::string_view content_type) noexcept;

}  // namespace sluice::http
