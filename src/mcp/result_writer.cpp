#include <sluice/result_writer.hpp>

namespace sluice {

Awaitable<Result<>> ResultWriter::text(std::string_view all) {
  const auto done = co_await block({}, all);
  co_return done;
}

Awaitable<Result<>> ResultWriter::block(Block block, std::string_view all) {
  const auto begun = co_await begin(block);
  if (!begun) co_return begun;
  const auto written = co_await write(all);
  if (!written) co_return written;
  const auto ended = co_await end();
  co_return ended;
}

Awaitable<Result<>> ResultWriter::structured(std::string_view json) {
  const auto done = co_await block({.kind = BlockKind::structured}, json);
  co_return done;
}

}  // namespace sluice
