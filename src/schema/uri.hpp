#pragma once

#include <string>
#include <string_view>

namespace sluice::schema {

/// A reference taken apart at its first '#'.
struct SplitUri {
  std::string_view base;      ///< Without fragment and '#'.
  std::string_view fragment;  ///< Without '#', still percent-encoded.
};
[[nodiscard]] SplitUri split_fragment(std::string_view uri) noexcept;

/// `reference` (without fragment) resolved against `base`, RFC 3986 section 5.2. The base may be
/// relative or empty.
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

/// Undoes %XX; what is no such triple stays as it is.
[[nodiscard]] std::string percent_decode(std::string_view text);

}  // namespace sluice::schema
