#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "json/table.hpp"
#include "step_run.hpp"

namespace sluice::json::test {

struct Tabled {
  Stepped out;
  std::uint64_t rows = 0;
  std::vector<std::string> columns;
  std::uint64_t lost = 0;
  std::vector<std::string> lost_names;
  std::uint64_t ragged = 0;
  bool is_late = false;
  std::uint64_t others = 0;
  std::vector<std::string> other_names;

  [[nodiscard]] friend bool operator==(const Tabled&, const Tabled&) = default;
  friend std::ostream& operator<<(std::ostream& to, const Tabled& t) {
    return to << t.out << " rows " << t.rows << " columns " << ::testing::PrintToString(t.columns)
              << " lost " << t.lost << ::testing::PrintToString(t.lost_names) << " ragged "
              << t.ragged << " late " << t.is_late << " others " << t.others
              << ::testing::PrintToString(t.other_names);
  }
};

inline Tabled table_pieces(Simd simd, const Table::Options& options,
                           const std::vector<std::string_view>& pieces, std::size_t room) {
  Table table(options, simd);
  Tabled result;
  result.out = run_steps(table, pieces, room);
  result.rows = table.report().rows;
  result.columns = table.columns();
  result.lost = table.losses().cells;
  result.lost_names = table.losses().names;
  result.ragged = table.losses().ragged_rows;
  result.is_late = table.report().has_late_columns;
  result.others = table.report().other_members;
  result.other_names = table.report().other_names;
  return result;
}

/// As a whole; by every instruction set, with pieces and rooms of several sizes the same.
inline Tabled table(const Table::Options& options, std::string_view text) {
  const Tabled whole = table_pieces(Simd::portable, options, {text}, 8 * text.size() + 100);
  for (const Simd simd : supported_simd()) {
    for (const std::size_t length : {std::size_t{1}, std::size_t{7}, text.size() + 1}) {
      for (const std::size_t room : {std::size_t{1}, std::size_t{50}, 5 * text.size() + 100}) {
        EXPECT_EQ(table_pieces(simd, options, cut_every(text, length), room), whole)
            << name_of(simd) << ' ' << length << ' ' << room;
      }
    }
  }
  return whole;
}

inline std::string as(TableFormat format, std::string_view text) {
  const Tabled out = table({.format = format}, text);
  EXPECT_EQ(out.out.verdict, Errc::ok) << out;
  return out.out.text;
}

}  // namespace sluice::json::test
