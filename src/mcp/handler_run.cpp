#include "mcp/handler_run.hpp"

#include <spdlog/spdlog.h>

#include <exception>
#include <string>

namespace sluice::mcp {
namespace {

/// For a handler that is no coroutine and threw.
Awaitable<void> nothing() { co_return; }

}  // namespace

Awaitable<void> HandlerRun::run() {
  if (run_.why()) return nothing();
  try {
    return run_.run(entry_.handler->run(context_, out_));
  } catch (...) {
    run_.threw(std::current_exception());
    return nothing();
  }
}

Awaitable<void> HandlerRun::explain(boost::system::error_code gone) {
  const auto why = run_.why() ? run_.why() : gone;
  std::string text;
  if (why == Errc::deadline) {
    text = entry_.timeout_name + " passed after " + std::to_string(out_.bytes()) +
           " bytes of its result.";
  } else if (why == Errc::shutting_down) {
    text = "The server is shutting down; the result ends after " + std::to_string(out_.bytes()) +
           " bytes.";
  } else if (!why && run_.has_thrown()) {
    spdlog::error("{} {}: {}", entry_.kind, entry_.name, run_.thrown_text());
    text = "The " + std::string(entry_.kind) + " failed unexpectedly.";
  } else if (!why && !run_.returned() && run_.returned().error() == Errc::missing_capability) {
    text = "The " + std::string(entry_.kind) +
           " has to ask its client, which has not declared that it can be asked:";
    for (const auto& name : context_.missing()) text += ' ' + name;
  } else if (!why && !run_.returned() && run_.returned().error() != Errc::result_too_large) {
    text =
        "The " + std::string(entry_.kind) + " failed: " + run_.returned().error().message() + ".";
  }
  if (text.empty() || (out_.is_error() && !why)) co_return;
  const auto told = co_await out_.fail(text);
  static_cast<void>(told);
}

}  // namespace sluice::mcp
