#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace upstream {

/// One response as it goes out: ready-made bytes, and how it is sent.
struct Answer {
  enum class End { keep_alive, close, pause };

  std::string head;
  std::shared_ptr<const std::string> body;  ///< With its chunk framing where it has one.
  std::size_t send = 0;                     ///< So much of the body.
  std::chrono::milliseconds delay{0};       ///< Before the first byte.
  End end = End::keep_alive;                ///< After the last one.
  bool is_data = false;                     ///< Counts in /stats.
};

/// The answers to everything but /stats, each made once.
///
/// Bounds: 32 are kept; when there would be more, all are made anew.
class Answers {
 public:
  /// `target` is a request's: a path, and a query. Valid for as long as it is held.
  [[nodiscard]] std::shared_ptr<const Answer> to(std::string_view target);

 private:
  std::map<std::string, std::shared_ptr<const Answer>, std::less<>> kept_;
};

}  // namespace upstream
