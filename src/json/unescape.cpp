#include "json/unescape.hpp"

namespace sluice::json {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

/// The code of `\uXXXX` at the start of `raw`, or false.
bool read_unicode(std::string_view raw, std::uint32_t& code) noexcept {
  return raw.size() >= 6 && raw[0] == '\\' && raw[1] == 'u' && read_hex4(raw.data() + 2, code);
}

}  // namespace

char* unescape(std::string_view raw, char* out) noexcept {
  while (!raw.empty()) {
    const std::size_t plain = raw.find('\\');
    const std::size_t n = plain == std::string_view::npos ? raw.size() : plain;
    if (n > 0) std::memmove(out, raw.data(), n);
    out += n;
    raw.remove_prefix(n);
    if (raw.empty()) break;
    std::uint32_t code = 0;
    if (read_unicode(raw, code)) {
      raw.remove_prefix(6);
      std::uint32_t low = 0;
      if (is_high_surrogate(code) && read_unicode(raw, low) && is_low_surrogate(low)) {
        code = join_surrogates(code, low);
        raw.remove_prefix(6);
      } else if (is_high_surrogate(code) || is_low_surrogate(code)) {
        code = kReplacement;
      }
      out = put_utf8(out, code);
      continue;
    }
    const char c = raw.size() > 1 ? unescape_short(raw[1]) : '\0';
    *out++ = c != '\0' ? c : '\\';
    raw.remove_prefix(c != '\0' ? 2 : 1);
  }
  return out;
}

}  // namespace sluice::json
