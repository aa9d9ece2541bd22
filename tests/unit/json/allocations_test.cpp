#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "json/base64.hpp"
#include "json/document.hpp"
#include "json/escaper.hpp"
#include "json/limit.hpp"
#include "json/raw_json.hpp"
#include "json/select.hpp"
#include "json/table.hpp"

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

/// Rows of several shapes, as long as one wants.
std::string rows() {
  std::string text;
  for (int i = 0; text.size() < 60000; ++i) {
    text += R"({"id":)" + std::to_string(i) +
            R"(,"n\u0061me":"it\u00e9m, \"x\"", "debug" : {"a":[1,{"b":2}]},)" + R"("note":")" +
            std::string(static_cast<std::size_t>(i) % 300, 'n') + R"(","last":[ 1, "|" ]},)";
  }
  return text;
}

/// 64 MB of rows through `worker`: nothing is allocated behind the first part of it but the window,
/// and no more is held in the end than after that.
template <class Worker>
void expect_flat(Worker& worker, std::size_t window = 0) {
  const std::string part = rows();
  std::string out(8 * part.size(), ' ');
  const auto pass = [&](std::string_view in) {
    while (true) {
      const Result<Step> step = worker.step(in, out);
      if (!step) return false;
      in.remove_prefix(step->read);
      if (in.empty() && step->written < out.size()) return true;
    }
  };
  ASSERT_TRUE(pass("{\"rows\":["));
  ASSERT_TRUE(pass(part));
  ASSERT_TRUE(pass(part));
  const std::size_t before = allocations;
  const std::size_t held = bytes_in_use;
  bool is_well = true;
  for (std::size_t passed = 0; passed < 64U << 20; passed += part.size()) is_well &= pass(part);
  const std::size_t after = allocations;
  const std::size_t held_after = bytes_in_use;
  ASSERT_TRUE(is_well);
  EXPECT_LE(after - before, window == 0 ? 0U : 1U);
  EXPECT_LE(held_after, held + window);
  ASSERT_TRUE(pass(part.substr(0, part.size() - 1) + "]}"));
  EXPECT_TRUE(worker.finish().has_value());
}

TEST_F(Allocations, AreNonePerValueThatIsSelected) {
  const auto selector = [](std::initializer_list<const char*> select,
                           std::initializer_list<const char*> drop) {
    Selection selection;
    Path::Problem problem;
    for (const char* text : select) selection.select.push_back(*Path::parse(text, problem));
    for (const char* text : drop) selection.drop.push_back(*Path::parse(text, problem));
    std::string why;
    return Selector(std::make_shared<const SelectPlan>(*SelectPlan::make(selection, why)));
  };
  Selector members = selector({"$.rows[*]['name','last']"}, {});
  expect_flat(members);
  Selector descendants = selector({"$..b", "$..last[1]"}, {"$..debug.a[0]"});
  expect_flat(descendants);
  Selector drop = selector({}, {"$..debug"});
  expect_flat(drop);
  Selector nothing = selector({"$.rows[*].none"}, {});
  expect_flat(nothing);
}

TEST_F(Allocations, AreNonePerRowOfATable) {
  for (const TableFormat format : {TableFormat::csv, TableFormat::markdown, TableFormat::lines}) {
    Table table({.format = format});
    expect_flat(table);
  }
}

TEST_F(Allocations, AreNoneBehindALimit) {
  JsonLimiter at_the_end({.max_bytes = 60U << 20});
  expect_flat(at_the_end, 65_KiB);
  EXPECT_TRUE(at_the_end.is_done());
  JsonLimiter at_once({.max_bytes = 100});
  expect_flat(at_once);
}

}  // namespace
}  // namespace sluice::json::test
