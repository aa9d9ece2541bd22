#include <algorithm>

#include "json/table.hpp"
#include "json/unescape.hpp"

namespace sluice::json {
namespace {

constexpr const char* kNoTable =
    "not a table: neither an array of objects or arrays, nor an object with `rows`";
constexpr const char* kMixedRows = "not a table: its rows are neither all objects nor all arrays";

constexpr bool starts_scalar(char c) noexcept {
  return (c >= '0' && c <= '9') || c == '-' || c == 't' || c == 'f' || c == 'n';
}

}  // namespace

/// Goes through the piece, and returns where it stopped: at its end, or where something is wrong,
/// or has to wait for room.
std::size_t Table::walk() noexcept {
  const std::size_t n = size_;
  std::size_t at = 0;
  while (at < n) {
    bool is_well = true;
    switch (state_) {
      case State::in_name:
      case State::string:
      case State::in_member:
      case State::member_string:
      case State::line_string:
        at = structure_.string_end(at);
        if (at == n) return n;
        is_well = take_end(++at);
        break;
      case State::scalar:
      case State::member_scalar:
      case State::line_scalar:
        at = structure_.scalar_end(at);
        if (at == n) return n;
        is_well = take_end(at);
        break;
      case State::nested:
      case State::member_nested:
      case State::columns:
      case State::line_nested:
        at = structure_.skip(at, nested_);
        if (nested_ != 0) return n;
        is_well = take_end(at);
        break;
      default:
        at = structure_.token(at);
        if (at == n) return n;
        is_well = take_token(at);
        if (is_well) ++at;
    }
    if (!is_well) return at;
    if (must_pause_) {
      must_pause_ = false;
      if (at < n) structure_.go_on(state_ == State::string);
      return at;
    }
  }
  return at;
}

/// What is not blank, where a token is due.
bool Table::take_token(std::size_t at) noexcept {
  const char c = text_[at];
  switch (state_) {
    case State::first_cell:
      if (c == ']' || c == '}') return end_row(at);
      return begin_cell(at);
    case State::cell:
      return begin_cell(at);
    case State::colon:
      state_ = State::value;
      return c == ':' || fail(Errc::not_json, at, "a colon must follow a name");
    case State::value:
      return begin_value(at);
    case State::after_cell:
      if (c == ']' || c == '}') return end_row(at);
      state_ = State::cell;
      return c == ',' ||
             fail(Errc::not_json, at, "a comma or a closing bracket must follow a value");
    case State::first_row:
      if (c != ']') return begin_row(at);
      end_rows();
      return true;
    case State::row:
      return begin_row(at);
    case State::after_row:
      if (c != ',' && c != ']')
        return fail(Errc::not_json, at, "a comma or a closing bracket must follow a value");
      if (options_.format == TableFormat::lines) end_line();
      state_ = State::row;
      if (c == ']') end_rows();
      return true;
    default:
      return take_member_token(at);
  }
}

/// Outside of the rows.
bool Table::take_member_token(std::size_t at) noexcept {
  const char c = text_[at];
  switch (state_) {
    case State::start:
      has_outer_ = c == '{';
      has_rows_ = c == '[';
      if (has_rows_) member_ = Member::rows;
      state_ = has_outer_ ? State::first_member : State::first_row;
      return has_outer_ || has_rows_ || fail(Errc::source_failed, at, kNoTable);
    case State::after_member:
    case State::first_member:
      if (c == '}') {
        if (!has_rows_) return fail(Errc::source_failed, at, kNoTable);
        end_table();
        return true;
      }
      if (state_ == State::after_member) {
        state_ = State::member;
        return c == ',' ||
               fail(Errc::not_json, at, "a comma or a closing bracket must follow a value");
      }
      [[fallthrough]];
    case State::member:
      if (c != '"') return fail(Errc::not_json, at, "a name must follow");
      state_ = State::in_member;
      member_ = Member::other;
      begin_holding(at);
      return true;
    case State::member_colon:
      state_ = State::member_value;
      return c == ':' || fail(Errc::not_json, at, "a colon must follow a name");
    case State::member_value:
      return begin_member_value(at);
    default:  // State::end
      return fail(Errc::not_json, at, "nothing may follow the value");
  }
}

/// A string, a number or a container is over, in front of `at`.
bool Table::take_end(std::size_t at) noexcept {
  switch (state_) {
    case State::in_name:
      cells_.back().name_end = place(at);
      state_ = State::colon;
      return true;
    case State::in_member:
      if (is_held_too_long(at)) return fail_too_long();
      end_member_name(at);
      state_ = State::member_colon;
      return true;
    case State::member_string:
    case State::member_scalar:
    case State::member_nested:
      state_ = State::after_member;
      return true;
    case State::columns:
      if (is_held_too_long(at)) return fail_too_long();
      state_ = State::after_member;
      return take_columns(end_holding(at)) ||
             fail(Errc::source_failed, at, "`columns` is no array of names, or has too many");
    case State::line_string:
    case State::line_scalar:
    case State::line_nested:
      put_line(at);
      is_holding_ = false;
      state_ = State::after_row;
      return true;
    default:  // of a cell
      cells_.back().value_end = place(at);
      state_ = State::after_cell;
      return true;
  }
}

void Table::end_member_name(std::size_t at) noexcept {
  std::string_view raw = end_holding(at);
  raw = raw.substr(1, raw.size() - 2);
  std::string name(raw.size(), '\0');
  name.resize(static_cast<std::size_t>(unescape(raw, name.data()) - name.data()));
  if (name == "columns" && !has_columns_) {
    member_ = Member::columns;
  } else if (name == "rows" && !has_rows_) {
    member_ = Member::rows;
  } else {
    ++report_.other_members;
    if (report_.other_names.size() < TableLosses::kNames)
      report_.other_names.push_back(std::move(name));
  }
}

bool Table::begin_member_value(std::size_t at) noexcept {
  const char c = text_[at];
  if (member_ != Member::other && c != '[') {
    return fail(Errc::source_failed, at,
                member_ == Member::rows ? "not a table: `rows` is no array"
                                        : "not a table: `columns` is no array");
  }
  if (member_ == Member::rows) {
    has_rows_ = true;
    state_ = State::first_row;
  } else if (c == '[' || c == '{') {
    if (member_ == Member::columns) begin_holding(at);
    state_ = member_ == Member::columns ? State::columns : State::member_nested;
    nested_ = 1;
  } else {
    state_ = c == '"' ? State::member_string : State::member_scalar;
    return c == '"' || starts_scalar(c) || fail(Errc::not_json, at, "a value must follow");
  }
  return true;
}

bool Table::begin_row(std::size_t at) noexcept {
  if (options_.format == TableFormat::lines) return begin_line(at);
  const char c = text_[at];
  const Shape shape = c == '{' ? Shape::objects : c == '[' ? Shape::arrays : Shape::unknown;
  if (shape == Shape::unknown && c != '"' && !starts_scalar(c))
    return fail(Errc::not_json, at, "a value must follow");
  if (shape_ == Shape::unknown) shape_ = shape;
  if (shape == Shape::unknown || shape != shape_)
    return fail(Errc::source_failed, at, report_.rows == 0 ? kNoTable : kMixedRows);
  begin_holding(at);
  cells_.clear();
  state_ = State::first_cell;
  return true;
}

bool Table::begin_line(std::size_t at) noexcept {
  ++report_.rows;
  is_holding_ = true;
  from_ = at;
  const char c = text_[at];
  nested_ = 1;
  if (report_.rows == 1 && c == '[') shape_ = Shape::arrays;
  state_ = c == '{' || c == '[' ? State::line_nested
           : c == '"'           ? State::line_string
                                : State::line_scalar;
  return state_ != State::line_scalar || starts_scalar(c) ||
         fail(Errc::not_json, at, "a value must follow");
}

bool Table::begin_cell(std::size_t at) noexcept {
  if (cells_.size() == options_.max_columns)
    return fail(Errc::result_too_large, at,
                "a row has more cells than limits.table_columns allows");
  TableRow::Cell& cell = cells_.emplace_back();
  if (shape_ == Shape::arrays) return begin_value(at);
  if (text_[at] != '"') return fail(Errc::not_json, at, "a name must follow");
  cell.name = place(at);
  state_ = State::in_name;
  return true;
}

bool Table::begin_value(std::size_t at) noexcept {
  const char c = text_[at];
  cells_.back().value = place(at);
  if (c == '"') {
    state_ = State::string;
  } else if (c == '{' || c == '[') {
    nested_ = 1;
    state_ = State::nested;
  } else {
    state_ = State::scalar;
    return starts_scalar(c) || fail(Errc::not_json, at, "a value must follow");
  }
  return true;
}

bool Table::end_row(std::size_t at) noexcept {
  if ((text_[at] == '}') != (shape_ == Shape::objects))
    return fail(Errc::not_json, at, "the bracket that closes is not of the kind that opened");
  if (is_held_too_long(at + 1)) return fail_too_long();
  put_row({shape_ == Shape::objects, end_holding(at + 1), cells_});
  state_ = State::after_row;
  return true;
}

void Table::end_rows() noexcept {
  member_ = Member::other;
  state_ = State::after_member;
  if (!has_outer_) end_table();
}

void Table::end_table() noexcept {
  state_ = State::end;
  if (report_.rows > 0 || options_.format == TableFormat::lines) return;
  writer_.begin_empty(ready_);
  must_pause_ = !ready_.empty();
}

}  // namespace sluice::json
