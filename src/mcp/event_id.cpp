#include "mcp/event_id.hpp"

#include <charconv>

#include "base/uri_text.hpp"
#include "json/document.hpp"

namespace sluice::mcp {
namespace {

constexpr std::size_t kLongestRequest = 64;

/// Takes a number and the character behind it off `text`.
std::optional<std::uint32_t> take_number(std::string_view& text, int base, char behind) {
  std::uint32_t number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  const auto used = static_cast<std::size_t>(end - text.data());
  if (ec != std::errc() || used == text.size() || text[used] != behind) return std::nullopt;
  text.remove_prefix(used + 1);
  return number;
}

bool is_request_id(std::string_view text) {
  json::Document document;
  const auto parsed = document.parse_copy(text, 1);
  return parsed && parsed->raw() == text &&
         (parsed->is(JsonKind::string) || parsed->is(JsonKind::number));
}

}  // namespace

std::string EventId::text() const {
  char hex[8];
  const auto end = std::to_chars(hex, hex + sizeof hex, epoch, 16).ptr;
  std::string out(hex, end);
  out += '-';
  out += static_cast<char>(kind);
  out += std::to_string(stream) + '-' + std::to_string(number);
  if (kind == Kind::response) {
    out += '-';
    if (request.size() <= kLongestRequest) uri::append_encoded(out, request);
  }
  return out;
}

std::optional<EventId> EventId::parse(std::string_view text) {
  if (text.size() > kLongest) return std::nullopt;
  EventId id;
  const auto epoch = take_number(text, 16, '-');
  if (!epoch || text.empty()) return std::nullopt;
  id.epoch = *epoch;
  if (text[0] != 'g' && text[0] != 'r') return std::nullopt;
  id.kind = static_cast<Kind>(text[0]);
  text.remove_prefix(1);
  const auto stream = take_number(text, 10, '-');
  if (!stream) return std::nullopt;
  id.stream = *stream;
  // The last number has nothing behind it, or the request's id.
  std::string rest(text);
  if (id.kind == Kind::listening) rest += '-';
  std::string_view left = rest;
  const auto number = take_number(left, 10, '-');
  if (!number) return std::nullopt;
  id.number = *number;
  if (id.kind == Kind::listening) {
    if (!left.empty()) return std::nullopt;
    return id;
  }
  id.request = uri::decode(left);
  if (!id.request.empty() && !is_request_id(id.request)) return std::nullopt;
  return id;
}

}  // namespace sluice::mcp
