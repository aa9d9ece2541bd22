#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

#include <sluice/call.hpp>

namespace sluice::testing {

/// Runs the loop until it has no more to do at once or `done` is set, which must come before
/// anything takes a minute.
template <class Done>
void run_until(boost::asio::io_context& io, Done done) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!done()) {
    io.restart();
    io.run_one_for(std::chrono::milliseconds(100));
    if (std::chrono::steady_clock::now() > until) throw std::runtime_error("took too long");
  }
}

/// Runs a coroutine to its end; what it throws comes out.
inline void run(boost::asio::io_context& io, Awaitable<void> work) {
  bool done = false;
  std::exception_ptr thrown;
  boost::asio::co_spawn(io, std::move(work), [&](std::exception_ptr e) {
    thrown = e;
    done = true;
  });
  run_until(io, [&] { return done; });
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace sluice::testing
