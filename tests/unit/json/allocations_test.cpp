#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "json/base64.hpp"
#include "json/document.hpp"
#include "json/escaper.hpp"
#include "json/raw_json.hpp"

namespace {
std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> bytes_in_use{0};

void give_back(void* memory) noexcept {
  if (memory != nullptr) bytes_in_use -= malloc_usable_size(memory);
  std::free(memory);
}
}  // namespace

// All forms but those for aligned types, which nothing here uses; simdjson takes the ones that do
// not throw.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory != nullptr) bytes_in_use += malloc_usable_size(memory);
  return memory;
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return operator new(size, std::nothrow);
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give_back(memory); }

namespace sluice::json::test {
namespace {

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLUICE_COUNTS_NOTHING
#endif
#endif

/// ThreadSanitizer's runtime has an operator new of its own, which the linker takes for all but
/// this file.
class Allocations : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef SLUICE_COUNTS_NOTHING
    GTEST_SKIP() << "this build does not count allocations";
#endif
  }
};

std::string request(int id) {
  std::string text = R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
                     R"(,"method":"tools\/call","params":{"list":[)";
  for (int i = 0; i < 100; ++i) text += R"("\u00e9 and a value",1.5,)";
  text += "null]}}";
  text.reserve(text.size() + kPadding);
  return text;
}

TEST_F(Allocations, AreNoneForTheNextTextOfTheSameSize) {
  Document document;
  const std::string first = request(10000000);
  const std::string second = request(7);
  ASSERT_TRUE(document.parse(first, first.size() + kPadding, 64).has_value());
  const std::size_t before = allocations;
  const bool accepted = document.parse(second, second.size() + kPadding, 64).has_value() &&
                        document.parse(first, first.size() + kPadding, 64).has_value();
  const std::size_t after = allocations;
  EXPECT_TRUE(accepted);
  EXPECT_EQ(after - before, 0U);
}

TEST_F(Allocations, AreNoneForACopyOfTheSameSize) {
  Document document;
  const std::string first = request(10000000);
  const std::string second = request(7);
  ASSERT_TRUE(document.parse_copy(first).has_value());
  const std::size_t before = allocations;
  const bool accepted =
      document.parse_copy(second).has_value() && document.parse_copy(first).has_value();
  const std::size_t after = allocations;
  EXPECT_TRUE(accepted);
  EXPECT_EQ(after - before, 0U);
}

TEST_F(Allocations, OfALargeTextAreGivenBack) {
  Document document;
  const std::size_t before = bytes_in_use;
  {
    std::string large = "[\"\\n\"";
    for (int i = 0; i < 1000000; ++i) large += ",1";
    ASSERT_TRUE(document.parse_copy(large + "]").has_value());
  }
  EXPECT_GT(bytes_in_use - before, 10U << 20);
  document.clear();
  EXPECT_FALSE(document.root());
  EXPECT_LT(bytes_in_use - before, 1U << 20);
  ASSERT_TRUE(document.parse_copy("[1]").has_value());
}

TEST_F(Allocations, AreNoneOnTheWayOfAResult) {
  const std::string text = request(1);
  std::string out(8 * text.size(), ' ');
  for (const Simd simd : supported_simd()) {
    RawJson checker(64, simd);
    Escaper escaper(simd);
    Base64Encoder encoder(simd);
    const std::size_t before = allocations;
    const bool accepted = checker.step(text, out).has_value() && checker.finish().has_value();
    const std::size_t read = escaper.step(text, out).read + encoder.step(text, out).read;
    const std::size_t after = allocations;
    EXPECT_TRUE(accepted) << name_of(simd);
    EXPECT_EQ(read, 2 * text.size());
    EXPECT_EQ(after - before, 0U);
  }
}

}  // namespace
}  // namespace sluice::json::test
