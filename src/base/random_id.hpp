#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// 128 random bits in hexadecimal: who has it was told it.
[[nodiscard]] std::string random_id();
/// Whether a text of a client may be such an id.
[[nodiscard]] bool is_random_id(std::string_view text) noexcept;

}  // namespace sluice
