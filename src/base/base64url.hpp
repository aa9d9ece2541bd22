#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// RFC 4648 section 5, without padding: visible ASCII that needs no escapes in headers, URLs and
/// JSON.
[[nodiscard]] std::string base64url_encode(std::string_view bytes);

/// Strict: no padding, nothing outside the alphabet, unused bits zero. So no two texts stand for
/// the same bytes.
[[nodiscard]] std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace sluice
