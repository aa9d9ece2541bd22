#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/event_stream.hpp"
#include "support/mcp_client.hpp"
#include "support/message_check.hpp"
#include "support/raw_client.hpp"

namespace sluice::testing {

/// A request whose answer is an event stream that stays open, read event by event. Every message is
/// held against the schema of its revision.
class HeldStream {
 public:
  using Event = EventStream::Event;

  HeldStream(std::uint16_t port, const Request& request) : client(port) { send(request); }
  HeldStream(std::uint16_t port, const Request& request, const RawClient::Options& options)
      : client(port, options) {
    send(request);
  }

  [[nodiscard]] int status() const noexcept { return response.status; }

  /// The next event; none at the end of the stream.
  [[nodiscard]] std::optional<Event> next() {
    for (;;) {
      const auto end = response.body.find("\n\n");
      if (end == std::string::npos) {
        if (!client.read_until(response, "\n\n")) return std::nullopt;
        continue;
      }
      const auto read = read_event_stream(response.body.substr(0, end + 2));
      response.body.erase(0, end + 2);
      comments += read.comments;
      if (read.events.empty()) continue;
      check(read.events.front());
      return read.events.front();
    }
  }
  /// Its data; empty at the end of the stream.
  [[nodiscard]] std::string next_data() {
    const auto event = next();
    return event ? event->data : std::string();
  }
  /// The data, where there is some, of what comes until two signs of life have come with nothing between them.
  [[nodiscard]] std::vector<std::string> until_quiet() {
    std::vector<std::string> found;
    for (std::size_t quiet = 0; quiet < 2;) {
      const auto end = response.body.find("\n\n");
      if (end == std::string::npos) {
        if (!client.read_until(response, "\n\n")) break;
        continue;
      }
      const auto read = read_event_stream(response.body.substr(0, end + 2));
      response.body.erase(0, end + 2);
      quiet = read.events.empty() ? quiet + 1 : 0;
      for (const auto& event : read.events) {
        check(event);
        if (!event.data.empty()) found.push_back(event.data);
      }
    }
    return found;
  }

  RawClient client;
  Response response;  ///< Its body is what has not been looked at.
  std::size_t comments = 0;

 private:
  void send(const Request& request) {
    static_cast<void>(client.send(request.text()));
    revision_ = request.revision;
    constexpr std::string_view kMethod = R"("method":")";
    if (const auto at = request.body.find(kMethod); at != std::string::npos) {
      const auto begin = at + kMethod.size();
      method_ = request.body.substr(begin, request.body.find('"', begin) - begin);
    }
    response = client.read_head();
  }
  void check(const Event& event) const {
    if (!revision_.empty() && !event.data.empty()) check_message(revision_, method_, event.data);
  }

  std::string revision_;
  std::string method_;
};

}  // namespace sluice::testing
