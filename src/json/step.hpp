#pragma once

#include <cstddef>
#include <cstdint>
#include <sluice/error.hpp>

namespace sluice::json {

/// What a step read of its input and wrote to its room.
struct Step {
  std::size_t read = 0;
  std::size_t written = 0;
};

/// Why a step failed, and where.
struct StepFailure {
  Errc code = Errc::ok;
  std::uint64_t offset = 0;    ///< In the input, in bytes.
  const char* what = nullptr;  ///< A phrase: "a name must follow".
};

}  // namespace sluice::json
