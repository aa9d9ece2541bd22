#include "json/text_limit.hpp"

#include <algorithm>
#include <cstring>

#include "json/escaper_kernel.hpp"

namespace sluice::json {
namespace {

std::uint64_t count_lines(std::string_view text) noexcept {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The length of the first `lines` lines of `text`, or all of it.
std::size_t length_of_lines(std::string_view text, std::uint64_t lines) noexcept {
  std::size_t at = 0;
  for (; lines > 0; --lines) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  return at;
}

}  // namespace

TextLimiter::TextLimiter(Limits limits) noexcept
    : limits_(limits),
      hold_from_(limits.max_bytes - std::min<std::uint64_t>(limits.max_bytes, limits.window)) {
  if (limits.max_bytes == kNone) hold_from_ = kNone;
}

Step TextLimiter::step(std::string_view in, std::span<char> out) noexcept {
  Step done;
  while (true) {
    if (is_held_ready_) write({}, out, done);
    if (is_held_ready_) return done;
    std::string_view left = in.substr(done.read);
    if (cut_ != Cut::nothing) {
      read_ += left.size();
      lines_read_ += count_lines(left);
      return {in.size(), done.written};
    }
    if (left.empty()) return done;
    if (lines_read_ == limits_.max_lines) {
      cut_ = Cut::lines;
      is_held_ready_ = true;
      continue;
    }
    if (read_ == limits_.max_bytes) {
      cut_at_bytes();
      continue;
    }
    const bool passes = read_ < hold_from_;
    std::uint64_t n = (passes ? hold_from_ : limits_.max_bytes) - read_;
    if (passes) n = std::min<std::uint64_t>(n, out.size() - done.written);
    if (n == 0) return done;
    left = left.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(n, left.size())));
    if (limits_.max_lines != kNone)
      left = left.substr(0, length_of_lines(left, limits_.max_lines - lines_read_));
    read_ += left.size();
    done.read += left.size();
    lines_read_ += count_lines(left);
    if (passes) {
      write(left, out, done);
    } else {
      held_ += left;
    }
  }
}

void TextLimiter::finish() noexcept { is_held_ready_ = is_held_ready_ || !held_.empty(); }

/// As many bytes came as may pass, and there is another.
void TextLimiter::cut_at_bytes() noexcept {
  cut_ = Cut::bytes;
  is_held_ready_ = true;
  const std::size_t line = held_.rfind('\n') + 1;
  if (line > 0 && hold_from_ + line >= limits_.max_bytes / 2) {
    held_.resize(line);
    return;
  }
  held_.resize(held_.size() - escape::unfinished(held_.data(), held_.data() + held_.size()));
}

/// `text`, or what is held.
void TextLimiter::write(std::string_view text, std::span<char> out, Step& done) noexcept {
  const bool is_held = is_held_ready_;
  if (is_held) text = std::string_view(held_).substr(held_written_);
  text = text.substr(0, out.size() - done.written);
  if (!text.empty()) std::memcpy(out.data() + done.written, text.data(), text.size());
  done.written += text.size();
  written_ += text.size();
  lines_written_ += count_lines(text);
  if (!is_held) return;
  held_written_ += text.size();
  if (held_written_ < held_.size()) return;
  held_.clear();
  held_written_ = 0;
  is_held_ready_ = false;
}

}  // namespace sluice::json
