#include "config/utf8.hpp"

#include "json/utf8.hpp"

namespace sluice::config {

std::optional<std::size_t> find_non_utf8(std::string_view text) noexcept {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    const auto character = json::utf8_at(bytes + i, text.size() - i);
    if (character.is != json::Utf8::Is::whole) return i;
    i += character.length;
  }
  return std::nullopt;
}

}  // namespace sluice::config
