#include "buffer/frame_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cstring>
#include <random>

#include "support/run_awaitable.hpp"

namespace sluice {
namespace {

namespace asio = boost::asio;

std::string text_of(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + (i * 7 + i / 251) % 26);
  return text;
}

struct Bench {
  explicit Bench(std::size_t frames = 64, std::size_t window = 4)
      : budget(frames * kFrameBytes), pool(budget), queue(pool, io.get_executor(), window) {}
  asio::io_context io;
  FrameBudget budget;
  FramePool pool;
  FrameQueue queue;
  Result<> result;
  bool produced = false;

  void poll() {
    io.restart();
    io.poll();
  }
};

Awaitable<void> write(Bench& bench, std::string_view text, std::size_t step) {
  while (!text.empty()) {
    auto room = bench.queue.room();
    if (room.empty()) {
      const auto waited = co_await bench.queue.wait_room();
      if (!waited) {
        bench.result = waited;
        bench.produced = true;
        co_return;
      }
      continue;
    }
    if (room.size() < BodySink::kMinRoom) throw std::logic_error("less room than promised");
    const std::size_t n = std::min({step, room.size(), text.size()});
    std::memcpy(room.data(), text.data(), n);
    bench.queue.commit(n);
    text.remove_prefix(n);
  }
  bench.queue.finish();
  bench.produced = true;
}

/// Takes everything, as a file does: each chunk to its place.
Awaitable<void> read(Bench& bench, std::string& out, std::size_t& most_frames) {
  while (!bench.queue.is_drained()) {
    co_await bench.queue.wait();
    auto chunk = bench.queue.take();
    if (!chunk) continue;
    most_frames = std::max(most_frames, bench.pool.in_use());
    out.resize(static_cast<std::size_t>(chunk->at));
    out += chunk->bytes();
    chunk.reset();
    bench.queue.done();
  }
}

std::string held(const FrameQueue& queue) {
  std::string out;
  for (const auto& piece : queue.pieces()) {
    if (piece.breaks_line) out += '|';
    out += piece.bytes;
  }
  return out;
}

TEST(FrameQueue, GivesTheConsumerAllBytesInOrder) {
  for (const std::size_t size : {0U, 1U, 65536U, 65537U, 262144U, 1000000U})
    for (const std::size_t step : {700U, 65536U})
      for (const std::size_t window : {2U, 4U}) {
        Bench bench(64, window);
        const std::string text = text_of(size);
        std::string out;
        std::size_t most = 0;
        asio::co_spawn(bench.io, write(bench, text, step), asio::detached);
        testing::run(bench.io, read(bench, out, most));
        EXPECT_TRUE(out == text) << size << ' ' << step << ' ' << window;
        EXPECT_LE(most, window);
        EXPECT_EQ(bench.pool.in_use(), 0U);
      }
}

TEST(FrameQueue, HoldsBackUntilTheWindowIsFull) {
  Bench bench;
  const std::string text = text_of(1'000'000);
  asio::co_spawn(bench.io, write(bench, text, 4096), asio::detached);
  EXPECT_FALSE(bench.queue.take());
  bench.poll();
  EXPECT_TRUE(bench.queue.is_full());
  EXPECT_EQ(bench.pool.in_use(), 4U);
  EXPECT_FALSE(bench.produced);
  std::string out;
  std::size_t most = 0;
  testing::run(bench.io, read(bench, out, most));
  EXPECT_TRUE(out == text);
}

TEST(FrameQueue, KeepsWhatFitsTheWindowInOnePlaceUntilItIsTaken) {
  Bench bench;
  const std::string text = text_of(200'000);
  testing::run(bench.io, write(bench, text, 4096));
  EXPECT_FALSE(bench.queue.is_full());
  EXPECT_TRUE(bench.queue.is_over());
  EXPECT_TRUE(held(bench.queue) == text);
}

TEST(FrameQueue, MarksWhereLinesMayBeBrokenInItsBytes) {
  Bench bench;
  ASSERT_FALSE(bench.queue.room().empty());
  bench.queue.put("[1,");
  bench.queue.line_break();
  bench.queue.put("2,");
  bench.queue.line_break();
  bench.queue.line_break();
  bench.queue.put("3]");
  bench.queue.finish();
  EXPECT_EQ(held(bench.queue), "[1,|2,|3]");
}

TEST(FrameQueue, CutsLinesWhereverAPieceEnds) {
  const std::string text = "one\ntwo\n\nthree";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    std::vector<BodyPiece> pieces;
    bool breaks = false;
    append_lines(pieces, std::string_view(text).substr(0, cut), breaks);
    append_lines(pieces, std::string_view(text).substr(cut), breaks);
    std::string joined;
    for (const auto& piece : pieces)
      joined += (piece.breaks_line ? "|" : "") + std::string(piece.bytes);
    EXPECT_EQ(joined, "one|two|three") << cut;
  }
}

TEST(FrameQueue, TakesBackWhatWasNotTaken) {
  Bench bench;
  const std::string text = text_of(200'000);
  ASSERT_FALSE(bench.queue.room().empty());
  bench.queue.put("begin ");
  const auto mark = bench.queue.mark();
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto room = bench.queue.room();
    const auto n = std::min(room.size(), rest.size());
    bench.queue.put(rest.substr(0, n));
    rest.remove_prefix(n);
  }
  EXPECT_TRUE(bench.queue.copy_since(mark) == text);
  EXPECT_TRUE(bench.queue.rollback(mark));
  EXPECT_EQ(bench.queue.copy_since(mark), "");
  EXPECT_LE(bench.pool.in_use(), 1U);
  ASSERT_FALSE(bench.queue.room().empty());
  bench.queue.put("end");
  bench.queue.finish();
  EXPECT_EQ(held(bench.queue), "begin end");
}

TEST(FrameQueue, TakesBackWhatWasTakenOnlyWhereTheConsumerCanWriteOverIt) {
  for (const bool rewinds : {false, true}) {
    Bench bench(64, 2);
    if (rewinds) bench.queue.allow_rewind();
    ASSERT_FALSE(bench.queue.room().empty());
    bench.queue.put("begin ");
    const auto mark = bench.queue.mark();
    const std::string text = text_of(400'000);
    std::string out;
    std::size_t most = 0;
    bool over = false;
    asio::co_spawn(bench.io, read(bench, out, most), [&](std::exception_ptr) { over = true; });
    std::string_view rest = text;
    while (!rest.empty()) {
      const auto room = bench.queue.room();
      if (room.empty()) {
        bench.poll();
        continue;
      }
      const auto n = std::min(room.size(), rest.size());
      bench.queue.put(rest.substr(0, n));
      rest.remove_prefix(n);
    }
    EXPECT_FALSE(bench.queue.copy_since(mark)) << "some of it is gone";
    EXPECT_EQ(bench.queue.rollback(mark), rewinds);
    if (rewinds) {
      ASSERT_FALSE(bench.queue.room().empty());
      bench.queue.put("end");
    }
    bench.queue.finish();
    testing::run_until(bench.io, [&] { return over; });
    EXPECT_TRUE(out == (rewinds ? "begin end" : "begin " + text));
  }
}

TEST(FrameQueue, DropsTheRestWhereNobodyWantsIt) {
  Bench bench;
  const std::string text = text_of(2'000'000);
  asio::co_spawn(bench.io, write(bench, text, 4096), asio::detached);
  bench.poll();
  EXPECT_FALSE(bench.produced);
  bench.queue.discard();
  bench.poll();
  EXPECT_TRUE(bench.produced);
  EXPECT_TRUE(bench.result);
  EXPECT_TRUE(bench.queue.is_drained());
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

TEST(FrameQueue, MakesDoWithFewerFramesWhereThePoolIsShort) {
  Bench bench(1);
  const std::string text = text_of(500'000);
  std::string out;
  std::size_t most = 0;
  asio::co_spawn(bench.io, write(bench, text, 4096), asio::detached);
  testing::run(bench.io, read(bench, out, most));
  EXPECT_TRUE(out == text);
}

TEST(FrameQueue, SaysThatThereIsNoFrameAtAll) {
  Bench bench(0);
  testing::run(bench.io, write(bench, "x", 1));
  ASSERT_FALSE(bench.result);
  EXPECT_EQ(bench.result.error(), Errc::frames_exhausted);
}

}  // namespace
}  // namespace sluice
