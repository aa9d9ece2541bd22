#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/error.hpp>

namespace sluice::http {

/// One step on the way of a body: bytes in, other bytes out, chunk by chunk.
///
/// Threads:   one.
/// Errors:    Errc::source_failed, and problem() says what was wrong with the bytes.
class ContentFilter {
 public:
  struct Step {
    std::size_t read = 0;
    std::size_t written = 0;
  };
  ContentFilter() = default;
  ContentFilter(const ContentFilter&) = delete;
  ContentFilter& operator=(const ContentFilter&) = delete;
  virtual ~ContentFilter() = default;

  /// Reads and writes what fits. `last`: nothing comes after `in`; called with it until it reads
  /// and writes nothing. Makes progress whenever `in` is not empty and `out` has kMinRoom bytes.
  [[nodiscard]] virtual Result<Step> step(std::string_view in, std::span<char> out, bool last) = 0;
  static constexpr std::size_t kMinRoom = 16;

  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 protected:
  [[nodiscard]] boost::system::error_code fail(std::string text) {
    problem_ = std::move(text);
    return make_error_code(Errc::source_failed);
  }

 private:
  std::string problem_;
};

/// Filters one behind the other, each with one window for its output. Without filters bytes pass as
/// they are.
///
/// Bounds:    kWindow bytes for each filter, and what the filter itself needs.
class ContentFilters {
 public:
  static constexpr std::size_t kWindow = 16 * 1024;

  void add(std::unique_ptr<ContentFilter> filter);
  [[nodiscard]] bool empty() const noexcept { return stages_.empty(); }

  /// The next piece of output. Empty: all of `in` is used up and more is needed or, with `last`,
  /// the end. Takes what it reads off `in`; the bytes of `in` have to stay until next() has given
  /// an empty piece. A piece is valid until the next call.
  [[nodiscard]] Result<std::string_view> next(std::string_view& in, bool last);
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  struct Stage {
    std::unique_ptr<ContentFilter> filter;
    std::unique_ptr<char[]> window;
    std::string_view input;  // of the stage before, or of the caller
    bool input_ended = false;
    bool was_full = false;  // the last step filled the window: there may be more to come out
    bool ended = false;
  };
  [[nodiscard]] Result<std::string_view> pull(std::size_t upto, std::string_view& in, bool last);

  std::vector<Stage> stages_;
  std::string problem_;
};

}  // namespace sluice::http
