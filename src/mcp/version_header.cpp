#include "mcp/version_header.hpp"

#include "base/ascii.hpp"
#include "json/document.hpp"
#include "mcp/revision.hpp"

namespace sluice::mcp {

bool VersionHeader::is_after_legacy() const noexcept {
  constexpr std::string_view kShape = "dddd-dd-dd";
  if (value.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = value[i] >= '0' && value[i] <= '9';
    if (kShape[i] == 'd' ? !digit : value[i] != '-') return false;
  }
  return value > kNewestLegacy.name;
}

VersionHeader read_version_header(std::optional<std::string_view> joined) noexcept {
  if (!joined) return {};
  VersionHeader header{VersionHeader::Kind::malformed, {}};
  std::string_view rest = *joined;
  for (;;) {
    const auto comma = rest.find(',');
    const std::string_view item = ascii::trim(rest.substr(0, comma));
    if (item.empty() || (!header.value.empty() && item != header.value))
      return {VersionHeader::Kind::malformed, {}};
    header.value = item;
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  header.kind = VersionHeader::Kind::one;
  return header;
}

std::string supported_versions() {
  std::string out = "[";
  for (const auto& revision : kRevisions) {
    if (out.size() > 1) out += ',';
    out += '"';
    out += revision.name;
    out += '"';
  }
  return out + ']';
}

Failure unsupported_version(std::string_view requested) {
  Failure failure{rpc::kUnsupportedVersion, 400, "Unsupported protocol version", {}};
  failure.data = R"({"supported":)" + supported_versions() + R"(,"requested":)";
  json::append_string(failure.data, requested.substr(0, 128));
  failure.data += '}';
  return failure;
}

}  // namespace sluice::mcp
