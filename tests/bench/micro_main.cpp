// The hot types beside memcpy and beside the plain ways, in GB/s of input: build/bench/micro
// One file per subject: micro_escape.cpp, micro_codec.cpp, micro_compress.cpp,
// micro_shape.cpp. Here is what they read.

#include "micro.hpp"

namespace sluice::bench {

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

const std::string& coloured() {
  static const std::string text = [] {
    std::string out;
    while (out.size() < kInput)
      out += "\x1b[31mERROR\x1b[0m some text of what went wrong, in the words of the program\n";
    return out;
  }();
  return text;
}

}  // namespace sluice::bench

BENCHMARK_MAIN();
