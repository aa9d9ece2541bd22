#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// The 32 bytes of SHA-256 of `text` behind `out`; false, and nothing appended, where there is no
/// memory for it.
[[nodiscard]] bool append_sha256(std::string& out, std::string_view text);

}  // namespace sluice
