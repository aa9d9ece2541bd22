#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::http {

/// Who may be asked under which name, and by pages of which origin (MCP, Streamable HTTP,
/// Security): the guard against DNS rebinding.
///
/// Threads:   immutable.
class OriginCheck {
 public:
  /// `hosts`: names, with or without a port; "*" for any. `origins`: whole origins; "*" for any.
  OriginCheck(std::vector<std::string> hosts, std::vector<std::string> origins);

  /// A Host field or the authority of an absolute-form target. Loopback names and IP addresses are
  /// always served: an address is never the product of somebody else's DNS.
  [[nodiscard]] bool is_host_allowed(std::string_view authority) const noexcept;
  /// An Origin field. Origins on loopback names are served; `null` and look-alikes are not.
  [[nodiscard]] bool is_origin_allowed(std::string_view origin) const noexcept;

 private:
  std::vector<std::string> hosts_;
  std::vector<std::string> origins_;
  bool any_host_ = false;
  bool any_origin_ = false;
};

}  // namespace sluice::http
