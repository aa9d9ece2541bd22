#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "buffer/frame_pool.hpp"
#include "http/loop.hpp"
#include "mcp/service.hpp"

namespace sluice::http {

/// Listens, spreads connections over loops, and stops in order.
///
/// Ownership: owns the loops; borrows configuration and service.
/// Threads:   one caller; the loops have their own threads.
class Server {
 public:
  Server(const config::Config& config, mcp::Service& service, std::size_t loops);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::size_t loops() const noexcept { return loops_.size(); }
  /// Binds every endpoint of server.listen. Errors as text that names the endpoint.
  [[nodiscard]] bool listen(std::string& problem);
  /// Where it listens, with real ports. After listen().
  [[nodiscard]] const std::vector<boost::asio::ip::tcp::endpoint>& endpoints() const noexcept {
    return endpoints_;
  }
  void start();
  /// Stops listening, lets calls finish for `grace`, then ends what is left. False where something
  /// could not be ended in time: a handler that blocks a worker thread.
  bool drain(std::chrono::milliseconds grace);
  /// The same, then waits for what is left, however long that takes, and joins.
  void stop(std::chrono::milliseconds grace);

 private:
  void accept(std::size_t acceptor);
  void take(int fd);
  /// A connection is open, or a call runs on without one.
  [[nodiscard]] bool is_busy() const noexcept;
  /// Until that is not so, or the time has come.
  void wait_until(std::chrono::steady_clock::time_point end) const;

  const config::Config& config_;
  mcp::Service& service_;
  ServerContext context_;
  FrameBudget budget_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<std::unique_ptr<boost::asio::ip::tcp::acceptor>> acceptors_;
  std::vector<boost::asio::ip::tcp::endpoint> endpoints_;
  std::unique_ptr<boost::asio::steady_timer> sweep_;
  bool drained_ = false;
  bool stopped_ = false;
};

}  // namespace sluice::http
