#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/errors.hpp"

namespace sluice::mcp {

/// Whether a message has its response to itself.
enum class Place : std::uint8_t { alone, in_batch };

/// How a message was answered: with a text that is still to be sent, or by streaming.
struct Outcome {
  unsigned status = 200;
  std::string message;
  bool streamed = false;
};

[[nodiscard]] inline Outcome failed(const Failure& failure, std::string_view id) {
  return {failure.status, render(failure, id), false};
}

}  // namespace sluice::mcp
