#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/simd.hpp"
#include "json/escaper.hpp"
#include "support.hpp"

namespace sluice::json::test {

/// What an escaper wrote, and which part of its contract it broke, if any.
struct Escaped {
  std::string text;
  const char* broken = nullptr;
};

/// Escapes the pieces one after the other, each time with as much room as `room` says, and holds
/// every step to the contract: it stays inside its span, and stops only where the input or the room
/// ends.
inline Escaped escape_pieces(Simd simd, const std::vector<std::string_view>& pieces,
                             const std::function<std::size_t()>& room) {
  Escaper escaper(simd);
  Escaped escaped;
  for (const std::string_view piece : pieces) {
    const ExactBytes bytes(piece);
    std::string_view left = bytes.view();
    do {
      GuardedRoom out(room());
      const Escaper::Step step = escaper.step(left, {out.data(), out.size()});
      if (!out.is_intact()) escaped.broken = "wrote past its room";
      if (step.read > left.size()) escaped.broken = "read more than there was";
      if (step.written > out.size()) escaped.broken = "wrote more than there was room";
      if (step.read < left.size() && out.size() - step.written >= Escaper::kMinRoom)
        escaped.broken = "stopped without need";
      if (escaped.broken != nullptr) return escaped;
      escaped.text.append(out.data(), step.written);
      left.remove_prefix(step.read);
    } while (!left.empty());
  }
  GuardedRoom out(Escaper::kMinRoom);
  const std::size_t carried = escaper.carried();
  const std::size_t written = escaper.finish({out.data(), out.size()});
  if (!out.is_intact()) escaped.broken = "wrote past its room at the end";
  if ((written > 0) != (carried > 0)) escaped.broken = "wrote something else than what it carried";
  if (escaper.carried() != 0) escaped.broken = "carries on after the end";
  escaped.text.append(out.data(), written);
  return escaped;
}

}  // namespace sluice::json::test
