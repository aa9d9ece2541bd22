#include "load_figures.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace load {
namespace {

double percentile(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1) + 0.5)];
}

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

class JsonLine {
 public:
  void add(std::string_view name, double value, int digits = 0) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    key(name);
    line_ += text;
  }
  void add(std::string_view name, std::string_view value) {
    key(name);
    line_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') line_ += '\\';
      line_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    line_ += '"';
  }
  [[nodiscard]] std::string end() && { return line_ + "}"; }

 private:
  void key(std::string_view name) {
    line_ += line_.size() == 1 ? "\"" : ",\"";
    line_ += name;
    line_ += "\":";
  }
  std::string line_ = "{";
};

}  // namespace

std::string to_json(const Options& o, Figures& f) {
  std::sort(f.latency_ms.begin(), f.latency_ms.end());
  std::sort(f.first_byte_ms.begin(), f.first_byte_ms.end());
  const auto calls = static_cast<double>(f.latency_ms.size());
  const double payload = o.payload > 0 ? o.payload : f.text_bytes;
  // A call that was cut off has cost too: per megabyte counts what was received of it.
  const double cut = static_cast<double>(f.unfinished);
  const double megabytes = cut > 0 ? f.received_bytes / 1e6 : calls * payload / 1e6;
  JsonLine line;
  line.add("tool", o.tool);
  line.add("connections", static_cast<double>(o.connections));
  line.add("calls", calls);
  line.add("seconds", f.seconds, 4);
  line.add("calls_per_s", ratio(calls, f.seconds), 1);
  line.add("payload_bytes", payload);
  line.add("payload_mb_per_s", ratio(megabytes, f.seconds), 1);
  line.add("p50_ms", percentile(f.latency_ms, 0.5), 4);
  line.add("p90_ms", percentile(f.latency_ms, 0.9), 4);
  line.add("p99_ms", percentile(f.latency_ms, 0.99), 4);
  line.add("max_ms", percentile(f.latency_ms, 1), 4);
  line.add("first_byte_p50_ms", percentile(f.first_byte_ms, 0.5), 4);
  line.add("first_byte_p99_ms", percentile(f.first_byte_ms, 0.99), 4);
  line.add("cpu_ms_per_call", ratio(f.cpu_ms, calls), 5);
  line.add("cpu_ms_per_mb", ratio(f.cpu_ms, megabytes), 5);
  line.add("server_busy", ratio(f.cpu_ms / 1000, f.seconds), 3);
  line.add("client_busy", ratio(f.own_cpu_ms / 1000, f.seconds), 3);
  line.add("idle_kb", static_cast<double>(f.idle_kb));
  line.add("peak_kb", static_cast<double>(f.peak_kb));
  line.add("peak_above_idle_kb",
           static_cast<double>(std::max<std::int64_t>(f.peak_kb - f.idle_kb, 0)));
  if (o.socket_memory) {
    line.add("socket_peak_kb", static_cast<double>(f.socket_peak_bytes) / 1024);
    line.add("socket_samples", static_cast<double>(f.socket_samples));
  }
  if (o.streams > 0) {
    line.add("streams", static_cast<double>(o.streams));
    line.add("streams_open", static_cast<double>(f.streams_open));
    line.add("stream_bytes",
             static_cast<double>(f.stream_growth_kb) * 1024 / static_cast<double>(o.streams));
  }
  line.add("unfinished", cut);
  line.add("errors", static_cast<double>(f.errors));
  if (f.errors > 0) line.add("first_error", f.first_error);
  return std::move(line).end();
}

}  // namespace load
