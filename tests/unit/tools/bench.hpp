#pragma once

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <sluice/tool.hpp>
#include <string>
#include <string_view>

#include "config/config.hpp"
#include "support/fake_call.hpp"

namespace sluice::tools {

/// "a{b}c" as the loader gives it.
inline config::Template text_template(std::string_view text) {
  config::Template result;
  while (!text.empty()) {
    const bool is_slot = text.front() == '{';
    const auto end = is_slot ? text.find('}') : text.find('{');
    const auto part = text.substr(is_slot ? 1 : 0, is_slot ? end - 1 : end);
    result.parts.push_back({std::string(part), is_slot});
    text.remove_prefix(std::min(text.size(), is_slot ? end + 1 : end));
  }
  return result;
}

/// Runs handlers on a loop of its own and keeps what comes of it.
class Bench {
 public:
  explicit Bench(std::string_view arguments = "{}") : call(loop.get_executor(), arguments) {}

  boost::asio::io_context loop{1};
  testing::FakeWriter out;
  testing::FakeCall call;
  boost::asio::cancellation_signal cancel;
  Result<> result{};
  bool is_done = false;
  bool was_cancelled = false;

  void start(ToolHandler& handler) { start(handler.run(call, out)); }
  void start(Awaitable<Result<>> task) {
    boost::asio::co_spawn(loop, std::move(task),
                          boost::asio::bind_cancellation_slot(
                              cancel.slot(), [this](std::exception_ptr thrown, Result<> r) {
                                is_done = true;
                                was_cancelled = static_cast<bool>(thrown);
                                if (!thrown) result = r;
                              }));
  }
  /// Until nothing is left to do, the reaping of children too.
  void finish() {
    loop.restart();
    loop.run();
  }
  void run(ToolHandler& handler) {
    start(handler);
    finish();
  }
  void run(Awaitable<Result<>> task) {
    start(std::move(task));
    finish();
  }
};

}  // namespace sluice::tools
