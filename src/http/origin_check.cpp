#include "http/origin_check.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <optional>

#include "base/ascii.hpp"

namespace sluice::http {
namespace {

struct Authority {
  std::string_view host;  // without brackets
  std::string_view port;
  bool is_v6 = false;
};

std::optional<Authority> split(std::string_view text) noexcept {
  Authority a;
  std::string_view rest;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    a.host = text.substr(1, end - 1);
    a.is_v6 = true;
    rest = text.substr(end + 1);
  } else {
    const auto colon = text.find(':');
    a.host = text.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  if (!rest.empty()) {
    if (rest.front() != ':') return std::nullopt;
    a.port = rest.substr(1);
    if (a.port.size() > 5 || a.port.find_first_not_of("0123456789") != std::string_view::npos)
      return std::nullopt;
  }
  if (a.host.empty()) return std::nullopt;
  return a;
}

std::optional<boost::asio::ip::address> as_address(const Authority& a) noexcept {
  boost::system::error_code ec;
  const std::string host(a.host);
  if (a.is_v6) {
    auto v6 = boost::asio::ip::make_address_v6(host, ec);
    if (ec) return std::nullopt;
    return v6;
  }
  auto v4 = boost::asio::ip::make_address_v4(host, ec);
  if (ec) return std::nullopt;
  return v4;
}

bool is_loopback(const Authority& a) noexcept {
  if (!a.is_v6 && ascii::iequals(a.host, "localhost")) return true;
  const auto address = as_address(a);
  return address && address->is_loopback();
}

}  // namespace

OriginCheck::OriginCheck(std::vector<std::string> hosts, std::vector<std::string> origins)
    : hosts_(std::move(hosts)), origins_(std::move(origins)) {
  any_host_ = std::find(hosts_.begin(), hosts_.end(), "*") != hosts_.end();
  any_origin_ = std::find(origins_.begin(), origins_.end(), "*") != origins_.end();
}

bool OriginCheck::is_host_allowed(std::string_view authority) const noexcept {
  const auto a = split(authority);
  if (!a) return false;
  if (any_host_ || is_loopback(*a) || as_address(*a)) return true;
  return std::any_of(hosts_.begin(), hosts_.end(), [&](const std::string& allowed) {
    const auto b = split(allowed);
    return b && ascii::iequals(a->host, b->host) && (b->port.empty() || b->port == a->port);
  });
}

bool OriginCheck::is_origin_allowed(std::string_view origin) const noexcept {
  if (any_origin_) return true;
  for (const auto& allowed : origins_)
    if (ascii::iequals(allowed, origin)) return true;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.size() <= scheme.size() || !ascii::iequals(origin.substr(0, scheme.size()), scheme))
      continue;
    const auto a = split(origin.substr(scheme.size()));
    return a && is_loopback(*a);
  }
  return false;
}

}  // namespace sluice::http
