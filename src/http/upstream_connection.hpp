#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <sluice/result_writer.hpp>

#include "config/config.hpp"
#include "http/upstream_tls.hpp"

namespace sluice::http {

/// One TCP connection to an upstream, with TLS over it or not. Closes when it dies.
///
/// Ownership: by a lease while an exchange uses it, else by the pool.
/// Threads:   one loop.
/// Bounds:    what the kernel keeps is bounded too, by `limits.send_buffer` and
///            `limits.receive_buffer`: a slow client must not make it collect megabytes.
class UpstreamConnection {
 public:
  explicit UpstreamConnection(const boost::asio::any_io_executor& executor) : socket_(executor) {}
  UpstreamConnection(const UpstreamConnection&) = delete;
  UpstreamConnection& operator=(const UpstreamConnection&) = delete;

  [[nodiscard]] Awaitable<boost::system::error_code> connect(boost::asio::ip::tcp::endpoint to,
                                                             const config::HttpSource& source);
  /// REQUIRES: connect() went well. On failure `failure` says why.
  [[nodiscard]] Awaitable<boost::system::error_code> start_tls(boost::asio::ssl::context& context,
                                                               std::string host, bool verify,
                                                               std::string& failure);

  [[nodiscard]] Awaitable<boost::system::error_code> write(std::string_view head,
                                                           std::string_view body);
  /// Until something can be read, without a buffer to read it into.
  [[nodiscard]] Awaitable<boost::system::error_code> wait_readable();
  [[nodiscard]] Awaitable<Result<std::size_t>> read_some(boost::asio::mutable_buffer into);

  /// True while nothing has come in and the peer has not closed: it may take another request.
  [[nodiscard]] bool is_quiet() noexcept;
  void close() noexcept;
  [[nodiscard]] boost::asio::ip::tcp::socket& socket() noexcept { return socket_; }

 private:
  boost::asio::ip::tcp::socket socket_;
  std::optional<TlsStream> tls_;
};

}  // namespace sluice::http
