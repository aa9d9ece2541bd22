#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "buffer/content_coding.hpp"
#include "buffer/encoder_pool.hpp"
#include "buffer/frame_pool.hpp"
#include "buffer/frame_writer.hpp"
#include "json/document.hpp"
#include "mcp/event_source.hpp"

namespace sluice::mcp {

/// What a call uses of the loop it runs on.
struct LoopServices {
  std::size_t index = 0;
  FramePool* frames = nullptr;
  EncoderPool* encoders = nullptr;
  std::atomic<std::uint32_t>* calls = nullptr;  ///< In flight on this loop; the acceptor reads it.
};

/// One HTTP request and the ways to answer it, as the protocol layer sees them.
///
/// Ownership: the connection is the exchange; one request at a time.
/// Threads:   the connection's loop.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// A field's value; several lines of one name are joined with ", " (RFC 9110 section 5.3). Valid
  /// until the next call.
  [[nodiscard]] virtual std::optional<std::string_view> header(std::string_view name) = 0;
  /// The segment of the target's path below server.path, which names a group; empty: none.
  [[nodiscard]] virtual std::string_view group() const noexcept = 0;
  [[nodiscard]] virtual std::string_view body() const noexcept = 0;
  /// Bytes readable from body().data() on, for simdjson.
  [[nodiscard]] virtual std::size_t body_capacity() const noexcept = 0;
  /// A document to parse the body into, kept for reuse.
  [[nodiscard]] virtual json::Document& document() noexcept = 0;

  /// By the Accept field; at least one is true.
  [[nodiscard]] virtual bool takes_json() const noexcept = 0;
  [[nodiscard]] virtual bool takes_events() const noexcept = 0;
  /// False for HTTP/1.0.
  [[nodiscard]] virtual bool takes_chunks() const noexcept = 0;
  /// The coding to answer in, by the Accept-Encoding field. Reads a header().
  [[nodiscard]] virtual ContentCoding accepted_coding() = 0;

  [[nodiscard]] virtual LoopServices& loop() noexcept = 0;
  [[nodiscard]] virtual boost::asio::any_io_executor executor() = 0;

  /// Sent as Mcp-Session-Id with the answer to this request.
  virtual void set_session_id(std::string id) = 0;

  /// Answers with one JSON message in one write; as an event where the client takes nothing else
  /// and status is 200. An empty message is an answer without body (202).
  [[nodiscard]] virtual Awaitable<void> reply(unsigned status, std::string_view message) = 0;
  /// The writer of a streamed answer (status 200). start() it first.
  [[nodiscard]] virtual FrameWriter& writer() noexcept = 0;
  /// Ends the request with an event stream that holds nothing more; opens it where it is not open.
  [[nodiscard]] virtual Awaitable<void> reply_empty_stream() = 0;

  /// Answers with an event stream that stays open, fed by `source`, until that ends it or the peer
  /// is gone. It opens when the request has been served: the connection then gives back whatever it
  /// held for the request, so that a stream that waits costs little.
  virtual void hold_event_stream(std::unique_ptr<EventSource> source) = 0;

  /// Told once when the client goes away; null: nobody is. The connection watches only while
  /// somebody listens.
  class Listener {
   public:
    using TimePoint = std::chrono::steady_clock::time_point;
    virtual void on_peer_gone() = 0;
    /// The grace period is over.
    virtual void on_shutdown() = 0;
    /// Up to a tenth of a second after `deadline`, once.
    virtual void on_deadline() {}
    TimePoint deadline = TimePoint::max();

   protected:
    ~Listener() = default;
  };
  virtual void listen(Listener* listener) = 0;

  /// Cancels what the coroutine that serves the request waits for, and what it would wait for
  /// afterwards: the way to stop a handler that runs in it.
  [[nodiscard]] virtual boost::asio::cancellation_signal& cancellation() noexcept = 0;
};

}  // namespace sluice::mcp
