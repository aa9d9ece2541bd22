#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sluice::config {

/// Where the first byte stands that is not UTF-8 (RFC 3629); nullopt where all of it is.
[[nodiscard]] std::optional<std::size_t> find_non_utf8(std::string_view text) noexcept;

}  // namespace sluice::config
