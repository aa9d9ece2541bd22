#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "call_tool.hpp"

namespace {
thread_local std::uint64_t allocations = 0;
}

// All forms that end in free(), so that none of them meets another's delete. The aligned ones stay
// the library's.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* p = ::operator new(size, std::nothrow)) return p;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return ::operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return ::operator new(size, tag);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }

namespace sluice::tools {
namespace {

using namespace sluice::testing;
using Reply = CannedUpstream::Reply;
using Then = CannedUpstream::Then;

std::uint64_t allocations_of_a_call(ToolUnderTest& tool, FakeCall& call) {
  FakeWriter out;
  out.keep = false;
  const std::uint64_t before = allocations;
  EXPECT_TRUE(tool.call(call, out));
  EXPECT_FALSE(out.is_error);
  return allocations - before;
}

TEST(HttpToolAllocations, DoNotGrowWithTheBody) {
  for (const bool chunked : {false, true}) {
    std::uint64_t size = 1 << 20;
    CannedUpstream stub([&](const CannedUpstream::Request&) {
      if (!chunked)
        return Reply{"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n",
                     Then::keep, size};
      Reply reply{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"};
      for (std::uint64_t left = size; left > 0; left -= 0x4000)
        reply.bytes += "4000\r\n" + std::string(0x4000, 'x') + "\r\n";
      reply.bytes += "0\r\n\r\n";
      return reply;
    });
    ToolUnderTest tool(stub.url());
    ASSERT_EQ(tool.make(), "");
    FakeCall call(tool.io.get_executor());
    for (int i = 0; i < 3; ++i) static_cast<void>(allocations_of_a_call(tool, call));
    const std::uint64_t small = allocations_of_a_call(tool, call);
    size = 8 << 20;
    static_cast<void>(allocations_of_a_call(tool, call));
    const std::uint64_t large = allocations_of_a_call(tool, call);
    // Not to the one: how often the loop finds nothing to read differs from run to run, and with it
    // what it recycles.
    EXPECT_LE(large, small + 8) << (chunked ? "chunked" : "with a length") << ": " << small
                                << ", then " << large;
    EXPECT_EQ(call.frames().in_use(), 0u);
    ::testing::Test::RecordProperty(chunked ? "chunked" : "plain", std::to_string(large));
  }
}

}  // namespace
}  // namespace sluice::tools
