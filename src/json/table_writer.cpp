#include "json/table_writer.hpp"

#include <algorithm>

#include "json/document.hpp"
#include "json/unescape.hpp"

namespace sluice::json {

TableWriter::TableWriter(TableFormat format, const std::vector<std::string>& wanted)
    : format_(format), is_chosen_(!wanted.empty()) {
  for (const std::string& name : wanted) columns_.add_text(name);
}

void TableWriter::name_columns(const std::vector<std::string>& names) {
  if (!is_chosen_) {
    for (const std::string& name : names) columns_.add_text(name);
    return;
  }
  // Cells of arrays are found by what their place is called.
  is_order_set_ = true;
  for (const std::string& name : columns_.names()) {
    const auto at = std::find(names.begin(), names.end(), name);
    order_.push_back(at == names.end() ? TableColumns::kNone
                                       : static_cast<std::uint32_t>(at - names.begin()));
  }
}

void TableWriter::begin(const TableRow& row, std::string& out) {
  if (row.is_object && columns_.size() == 0) {
    for (const TableRow::Cell& cell : row.cells) columns_.add(row.name(cell));
  }
  const bool has_names = columns_.size() > 0;
  width_ = has_names ? columns_.size() : row.cells.size();
  order_.resize(width_, TableColumns::kNone);
  if (!row.is_object && !is_order_set_) {
    for (std::uint32_t i = 0; i < width_; ++i) order_[i] = i;
  }
  put_header(out);
}

void TableWriter::begin_empty(std::string& out) {
  width_ = columns_.size();
  if (width_ > 0) put_header(out);
}

void TableWriter::put_header(std::string& out) {
  const bool has_names = columns_.size() > 0;
  if (format_ == TableFormat::csv && !has_names) return;
  std::string name;
  const auto put = [&](auto put_cell, std::size_t column) {
    if (!has_names) return;
    name.clear();
    append_string(name, columns_.names()[column]);
    std::string text(row_room(name.size(), 1), '\0');
    text.resize(static_cast<std::size_t>(put_cell(text.data(), name, scratch_) - text.data()));
    out += text;
  };
  if (format_ == TableFormat::csv) {
    for (std::size_t i = 0; i < width_; ++i) {
      if (i > 0) out += ',';
      put(put_csv_cell, i);
    }
    out += '\n';
    return;
  }
  out += '|';
  for (std::size_t i = 0; i < width_; ++i) {
    put(put_markdown_cell, i);
    out += '|';
  }
  out += "\n|";
  for (std::size_t i = 0; i < width_; ++i) out += "---|";
  out += '\n';
}

/// Which cell of an object stands in which column.
void TableWriter::sort_cells(const TableRow& row) {
  std::fill(order_.begin(), order_.end(), TableColumns::kNone);
  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < row.cells.size(); ++i) {
    const std::string_view name = row.name(row.cells[i]);
    const std::uint32_t column = columns_.find(name, expected);
    if (column == TableColumns::kNone) {
      if (!is_chosen_) lose(name);
      continue;
    }
    expected = column + 1;
    if (order_[column] != TableColumns::kNone) {
      lose(name);
      continue;
    }
    order_[column] = i;
  }
}

void TableWriter::lose(std::string_view raw_name) {
  ++losses_.cells;
  if (losses_.names.size() == TableLosses::kNames) return;
  std::string name(raw_name.size(), '\0');
  name.resize(static_cast<std::size_t>(unescape(raw_name, name.data()) - name.data()));
  if (std::find(losses_.names.begin(), losses_.names.end(), name) == losses_.names.end())
    losses_.names.push_back(std::move(name));
}

char* TableWriter::put_row(char* out, const TableRow& row) {
  std::size_t extra = row.cells.size();
  if (row.is_object) {
    sort_cells(row);
  } else if (!is_order_set_) {
    if (row.cells.size() != width_) ++losses_.ragged_rows;
    extra = width_;
  }
  const auto put = [&](auto put_cell, char separator) {
    const auto put_at = [&](std::size_t cell) {
      if (cell < row.cells.size()) out = put_cell(out, row.value(row.cells[cell]), scratch_);
    };
    for (std::size_t i = 0; i < width_; ++i) {
      put_at(order_[i]);
      *out++ = separator;
    }
    // Cells without a column stand behind the others.
    for (std::size_t i = extra; i < row.cells.size(); ++i) {
      put_at(i);
      *out++ = separator;
    }
  };
  if (format_ == TableFormat::csv) {
    char* const start = out;
    put(put_csv_cell, ',');
    if (out == start) ++out;
    out[-1] = '\n';
    return out;
  }
  *out++ = '|';
  put(put_markdown_cell, '|');
  *out++ = '\n';
  return out;
}

}  // namespace sluice::json
