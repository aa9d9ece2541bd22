#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::mcp {

/// The id of an event in a session: where a client that lost its connection left off. It says which
/// stream it is of, and for the answer to a request, of which, so that the client can be told where
/// nobody knows the stream any more.
///
/// As text: `<epoch>-<g or r><stream>-<number>`, for answers `-<request>` behind it; visible ASCII,
/// at most kLongest bytes.
struct EventId {
  static constexpr std::size_t kLongest = 256;
  /// The number of the last event of a resumed answer. There are clients that go on asking for more
  /// of an answer as long as what they got was no result.
  static constexpr std::uint32_t kLast = UINT32_MAX;
  enum class Kind : char {
    listening = 'g',  ///< A GET stream.
    response = 'r',   ///< The answer to a POST.
  };

  std::uint32_t epoch = 0;  ///< Of the session in this process.
  Kind kind = Kind::listening;
  std::uint32_t stream = 0;
  std::uint32_t number = 0;  ///< Of the message in the session.
  std::string request;       ///< Id of the request, JSON text; empty: too long to be kept.

  [[nodiscard]] std::string text() const;
  /// None where it is no text of ours.
  [[nodiscard]] static std::optional<EventId> parse(std::string_view text);
};

}  // namespace sluice::mcp
