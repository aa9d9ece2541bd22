#include "buffer/encoder_pool.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/decode_content.hpp"

namespace sluice {
namespace {

constexpr ContentCoding kCodings[] = {ContentCoding::gzip, ContentCoding::zstd, ContentCoding::br};

std::string encode(ContentEncoder& encoder, std::string_view text) {
  std::string out(4096, '\0');
  const auto step = encoder.step(text, out);
  EXPECT_EQ(step->read, text.size());
  const auto rest = encoder.finish(std::span<char>(out).subspan(step->written));
  EXPECT_TRUE(rest->done);
  out.resize(step->written + rest->written);
  return out;
}

TEST(EncoderPool, LendsAnEncoderAgainAtTheStartOfAContent) {
  FrameBudget budget(1024 * kFrameBytes);
  EncoderPool pool(budget);
  for (const auto coding : kCodings) {
    const ContentEncoder* first = nullptr;
    {
      const auto lease = pool.take(coding);
      ASSERT_TRUE(lease);
      EXPECT_EQ(lease->coding(), coding);
      EXPECT_EQ(pool.in_use(), 1u);
      first = lease.get();
      std::string out(4096, '\0');
      ASSERT_TRUE(lease->step("given up half way", out));
    }
    EXPECT_EQ(pool.in_use(), 0u);
    const auto lease = pool.take(coding);
    EXPECT_EQ(lease.get(), first);
    EXPECT_EQ(testing::decode_content(coding, encode(*lease, "text")), "text");
  }
}

TEST(EncoderPool, LendsNoneForNoCoding) {
  FrameBudget budget(1024 * kFrameBytes);
  EncoderPool pool(budget);
  EXPECT_FALSE(pool.take(ContentCoding::identity));
  EXPECT_EQ(pool.in_use(), 0u);
  EXPECT_EQ(budget.used(), 0u);
}

TEST(EncoderPool, CountsAsTheFramesThatItsMemoryWouldBe) {
  for (const auto coding : kCodings) {
    const std::size_t frames = EncoderPool::frames_of(coding);
    EXPECT_GE(frames * kFrameBytes, ContentEncoder::max_memory(coding));
    FrameBudget budget((3 * frames - 1) * kFrameBytes);
    EncoderPool pool(budget);
    std::vector<EncoderPool::Lease> held;
    held.push_back(pool.take(coding));
    held.push_back(pool.take(coding));
    EXPECT_EQ(budget.used(), 2 * frames);
    EXPECT_FALSE(pool.take(coding)) << "for a third there is not enough";
    EXPECT_EQ(budget.used(), 2 * frames);
    held.pop_back();
    EXPECT_EQ(budget.used(), frames) << "none is kept while the budget is short";
    held.push_back(pool.take(coding));
    EXPECT_TRUE(held.back());
    held.clear();
    pool.trim();
    EXPECT_EQ(budget.used(), 0u);
  }
}

TEST(EncoderPool, KeepsOneOfEachCodingUntilItIsTrimmed) {
  FrameBudget budget(1024 * kFrameBytes);
  EncoderPool pool(budget);
  std::size_t each = 0;
  {
    std::vector<EncoderPool::Lease> held;
    for (const auto coding : kCodings) {
      each += EncoderPool::frames_of(coding);
      held.push_back(pool.take(coding));
      held.push_back(pool.take(coding));
    }
    EXPECT_EQ(pool.in_use(), 6u);
    EXPECT_EQ(budget.used(), 2 * each);
  }
  EXPECT_EQ(budget.used(), each);
  pool.trim();
  EXPECT_EQ(budget.used(), 0u);
  pool.trim();
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace sluice
