// Tools for the tests with the official clients: one writes the reference table in pieces, with no
// regard to where its characters and rows end; others change what is offered, and hang up.

#include <algorithm>
#include <chrono>
#include <sluice/plugin.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "../../support/upstream/payload.hpp"

namespace {

using sluice::Awaitable;
using sluice::Call;
using sluice::Result;
using sluice::ResultWriter;

Awaitable<Result<>> table(Call& call, ResultWriter& out) {
  constexpr std::size_t kPiece = 10'007;
  const auto bytes = static_cast<std::size_t>(*call.argument("bytes").as_int());
  const auto whole = upstream::payload(bytes);
  for (std::string_view left = *whole; !left.empty();
       left.remove_prefix(std::min(kPiece, left.size()))) {
    const auto written = co_await out.write(left.substr(0, kPiece));
    if (!written) co_return written;
  }
  co_return Result<>{};
}

Awaitable<Result<>> touch(Call& call, ResultWriter& out) {
  call.notifier().list_changed(sluice::List::tools);
  const auto done = co_await out.text("touched");
  co_return done;
}

/// Its client has to come back for the result.
Awaitable<Result<>> come_back(Call& call, ResultWriter& out) {
  const auto left = co_await call.hang_up();
  if (!left) co_return left;
  co_await call.sleep(std::chrono::milliseconds(100));
  const auto done = co_await out.text("welcome back");
  co_return done;
}

sluice::Tool named(std::string name) {
  sluice::Tool tool;
  tool.name = std::move(name);
  return tool;
}

}  // namespace

SLUICE_PLUGIN(registry) {
  sluice::Tool tool;
  tool.name = "plugin_table";
  tool.description = "The table from a plug-in.";
  tool.input_schema = R"({
    "type": "object",
    "properties": { "bytes": { "type": "integer", "minimum": 1, "maximum": 67108864 } },
    "required": ["bytes"]
  })";
  registry.add(std::move(tool), table);
  registry.add(named("touch"), touch);
  registry.add(named("come_back"), come_back);
}
