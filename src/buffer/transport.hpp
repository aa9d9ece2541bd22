#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <span>

namespace sluice {

/// Where a FrameWriter's bytes go: a socket, or memory in tests.
///
/// Threads:   one loop.
class Transport {
 public:
  /// As many as one write takes.
  static constexpr std::size_t kMaxBuffers = 16;
  /// Called once per write, never from inside it.
  using Done = void (*)(void* self, boost::system::error_code ec, std::size_t bytes);

  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Sends some of the buffers if that can be done at once. 0: write_some() tells what is, or the
  /// loop's other work should have its turn.
  [[nodiscard]] virtual std::size_t write_now(std::span<const boost::asio::const_buffer> buffers) {
    static_cast<void>(buffers);
    return 0;
  }
  /// Sends some of the buffers, at least one byte, then calls done(self, ...). The span may die at
  /// once, the bytes must live until then. One write at a time.
  virtual void write_some(std::span<const boost::asio::const_buffer> buffers, Done done,
                          void* self) = 0;
  /// Closes so that the peer sees a reset, not an orderly end; a write in progress ends with an
  /// error.
  virtual void abort() noexcept = 0;
  /// The response is complete, though its producer goes on: nothing more is sent.
  virtual void end() noexcept {}
  [[nodiscard]] virtual boost::asio::any_io_executor executor() = 0;
};

}  // namespace sluice
