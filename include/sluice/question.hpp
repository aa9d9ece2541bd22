#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

namespace sluice {

// What a handler can ask its caller. The views need to live until the question is answered. `key`
// names a question in 2026-07-28, where answers are matched by it; empty: "q1", "q2", ... in the
// order of asking. One that is used again gets a number behind.

/// A form for the user to fill in (elicitation, form mode). Not for passwords, keys and the like:
/// these are what a Page is for.
struct Form {
  std::string_view message;
  /// JSON Schema of what is asked for: an object whose properties are strings, numbers, booleans
  /// and choices, not nested. As it stands here it asks for a yes or no: accept or decline.
  std::string_view schema = R"({"type":"object","properties":{}})";
  std::string_view key = {};
};

/// A page for the user to open (elicitation, URL mode). That it was accepted says that the user
/// went there, not what came of it.
struct Page {
  std::string_view message;
  std::string_view url;
  /// Unique among all of the server's, for notifications/elicitation/complete (2025-11-25); empty:
  /// one is made.
  std::string_view id = {};
  std::string_view key = {};
};

/// A message for the client's model (sampling).
struct Sampling {
  std::string_view prompt = {};    ///< One message of the user's; or
  std::string_view messages = {};  ///< the whole conversation: a JSON array of SamplingMessage.
  std::uint32_t max_tokens = 1024;
  std::string_view system_prompt = {};
  /// Further members of the request as a JSON object: temperature, modelPreferences, tools.
  std::string_view more = {};
  std::string_view key = {};
};

/// The folders that the client works in (roots).
struct Roots {
  std::string_view key = {};
};

using Question = std::variant<Form, Page, Sampling, Roots>;

}  // namespace sluice
