#include "json/table.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "json/document.hpp"
#include "json/unescape.hpp"

namespace sluice::json {

Table::Table(Options options, Simd with)
    : options_(std::move(options)), structure_(with), writer_(options_.format, options_.columns) {
  options_.max_row = std::min<std::size_t>(options_.max_row, 1_GiB);
}

Result<Step> Table::step(std::string_view in, std::span<char> out) noexcept {
  Step done;
  while (true) {
    if (!ready_.empty()) write_ready(out, done);
    if (!ready_.empty()) return done;
    if (state_ == State::failed) return failure_.code;
    // A line is never longer than what it is made from, so it has room.
    room_ = out.size() - done.written;
    size_ = std::min({Structure::kPiece, in.size() - done.read, room_});
    if (size_ == 0) return done;
    text_ = in.data() + done.read;
    out_ = out.data() + done.written;
    const std::size_t room = room_;
    structure_.index(text_, size_);
    const std::size_t at = walk();
    const bool is_well = state_ != State::failed && end_piece(at);
    done.read += at;
    done.written += room - room_;
    base_ += at;
    if (!is_well && done.written > 0) return done;
  }
}

Result<void> Table::finish() noexcept {
  if (state_ == State::end) return {};
  if (state_ != State::failed) fail(Errc::not_json, 0, "the text ends before the table does");
  return failure_.code;
}

bool Table::fail(Errc code, std::size_t at, const char* what) noexcept {
  // What is too long is so in front of what is wrong, however the text was cut.
  if (is_held_too_long(at)) return fail_too_long();
  state_ = State::failed;
  failure_ = {code, base_ + at, what};
  return false;
}

/// At the first byte that is one too many.
bool Table::fail_too_long() noexcept {
  state_ = State::failed;
  failure_ = {Errc::result_too_large, base_ + from_ - held_.size() + options_.max_row,
              "a row is longer than limits.table_row allows"};
  return false;
}

/// Up to `at`. Lines are not held.
bool Table::is_held_too_long(std::size_t at) const noexcept {
  if (!is_holding_ || (options_.format == TableFormat::lines && member_ == Member::rows))
    return false;
  return place(at) > options_.max_row;
}

void Table::begin_holding(std::size_t at) noexcept {
  is_holding_ = true;
  from_ = at;
  held_.clear();
}

/// All of what was held, up to `at`; until something else is.
std::string_view Table::end_holding(std::size_t at) noexcept {
  is_holding_ = false;
  if (held_.empty()) return {text_ + from_, at - from_};
  held_.append(text_ + from_, at - from_);
  return held_;
}

bool Table::end_piece(std::size_t at) noexcept {
  if (!is_holding_) return true;
  if (options_.format == TableFormat::lines && member_ == Member::rows) {
    put_line(at);
  } else {
    if (is_held_too_long(at)) return fail_too_long();
    held_.append(text_ + from_, at - from_);
  }
  from_ = 0;
  return true;
}

/// The value of `columns`: what they are called.
bool Table::take_columns(std::string_view raw) noexcept {
  has_columns_ = true;
  if (options_.format == TableFormat::lines && !has_rows_) {
    ready_ = raw;
    std::replace_if(
        ready_.begin(), ready_.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    ready_ += '\n';
    must_pause_ = true;
    return true;
  }
  Document document;
  const auto root = document.parse_copy(raw);
  if (!root) return false;
  std::vector<std::string> names;
  for (const Json column : *root) {
    const Json name = column.is(JsonKind::object) ? column.find("name") : column;
    const auto text = name ? name.as_string() : std::nullopt;
    names.emplace_back(text ? *text : column.raw());
  }
  if (names.size() > options_.max_columns) return false;
  if (!has_rows_ || report_.rows == 0) {
    writer_.name_columns(names);
  } else if (shape_ == Shape::arrays) {
    report_.has_late_columns = true;
    late_columns_ = std::move(names);
  }
  return true;
}

void Table::put_row(const TableRow& row) noexcept {
  ++report_.rows;
  if (report_.rows > 1) {
    const std::size_t room = writer_.room(row);
    if (room <= room_) {
      const auto n = static_cast<std::size_t>(writer_.put_row(out_, row) - out_);
      out_ += n;
      room_ -= n;
      written_ += n;
      return;
    }
  } else {
    writer_.begin(row, ready_);
  }
  const std::size_t before = ready_.size();
  ready_.resize(before + writer_.room(row));
  const char* const end = writer_.put_row(ready_.data() + before, row);
  ready_.resize(static_cast<std::size_t>(end - ready_.data()));
  must_pause_ = true;
}

/// Copies the line up to `to`.
void Table::put_line(std::size_t to) noexcept {
  const std::size_t n = to - from_;
  if (n == 0) return;
  std::memcpy(out_, text_ + from_, n);
  for (const char c : {'\n', '\r'}) {
    for (void* at = out_;
         (at = std::memchr(at, c, n - static_cast<std::size_t>(static_cast<char*>(at) - out_))) !=
         nullptr;)
      *static_cast<char*>(at) = ' ';
  }
  out_ += n;
  room_ -= n;
  written_ += n;
  from_ = to;
}

/// In place of the mark behind the line, so that there is room for it.
void Table::end_line() noexcept {
  *out_++ = '\n';
  --room_;
  ++written_;
}

void Table::write_ready(std::span<char> out, Step& done) noexcept {
  const std::size_t n = std::min(ready_.size() - ready_written_, out.size() - done.written);
  if (n > 0) std::memcpy(out.data() + done.written, ready_.data() + ready_written_, n);
  done.written += n;
  written_ += n;
  ready_written_ += n;
  if (ready_written_ < ready_.size()) return;
  ready_.clear();
  ready_written_ = 0;
}

}  // namespace sluice::json
