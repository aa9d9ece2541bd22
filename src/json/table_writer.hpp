#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/table_cell.hpp"
#include "json/table_columns.hpp"

namespace sluice::json {

/// A row as it came: where its cells are in its text.
struct TableRow {
  struct Cell {
    // Of an object: the name's string with its quotes.
    std::uint32_t name = 0;
    std::uint32_t name_end = 0;
    std::uint32_t value = 0;
    std::uint32_t value_end = 0;
  };
  bool is_object = false;
  std::string_view text;
  std::span<const Cell> cells;

  [[nodiscard]] std::string_view name(const Cell& cell) const noexcept {
    return text.substr(cell.name + 1, cell.name_end - cell.name - 2);
  }
  [[nodiscard]] std::string_view value(const Cell& cell) const noexcept {
    return text.substr(cell.value, cell.value_end - cell.value);
  }
};

/// What had no place in a table.
struct TableLosses {
  static constexpr std::size_t kNames = 8;

  /// Cells of objects, under names that are no columns, unless it was said which columns are
  /// wanted.
  std::uint64_t cells = 0;
  std::vector<std::string> names;  ///< The first few of theirs.
  std::uint64_t ragged_rows = 0;   ///< Arrays with more or fewer cells than there are columns.
};

/// Writes rows as csv or Markdown, under columns that are settled with the first of them.
class TableWriter {
 public:
  /// `wanted`: which columns, and in which order; empty: all.
  TableWriter(TableFormat format, const std::vector<std::string>& wanted);

  /// What the columns are called. REQUIRES: no row was written yet.
  void name_columns(const std::vector<std::string>& names);
  /// Settles the columns, and appends what stands above the rows. Once, with the first row.
  void begin(const TableRow& row, std::string& out);
  /// The same for a table without rows.
  void begin_empty(std::string& out);

  /// What put_row() writes at most.
  [[nodiscard]] std::size_t room(const TableRow& row) const noexcept {
    return row_room(row.text.size(), row.cells.size() + width_);
  }
  /// Writes a row at `out`; returns where it ends. REQUIRES: begin(), room().
  [[nodiscard]] char* put_row(char* out, const TableRow& row);

  /// Empty where they have none.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return columns_.names(); }
  [[nodiscard]] const TableLosses& losses() const noexcept { return losses_; }

 private:
  void put_header(std::string& out);
  void sort_cells(const TableRow& row);
  void lose(std::string_view raw_name);

  TableFormat format_;
  bool is_chosen_;  ///< It was said which columns are wanted.
  bool is_order_set_ = false;
  TableColumns columns_;
  std::size_t width_ = 0;             ///< Columns, with names or without.
  std::vector<std::uint32_t> order_;  ///< For each, which cell of a row it is; or kNone.
  TableLosses losses_;
  std::string scratch_;
};

}  // namespace sluice::json
