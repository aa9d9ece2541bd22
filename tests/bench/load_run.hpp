#pragma once

#include <memory>
#include <vector>

#include "load_connection.hpp"
#include "load_figures.hpp"
#include "load_options.hpp"
#include "load_process.hpp"
#include "load_sockets.hpp"

namespace load {

/// Keeps the connections busy, in one thread with epoll: first to warm up, then to measure. Between
/// the two every call is waited for, so that what is measured is whole calls and their whole cost.
///
/// Ownership: options, process and sockets outlive it.
/// Errors:    Failure when the server is not there, answers nothing for half a minute, or fails on
///            call after call.
class Run {
 public:
  /// `sockets` is null when socket memory is not asked for.
  Run(const Options& options, const ServerProcess& server, SocketMemory* sockets);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run();

  /// Runs, and fills in what it saw.
  void measure(Figures& figures);

 private:
  void go_on_for(double seconds, std::uint64_t calls, Figures& figures);
  void start_call(Connection& connection, Clock::time_point now);
  void take(Connection& connection, std::size_t most, Figures& figures);
  void on_tick(Figures& figures);
  void fail(const Connection& connection, Figures& figures);

  const Options& options_;
  const ServerProcess& server_;
  SocketMemory* sockets_;
  int poll_ = -1;
  int timer_ = -1;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<char> buffer_;
  std::size_t busy_ = 0;
  std::uint64_t calls_left_ = 0;
  Clock::time_point end_;
  Clock::time_point last_;   ///< The last answer's end.
  std::uint64_t reads_ = 0;  ///< Signs of life.
};

}  // namespace load
