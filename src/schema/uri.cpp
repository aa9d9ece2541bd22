#include "schema/uri.hpp"

namespace sluice::schema {
namespace {

/// The parts, each with the delimiter that marks it, so that joining is appending.
struct Parts {
  std::string_view scheme;     ///< "http:"
  std::string_view authority;  ///< "//host"
  std::string_view path;
  std::string_view query;  ///< "?a=b"
};

bool is_alpha(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Parts take_apart(std::string_view uri) noexcept {
  Parts parts;
  if (const auto end = uri.find_first_of(":/?");
      end != std::string_view::npos && uri[end] == ':' && is_alpha(uri[0])) {
    parts.scheme = uri.substr(0, end + 1);
    uri.remove_prefix(end + 1);
  }
  if (uri.starts_with("//")) {
    parts.authority = uri.substr(0, uri.find_first_of("/?", 2));
    uri.remove_prefix(parts.authority.size());
  }
  parts.path = uri.substr(0, uri.find('?'));
  parts.query = uri.substr(parts.path.size());
  return parts;
}

std::string remove_dot_segments(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./")) {
      path.remove_prefix(2);
    } else if (path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../") || path == "/..") {
      path = path == "/.." ? std::string_view("/") : path.substr(3);
      const auto slash = out.rfind('/');
      out.resize(slash == std::string::npos ? 0 : slash);
    } else if (path == "." || path == "..") {
      break;
    } else {
      const auto segment = path.substr(0, path.find('/', 1));
      out += segment;
      path.remove_prefix(segment.size());
    }
  }
  return out;
}

std::string merge(const Parts& base, std::string_view path) {
  if (!base.authority.empty() && base.path.empty()) return "/" + std::string(path);
  const auto slash = base.path.rfind('/');
  std::string merged(slash == std::string_view::npos ? std::string_view()
                                                     : base.path.substr(0, slash + 1));
  return merged.append(path);
}

std::string join(std::string_view scheme, std::string_view authority, std::string_view path,
                 std::string_view query) {
  std::string out(scheme);
  return out.append(authority).append(path).append(query);
}

int hex(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

SplitUri split_fragment(std::string_view uri) noexcept {
  const auto hash = uri.find('#');
  if (hash == std::string_view::npos) return {uri, {}};
  return {uri.substr(0, hash), uri.substr(hash + 1)};
}

std::string resolve_uri(std::string_view base_text, std::string_view reference) {
  const Parts base = take_apart(base_text);
  const Parts ref = take_apart(reference);
  // An opaque path ("urn:uuid:...") has no segments to remove.
  const auto clean = [](std::string_view path) {
    return path.starts_with('/') || path.starts_with('.') ||
                   path.find("/.") != std::string_view::npos
               ? remove_dot_segments(path)
               : std::string(path);
  };
  if (!ref.scheme.empty()) return join(ref.scheme, ref.authority, clean(ref.path), ref.query);
  if (!ref.authority.empty()) return join(base.scheme, ref.authority, clean(ref.path), ref.query);
  if (ref.path.empty()) {
    return join(base.scheme, base.authority, base.path, ref.query.empty() ? base.query : ref.query);
  }
  const std::string path =
      ref.path.starts_with('/') ? std::string(ref.path) : merge(base, ref.path);
  return join(base.scheme, base.authority, clean(path), ref.query);
}

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace sluice::schema
