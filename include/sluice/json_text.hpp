#pragma once

#include <memory>
#include <sluice/error.hpp>
#include <sluice/json.hpp>
#include <string_view>

namespace sluice {

/// A JSON text with its values, for what a handler or plug-in reads itself: its settings, an answer
/// from elsewhere.
///
/// Ownership: holds a copy of the text; root() and what is found below it are valid while this or a
///            copy of it lives.
/// Threads:   immutable, any.
/// Bounds:    nesting of 128; memory in proportion to the text.
/// Errors:    Errc::parse_error, Errc::too_deep.
class JsonText {
 public:
  [[nodiscard]] static Result<JsonText> parse(std::string_view text);
  [[nodiscard]] Json root() const noexcept;

 private:
  struct Impl;
  explicit JsonText(std::shared_ptr<const Impl> impl) noexcept;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace sluice
