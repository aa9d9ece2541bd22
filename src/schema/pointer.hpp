#pragma once

#include <optional>
#include <sluice/json.hpp>
#include <string>
#include <string_view>

namespace sluice::schema {

/// The JSON Pointer (RFC 6901) of a node within the document of `root`, found by walking there:
/// nothing needs to keep track on the way down. The node of a member's name gives the pointer of
/// the member.
[[nodiscard]] std::string pointer_to(Json root, const JsonNode* node);

/// "/" and the token, with '~' and '/' escaped.
void append_token(std::string& pointer, std::string_view token);

/// Takes the first token off `pointer`, which must start with '/'; nullopt where its escapes are
/// wrong.
[[nodiscard]] std::optional<std::string> take_token(std::string_view& pointer);

/// The element or member that a token names, or none.
[[nodiscard]] Json child(Json parent, std::string_view token) noexcept;

}  // namespace sluice::schema
