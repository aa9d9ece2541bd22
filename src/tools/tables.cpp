#include "tools/tables.hpp"

#include "tools/notice.hpp"

namespace sluice::tools {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

std::optional<json::Table::Options> table_options(config::Shaping::Format format,
                                                  const std::vector<std::string>& columns,
                                                  const config::Limits& limits) {
  using Format = config::Shaping::Format;
  if (format == Format::as_is || format == Format::json) return std::nullopt;
  json::Table::Options out;
  out.format = format == Format::csv        ? json::TableFormat::csv
               : format == Format::markdown ? json::TableFormat::markdown
                                            : json::TableFormat::lines;
  out.columns = columns;
  out.max_row = limits.table_row;
  out.max_columns = limits.table_columns;
  return out;
}

std::string_view table_media_type(config::Shaping::Format format) noexcept {
  switch (format) {
    case config::Shaping::Format::csv:
      return "text/csv";
    case config::Shaping::Format::markdown:
      return "text/markdown";
    case config::Shaping::Format::lines:
      return "application/jsonl";
    default:
      return {};
  }
}

void append_table_losses(std::string& notice, const json::Table& table) {
  const auto& losses = table.losses();
  if (losses.cells > 0)
    append_sentence(
        notice, "The table has the columns of its first row: " + counted(losses.cells, "value") +
                    " of later rows under other names (" + list_of(losses.names) +
                    ") are left out.");
  if (losses.ragged_rows > 0)
    append_sentence(notice, counted(losses.ragged_rows, "row") +
                                " had more or fewer cells than there are columns.");
  const auto& report = table.report();
  if (report.has_late_columns)
    append_sentence(
        notice, "The names of the columns came behind the rows: " + list_of(table.columns()) + '.');
  if (report.other_members > 0)
    append_sentence(notice, "Left out beside the table: " + list_of(report.other_names) + '.');
}

}  // namespace sluice::tools
