#include "http/upstream_url.hpp"

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>
#include <boost/url/url_view.hpp>

#include "base/ascii.hpp"

namespace sluice::http {
namespace {

namespace urls = boost::urls;

constexpr std::string_view kHex = "0123456789ABCDEF";

void append_hex(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += kHex[byte >> 4];
  out += kHex[byte & 15];
}

bool is_unreserved(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

bool is_url_byte(char c) noexcept {
  return c > ' ' && c < '\x7f' && std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
}

std::string host_of(const urls::url_view_base& url) {
  std::string host = ascii::lower(std::string(url.encoded_host()));
  if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
  return host;
}

// 0: none that can be connected to.
std::uint16_t port_of(const urls::url_view_base& url, bool tls) {
  if (!url.has_port() || url.port().empty()) return tls ? 443 : 80;
  std::uint32_t number = 0;
  for (const char c : url.port()) {
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
    if (number > 0xFFFF) return 0;
  }
  return static_cast<std::uint16_t>(number);
}

// RFC 3986 section 5.2.4, for a path that begins with '/'; Boost.URL keeps `..` above the root.
std::string without_dots(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(0, end);  // with its slash in front
    path.remove_prefix(end);
    if (segment == "/..") out.resize(std::min(out.rfind('/'), out.size()));
    if (segment != "/." && segment != "/..") {
      out += segment;
    } else if (path.empty()) {
      out += '/';
    }
  }
  return out;
}

std::string shown_form(const urls::url_view_base& url) {
  std::string out;
  if (url.has_scheme()) {
    out.append(url.scheme().data(), url.scheme().size());
    out += ':';
  }
  if (url.has_authority()) {
    out += "//";
    const auto host = url.encoded_host_and_port();
    out.append(host.data(), host.size());
  }
  const auto path = url.encoded_path();
  out.append(path.data(), path.size());
  return out;
}

}  // namespace

void append_encoded(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      append_hex(out, c);
    }
  }
}

std::optional<UpstreamUrl> UpstreamUrl::parse(std::string_view text, std::string& problem) {
  const auto parsed = urls::parse_uri(text);
  if (!parsed) {
    problem = "base_url is not a URL";
    return std::nullopt;
  }
  const urls::url_view& url = *parsed;
  UpstreamUrl out;
  const std::string scheme = ascii::lower(std::string(url.scheme()));
  if (scheme != "http" && scheme != "https") {
    problem = "base_url has to begin with http:// or https://";
    return std::nullopt;
  }
  out.tls = scheme == "https";
  if (url.has_userinfo()) {
    problem = "base_url must not hold a user name or password; send them with `headers`";
    return std::nullopt;
  }
  if (url.has_query() || url.has_fragment()) {
    problem = "base_url must not hold a query or a fragment";
    return std::nullopt;
  }
  out.host = host_of(url);
  if (out.host.empty() || out.host.find('%') != std::string::npos) {
    problem = "base_url has no usable host name";
    return std::nullopt;
  }
  out.port = port_of(url, out.tls);
  if (out.port == 0) {
    problem = "base_url has no usable port";
    return std::nullopt;
  }
  out.prefix = std::string(url.encoded_path());
  while (!out.prefix.empty() && out.prefix.back() == '/') out.prefix.pop_back();
  const bool is_v6 = out.host.find(':') != std::string::npos;
  if (is_v6) out.host_field += '[';
  out.host_field += out.host;
  if (is_v6) out.host_field += ']';
  if (out.port != (out.tls ? 443 : 80))
    out.host_field.append(1, ':').append(std::to_string(out.port));
  return out;
}

RedirectTarget resolve_redirect(const UpstreamUrl& origin, std::string_view target,
                                std::string_view location) {
  RedirectTarget out;
  std::string clean;
  for (const char c : location) {
    if (is_url_byte(c)) {
      clean += c;
    } else {
      append_hex(clean, c);
    }
  }
  const auto reference = urls::parse_uri_reference(clean);
  const std::string base_text =
      std::string(origin.tls ? "https://" : "http://") + origin.host_field + std::string(target);
  const auto base = urls::parse_uri(base_text);
  if (!reference || !base) return out;
  urls::url resolved;
  const auto done = urls::resolve(*base, *reference, resolved);
  if (!done) return out;
  out.shown = shown_form(resolved);
  const std::string scheme = ascii::lower(std::string(resolved.scheme()));
  if (scheme != "http" && scheme != "https") {
    out.kind = RedirectTarget::Kind::other_scheme;
    return out;
  }
  const bool tls = scheme == "https";
  if (tls != origin.tls || host_of(resolved) != origin.host ||
      port_of(resolved, tls) != origin.port) {
    out.kind = RedirectTarget::Kind::other_origin;
    return out;
  }
  out.kind = RedirectTarget::Kind::same_origin;
  out.target = without_dots(std::string(resolved.encoded_path()));
  if (out.target.empty()) out.target.push_back('/');
  if (resolved.has_query()) {
    out.target += '?';
    const auto query = resolved.encoded_query();
    out.target.append(query.data(), query.size());
  }
  return out;
}

}  // namespace sluice::http
