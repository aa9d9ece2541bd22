#pragma once

#include <cstdint>
#include <string_view>

#include <sluice/json.hpp>
#include <sluice/json_text.hpp>

namespace sluice {

/// What the user did with a form or a page.
enum class Action : std::uint8_t {
  accept,
  decline,  ///< Said no.
  cancel,   ///< Said nothing: closed it.
};

/// What the client answered to one question, checked to be an answer to that kind of question;
/// of a form that was accepted, that its content fits the schema.
///
/// Ownership: holds the client's JSON text; copies share it. Views are valid while one of them
///            lives.
/// Threads:   immutable, any.
class Answer {
 public:
  explicit Answer(JsonText json) noexcept : json_(std::move(json)) {}

  /// The client's whole result.
  [[nodiscard]] Json json() const noexcept { return json_.root(); }

  // Forms and pages.
  [[nodiscard]] Action action() const noexcept;
  [[nodiscard]] bool is_accepted() const noexcept { return action() == Action::accept; }
  /// What was filled in; not there where the form was not accepted, or asked for nothing.
  [[nodiscard]] Json content() const noexcept { return json().find("content"); }
  /// One field of it.
  [[nodiscard]] Json field(std::string_view name) const noexcept { return content().find(name); }

  // Sampling; content() is the model's.
  /// The first text in the model's content; empty where there is none.
  [[nodiscard]] std::string_view text() const noexcept;
  [[nodiscard]] std::string_view model() const noexcept;

  // Roots.
  /// Objects with `uri` and, maybe, `name`.
  [[nodiscard]] Json roots() const noexcept { return json().find("roots"); }

 private:
  JsonText json_;
};

}  // namespace sluice
