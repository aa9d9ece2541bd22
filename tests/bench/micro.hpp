#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sluice::bench {

/// Bytes of each text.
inline constexpr std::size_t kInput = 1 << 20;
/// What a source's buffer holds, as a rule.
inline constexpr std::size_t kChunk = 16 * 1024;

/// The reference payload: a table in which every tenth byte is a quote.
const std::string& table();
/// Letters, nothing to escape.
const std::string& plain();
/// Lines of 49 letters.
const std::string& lines();
/// Chinese, with its punctuation.
const std::string& prose();
/// A log in colours: controls that have no short form.
const std::string& coloured();

using Text = const std::string& (*)();

/// Takes `text` through `step(in, out)` in chunks of 16 KiB, into a warm buffer of 64 KiB, as
/// between a source's buffer and a frame. Figures are bytes of input per second.
template <class Step>
void run(benchmark::State& state, const std::string& text, Step step) {
  static std::array<char, 4 * kChunk> out;
  for (auto _ : state)
    for (std::size_t at = 0; at < text.size(); at += kChunk)
      benchmark::DoNotOptimize(
          step(std::string_view(text).substr(at, kChunk), std::span<char>(out)));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text.size()));
}

}  // namespace sluice::bench
