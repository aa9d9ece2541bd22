#include "http/response_head.hpp"

#include <charconv>
#include <cstring>
#include <ctime>

#include "base/check.hpp"

namespace sluice::http {
namespace {

class Writer {
 public:
  explicit Writer(std::span<char> out) noexcept : out_(out) {}
  Writer& operator<<(std::string_view text) noexcept {
    SLUICE_CHECK(n_ + text.size() <= out_.size());
    std::memcpy(out_.data() + n_, text.data(), text.size());
    n_ += text.size();
    return *this;
  }
  Writer& operator<<(std::uint64_t number) noexcept {
    char digits[20];
    const auto [end, ec] = std::to_chars(digits, digits + sizeof digits, number);
    return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
  }
  [[nodiscard]] std::size_t size() const noexcept { return n_; }

 private:
  std::span<char> out_;
  std::size_t n_ = 0;
};

std::string_view reason(unsigned status) noexcept {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

/// What the answer hangs on besides the request itself (RFC 9110 section 12.5.5).
void write_vary(Writer& w, const ResponseHead& head) noexcept {
  const bool by_coding = head.varies || head.coding != ContentCoding::identity;
  if (head.origin.empty() && !by_coding) return;
  w << "Vary: "
    << (head.origin.empty() ? ""
        : by_coding         ? "Origin, "
                            : "Origin")
    << (by_coding ? "Accept-Encoding" : "") << "\r\n";
}

}  // namespace

std::size_t write_response_head(std::span<char> out, const ResponseHead& head) noexcept {
  Writer w(out);
  w << (head.http10 ? "HTTP/1.0 " : "HTTP/1.1 ") << std::uint64_t{head.status} << " "
    << reason(head.status) << "\r\n";
  if (!head.date.empty()) w << "Date: " << head.date << "\r\n";
  if (!head.content_type.empty()) w << "Content-Type: " << head.content_type << "\r\n";
  if (head.content_type == "text/event-stream")
    w << "Cache-Control: no-cache\r\nX-Accel-Buffering: no\r\n";
  if (head.coding != ContentCoding::identity)
    w << "Content-Encoding: " << name_of(head.coding) << "\r\n";
  if (head.length) {
    if (head.status != 204) w << "Content-Length: " << *head.length << "\r\n";
  } else if (head.chunked) {
    w << "Transfer-Encoding: chunked\r\n";
  }
  if (!head.session_id.empty()) w << "Mcp-Session-Id: " << head.session_id << "\r\n";
  if (!head.allow.empty()) w << "Allow: " << head.allow << "\r\n";
  if (!head.retry_after.empty()) w << "Retry-After: " << head.retry_after << "\r\n";
  if (!head.origin.empty())
    w << "Access-Control-Allow-Origin: " << head.origin
      << "\r\nAccess-Control-Expose-Headers: Mcp-Session-Id\r\n";
  write_vary(w, head);
  if (!head.allow_headers.empty())
    w << "Access-Control-Allow-Methods: GET, POST, DELETE\r\nAccess-Control-Allow-Headers: "
      << head.allow_headers << "\r\nAccess-Control-Max-Age: 86400\r\n";
  if (!head.keep_alive)
    w << "Connection: close\r\n";
  else if (head.http10)
    w << "Connection: keep-alive\r\n";
  w << "\r\n";
  return w.size();
}

std::string format_date(std::int64_t unix_seconds) {
  const auto seconds = static_cast<std::time_t>(unix_seconds);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  char text[40];
  const int n = std::snprintf(text, sizeof text, "%s, %02d %s %d %02d:%02d:%02d GMT",
                              kDays[utc.tm_wday], utc.tm_mday, kMonths[utc.tm_mon],
                              utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
  return {text, static_cast<std::size_t>(n)};
}

}  // namespace sluice::http
