#include "mcp/fixed_tool.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>

namespace sluice::mcp {
namespace {

Awaitable<void> write_all(FixedTool& tool, std::uint64_t max_result, ResponseWriter& out) {
  const auto written = co_await tool.write(out, max_result);
  if (!written && written.error() != Errc::result_too_large) {
    const auto told = co_await out.fail("The tool failed: " + written.error().message() + ".");
    static_cast<void>(told);
  }
  const auto closed = co_await out.close();
  static_cast<void>(closed);  // what is broken says so itself
}

/// Runs `loop` until `out` has written everything into the recording.
void fill(boost::asio::io_context& loop, FixedTool& tool, std::uint64_t max_bytes,
          ResponseWriter& out, Recording& recording) {
  boost::asio::co_spawn(loop, write_all(tool, max_bytes, out), [](std::exception_ptr thrown) {
    if (thrown) std::rethrow_exception(thrown);
  });
  loop.run();
  recording.finish(out.is_broken()  ? Recording::End::broken
                   : out.is_error() ? Recording::End::failed
                                    : Recording::End::good);
}

}  // namespace

std::shared_ptr<const Recording> record(FixedTool& tool, const JsonResultWriter::Options& options) {
  boost::asio::io_context loop;
  const auto recording = std::make_shared<Recording>(loop.get_executor());
  JsonResultWriter out(*recording, options);
  fill(loop, tool, options.max_bytes, out, *recording);
  return recording;
}

RecordedContents record(FixedTool& tool, const ContentsWriter::Options& options) {
  boost::asio::io_context loop;
  const auto recording = std::make_shared<Recording>(loop.get_executor());
  ContentsWriter out(*recording, options);
  fill(loop, tool, options.max_bytes, out, *recording);
  return {recording, out.bytes()};
}

}  // namespace sluice::mcp
