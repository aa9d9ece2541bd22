#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/result_writer.hpp>

#include "buffer/frame_pool.hpp"
#include "http/charset.hpp"
#include "http/content_filter.hpp"
#include "http/upstream.hpp"
#include "http/upstream_response.hpp"
#include "http/upstream_watch.hpp"

namespace sluice::http {

/// One request to an upstream, with the redirects that it leads to, and the body of its response.
///
///     UpstreamExchange exchange(upstream, loop, executor, frames);
///     co_await exchange.send(request);      // then head()
///     exchange.open_body(as_text);
///     co_await exchange.read();             // again and again, until it gives nothing
///
/// A connection that was kept and turns out to be dead before the first byte of a response is
/// replaced once, where the request may be repeated (RFC 9110 section 9.2.2). Redirects are
/// followed inside the origin only. The connection goes back to the pool as soon as the body is
/// complete, and is closed when the exchange dies before.
///
/// Ownership: inside the handler's coroutine; borrows upstream, frames and request.
/// Threads:   one loop.
/// Bounds:    one frame while the response is read, a window of 16 KiB for each coding and the
///            charset; time: the source's `timeout` for all of it.
/// Errors:    Errc::source_failed, Errc::frames_exhausted; problem() then has a sentence for the
///            model, which names the source, and neither credentials nor addresses.
class UpstreamExchange {
 public:
  UpstreamExchange(Upstream& upstream, std::size_t loop,
                   const boost::asio::any_io_executor& executor, FramePool& frames);
  UpstreamExchange(const UpstreamExchange&) = delete;
  UpstreamExchange& operator=(const UpstreamExchange&) = delete;
  ~UpstreamExchange();

  /// Until the head of the response that is the answer has come in. REQUIRES: `request` lives until
  /// then.
  [[nodiscard]] Awaitable<Result<>> send(const UpstreamRequest& request);
  // REQUIRES of all below: send() went well.
  [[nodiscard]] const UpstreamHead& head() const noexcept { return response_->head(); }
  /// "404 Not Found"
  [[nodiscard]] std::string status_line() const;
  /// Why a redirect was not followed and where it points; empty where the answer is none.
  [[nodiscard]] const std::string& redirect_note() const noexcept { return redirect_note_; }

  enum class BodyAs : std::uint8_t { bytes, text };
  /// Undoes the content codings and, for text, puts it into UTF-8 without a byte order mark.
  [[nodiscard]] Result<> open_body(BodyAs as);
  /// The next piece of the body; empty at its end. Valid until the next call. REQUIRES: open_body()
  /// went well.
  [[nodiscard]] Awaitable<Result<std::string_view>> read();

  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  struct Hop {
    std::string method;
    std::string target;  ///< With the prefix.
    bool has_body = false;
  };
  using Clock = UpstreamWatch::Clock;

  [[nodiscard]] Awaitable<Result<>> round_trip(const Hop& hop, const UpstreamRequest& request);
  [[nodiscard]] Awaitable<Result<>> attempt(const Hop& hop, const UpstreamRequest& request,
                                            std::string_view head_text);
  [[nodiscard]] Awaitable<Result<>> open_connection();
  [[nodiscard]] Awaitable<void> drop_body();
  [[nodiscard]] std::string request_head(const Hop& hop, const UpstreamRequest& request) const;
  [[nodiscard]] bool next_hop(Hop& hop);
  [[nodiscard]] Result<std::string_view> next_piece();
  void body_ended();
  void close() noexcept;

  [[nodiscard]] boost::system::error_code fail(std::string_view what);
  [[nodiscard]] boost::system::error_code fail_unreachable(std::string_view why);
  [[nodiscard]] boost::system::error_code fail_head(boost::system::error_code ec);
  [[nodiscard]] boost::system::error_code fail_body(boost::system::error_code ec);

  Upstream& upstream_;
  UpstreamPool& pool_;
  FramePool& frames_;
  UpstreamWatch watch_;
  Clock::time_point until_;
  bool is_lost_ = false;  // the last attempt failed with the connection
  bool wrote_all_ = false;
  UpstreamLease lease_;
  std::optional<UpstreamResponse> response_;  // of the lease's connection
  std::vector<std::string> visited_;
  std::string redirect_note_;

  ContentFilters filters_;
  bool is_text_ = false;
  ByteOrderMark mark_;
  std::string_view raw_;  // in the frame
  bool raw_ended_ = false;
  std::string_view held_back_;  // a piece that comes after what mark_ had held
  std::uint64_t handed_on_ = 0;
  std::string problem_;
};

}  // namespace sluice::http
