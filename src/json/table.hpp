#pragma once

#include <cstddef>
#include <cstdint>
#include <sluice/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/simd.hpp"
#include "base/units.hpp"
#include "json/step.hpp"
#include "json/structure.hpp"
#include "json/table_writer.hpp"

namespace sluice::json {

/// Turns a JSON text that is a table into csv, a Markdown table, or lines, row by row as they come:
///   - an array of objects: the columns are TableOptions::columns, else the names in the first row;
///   - an array of arrays: no names, but for TableOptions::columns; as many columns as the first
///     row has;
///   - an object with `columns` (names, or objects with a member `name`) and `rows` (either of
///     the above), in any order. Where the columns come behind the rows, there is no header.
/// A table deeper in a document is taken out by a Selector in front.
///
/// Numbers and literals are as they were written; strings are their characters; containers are
/// their text without blanks; null and what is missing is empty. TableFormat::lines takes any
/// array, and passes the text of its elements, with line breaks between tokens as blanks; `columns`
/// that come first are a line of their own.
///
/// Nothing is lost in silence: what has no place is counted in report() and losses().
///
/// Memory:  csv and markdown hold one row, up to `max_row`, and what is written of it; lines hold
///          nothing. Both keep names of columns and what `columns` is, up to `max_row`. All
///          of it grows to what is needed and stays; nothing is allocated per row or cell.
/// Errors:  Errc::source_failed where the text is no table, as a rule before anything is put
///          out, Errc::not_json, Errc::result_too_large for a longer row, or one with more cells
///          than `max_columns`; failure() says what and where.
class Table {
 public:
  struct Options {
    TableFormat format = TableFormat::csv;
    std::vector<std::string> columns = {};  ///< Which, and in which order; empty: all.
    std::size_t max_row = 1_MiB;
    std::size_t max_columns = 1024;
  };
  struct Report {
    std::uint64_t rows = 0;
    bool has_late_columns = false;  ///< `columns` came behind rows that are arrays; see columns().
    /// Members beside `columns` and `rows`, which are not in the table.
    std::uint64_t other_members = 0;
    std::vector<std::string> other_names;  ///< The first few.
  };

  /// REQUIRES: this processor can run `with`.
  explicit Table(Options options, Simd with = simd());

  /// As Selector::step().
  [[nodiscard]] Result<Step> step(std::string_view in, std::span<char> out) noexcept;
  /// The input is over. What is left is put out by step() with nothing to read, until it leaves
  /// room. Errors: Errc::not_json, Errc::source_failed.
  [[nodiscard]] Result<void> finish() noexcept;

  [[nodiscard]] const Report& report() const noexcept { return report_; }
  [[nodiscard]] const TableLosses& losses() const noexcept { return writer_.losses(); }
  /// Empty where they have no names.
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept {
    return report_.has_late_columns ? late_columns_ : writer_.names();
  }
  [[nodiscard]] std::uint64_t read() const noexcept { return base_; }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }
  [[nodiscard]] const StepFailure& failure() const noexcept { return failure_; }

 private:
  enum class State : std::uint8_t {
    start,
    // In the object around the rows.
    first_member,
    member,
    in_member,
    member_colon,
    member_value,
    member_string,
    member_scalar,
    member_nested,
    after_member,
    columns,  ///< In the value of that member.
    // Among rows.
    first_row,
    row,
    after_row,
    // In a row.
    first_cell,
    cell,
    in_name,
    colon,
    value,
    string,
    scalar,
    nested,
    after_cell,
    // In a line.
    line_string,
    line_scalar,
    line_nested,
    end,
    failed,
  };
  enum class Shape : std::uint8_t { unknown, objects, arrays };
  enum class Member : std::uint8_t { columns, rows, other };

  // The walk. What returns bool is false where it ends here: on a failure.
  std::size_t walk() noexcept;
  [[nodiscard]] bool take_token(std::size_t at) noexcept;
  [[nodiscard]] bool take_member_token(std::size_t at) noexcept;
  [[nodiscard]] bool take_end(std::size_t at) noexcept;
  void end_member_name(std::size_t at) noexcept;
  [[nodiscard]] bool begin_member_value(std::size_t at) noexcept;
  [[nodiscard]] bool begin_row(std::size_t at) noexcept;
  [[nodiscard]] bool begin_line(std::size_t at) noexcept;
  [[nodiscard]] bool begin_cell(std::size_t at) noexcept;
  [[nodiscard]] bool begin_value(std::size_t at) noexcept;
  [[nodiscard]] bool end_row(std::size_t at) noexcept;
  void end_rows() noexcept;
  void end_table() noexcept;
  bool fail(Errc code, std::size_t at, const char* what) noexcept;
  bool fail_too_long() noexcept;

  // What is put out.
  void begin_holding(std::size_t at) noexcept;
  [[nodiscard]] bool is_held_too_long(std::size_t at) const noexcept;
  [[nodiscard]] std::string_view end_holding(std::size_t at) noexcept;
  [[nodiscard]] bool end_piece(std::size_t at) noexcept;
  [[nodiscard]] bool take_columns(std::string_view raw) noexcept;
  void put_row(const TableRow& row) noexcept;
  void put_line(std::size_t to) noexcept;
  void end_line() noexcept;
  void write_ready(std::span<char> out, Step& done) noexcept;
  /// From the start of what is held.
  [[nodiscard]] std::uint32_t place(std::size_t at) const noexcept {
    return static_cast<std::uint32_t>(held_.size() + at - from_);
  }

  Options options_;
  Structure structure_;
  TableWriter writer_;
  State state_ = State::start;
  Shape shape_ = Shape::unknown;
  Member member_ = Member::other;
  bool has_outer_ = false;  ///< The rows are in an object.
  bool has_rows_ = false;
  bool has_columns_ = false;

  // The piece that is looked at.
  const char* text_ = nullptr;
  std::size_t size_ = 0;
  char* out_ = nullptr;
  std::size_t room_ = 0;
  bool must_pause_ = false;  ///< The walk stops, since something waits for room.

  std::uint64_t base_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t nested_ = 0;
  // A row, a name or `columns`: what of it came in earlier pieces, and from from_ on in this one. Of a
  // line, what is to be copied.
  bool is_holding_ = false;
  std::size_t from_ = 0;
  std::string held_;
  std::vector<TableRow::Cell> cells_;
  std::string ready_;  ///< To be put out as soon as there is room.
  std::size_t ready_written_ = 0;
  std::vector<std::string> late_columns_;
  Report report_;
  StepFailure failure_;
};

}  // namespace sluice::json
