#include <sluice/call.hpp>

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/fake_call.hpp"
#include "support/run_awaitable.hpp"

namespace sluice {
namespace {

std::string work_out() { return "from a worker"; }
void fail() { throw std::runtime_error("the work failed"); }

Awaitable<void> offload_value(Call& call, std::string& value, std::thread::id& after) {
  auto got = co_await call.offload(work_out);
  value = std::move(got);
  after = std::this_thread::get_id();
}

Awaitable<void> offload_failure(Call& call) { co_await call.offload(fail); }

TEST(Offload, BringsBackWhatTheWorkReturned) {
  boost::asio::io_context io;
  testing::FakeCall call(io.get_executor());
  std::string value;
  std::thread::id after;
  testing::run(io, offload_value(call, value, after));
  EXPECT_EQ(value, "from a worker");
  EXPECT_EQ(after, std::this_thread::get_id());
}

TEST(Offload, BringsBackWhatTheWorkThrew) {
  boost::asio::io_context io;
  testing::FakeCall call(io.get_executor());
  EXPECT_THROW(testing::run(io, offload_failure(call)), std::runtime_error);
}

}  // namespace
}  // namespace sluice
