#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/simd.hpp"
#include "json/select.hpp"
#include "support.hpp"

namespace sluice::json::test {

struct Selected {
  Errc verdict = Errc::ok;
  std::string text;
  bool has_match = false;
  bool is_done = false;
  std::uint64_t read = 0;
  std::uint64_t offset = 0;  ///< Of a failure.
  std::uint64_t items = 0;
  bool is_total = false;
  bool is_limited = false;

  [[nodiscard]] friend bool operator==(const Selected&, const Selected&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Selected& s) {
    return out << "verdict " << static_cast<int>(s.verdict) << " at " << s.offset << ", match "
               << s.has_match << ", done " << s.is_done << ", read " << s.read << ", items "
               << s.items << s.is_total << s.is_limited << ": " << s.text.substr(0, 300);
  }
};

inline std::vector<Path> paths(std::initializer_list<const char*> texts) {
  std::vector<Path> all;
  for (const char* text : texts) {
    Path::Problem problem;
    auto path = Path::parse(text, problem);
    EXPECT_TRUE(path.has_value()) << text << ": " << problem.text << " at " << problem.offset;
    if (path) all.push_back(*path);
  }
  return all;
}

inline std::shared_ptr<const SelectPlan> plan_of(const Selection& selection) {
  std::string problem;
  auto plan = SelectPlan::make(selection, problem);
  EXPECT_TRUE(plan.has_value()) << problem;
  return std::make_shared<const SelectPlan>(plan.value_or(SelectPlan()));
}

/// Each piece in bytes of its own, each step into a room of its own.
inline Selected select_pieces(Simd simd, const std::shared_ptr<const SelectPlan>& plan,
                              const std::vector<std::string_view>& pieces, std::size_t room,
                              Selector::Limits limits = Selector::Limits()) {
  Selector selector(plan, limits, simd);
  Selected out;
  const auto say = [&] {
    out.has_match = selector.has_match();
    out.is_done = selector.is_done();
    out.read = selector.read();
    out.offset = selector.failure().offset;
    out.items = selector.items();
    out.is_total = selector.is_items_total();
    out.is_limited = selector.is_items_limit_reached();
    return out;
  };
  for (const std::string_view piece : pieces) {
    const ExactBytes bytes(piece);
    std::string_view left = bytes.view();
    while (true) {
      GuardedRoom into(room);
      const auto step = selector.step(left, {into.data(), into.size()});
      EXPECT_TRUE(into.is_intact());
      if (!step) {
        EXPECT_EQ(selector.written(), out.text.size());
        out.verdict = static_cast<Errc>(step.error().value());
        return say();
      }
      out.text.append(into.data(), step->written);
      EXPECT_EQ(selector.written(), out.text.size());
      left.remove_prefix(step->read);
      if (left.empty() && step->written < room) break;
    }
  }
  const auto end = selector.finish();
  if (!end) out.verdict = static_cast<Errc>(end.error().value());
  return say();
}

/// As a whole; by every instruction set, with pieces and rooms of several sizes the same.
inline Selected select(const Selection& selection, std::string_view text,
                       Selector::Limits limits = Selector::Limits()) {
  const auto plan = plan_of(selection);
  const Selected whole = select_pieces(Simd::portable, plan, {text}, text.size() + 64, limits);
  for (const Simd simd : supported_simd()) {
    const std::string name(name_of(simd));
    EXPECT_EQ(select_pieces(simd, plan, {text}, text.size() + 64, limits), whole) << name;
    EXPECT_EQ(select_pieces(simd, plan, cut_every(text, 1), 1, limits), whole) << name;
    EXPECT_EQ(select_pieces(simd, plan, cut_every(text, 1), 100, limits), whole) << name;
    EXPECT_EQ(select_pieces(simd, plan, {text}, 1, limits), whole) << name;
    EXPECT_EQ(select_pieces(simd, plan, cut_every(text, 7), 5, limits), whole) << name;
  }
  return whole;
}

inline std::string selected(std::initializer_list<const char*> select_paths,
                            std::initializer_list<const char*> drop_paths, std::string_view text) {
  const Selected out =
      select({paths(select_paths), paths(drop_paths), {}, Selection::Shape::value}, text);
  EXPECT_EQ(out.verdict, Errc::ok) << text << " at " << out.offset;
  EXPECT_EQ(out.has_match, !out.text.empty());
  return out.text;
}

}  // namespace sluice::json::test
