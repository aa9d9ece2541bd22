#pragma once

#include <cstdint>
#include <sluice/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::schema {

/// How values, names and types are shown in messages: on one line, controls escaped, cut at a
/// character.
inline constexpr std::size_t kShownBytes = 64;

/// The value as it stood in the document.
[[nodiscard]] std::string show(Json value);
/// Text as it is, for patterns and pointers.
[[nodiscard]] std::string show_text(std::string_view text, std::size_t limit);
/// A name in quotes.
[[nodiscard]] std::string quote(std::string_view name);
/// "a, b, c and 4 more"; bounded.
[[nodiscard]] std::string list_names(const std::vector<std::string_view>& names);
/// `"a", "b", 3 and 4 more` for the elements of an array; bounded.
[[nodiscard]] std::string list_values(Json array);
/// "integer" for 1 and 1.0.
[[nodiscard]] std::string_view type_name(Json value) noexcept;
/// "string or null" for bits of Subschema::types.
[[nodiscard]] std::string type_names(std::uint8_t types);
/// "1 item", "2 items".
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view singular);

}  // namespace sluice::schema
