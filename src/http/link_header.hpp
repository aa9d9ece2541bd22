#pragma once

#include <string_view>

namespace sluice::http {

/// The target of the first link with the relation type `next` in a Link field (RFC 8288), as it stands there;
/// empty where there is none.
[[nodiscard]] std::string_view next_link(std::string_view field) noexcept;

}  // namespace sluice::http
