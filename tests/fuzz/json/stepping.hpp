#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"
#include "json/step.hpp"
#include "support.hpp"

namespace sluice::json::test {

struct Outcome {
  Errc verdict = Errc::ok;
  std::uint64_t offset = 0;
  std::string text;
  [[nodiscard]] friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Takes the pieces through `worker`, each in bytes of its own, each step into a room of its own.
template <class Worker>
Outcome run(Worker& worker, const std::vector<std::string_view>& pieces, std::size_t room) {
  Outcome out;
  const auto take = [&](std::string_view piece) {
    const ExactBytes bytes(piece);
    std::string_view left = bytes.view();
    while (true) {
      GuardedRoom into(room);
      const auto step = worker.step(left, {into.data(), into.size()});
      require(into.is_intact());
      if (!step) return static_cast<Errc>(step.error().value());
      require(step->read <= left.size() && step->written <= room);
      out.text.append(into.data(), step->written);
      require(worker.written() == out.text.size());
      left.remove_prefix(step->read);
      if (left.empty() && step->written < room) return Errc::ok;
    }
  };
  for (const std::string_view piece : pieces) {
    if (out.verdict == Errc::ok) out.verdict = take(piece);
  }
  if (out.verdict == Errc::ok) {
    if (const auto end = worker.finish(); !end) {
      out.verdict = static_cast<Errc>(end.error().value());
    } else {
      out.verdict = take({});
    }
  }
  require(out.verdict == worker.failure().code);
  out.offset = worker.failure().offset;
  return out;
}

}  // namespace sluice::json::test
