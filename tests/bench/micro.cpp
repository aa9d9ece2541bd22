// The hot types beside memcpy and beside the plain way, in GB/s of input: build/bench/micro
// Chunks of 16 KiB into a warm buffer of 64 KiB, as between a source's buffer and a frame.

#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "json/base64.hpp"
#include "json/escaper.hpp"
#include "json/raw_json.hpp"

namespace {

constexpr std::size_t kInput = 1 << 20;
constexpr std::size_t kChunk = 16 * 1024;

/// The reference payload: a table in which every tenth byte is a quote.
const std::string& table() {
  static const std::string text = [] {
    std::string out = R"({"columns":["date","code","name","close"],"rows":[)";
    for (int i = 0; out.size() < kInput; ++i) {
      if (i != 0) out += ',';
      out += R"(["2026)" + std::to_string(i % 12 + 101).substr(1) + R"(01",")" +
             std::to_string(2300 + i % 1000) + R"(","台積電",)" + std::to_string(100 + i % 900) +
             ".25]";
    }
    return out + "]}";
  }();
  return text;
}

const std::string& plain() {
  static const std::string text(kInput, 'a');
  return text;
}

const std::string& lines() {
  static const std::string text = [] {
    std::string out;
    while (out.size() < kInput) out += std::string(49, 'b') + '\n';
    return out;
  }();
  return text;
}

const std::string& prose() {
  static const std::string text = [] {
    std::string out;
    while (out.size() < kInput) out += "台積電公布第三季營收,";
    return out;
  }();
  return text;
}

using Text = const std::string& (*)();

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
  sluice::json::Escaper escaper;
  run(state, text(),
      [&](std::string_view in, std::span<char> out) { return escaper.step(in, out).written; });
}

void base64(benchmark::State& state, Text text) {
  sluice::json::Base64Encoder encoder;
  run(state, text(),
      [&](std::string_view in, std::span<char> out) { return encoder.step(in, out).written; });
}

void raw_json(benchmark::State& state, Text text) {
  sluice::json::RawJson checker(64);
  run(state, text(),
      [&, at = std::size_t{0}, size = text().size()](std::string_view in,
                                                     std::span<char> out) mutable {
        if (at == 0) checker.reset();
        at = at + in.size() == size ? 0 : at + in.size();
        return checker.step(in, out).value();
      });
}

BENCHMARK_CAPTURE(copy, table, table);
BENCHMARK_CAPTURE(escape_plainly, table, table);
BENCHMARK_CAPTURE(escape, table, table);
BENCHMARK_CAPTURE(escape, plain, plain);
BENCHMARK_CAPTURE(escape, lines, lines);
BENCHMARK_CAPTURE(escape, prose, prose);
BENCHMARK_CAPTURE(base64, plain, plain);
BENCHMARK_CAPTURE(raw_json, table, table);

}  // namespace

BENCHMARK_MAIN();
