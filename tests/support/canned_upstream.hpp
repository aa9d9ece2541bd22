#pragma once

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/completion_condition.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace sluice::testing {

/// An upstream on a loopback port that answers requests with prepared bytes, whatever they are.
///
/// Threads: its own, one for each connection, so that what a test counts on its thread is the
/// client's alone.
class CannedUpstream {
 public:
  enum class Then : std::uint8_t {
    keep,  ///< Wait for the next request.
    close,
    reset,
    hold,  ///< Send nothing more, until the client closes.
  };
  struct Reply {
    std::string bytes;
    Then then = Then::keep;
    std::uint64_t fill = 0;     ///< So many more bytes 'x' behind them.
    bool byte_by_byte = false;  ///< A send() for each byte.
    bool tls_close = true;      ///< With Then::close and TLS: say so (close_notify).
  };
  struct Request {
    std::string head;  ///< With its empty line.
    std::string body;
    int connection = 0;  ///< From 1.
    int number = 0;      ///< On this connection, from 1.
    [[nodiscard]] std::string line() const { return head.substr(0, head.find("\r\n")); }
    /// The value of a field, compared as written; empty where there is none.
    [[nodiscard]] std::string field(std::string_view name) const {
      const std::string start = "\r\n" + std::string(name) + ": ";
      const auto at = head.find(start);
      if (at == std::string::npos) return {};
      const auto from = at + start.size();
      return head.substr(from, head.find("\r\n", from) - from);
    }
  };
  using Script = std::function<Reply(const Request&)>;
  using Tls = boost::asio::ssl::context;

  explicit CannedUpstream(Script script, Tls* tls = nullptr)
      : script_(std::move(script)),
        tls_(tls),
        acceptor_(io_, {boost::asio::ip::address_v4::loopback(), 0}) {
    thread_ = std::thread([this] { accept(); });
  }
  /// Answers every request with these bytes.
  explicit CannedUpstream(std::string bytes, Then then = Then::keep)
      : CannedUpstream([reply = Reply{std::move(bytes), then}](const Request&) { return reply; }) {}
  CannedUpstream(const CannedUpstream&) = delete;
  CannedUpstream& operator=(const CannedUpstream&) = delete;
  ~CannedUpstream() {
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
    thread_.join();
    {
      const std::lock_guard lock(mutex_);
      for (Session& session : sessions_) ::shutdown(session.socket.native_handle(), SHUT_RDWR);
    }
    for (Session& session : sessions_) session.thread.join();
  }

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  [[nodiscard]] std::string url(std::string_view prefix = "",
                                std::string_view host = "127.0.0.1") const {
    return std::string(tls_ ? "https://" : "http://") + std::string(host) + ":" +
           std::to_string(port()) + std::string(prefix);
  }

  [[nodiscard]] std::vector<Request> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  [[nodiscard]] Request last() {
    const std::lock_guard lock(mutex_);
    return requests_.empty() ? Request{} : requests_.back();
  }
  [[nodiscard]] int accepted() {
    const std::lock_guard lock(mutex_);
    return accepted_;
  }
  /// Waits until so many connections have ended, by whomever; false when that takes longer than
  /// anything should.
  [[nodiscard]] bool wait_ended(int connections) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return ended_ >= connections; });
  }
  /// Connections that have ended.
  [[nodiscard]] int ended() {
    const std::lock_guard lock(mutex_);
    return ended_;
  }
  [[nodiscard]] bool wait_requests(std::size_t n) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return requests_.size() >= n; });
  }
  /// Bytes of all replies that the kernel has taken.
  [[nodiscard]] std::uint64_t sent() {
    const std::lock_guard lock(mutex_);
    return sent_;
  }

 private:
  struct Session {
    explicit Session(boost::asio::ip::tcp::socket s) : socket(std::move(s)) {}
    boost::asio::ip::tcp::socket socket;
    std::thread thread;
  };

  void accept() {
    while (true) {
      boost::system::error_code ec;
      boost::asio::ip::tcp::socket socket(io_);
      acceptor_.accept(socket, ec);
      if (ec) return;
      const std::lock_guard lock(mutex_);
      Session& session = sessions_.emplace_back(std::move(socket));
      const int number = ++accepted_;
      session.thread = std::thread([this, &session, number] { serve(session, number); });
    }
  }

  void serve(Session& session, int number) {
    boost::system::error_code ec;
    session.socket.set_option(boost::asio::ip::tcp::no_delay(true), ec);
    if (tls_ != nullptr) {
      boost::asio::ssl::stream<boost::asio::ip::tcp::socket&> stream(session.socket, *tls_);
      stream.handshake(boost::asio::ssl::stream_base::server, ec);
      if (!ec && answer(stream, session, number)) stream.shutdown(ec);
    } else {
      static_cast<void>(answer(session.socket, session, number));
    }
    const std::lock_guard lock(mutex_);
    session.socket.shutdown(boost::asio::ip::tcp::socket::shutdown_both, ec);
    session.socket.close(ec);
    ++ended_;
    changed_.notify_all();
  }

  /// True where TLS is to be closed in order.
  template <class Stream>
  bool answer(Stream& stream, Session& session, int connection) {
    boost::system::error_code ec;
    std::string in;
    for (int number = 1;; ++number) {
      Request request;
      request.connection = connection;
      request.number = number;
      const std::size_t head =
          boost::asio::read_until(stream, boost::asio::dynamic_buffer(in), "\r\n\r\n", ec);
      if (ec) return false;
      request.head = in.substr(0, head);
      in.erase(0, head);
      const std::string length = request.field("Content-Length");
      const std::size_t size = length.empty() ? 0 : std::stoul(length);
      if (in.size() < size) {
        boost::asio::read(stream, boost::asio::dynamic_buffer(in),
                          boost::asio::transfer_exactly(size - in.size()), ec);
      }
      request.body = in.substr(0, size);
      in.erase(0, size);
      const Reply reply = script_(request);
      {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request);
        changed_.notify_all();
      }
      send(stream, reply, ec);
      switch (reply.then) {
        case Then::keep:
          break;
        case Then::close:
          return reply.tls_close;
        case Then::reset:
          session.socket.set_option(boost::asio::socket_base::linger(true, 0), ec);
          session.socket.close(ec);
          return false;
        case Then::hold: {
          char byte = 0;
          while (!ec) stream.read_some(boost::asio::buffer(&byte, 1), ec);
          return false;
        }
      }
      if (ec) return false;
    }
  }

  template <class Stream>
  void send(Stream& stream, const Reply& reply, boost::system::error_code& ec) {
    if (reply.byte_by_byte) {
      for (const char& c : reply.bytes) boost::asio::write(stream, boost::asio::buffer(&c, 1), ec);
    } else {
      boost::asio::write(stream, boost::asio::buffer(reply.bytes), ec);
    }
    const std::string filler(64 * 1024, 'x');
    for (std::uint64_t left = reply.fill; left > 0 && !ec;) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, filler.size()));
      boost::asio::write(stream, boost::asio::buffer(filler.data(), n), ec);
      left -= n;
      const std::lock_guard lock(mutex_);
      sent_ += n;
    }
  }

  const Script script_;
  Tls* const tls_;
  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Request> requests_;
  std::list<Session> sessions_;
  int accepted_ = 0;
  int ended_ = 0;
  std::uint64_t sent_ = 0;
  std::thread thread_;
};

/// A response with Content-Length.
[[nodiscard]] inline std::string canned(std::string_view status, std::string_view body,
                                        std::string_view fields = "") {
  return "HTTP/1.1 " + std::string(status) + "\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace sluice::testing
