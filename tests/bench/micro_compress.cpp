// Compression of responses: what each coding costs and saves, on what an escaper writes. Behind the
// levels that content_encoder.cpp has, and the order of choose_coding().

#include <memory>

#include "buffer/content_encoder.hpp"
#include "json/escaper.hpp"
#include "micro.hpp"

namespace sluice::bench {
namespace {

std::string escaped(const std::string& text) {
  std::string out(text.size() * 2 + json::Escaper::kMinRoom, '\0');
  json::Escaper escaper;
  out.resize(escaper.step(text, out).written);
  return out;
}

const std::string& escaped_table() {
  static const std::string text = escaped(table());
  return text;
}

/// A table whose rows do not come again: what the reference payload repeats is worth more to a
/// coding with a long window than most data is.
const std::string& escaped_rows() {
  static const std::string text = [] {
    std::string out = "[";
    std::uint32_t random = 1;
    const auto next = [&random](std::uint32_t below) {
      random = random * 1664525 + 1013904223;
      return std::to_string((random >> 8) % below);
    };
    while (out.size() < kInput) {
      if (out.size() > 1) out += ',';
      out += R"(["2026-)" + next(12) + '-' + next(28) + R"(",")" + next(9000) + R"(","台積電",)" +
             next(2000) + '.' + next(100) + ',' + next(10'000'000) + ']';
    }
    return escaped(out + ']');
  }();
  return text;
}

void compress(benchmark::State& state, ContentCoding coding, Text text, std::size_t size) {
  auto made = ContentEncoder::make(coding);
  if (!made) return state.SkipWithError("no memory");
  ContentEncoder& encoder = **made;
  const std::string part = text().substr(0, size);
  std::size_t written = 0;
  std::size_t contents = 0;
  static std::array<char, 4 * kChunk> out;
  for (auto _ : state) {
    for (std::size_t at = 0; at < part.size();) {
      const auto step = encoder.step(std::string_view(part).substr(at, kChunk), out);
      at += step->read;
      written += step->written;
    }
    for (bool done = false; !done;) {
      const auto rest = encoder.finish(out);
      written += rest->written;
      done = rest->done;
    }
    benchmark::DoNotOptimize(out.data());
    ++contents;
    static_cast<void>(encoder.reset());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(contents * part.size()));
  state.counters["ratio"] =
      static_cast<double>(contents * part.size()) / static_cast<double>(written);
  state.counters["KiB"] = static_cast<double>(encoder.memory()) / 1024;
}

/// The end of a cached result: its head is there.
void complete(benchmark::State& state, ContentCoding coding) {
  auto made = ContentEncoder::make(coding);
  if (!made) return state.SkipWithError("no memory");
  ContentEncoder& encoder = **made;
  static std::array<char, 4 * kChunk> out;
  static_cast<void>(encoder.step("the head", out));
  static_cast<void>(encoder.flush(out));
  const PrefixEnd end = encoder.prefix_end();
  const std::string tail(250, 'x');
  for (auto _ : state) {
    benchmark::DoNotOptimize(write_tail(end, tail, out));
    benchmark::ClobberMemory();
  }
}

#define SLUICE_COMPRESS(name, text, size)                                      \
  BENCHMARK_CAPTURE(compress, gzip##_##name, ContentCoding::gzip, text, size); \
  BENCHMARK_CAPTURE(compress, br##_##name, ContentCoding::br, text, size);     \
  BENCHMARK_CAPTURE(compress, zstd##_##name, ContentCoding::zstd, text, size)

SLUICE_COMPRESS(table, escaped_table, kInput);
SLUICE_COMPRESS(rows, escaped_rows, kInput);
SLUICE_COMPRESS(rows_100K, escaped_rows, 100'000);
SLUICE_COMPRESS(rows_1K, escaped_rows, 1000);
BENCHMARK_CAPTURE(complete, gzip, ContentCoding::gzip);
BENCHMARK_CAPTURE(complete, br, ContentCoding::br);
BENCHMARK_CAPTURE(complete, zstd, ContentCoding::zstd);

}  // namespace
}  // namespace sluice::bench
