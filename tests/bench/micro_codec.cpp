// Base64 and the raw JSON checker, in every way that this processor can run, beside memcpy and a
// byte at a time.

#include <cstring>

#include "base/simd.hpp"
#include "json/base64.hpp"
#include "json/raw_json.hpp"
#include "micro.hpp"

namespace sluice::bench {
namespace {

/// Objects over many lines, as people print them.
const std::string& printed() {
  static const std::string text = [] {
    std::string out = "[\n";
    for (int i = 0; out.size() < kInput; ++i) {
      if (i != 0) out += ",\n";
      out += "  {\n    \"id\": " + std::to_string(1000 + i) + ",\n    \"name\": \"item number " +
             std::to_string(i * 7) + "\",\n    \"price\": " + std::to_string(i % 900) +
             ".5,\n    \"tags\": [\n      \"new\",\n      \"on sale\"\n    ],\n    \"open\": true\n"
             "  }";
    }
    return out + "\n]\n";
  }();
  return text;
}

/// What is not ASCII as escapes.
const std::string& escaped() {
  static const std::string text = [] {
    std::string out = "[";
    while (out.size() < kInput) {
      if (out.size() > 1) out += ',';
      out += R"({"code":"2330","name":"\u53f0\u7a4d\u96fb","note":"a \"word\"\n and more of it"})";
    }
    return out + "]";
  }();
  return text;
}

/// One value of `text`.
const std::string& prose_string() {
  static const std::string text = '"' + prose() + '"';
  return text;
}

const std::string& plain_string() {
  static const std::string text = '"' + plain() + '"';
  return text;
}

void copy(benchmark::State& state) {
  run(state, plain(), [](std::string_view in, std::span<char> out) {
    std::memcpy(out.data(), in.data(), in.size());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
    return in.size();
  });
}

void base64_plainly(benchmark::State& state) {
  run(state, plain(), [](std::string_view in, std::span<char> out) {
    static constexpr char kAlphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char* to = out.data();
    for (std::size_t i = 0; i + 2 < in.size(); i += 3) {
      unsigned bits = 0;
      for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | static_cast<unsigned char>(in[i + k]);
      for (int shift = 18; shift >= 0; shift -= 6) *to++ = kAlphabet[bits >> shift & 63];
    }
    return static_cast<std::size_t>(to - out.data());
  });
}

void base64(benchmark::State& state, Simd with) {
  json::Base64Encoder encoder(with);
  run(state, plain(),
      [&](std::string_view in, std::span<char> out) { return encoder.step(in, out).written; });
}

void raw_json(benchmark::State& state, Text text, Simd with) {
  json::RawJson checker(64, with);
  run(state, text(),
      [&, at = std::size_t{0}, size = text().size()](std::string_view in,
                                                     std::span<char> out) mutable {
        if (at == 0) checker.reset();
        at = at + in.size() == size ? 0 : at + in.size();
        return checker.step(in, out).value();
      });
}

// The portable way of the checker is the one that takes a byte at a time.
[[maybe_unused]] const bool registered = [] {
  const auto name = [](std::string first, Simd simd) {
    return first + '/' + std::string(name_of(simd));
  };
  benchmark::RegisterBenchmark("codec/memcpy", copy);
  benchmark::RegisterBenchmark("base64/plainly", base64_plainly);
  for (const Simd simd : supported_simd())
    benchmark::RegisterBenchmark(name("base64", simd).c_str(), base64, simd);
  const std::pair<std::string, Text> texts[] = {{"table", table},
                                                {"printed", printed},
                                                {"escaped", escaped},
                                                {"plain", plain_string},
                                                {"prose", prose_string}};
  for (const auto& [which, text] : texts)
    for (const Simd simd : supported_simd())
      benchmark::RegisterBenchmark(name("raw_json/" + which, simd).c_str(), raw_json, text, simd);
  return true;
}();

}  // namespace
}  // namespace sluice::bench
