#include "http/server.hpp"

#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <future>
#include <thread>

#include "http/response_head.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr int kAcceptsAtOnce = 64;
constexpr std::uint64_t kCallWeight = 8;  // in connections
constexpr std::chrono::seconds kSweep{5};

}  // namespace

Server::Server(const config::Config& config, mcp::Service& service, std::size_t loops)
    : config_(config), service_(service), context_(config, service), budget_(config.limits.frames) {
  for (std::size_t i = 0; i < loops; ++i)
    loops_.push_back(std::make_unique<Loop>(i, context_, budget_));
}

Server::~Server() { stop(std::chrono::milliseconds(0)); }

bool Server::listen(std::string& problem) {
  for (const auto& endpoint : config_.server.listen) {
    const std::string name = endpoint.host + ":" + std::to_string(endpoint.port);
    boost::system::error_code ec;
    auto& io = loops_.front()->context();
    tcp::resolver resolver(io);
    const auto found =
        resolver.resolve(endpoint.host, std::to_string(endpoint.port),
                         tcp::resolver::passive | tcp::resolver::numeric_service, ec);
    if (ec || found.empty()) {
      problem = "cannot listen on " + name + ": " + (ec ? ec.message() : "no such address");
      return false;
    }
    auto acceptor = std::make_unique<tcp::acceptor>(io);
    const tcp::endpoint where = found.begin()->endpoint();
    acceptor->open(where.protocol(), ec);
    if (!ec) acceptor->set_option(tcp::acceptor::reuse_address(true), ec);
    // What is accepted has these from the acceptor. Kernel memory counts as memory: left to itself
    // a slow reader's send buffer grows to 4 MiB.
    const auto& limits = config_.limits;
    if (!ec)
      acceptor->set_option(
          asio::socket_base::send_buffer_size(static_cast<int>(limits.send_buffer)), ec);
    if (!ec)
      acceptor->set_option(
          asio::socket_base::receive_buffer_size(static_cast<int>(limits.receive_buffer)), ec);
    if (!ec) acceptor->set_option(tcp::no_delay(true), ec);
    if (!ec) acceptor->bind(where, ec);
    if (!ec) acceptor->listen(4096, ec);
    if (!ec) acceptor->non_blocking(true, ec);
    if (ec) {
      problem = "cannot listen on " + name + ": " + ec.message();
      return false;
    }
    endpoints_.push_back(acceptor->local_endpoint());
    acceptors_.push_back(std::move(acceptor));
  }
  return true;
}

void Server::start() {
  for (std::size_t i = 0; i < acceptors_.size(); ++i) accept(i);
  sweep_ = std::make_unique<asio::steady_timer>(loops_.front()->context());
  struct Sweeper {
    asio::steady_timer& timer;
    mcp::Service& service;
    void operator()(boost::system::error_code ec) {
      if (ec) return;
      service.sweep();
      timer.expires_after(kSweep);
      timer.async_wait(*this);
    }
  };
  sweep_->expires_after(kSweep);
  sweep_->async_wait(Sweeper{*sweep_, service_});
  for (const auto& loop : loops_) {
    service_.subscriptions().serve(loop->services().index, loop->context().get_executor());
    loop->start();
  }
}

void Server::accept(std::size_t index) {
  auto& acceptor = *acceptors_[index];
  acceptor.async_wait(
      tcp::acceptor::wait_read, [this, index, &acceptor](boost::system::error_code ec) {
        if (ec) return;
        for (int i = 0; i < kAcceptsAtOnce; ++i) {
          const int fd =
              ::accept4(acceptor.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
          if (fd >= 0) {
            take(fd);
            continue;
          }
          if (errno == EAGAIN || errno == EWOULDBLOCK) break;
          if (errno == EINTR || errno == ECONNABORTED) continue;
          // Out of descriptors or memory: accepting again at once would spin.
          spdlog::warn("accept: {}", std::generic_category().message(errno));
          auto pause = std::make_shared<asio::steady_timer>(acceptor.get_executor(),
                                                            std::chrono::milliseconds(100));
          pause->async_wait([this, index, pause](boost::system::error_code stopped) {
            if (!stopped && acceptors_[index]->is_open()) accept(index);
          });
          return;
        }
        accept(index);
      });
}

void Server::take(int fd) {
  if (context_.connections.fetch_add(1) >= config_.limits.connections) {
    context_.connections.fetch_sub(1);
    char text[512];
    ResponseHead head;
    head.status = 503;
    constexpr std::string_view kBody = "limits.connections is reached\n";
    head.content_type = "text/plain";
    head.length = kBody.size();
    head.keep_alive = false;
    head.retry_after = "1";
    std::size_t n = write_response_head(text, head);
    kBody.copy(text + n, kBody.size());
    n += kBody.size();
    const auto sent = ::send(fd, text, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    static_cast<void>(sent);  // best effort: the connection ends either way
    ::shutdown(fd, SHUT_WR);
    ::close(fd);
    return;
  }
  // Connections are to be even, and what is at work now counts more. By calls first, one long call
  // sent all that came while it ran to the other loop.
  const auto load_of = [](const Loop& loop) {
    return std::uint64_t{loop.connections()} + kCallWeight * loop.calls();
  };
  Loop* best = loops_.front().get();
  for (const auto& loop : loops_)
    if (load_of(*loop) < load_of(*best)) best = loop.get();
  best->adopt(fd);
}

bool Server::drain(std::chrono::milliseconds grace) {
  if (!drained_ && sweep_) {
    drained_ = true;
    service_.drain();
    std::promise<void> closed;
    asio::post(loops_.front()->context(), [&] {
      boost::system::error_code ignored;
      for (const auto& acceptor : acceptors_) acceptor->close(ignored);
      sweep_->cancel();
      closed.set_value();
    });
    closed.get_future().wait();
    const auto now = std::chrono::steady_clock::now();
    for (const auto& loop : loops_) loop->drain();
    wait_until(now + grace);
    for (const auto& loop : loops_) loop->end_calls();
    service_.end_tasks();
    wait_until(now + grace + std::chrono::milliseconds(1000));
    for (const auto& loop : loops_) loop->abort_all();
    wait_until(now + grace + std::chrono::milliseconds(1500));
  }
  return !is_busy();
}

void Server::stop(std::chrono::milliseconds grace) {
  if (stopped_) return;
  stopped_ = true;
  static_cast<void>(drain(grace));
  // A connection whose handler still runs must not lose its loop.
  if (sweep_) wait_until(std::chrono::steady_clock::time_point::max());
  for (const auto& loop : loops_) {
    loop->stop();
    service_.subscriptions().stop(loop->services().index);
  }
  acceptors_.clear();
}

bool Server::is_busy() const noexcept {
  return context_.connections.load() != 0 || service_.runs() != 0;
}

void Server::wait_until(std::chrono::steady_clock::time_point end) const {
  while (is_busy() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace sluice::http
