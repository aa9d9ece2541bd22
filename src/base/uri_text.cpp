#include "base/uri_text.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace sluice::uri {
namespace {

int value_of(char hex) noexcept {
  if (hex <= '9') return hex - '0';
  return ascii::lower(hex) - 'a' + 10;
}

char byte_of(std::string_view triplet) noexcept {
  return static_cast<char>(value_of(triplet[1]) * 16 + value_of(triplet[2]));
}

void append_normal(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_triplet(text.substr(i))) {
      const char byte = byte_of(text.substr(i));
      append_encoded(out, {&byte, 1});
      i += 2;
    } else if (is_unreserved(text[i]) || is_reserved(text[i])) {
      out += text[i];
    } else {
      append_triplet(out, text[i]);
    }
  }
}

}  // namespace

void append_triplet(std::string& out, char byte) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto bits = static_cast<unsigned char>(byte);
  out += '%';
  out += kHex[bits >> 4];
  out += kHex[bits & 15];
}

void append_encoded(std::string& out, std::string_view text, Keep keep) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool stays = is_unreserved(c) ||
                       (keep == Keep::reserved && (is_reserved(c) || is_triplet(text.substr(i))));
    if (stays)
      out += c;
    else
      append_triplet(out, c);
  }
}

void append_path(std::string& out, std::string_view path) {
  for (const char c : path) {
    if (c == '/')
      out += c;
    else
      append_encoded(out, {&c, 1});
  }
}

std::string decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_triplet(text.substr(i))) {
      out += byte_of(text.substr(i));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string_view scheme_of(std::string_view text) noexcept {
  const auto is_letter = [](char c) { return ascii::lower(c) >= 'a' && ascii::lower(c) <= 'z'; };
  if (text.empty() || !is_letter(text[0])) return {};
  const auto end = std::ranges::find_if_not(text, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  });
  if (end == text.end() || *end != ':') return {};
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string normalize(std::string_view text) {
  std::string out = ascii::lower(scheme_of(text));
  text.remove_prefix(out.size());
  const bool has_host = (out == "http" || out == "https") && text.starts_with("://");
  if (has_host) {
    const std::string_view host = text.substr(0, text.find_first_of("/?#", 3));
    append_normal(out, ascii::lower(normalize_part(host)));
    text.remove_prefix(host.size());
  }
  append_normal(out, text);
  return out;
}

std::string normalize_part(std::string_view text) {
  std::string out;
  append_normal(out, text);
  return out;
}

}  // namespace sluice::uri
