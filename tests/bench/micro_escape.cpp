#include <cstring>

#include "json/escaper.hpp"
#include "micro.hpp"

namespace sluice::bench {
namespace {

void copy(benchmark::State& state, Text text) {
  run(state, text(), [](std::string_view in, std::span<char> out) {
    std::memcpy(out.data(), in.data(), in.size());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
    return in.size();
  });
}

/// A byte at a time, without a check of UTF-8.
void escape_plainly(benchmark::State& state, Text text) {
  run(state, text(), [](std::string_view in, std::span<char> out) {
    char* to = out.data();
    for (const char c : in) {
      if (c == '"' || c == '\\') {
        *to++ = '\\';
        *to++ = c;
      } else if (c == '\n') {
        *to++ = '\\';
        *to++ = 'n';
      } else {
        *to++ = c;
      }
    }
    return static_cast<std::size_t>(to - out.data());
  });
}

void escape(benchmark::State& state, Text text) {
  json::Escaper escaper;
  run(state, text(),
      [&](std::string_view in, std::span<char> out) { return escaper.step(in, out).written; });
}

BENCHMARK_CAPTURE(copy, table, table);
BENCHMARK_CAPTURE(escape_plainly, table, table);
BENCHMARK_CAPTURE(escape, table, table);
BENCHMARK_CAPTURE(escape, plain, plain);
BENCHMARK_CAPTURE(escape, lines, lines);
BENCHMARK_CAPTURE(escape, prose, prose);

}  // namespace
}  // namespace sluice::bench
