#include "load_http.hpp"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace load {
namespace {

constexpr std::size_t kMaxHead = 65536;

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

bool begins(std::string_view a, std::string_view b) {
  return a.size() >= b.size() && same(a.substr(0, b.size()), b);
}

}  // namespace

ResponseReader::Step ResponseReader::bad(std::string why) {
  why_ = std::move(why);
  return Step::bad;
}

ResponseReader::Step ResponseReader::done() {
  state_ = State::head;
  lines_.clear();
  return Step::done;
}

ResponseReader::Step ResponseReader::next(std::string_view& in) {
  for (;;) {
    if (state_ == State::fixed && left_ == 0) return done();
    if (in.empty()) return Step::more;
    switch (state_) {
      case State::head: {
        const auto step = read_head(in);
        if (step != Step::more) return step;
        break;
      }
      case State::fixed:
      case State::chunk:
      case State::until_close: {
        piece_ = in;
        if (state_ != State::until_close) {
          piece_ = in.substr(0, std::min<std::uint64_t>(in.size(), left_));
          left_ -= piece_.size();
          if (left_ == 0 && state_ == State::chunk) {
            state_ = State::chunk_end;
            left_ = 2;
          }
        }
        body_bytes_ += piece_.size();
        in.remove_prefix(piece_.size());
        return Step::body;
      }
      case State::chunk_end: {
        const auto n = std::min<std::uint64_t>(in.size(), left_);
        left_ -= n;
        in.remove_prefix(n);
        if (left_ == 0) state_ = State::size;
        break;
      }
      case State::size: {
        const auto step = read_size(in);
        if (step != Step::more) return step;
        break;
      }
      case State::last: {
        const auto step = read_last(in);
        if (step != Step::more) return step;
        break;
      }
    }
  }
}

ResponseReader::Step ResponseReader::read_head(std::string_view& in) {
  // Most heads come in one piece: look there first, and keep only what did not.
  const auto before = lines_.size();
  lines_.append(in.substr(0, kMaxHead));
  const auto end = lines_.find("\r\n\r\n", before < 3 ? 0 : before - 3);
  if (end == std::string::npos) {
    if (lines_.size() >= kMaxHead) return bad("a head without an end");
    in = {};
    return Step::more;
  }
  in.remove_prefix(end + 4 - before);
  lines_.resize(end + 2);
  if (!parse_head()) return bad("not an HTTP response: " + lines_.substr(0, 200));
  lines_.clear();
  if (head_.status >= 200) return Step::head;
  state_ = State::head;  // Only an interim answer.
  return Step::more;
}

bool ResponseReader::parse_head() {
  const std::string_view text = lines_;
  if (!text.starts_with("HTTP/1.") || text.size() < 12) return false;
  head_ = {};
  head_.status = std::atoi(lines_.c_str() + 9);
  body_bytes_ = 0;
  left_ = 0;
  bool length_known = head_.status == 204 || head_.status == 304;
  bool chunked = false;
  for (auto at = text.find("\r\n") + 2; at < text.size();) {
    const auto line = text.substr(at, text.find("\r\n", at) - at);
    at += line.size() + 2;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    const auto name = line.substr(0, colon);
    auto value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    if (same(name, "content-length")) {
      length_known =
          std::from_chars(value.data(), value.data() + value.size(), left_).ec == std::errc();
    } else if (same(name, "transfer-encoding")) {
      chunked = same(value, "chunked");
    } else if (same(name, "content-type")) {
      head_.events = begins(value, "text/event-stream");
    } else if (same(name, "connection")) {
      head_.closes = same(value, "close");
    } else if (same(name, "mcp-session-id")) {
      head_.session = value;
    }
  }
  state_ = chunked ? State::size : length_known ? State::fixed : State::until_close;
  if (state_ == State::until_close) head_.closes = true;
  return true;
}

ResponseReader::Step ResponseReader::read_size(std::string_view& in) {
  const auto end = in.find('\n');
  if (end == std::string_view::npos) {
    lines_.append(in);
    in = {};
    if (lines_.size() > 1024) return bad("a chunk size without an end");
    return Step::more;
  }
  auto line = in.substr(0, end);
  if (!lines_.empty()) {
    lines_.append(line);
    line = lines_;
  }
  const bool understood =
      std::from_chars(line.data(), line.data() + line.size(), left_, 16).ec == std::errc();
  in.remove_prefix(end + 1);
  if (!understood) return bad("not a chunk size: " + std::string(line.substr(0, 40)));
  lines_.clear();
  state_ = left_ == 0 ? State::last : State::chunk;
  return Step::more;
}

ResponseReader::Step ResponseReader::read_last(std::string_view& in) {
  // Trailer fields, if any, and the empty line.
  const auto end = in.find('\n');
  lines_.append(in.substr(0, end));
  if (end == std::string_view::npos) {
    in = {};
    return Step::more;
  }
  in.remove_prefix(end + 1);
  const bool empty = lines_.empty() || lines_ == "\r";
  lines_.clear();
  return empty ? done() : Step::more;
}

}  // namespace load
