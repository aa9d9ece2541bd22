#include "json/base64.hpp"
#include "json/raw_json.hpp"
#include "micro.hpp"

namespace sluice::bench {
namespace {

void base64(benchmark::State& state, Text text) {
  json::Base64Encoder encoder;
  run(state, text(),
      [&](std::string_view in, std::span<char> out) { return encoder.step(in, out).written; });
}

void raw_json(benchmark::State& state, Text text) {
  json::RawJson checker(64);
  run(state, text(),
      [&, at = std::size_t{0}, size = text().size()](std::string_view in,
                                                     std::span<char> out) mutable {
        if (at == 0) checker.reset();
        at = at + in.size() == size ? 0 : at + in.size();
        return checker.step(in, out).value();
      });
}

BENCHMARK_CAPTURE(base64, plain, plain);
BENCHMARK_CAPTURE(raw_json, table, table);

}  // namespace
}  // namespace sluice::bench
