#include "config/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "base/ascii.hpp"

namespace sluice::config {
namespace {

bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_control_or_blank(char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; }

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [rest, ec] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool is_canonical = text.size() == 1 || (!text.empty() && text[0] != '0');
  if (ec != std::errc{} || rest != text.data() + text.size() || !is_canonical) return std::nullopt;
  return port;
}

/// Host name, IPv4 address, or IPv6 address without its brackets.
bool is_host(std::string_view host, bool is_v6) {
  if (host.empty() || host.size() > 255) return false;
  return std::ranges::all_of(host, [&](char c) {
    if (is_v6) return is_digit(c) || is_alpha(c) || c == ':' || c == '.' || c == '%';
    return is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_';
  });
}

/// Splits "host", "host:port", "[v6]" or "[v6]:port"; the port is empty where there is none.
struct HostPort {
  std::string_view host;
  std::optional<std::string_view> port;
};
std::optional<HostPort> split(std::string_view text) {
  HostPort out;
  const bool is_v6 = text.starts_with('[');
  if (is_v6) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    out.host = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (!text.empty() && text[0] != ':') return std::nullopt;
    if (!text.empty()) out.port = text.substr(1);
    if (out.host.find(':') == std::string_view::npos) return std::nullopt;
  } else {
    const auto colon = text.find(':');
    out.host = text.substr(0, colon);
    if (colon != std::string_view::npos) out.port = text.substr(colon + 1);
  }
  if (!is_host(out.host, is_v6)) return std::nullopt;
  return out;
}

}  // namespace

std::string wrong_name(std::string_view name, std::string_view what) {
  const auto characters = std::ranges::count_if(
      name, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  if (characters < 1 || characters > 128) return std::string(what) + " has 1 to 128 characters";
  for (const char c : name)
    if (is_control_or_blank(c)) return std::string(what) + " holds no blanks and no controls";
  return {};
}

std::string wrong_method(std::string_view method) {
  if (method.empty() || !std::ranges::all_of(method, ascii::is_token))
    return "expected an HTTP method such as GET or POST";
  if (std::ranges::any_of(method, [](char c) { return c >= 'a' && c <= 'z'; }))
    return "an HTTP method is written in capitals";
  if (method == "CONNECT" || method == "TRACE")
    return "the method " + std::string(method) + " cannot be used here";
  return {};
}

std::string wrong_header_name(std::string_view name) {
  if (name.empty() || !std::ranges::all_of(name, ascii::is_token)) return "not a header name";
  for (const auto ours : {"Host", "Content-Length", "Transfer-Encoding", "Connection"})
    if (ascii::iequals(name, ours))
      return "the header " + std::string(ours) + " is set by the program itself";
  return {};
}

std::string wrong_header_value(std::string_view value) {
  for (const char c : value)
    if (c == '\r' || c == '\n' || c == '\0') return "a header's value cannot hold line breaks";
  return {};
}

std::string wrong_base_url(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos || !(ascii::iequals(url.substr(0, scheme), "http") ||
                                            ascii::iequals(url.substr(0, scheme), "https")))
    return "expected a URL that begins with http:// or https://";
  if (std::ranges::any_of(url, is_control_or_blank)) return "a URL holds no blanks and no controls";
  if (url.find_first_of("?#") != std::string_view::npos)
    return "expected a URL without query and fragment";
  const auto rest = url.substr(scheme + 3);
  const auto authority = rest.substr(0, rest.find('/'));
  if (authority.find('@') != std::string_view::npos)
    return "expected a URL without user and password; send them in an Authorization header";
  const auto parts = split(authority);
  if (!parts) return "expected a URL with a host";
  if (parts->port && parse_port(*parts->port).value_or(0) == 0)
    return "expected a port from 1 to 65535";
  return {};
}

std::string wrong_variable_name(std::string_view name) {
  if (name.empty() || name.find('=') != std::string_view::npos ||
      std::ranges::any_of(name, is_control_or_blank))
    return "not the name of an environment variable";
  return {};
}

std::string wrong_uri(std::string_view uri) {
  const auto colon = uri.find(':');
  const bool has_scheme = colon != std::string_view::npos && colon > 0 && is_alpha(uri[0]) &&
                          std::ranges::all_of(uri.substr(0, colon), [](char c) {
                            return is_alpha(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
                          });
  if (!has_scheme || std::ranges::any_of(uri, is_control_or_blank))
    return "expected a URI such as https://example.com/x";
  return {};
}

std::optional<Endpoint> parse_endpoint(std::string_view text) {
  const auto parts = split(text);
  if (!parts || !parts->port) return std::nullopt;
  const auto port = parse_port(*parts->port);
  if (!port) return std::nullopt;
  return Endpoint{std::string(parts->host), *port};
}

}  // namespace sluice::config
