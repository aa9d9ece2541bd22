#include "http/loop.hpp"

#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <ctime>
#include <vector>

#include "http/connection.hpp"
#include "http/response_head.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;

// Timeouts are seconds long; a tenth of one is exact enough, and one timer for all connections
// costs nothing per request.
constexpr std::chrono::milliseconds kTick{100};

asio::ip::tcp protocol_of(int fd) noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
      address.ss_family == AF_INET6)
    return asio::ip::tcp::v6();
  return asio::ip::tcp::v4();
}

}  // namespace

Loop::Loop(std::size_t index, ServerContext& context, FrameBudget& budget)
    : server_(context),
      work_(io_.get_executor()),
      frames_(budget),
      encoders_(budget),
      services_{index, &frames_, &encoders_, &calls_},
      timer_(io_) {
  documents_.reserve(kKept);
  read_buffers_.reserve(kKept);
}

Loop::~Loop() { SLUICE_CHECK(!thread_.joinable()); }

void Loop::start() {
  thread_ = std::thread([this] {
    tick();
    io_.run();
  });
}

void Loop::adopt(int fd) {
  count_.fetch_add(1);
  asio::post(io_, [this, fd] {
    boost::system::error_code ec;
    asio::ip::tcp::socket socket(io_);
    socket.assign(protocol_of(fd), fd, ec);
    if (ec) {
      ::close(fd);
      count_.fetch_sub(1);
      server_.connections.fetch_sub(1);
      return;
    }
    auto owned = std::make_unique<Connection>(*this, std::move(socket));
    Connection* connection = owned.get();
    connections_.emplace(connection, std::move(owned));
    const auto on_end = [this, connection](std::exception_ptr thrown) {
      if (thrown) {
        try {
          std::rethrow_exception(thrown);
        } catch (const std::exception& e) {
          spdlog::error("connection ended by an exception: {}", e.what());
        } catch (...) {
          spdlog::error("connection ended by an exception of unknown type");
        }
      }
      remove(connection);
    };
    asio::co_spawn(io_, connection->run(),
                   asio::bind_cancellation_slot(connection->cancellation().slot(), on_end));
  });
}

void Loop::remove(Connection* connection) {
  connections_.erase(connection);
  count_.fetch_sub(1);
  server_.connections.fetch_sub(1);
}

std::unique_ptr<json::Document> Loop::take_document() {
  if (!documents_.empty()) {
    auto document = std::move(documents_.back());
    documents_.pop_back();
    return document;
  }
  auto document = std::make_unique<json::Document>();
  document->set_max_values(server_.config->limits.values);
  return document;
}

void Loop::give(std::unique_ptr<json::Document> document) noexcept {
  if (document == nullptr || documents_.size() == kKept) return;
  document->clear();
  documents_.push_back(std::move(document));  // capacity was reserved
}

boost::beast::flat_buffer Loop::take_read_buffer() {
  if (read_buffers_.empty())
    return boost::beast::flat_buffer(Connection::kReadLarge + server_.config->limits.request_head);
  auto buffer = std::move(read_buffers_.back());
  read_buffers_.pop_back();
  return buffer;
}

void Loop::give(boost::beast::flat_buffer&& buffer) noexcept {
  buffer.clear();
  if (read_buffers_.size() < kKept && buffer.capacity() <= Connection::kReadSmall)
    read_buffers_.push_back(std::move(buffer));  // capacity was reserved
  else
    buffer.shrink_to_fit();
}

void Loop::tick() {
  const auto now = std::chrono::steady_clock::now();
  const std::int64_t second = std::time(nullptr);
  if (second != date_second_) {
    date_second_ = second;
    date_ = format_date(second);
  }
  for (const auto& [connection, owned] : connections_) connection->tick(now);
  if (++ticks_since_trim_ == 100) {  // ten seconds: the system may have back what was not needed
    ticks_since_trim_ = 0;
    encoders_.trim();
    frames_.trim();
  }
  timer_.expires_after(kTick);
  timer_.async_wait([this](boost::system::error_code ec) {
    if (!ec) tick();
  });
}

void Loop::drain() {
  asio::post(io_, [this] {
    draining_ = true;
    for (const auto& [connection, owned] : connections_) connection->drain();
  });
}

void Loop::end_calls() {
  asio::post(io_, [this] {
    for (const auto& [connection, owned] : connections_) connection->end_call();
  });
}

void Loop::abort_all() {
  asio::post(io_, [this] {
    for (const auto& [connection, owned] : connections_) connection->abort();
  });
}

void Loop::stop() {
  if (!thread_.joinable()) return;
  asio::post(io_, [this] {
    timer_.cancel();
    work_.reset();
    io_.stop();
  });
  thread_.join();
}

}  // namespace sluice::http
