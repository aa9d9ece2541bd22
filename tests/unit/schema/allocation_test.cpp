// A check of the common kind does not allocate.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "check.hpp"
#include "schema/schema.hpp"

namespace {
std::atomic<long> allocations{0};
}

// All of them, so that no sanitizer's own one is paired with ours.
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(n == 0 ? 1 : n);
}
void* operator new(std::size_t n) {
  if (void* p = operator new(n, std::nothrow)) return p;
  throw std::bad_alloc();
}
void* operator new[](std::size_t n) { return operator new(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept {
  return operator new(n, std::nothrow);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }

namespace sluice::schema {
namespace {

TEST(Allocations, NoneForAValidFlatObject) {
  const auto s = compiled(R"({"type":"object","properties":{
      "market":{"type":"string","enum":["twse","nyse"]},
      "sizeMb":{"type":"integer","minimum":1,"maximum":20},
      "name":{"type":"string","pattern":"^[a-z0-9-]+$","maxLength":40},
      "tags":{"type":"array","items":{"type":"string"},"uniqueItems":true},
      "when":{"anyOf":[{"type":"null"},{"type":"string"}]}},
    "required":["market"],"additionalProperties":false,"unevaluatedItems":false})");
  json::Document document;
  const auto root = document.parse_copy(
      R"({"market":"nyse","sizeMb":7,"name":"abc-1","tags":["a","b"],"when":"now"})");
  ASSERT_TRUE(root);
  EXPECT_TRUE(
      s->validate(*root).violations.empty());  // Makes this thread's scratch of the matcher.
  const long before = allocations;
  const Verdict verdict = s->validate(*root);
  const long after = allocations;
  EXPECT_TRUE(verdict.violations.empty());
  EXPECT_EQ(after - before, 0);
}

}  // namespace
}  // namespace sluice::schema
