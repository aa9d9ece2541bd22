// A tool that writes the reference table in pieces, with no regard to where its characters and rows
// end.

#include <algorithm>
#include <sluice/plugin.hpp>
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
}
