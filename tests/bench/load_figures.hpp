#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "load_options.hpp"

namespace load {

/// What a run showed.
struct Figures {
  std::vector<double> latency_ms;     ///< Of each call that was answered.
  std::vector<double> first_byte_ms;  ///< Of each of them.
  double seconds = 0;                 ///< From the first call's start to the last one's end.
  double cpu_ms = 0;                  ///< Of the server.
  double own_cpu_ms = 0;              ///< Of this program.
  double text_bytes = 0;              ///< Of one answer, decoded.
  double received_bytes = 0;          ///< Bodies, also of calls that were cut off.
  std::int64_t idle_kb = 0;
  std::int64_t peak_kb = 0;
  std::int64_t socket_peak_bytes = 0;
  std::int64_t socket_samples = 0;
  std::int64_t stream_growth_kb = 0;
  std::size_t streams_open = 0;
  std::uint64_t unfinished = 0;  ///< Calls under way when the time was up (slow readers only).
  std::uint64_t errors = 0;
  std::string first_error;
};

/// The one line of JSON. Sorts the latencies.
[[nodiscard]] std::string to_json(const Options& options, Figures& figures);

}  // namespace load
