#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "buffer/transport.hpp"

namespace sluice::testing {

/// A transport into memory. Bytes are copied when a write ends, not when it begins, so that a
/// buffer that died in between is seen by a sanitizer.
///
/// Threads: one loop.
class MemoryTransport final : public Transport {
 public:
  explicit MemoryTransport(boost::asio::any_io_executor executor)
      : executor_(std::move(executor)) {}

  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< Bytes that one write takes.
  std::size_t fail_at =
      std::numeric_limits<std::size_t>::max();  ///< Index of the write that fails.
  bool hold = false;                            ///< Writes stay in progress until let_through().
  std::size_t at_once = 0;                      ///< A write of no more than that needs no wait.
  bool keep = true;                             ///< Off: bytes are counted only.
  std::string bytes;                            ///< All that was taken.
  std::uint64_t taken = 0;
  std::size_t writes = 0;
  bool aborted = false;
  bool ended = false;

  std::size_t write_now(std::span<const boost::asio::const_buffer> buffers) override {
    if (boost::asio::buffer_size(buffers) > at_once || writes >= fail_at) return 0;
    if (done_ != nullptr) throw std::logic_error("two writes at a time");
    ++writes;
    return take(buffers);
  }
  void write_some(std::span<const boost::asio::const_buffer> buffers, Done done,
                  void* self) override {
    if (done_ != nullptr) throw std::logic_error("two writes at a time");
    if (buffers.size() > buffers_.size()) throw std::logic_error("more buffers than a write takes");
    if (boost::asio::buffer_size(buffers) == 0) throw std::logic_error("a write of nothing");
    std::copy(buffers.begin(), buffers.end(), buffers_.begin());
    count_ = buffers.size();
    done_ = done;
    self_ = self;
    ++writes;
    held_ = hold;
    if (!held_) complete_later();
  }
  void abort() noexcept override {
    aborted = true;
    let_through();
  }
  void end() noexcept override { ended = true; }
  boost::asio::any_io_executor executor() override { return executor_; }

  [[nodiscard]] bool is_held() const noexcept { return held_; }
  /// Ends the write that is held.
  void let_through() noexcept {
    if (std::exchange(held_, false)) complete_later();
  }

 private:
  void complete_later() {
    boost::asio::post(executor_, [this] { complete(); });
  }
  void complete() {
    const Done done = std::exchange(done_, nullptr);
    if (done == nullptr) return;
    if (aborted || writes > fail_at) {
      done(self_, aborted ? boost::asio::error::operation_aborted : boost::asio::error::broken_pipe,
           0);
      return;
    }
    done(self_, {}, take(std::span(buffers_).first(count_)));
  }
  std::size_t take(std::span<const boost::asio::const_buffer> buffers) {
    std::size_t n = 0;
    for (const auto& buffer : buffers) {
      const std::size_t part = std::min(buffer.size(), most - n);
      if (keep) bytes.append(static_cast<const char*>(buffer.data()), part);
      n += part;
    }
    taken += n;
    return n;
  }

  boost::asio::any_io_executor executor_;
  std::array<boost::asio::const_buffer, kMaxBuffers> buffers_;
  std::size_t count_ = 0;
  bool held_ = false;
  Done done_ = nullptr;
  void* self_ = nullptr;
};

}  // namespace sluice::testing
