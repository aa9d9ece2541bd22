#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::testing {

/// One HTTP response, taken apart by the book and nothing else: RFC 9112 for the message, the event
/// stream format of WHATWG for the body. Whatever is not by the book throws.
struct Response {
  std::string status_line;
  std::vector<std::pair<std::string, std::string>> fields;
  std::string body;

  [[nodiscard]] std::optional<std::string> field(std::string_view name) const {
    std::optional<std::string> found;
    for (const auto& [key, value] : fields) {
      if (key != name) continue;
      if (found) throw std::runtime_error("a field twice: " + key);
      found = value;
    }
    return found;
  }
};

namespace decode_detail {

inline std::string_view take_line(std::string_view& rest) {
  const auto end = rest.find("\r\n");
  if (end == std::string_view::npos) throw std::runtime_error("a line without end");
  const auto line = rest.substr(0, end);
  rest.remove_prefix(end + 2);
  return line;
}

inline std::size_t number(std::string_view text, int base) {
  std::size_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (ec != std::errc{} || end != text.data() + text.size()) throw std::runtime_error("no number");
  return value;
}

}  // namespace decode_detail

/// REQUIRES: `bytes` hold one whole response and nothing more.
inline Response decode_response(std::string_view bytes) {
  using namespace decode_detail;
  Response r;
  r.status_line = take_line(bytes);
  for (;;) {
    const auto line = take_line(bytes);
    if (line.empty()) break;
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos) throw std::runtime_error("no field");
    r.fields.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  const auto length = r.field("Content-Length");
  const auto coding = r.field("Transfer-Encoding");
  if (length && coding) throw std::runtime_error("length and coding");
  if (length) {
    if (number(*length, 10) != bytes.size())
      throw std::runtime_error("Content-Length is not the length");
    r.body = bytes;
    return r;
  }
  if (!coding) {
    r.body = bytes;  // until the connection ends
    return r;
  }
  for (;;) {
    const std::size_t size = number(take_line(bytes), 16);
    if (bytes.size() < size) throw std::runtime_error("a chunk is cut");
    r.body += bytes.substr(0, size);
    bytes.remove_prefix(size);
    if (!take_line(bytes).empty()) throw std::runtime_error("a chunk does not end");
    if (size == 0) break;
  }
  if (!bytes.empty()) throw std::runtime_error("bytes behind the last chunk");
  return r;
}

struct EventStream {
  std::vector<std::string> events;  ///< The data of each, lines joined by a line feed.
  std::size_t comments = 0;
};

inline EventStream decode_events(std::string_view body) {
  EventStream out;
  std::optional<std::string> data;
  while (!body.empty()) {
    const auto end = body.find_first_of("\r\n");
    if (end == std::string_view::npos) throw std::runtime_error("the stream ends inside a line");
    const auto line = body.substr(0, end);
    body.remove_prefix(end + (body.substr(end).starts_with("\r\n") ? 2 : 1));
    if (line.empty()) {
      if (data) out.events.push_back(std::move(*data));
      data.reset();
    } else if (line.front() == ':') {
      ++out.comments;
    } else if (line.starts_with("data:")) {
      const auto value = line.substr(line.starts_with("data: ") ? 6 : 5);
      if (data)
        (*data += '\n') += value;
      else
        data = value;
    } else {
      throw std::runtime_error("a line that is neither data nor comment: " +
                               std::string(line.substr(0, 40)));
    }
  }
  if (data) throw std::runtime_error("the stream ends inside an event");
  return out;
}

}  // namespace sluice::testing
