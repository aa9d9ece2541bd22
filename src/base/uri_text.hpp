#pragma once

#include <optional>
#include <string>
#include <string_view>

/// The characters of URIs (RFC 3986).
namespace sluice::uri {

/// Section 2.3.
[[nodiscard]] constexpr bool is_unreserved(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}
/// Section 2.2.
[[nodiscard]] constexpr bool is_reserved(char c) noexcept {
  return std::string_view(":/?#[]@!$&'()*+,;=").find(c) != std::string_view::npos;
}
[[nodiscard]] constexpr bool is_hex(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
/// True where `text` begins with a percent-encoded byte.
[[nodiscard]] constexpr bool is_triplet(std::string_view text) noexcept {
  return text.size() >= 3 && text[0] == '%' && is_hex(text[1]) && is_hex(text[2]);
}

void append_triplet(std::string& out, char byte);
/// What need not be encoded: unreserved characters, or reserved ones and triplets as well.
enum class Keep : bool { unreserved, reserved };
void append_encoded(std::string& out, std::string_view text, Keep keep = Keep::unreserved);
/// Segments of a path, with the slashes between them as they are.
void append_path(std::string& out, std::string_view path);
/// Undoes every triplet; a percent sign that begins none stays.
[[nodiscard]] std::string decode(std::string_view text);

/// "file" of "file:///x"; empty where the text does not begin with a scheme and a colon.
[[nodiscard]] std::string_view scheme_of(std::string_view text) noexcept;

/// The form under which equivalent URIs are the same text (section 6.2.2): scheme in lower case,
/// the host of http and https too, triplets in upper case and only where they are needed, what a
/// URI cannot hold encoded. Clients send a URI in either form, whatever it was listed as. Segments
/// of dots stay as they are. Also for the beginning of a URI.
[[nodiscard]] std::string normalize(std::string_view text);
/// The same for text from the middle of a URI.
[[nodiscard]] std::string normalize_part(std::string_view text);

}  // namespace sluice::uri
