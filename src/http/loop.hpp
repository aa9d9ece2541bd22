#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "buffer/encoder_pool.hpp"
#include "buffer/frame_pool.hpp"
#include "http/body_budget.hpp"
#include "http/origin_check.hpp"
#include "json/document.hpp"
#include "mcp/exchange.hpp"
#include "mcp/service.hpp"

namespace sluice::http {

class Connection;

/// What all loops share; immutable but for the service's own state.
struct ServerContext {
  const config::Config* config = nullptr;
  mcp::Service* service = nullptr;
  OriginCheck origins;
  std::atomic<std::uint32_t> connections{0};
  BodyBudget bodies;

  ServerContext(const config::Config& c, mcp::Service& s)
      : config(&c),
        service(&s),
        origins(c.server.allowed_hosts, c.server.allowed_origins),
        bodies(c.limits.request_bodies) {}
};

/// One event loop on one thread, with everything that lives on it.
///
/// Ownership: owns its connections, its frames and its thread.
/// Threads:   its own; adopt(), drain(), end_calls(), abort_all(), stop() and the counters may be
///            used from any.
class Loop {
 public:
  Loop(std::size_t index, ServerContext& context, FrameBudget& budget);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  /// REQUIRES: stopped, or never started.
  ~Loop();

  void start();
  /// Takes over an accepted socket.
  void adopt(int fd);
  /// Idle connections close at once, the others after the answer they are at.
  void drain();
  /// Running calls are told that the server shuts down.
  void end_calls();
  /// Whatever is left is cut off.
  void abort_all();
  /// Ends the thread and waits for it. REQUIRES: connections() == 0, else they are cut off first.
  void stop();

  [[nodiscard]] boost::asio::io_context& context() noexcept { return io_; }
  [[nodiscard]] ServerContext& server() noexcept { return server_; }
  [[nodiscard]] mcp::LoopServices& services() noexcept { return services_; }
  [[nodiscard]] FramePool& frames() noexcept { return frames_; }
  [[nodiscard]] std::uint32_t calls() const noexcept { return calls_.load(); }
  [[nodiscard]] std::uint32_t connections() const noexcept { return count_.load(); }
  /// The time of the last tick as a Date field.
  [[nodiscard]] const std::string& date() const noexcept { return date_; }
  [[nodiscard]] bool is_draining() const noexcept { return draining_; }

  // What a request needs goes, warm, from one connection to the next: one that waits holds none of
  // it, else these were two thirds of its memory.
  [[nodiscard]] std::unique_ptr<json::Document> take_document();
  void give(std::unique_ptr<json::Document> document) noexcept;
  /// Empty, with any capacity.
  [[nodiscard]] boost::beast::flat_buffer take_read_buffer();
  void give(boost::beast::flat_buffer&& buffer) noexcept;

 private:
  void tick();
  void remove(Connection* connection);

  static constexpr std::size_t kKept = 16;  // of either

  ServerContext& server_;
  // One thread only, so that sockets need no locks of their own; posts from others do.
  boost::asio::io_context io_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  FramePool frames_;
  EncoderPool encoders_;
  std::atomic<std::uint32_t> calls_{0};
  std::atomic<std::uint32_t> count_{0};
  mcp::LoopServices services_;
  boost::asio::steady_timer timer_;
  std::vector<std::unique_ptr<json::Document>> documents_;
  std::vector<boost::beast::flat_buffer> read_buffers_;
  std::string date_;
  std::int64_t date_second_ = 0;
  int ticks_since_trim_ = 0;
  bool draining_ = false;
  std::unordered_map<Connection*, std::unique_ptr<Connection>> connections_;
  std::thread thread_;
};

}  // namespace sluice::http
