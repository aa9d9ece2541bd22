#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::tools {

/// What a media type is, as far as a content block cares.
enum class MediaClass : std::uint8_t { text, json, image, audio, other };

/// "text/html" of "text/html; charset=utf-8".
[[nodiscard]] std::string_view media_essence(std::string_view media_type) noexcept;

/// Of a media type with or without parameters, in any case; nothing at all counts as text.
[[nodiscard]] MediaClass media_class(std::string_view media_type) noexcept;

}  // namespace sluice::tools
