#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::http {

/// Where an upstream is and below which path: its `base_url`, taken apart.
struct UpstreamUrl {
  bool tls = false;
  std::string host;  ///< Lower case; an IPv6 address without its brackets.
  std::uint16_t port = 80;
  std::string prefix;      ///< "" or "/api/v2": no slash at the end, so that a target can follow.
  std::string host_field;  ///< For `Host`: with the port where it is not the scheme's own.

  /// nullopt, and `problem` says why.
  [[nodiscard]] static std::optional<UpstreamUrl> parse(std::string_view text,
                                                        std::string& problem);
};

/// What a Location points to, seen from the target that was asked for.
struct RedirectTarget {
  enum class Kind : std::uint8_t {
    same_origin,  ///< `target` may be asked of the same upstream.
    other_origin,
    other_scheme,  ///< Neither http nor https.
    unreadable,
  };
  Kind kind = Kind::unreadable;
  std::string target;  ///< same_origin: path and query.
  std::string shown;   ///< For messages: no user info, no query, no fragment.
};

/// Resolves a Location (RFC 3986 section 5.2). Bytes that a URL must not hold, which are common in
/// the wild, are percent-encoded first.
[[nodiscard]] RedirectTarget resolve_redirect(const UpstreamUrl& origin, std::string_view target,
                                              std::string_view location);

/// Appends `text` with everything but unreserved characters percent-encoded (RFC 3986 section 2.3).
void append_encoded(std::string& out, std::string_view text);

}  // namespace sluice::http
