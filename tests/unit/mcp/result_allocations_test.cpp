// A result costs as many allocations as it has blocks and operations, whatever its size.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "mcp/json_result_writer.hpp"
#include "result_bench.hpp"

namespace {
std::atomic<std::size_t> allocations{0};
}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
  ++allocations;
  const auto a = static_cast<std::size_t>(align);
  return std::aligned_alloc(a, (size + a - 1) / a * a);
}
void* operator new(std::size_t size, std::align_val_t align) {
  if (void* memory = operator new(size, align, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return operator new(size, std::nothrow);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace sluice::mcp::test {
namespace {

struct Source {
  BlockKind kind;
  std::string_view piece;
  std::size_t pieces;
};

/// What a tool does: begin, write piece by piece, and the end of the call.
Awaitable<void> write_result(FrameWriter& frames, JsonResultWriter& out, Source source, bool& ok) {
  const auto begun = co_await out.begin({.kind = source.kind, .mime_type = "m/m"});
  ok = begun.has_value();
  for (std::size_t i = 0; i < source.pieces && ok; ++i) {
    const auto written = co_await out.write(source.piece);
    ok = written.has_value();
  }
  if (source.kind == BlockKind::structured && ok) {
    const auto last = co_await out.write("0]");
    ok = last.has_value();
  }
  const auto closed = co_await out.close();
  const auto finished = co_await frames.finish();
  ok = ok && closed && finished;
}

std::size_t count(testing::ResponseBench& bench, Source source, bool chunked) {
  bench.options.takes_events = !chunked;
  bench.options.takes_json = chunked;
  EXPECT_TRUE(bench.start());
  const std::string envelope = result_envelope("1", kModern, "{}");
  JsonResultWriter out(bench.writer, {envelope, kModern.structured, UINT64_MAX, "", 16});
  bool ok = false;
  const std::size_t before = allocations;
  testing::run(bench.io, write_result(bench.writer, out, source, ok));
  const std::size_t after = allocations;
  EXPECT_TRUE(ok);
  EXPECT_EQ(bench.pool.in_use(), 0U);
  return after - before;
}

TEST(Allocations, OfACallDoNotGrowWithItsResult) {
  const std::string text(30000, 't');
  for (const bool chunked : {true, false})
    for (const BlockKind kind : {BlockKind::text, BlockKind::image}) {
      testing::ResponseBench bench;
      bench.transport.keep = false;
      const std::size_t warm = count(bench, {kind, text, 40}, chunked);
      const std::size_t small = count(bench, {kind, text, 40}, chunked);
      const std::size_t large = count(bench, {kind, text, 320}, chunked);
      EXPECT_GE(warm, small);
      EXPECT_EQ(small, large);
      EXPECT_LT(large, 30U);
    }
}

TEST(Allocations, AreNonePerWriteWhereTheTransportIsSlow) {
  const std::string text(30000, 't');
  testing::ResponseBench bench;
  bench.transport.keep = false;
  bench.transport.most = 10000;
  const std::size_t warm = count(bench, {BlockKind::text, text, 40}, true);
  const std::size_t small = count(bench, {BlockKind::text, text, 40}, true);
  const std::size_t large = count(bench, {BlockKind::text, text, 320}, true);
  EXPECT_GE(warm, small);
  EXPECT_EQ(small, large);
}

}  // namespace
}  // namespace sluice::mcp::test
