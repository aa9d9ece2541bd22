#include "http/upstream_request.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace sluice::http {

void FieldList::set(std::string_view name, std::string_view value) {
  for (Field& field : fields_) {
    if (ascii::iequals(field.first, name)) {
      field.second = value;
      return;
    }
  }
  fields_.emplace_back(name, value);
}

bool FieldList::has(std::string_view name) const noexcept {
  return std::any_of(fields_.begin(), fields_.end(),
                     [&](const Field& field) { return ascii::iequals(field.first, name); });
}

bool is_own_field(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 10> kOwn{"accept-encoding",
                                                         "connection",
                                                         "content-length",
                                                         "expect",
                                                         "keep-alive",
                                                         "proxy-connection",
                                                         "te",
                                                         "trailer",
                                                         "transfer-encoding",
                                                         "upgrade"};
  return std::any_of(kOwn.begin(), kOwn.end(),
                     [&](std::string_view own) { return ascii::iequals(own, name); });
}

bool is_field_name(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), ascii::is_token);
}

bool is_field_value(std::string_view value) noexcept {
  return std::all_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
  });
}

std::string_view user_agent() noexcept { return "sluice/" SLUICE_VERSION; }

}  // namespace sluice::http
