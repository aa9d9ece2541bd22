// A handler may be cancelled wherever it waits; the message still ends well.
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "mcp/json_result_writer.hpp"
#include "result_bench.hpp"

namespace sluice::mcp::test {
namespace {

/// Every kind of operation, with enough bytes to fill the window again and again.
Awaitable<Result<>> write_much(ResultWriter& out) {
  const std::string large(70000, 'x');
  const std::string object = "{\"type\":\"text\",\"text\":\"" + large + "\"}";
  for (int i = 0; i < 4; ++i) {
    const auto text = co_await out.text(large);
    if (!text) co_return text;
    const auto image = co_await out.block({.kind = BlockKind::image, .mime_type = "i/i"}, large);
    if (!image) co_return image;
    const auto raw = co_await out.raw_block(object);
    if (!raw) co_return raw;
    const auto link = co_await out.link({.uri = "a:b", .name = large});
    if (!link) co_return link;
    const auto open = co_await out.write("left open");
    if (!open) co_return open;
  }
  co_return Result<>{};
}

TEST(JsonResultWriter, EndsWellWhereverTheHandlerWasCancelled) {
  for (const bool events : {false, true})
    for (const std::size_t most : {std::size_t{20001}, std::size_t{90000}, kFrameBytes * 8}) {
      bool ran_to_its_end = false;
      for (std::size_t after = 0; !ran_to_its_end; ++after) {
        ResultBench bench;
        bench.options.takes_json = !events;
        bench.options.takes_events = events;
        bench.transport.hold = true;
        bench.transport.most = most;
        ASSERT_TRUE(bench.start());
        boost::asio::cancellation_signal cancel;
        bool over = false;
        boost::asio::co_spawn(
            bench.io, write_much(bench.out),
            boost::asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr e, Result<>) {
              over = true;
              ran_to_its_end = e == nullptr;
            }));
        bench.poll();
        for (std::size_t i = 0; i < after && !over; ++i) {
          bench.transport.let_through();
          bench.poll();
        }
        cancel.emit(boost::asio::cancellation_type::terminal);
        bench.poll();
        ASSERT_TRUE(over);
        bench.transport.hold = false;
        bench.transport.let_through();
        ASSERT_TRUE(bench.now(bench.out.fail("cancelled")));
        const Json result = bench.finish_result();
        const Json content = result.find("content");
        ASSERT_GE(content.size(), 1U) << after;
        EXPECT_EQ(str(at(content, content.size() - 1)), "cancelled");
        EXPECT_EQ(result.find("isError").as_bool(), true);
      }
    }
}

}  // namespace
}  // namespace sluice::mcp::test
