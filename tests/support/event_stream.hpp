#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::testing {

/// An event stream read by the rules of the WHATWG: lines end at CR, LF or CRLF, data lines are
/// joined with LF, an empty line ends the event, what is not ended at the end of the stream is
/// dropped.
struct EventStream {
  struct Event {
    std::string data;
    std::string type;
    std::string id;     ///< Its own, or that of an event before it.
    std::string retry;  ///< As it was written; empty: none.
  };
  std::vector<Event> events;
  std::size_t comments = 0;
  std::size_t dropped = 0;  ///< Events above the cap.
};

/// `cap`: what a careful client takes in one event; larger ones are dropped, as some widely used
/// clients do.
[[nodiscard]] inline EventStream read_event_stream(std::string_view bytes,
                                                   std::size_t cap = SIZE_MAX) {
  EventStream stream;
  EventStream::Event event;
  bool has_data = false;
  while (!bytes.empty()) {
    const auto end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) break;
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end + (bytes.substr(end, 2) == "\r\n" ? 2 : 1));
    if (line.empty()) {
      if (has_data && event.data.size() > cap)
        ++stream.dropped;
      else if (has_data)
        stream.events.push_back(event);
      event = {.data = {}, .type = {}, .id = event.id, .retry = {}};
      has_data = false;
    } else if (line.front() == ':') {
      ++stream.comments;
    } else {
      const auto colon = line.find(':');
      const std::string_view name = line.substr(0, colon);
      std::string_view value =
          colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
      if (value.starts_with(' ')) value.remove_prefix(1);
      if (name == "data") {
        if (has_data) event.data += '\n';
        event.data += value;
        has_data = true;
      } else if (name == "event") {
        event.type = value;
      } else if (name == "id") {
        event.id = value;
      } else if (name == "retry") {
        event.retry = value;
      }
    }
  }
  return stream;
}

}  // namespace sluice::testing
