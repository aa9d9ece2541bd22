#include "payload.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>

namespace upstream {
namespace {

constexpr std::size_t kSizesKept = 16;

std::string make(std::size_t bytes) {
  std::string out = R"({"columns":["date","code","name","close"],"rows":[)";
  const std::string tail = "]}";
  out.reserve(bytes + tail.size() + 64);
  for (std::size_t i = 0;; ++i) {
    char row[64];
    const int n = std::snprintf(row, sizeof row, R"(%s["2026%02zu01","%zu","台積電",%zu.25])",
                                i == 0 ? "" : ",", i % 12 + 1, 2300 + i % 1000, 100 + i % 900);
    if (out.size() + static_cast<std::size_t>(n) + tail.size() > bytes) break;
    out.append(row, static_cast<std::size_t>(n));
  }
  return out + tail;
}

}  // namespace

std::shared_ptr<const std::string> payload(std::size_t bytes) {
  static std::mutex mutex;
  static std::map<std::size_t, std::shared_ptr<const std::string>> kept;
  bytes = std::min(bytes, kMaxPayload);
  const std::lock_guard lock(mutex);
  if (const auto found = kept.find(bytes); found != kept.end()) return found->second;
  if (kept.size() >= kSizesKept) kept.clear();
  return kept.emplace(bytes, std::make_shared<const std::string>(make(bytes))).first->second;
}

}  // namespace upstream
