#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "json/step.hpp"
#include "support.hpp"

namespace sluice::json::test {

struct Stepped {
  Errc verdict = Errc::ok;
  std::uint64_t offset = 0;  ///< Of a failure.
  std::string what;
  std::string text;

  [[nodiscard]] friend bool operator==(const Stepped&, const Stepped&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Stepped& s) {
    return out << "verdict " << static_cast<int>(s.verdict) << " at " << s.offset << ' ' << s.what
               << ": " << s.text.substr(0, 400);
  }
};

/// Takes the pieces through `worker`, each in bytes of its own, each step into a room of its own.
template <class Worker>
Stepped run_steps(Worker& worker, const std::vector<std::string_view>& pieces, std::size_t room) {
  Stepped out;
  const auto failed = [&](boost::system::error_code ec) {
    out.verdict = static_cast<Errc>(ec.value());
    out.offset = worker.failure().offset;
    out.what = worker.failure().what == nullptr ? "" : worker.failure().what;
    EXPECT_EQ(worker.failure().code, out.verdict);
    return out;
  };
  const auto take = [&](std::string_view piece) -> boost::system::error_code {
    const ExactBytes bytes(piece);
    std::string_view left = bytes.view();
    while (true) {
      GuardedRoom into(room);
      const auto step = worker.step(left, {into.data(), into.size()});
      EXPECT_TRUE(into.is_intact());
      if (!step) return step.error();
      EXPECT_LE(step->written, room);
      out.text.append(into.data(), step->written);
      EXPECT_EQ(worker.written(), out.text.size());
      left.remove_prefix(step->read);
      if (left.empty() && step->written < room) return {};
    }
  };
  for (const std::string_view piece : pieces)
    if (const auto ec = take(piece)) return failed(ec);
  if (const auto end = worker.finish(); !end) return failed(end.error());
  if (const auto ec = take({})) return failed(ec);
  return out;
}

}  // namespace sluice::json::test
