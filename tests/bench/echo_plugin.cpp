// The tool echo of the benchmarks: says its argument `message`, as a handler in C++ does.

#include <sluice/plugin.hpp>

namespace {

sluice::Awaitable<sluice::Result<>> echo(sluice::Call& call, sluice::ResultWriter& out) {
  const auto message = call.argument("message").as_string();
  const auto done = co_await out.text(message.value_or(""));
  co_return done;
}

}  // namespace

SLUICE_PLUGIN(registry) {
  registry.add(
      {.name = "echo",
       .description = "Says what it is told.",
       .input_schema =
           R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})"},
      echo);
}
