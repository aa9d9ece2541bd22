#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::http {

/// A list of fields in which a name stands once (compared without case).
class FieldList {
 public:
  using Field = std::pair<std::string, std::string>;
  /// Replaces the value where the name is there.
  void set(std::string_view name, std::string_view value);
  [[nodiscard]] bool has(std::string_view name) const noexcept;
  [[nodiscard]] auto begin() const noexcept { return fields_.begin(); }
  [[nodiscard]] auto end() const noexcept { return fields_.end(); }

 private:
  std::vector<Field> fields_;
};

/// One request to an upstream, below its base_url.
struct UpstreamRequest {
  std::string method = "GET";
  std::string target = "/";  ///< Begins with '/', percent-encoded, with its query.
  FieldList fields;          ///< Win over those of the source. None that is_own_field() names.
  bool has_body = false;
  std::string body;
  std::string content_type;
  std::string accept = "*/*";
};

/// True for fields that the client writes itself: framing, connection, and the codings it can undo.
[[nodiscard]] bool is_own_field(std::string_view name) noexcept;
/// A token (RFC 9110 section 5.6.2).
[[nodiscard]] bool is_field_name(std::string_view name) noexcept;
/// Without controls but tab (RFC 9110 section 5.5), so without a way to begin another line.
[[nodiscard]] bool is_field_value(std::string_view value) noexcept;

/// "sluice/0.1.0"
[[nodiscard]] std::string_view user_agent() noexcept;

}  // namespace sluice::http
