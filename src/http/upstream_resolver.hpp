#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sluice/result_writer.hpp>

#include "base/signal.hpp"
#include "http/upstream_watch.hpp"

namespace sluice::http {

/// Finds the addresses of one host.
///
/// getaddrinfo() cannot be interrupted. So the look-up runs on by itself on Asio's resolver thread
/// while those who want it wait beside it, and can stop waiting; one look-up at a time serves all
/// who wait.
/// Threads:   one loop.
class UpstreamResolver {
 public:
  using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

  UpstreamResolver(boost::asio::any_io_executor executor, std::string host, std::uint16_t port);
  UpstreamResolver(const UpstreamResolver&) = delete;
  UpstreamResolver& operator=(const UpstreamResolver&) = delete;

  /// In the order of the system's preference (RFC 6724).
  /// Errors: those of the look-up;
  /// operation_aborted where the watch's time was up first.
  [[nodiscard]] Awaitable<boost::system::error_code> resolve(Endpoints& out, UpstreamWatch& watch);

 private:
  struct State {
    explicit State(const boost::asio::any_io_executor& executor) : signal(executor) {}
    Signal signal;
    bool running = false;
    boost::system::error_code error;
    Endpoints found;
  };

  boost::asio::ip::tcp::resolver resolver_;
  const std::string host_;
  const std::uint16_t port_;
  std::shared_ptr<State> state_;  // outlives the look-up
};

}  // namespace sluice::http
