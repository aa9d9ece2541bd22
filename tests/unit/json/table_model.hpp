#pragma once

#include <sluice/json.hpp>

#include <string>
#include <vector>

#include "path_model.hpp"

namespace sluice::json::test {

// Tables of objects and arrays, written the plain way from a tree, and csv read back.

inline std::string cell_text(Json value) {
  if (!value || value.is(JsonKind::null)) return {};
  if (value.is(JsonKind::string)) return std::string(*value.as_string());
  return compact(value.raw());
}

/// Rows of cells, the header first where there is one. REQUIRES: objects with unique names, or
/// arrays of one length.
inline std::vector<std::vector<std::string>> table_model(Json rows) {
  std::vector<std::vector<std::string>> out;
  std::vector<std::string> names;
  for (const Json row : rows) {
    std::vector<std::string> cells;
    if (row.is(JsonKind::object)) {
      if (out.empty()) {
        for (const Json::Member member : row.members()) names.emplace_back(member.name);
        out.push_back(names);
      }
      for (const std::string& name : names) cells.push_back(cell_text(row.find(name)));
    } else {
      for (const Json cell : row) cells.push_back(cell_text(cell));
    }
    out.push_back(std::move(cells));
  }
  return out;
}

/// RFC 4180.
inline std::vector<std::vector<std::string>> read_csv(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  std::size_t at = 0;
  while (at < text.size()) {
    auto& row = rows.emplace_back();
    while (true) {
      std::string& cell = row.emplace_back();
      if (text[at] == '"') {
        for (++at; text[at] != '"' || text.substr(at, 2) == "\"\""; ++at) {
          if (text[at] == '"') ++at;
          cell += text[at];
        }
        ++at;
      } else {
        while (text[at] != ',' && text[at] != '\n') cell += text[at++];
      }
      if (text[at++] == '\n') break;
    }
  }
  return rows;
}

}  // namespace sluice::json::test
