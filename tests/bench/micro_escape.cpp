// The escaper in every way that this processor can run, beside memcpy and the ways that others go,
// into blocks of 4, 16 and 64 KiB: escape/<text>/<block>/<way>. Only the escaper checks UTF-8.

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "base/simd.hpp"
#include "json/escaper.hpp"
#include "json/escaper_forms.hpp"
#include "micro.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice::bench {
namespace {

using json::Escaper;
using json::escape::kForms;
using json::escape::kLongest;
using json::escape::put;

/// A warm block that is filled again and again.
class Blocks {
 public:
  explicit Blocks(std::size_t size) : size_(size), bytes_(new char[size]) { clear(); }
  [[nodiscard]] std::size_t room() const { return size_ - used_; }
  /// Writable bytes, as many as are asked for at least.
  [[nodiscard]] char* prepare(std::size_t n) {
    if (room() < n) clear();
    return bytes_.get() + used_;
  }
  void commit(const char* end) { used_ = static_cast<std::size_t>(end - bytes_.get()); }

 private:
  void clear() {
    benchmark::DoNotOptimize(bytes_.get());
    benchmark::ClobberMemory();
    used_ = 0;
  }
  std::size_t size_;
  std::size_t used_ = 0;
  std::unique_ptr<char[]> bytes_;
};

void copy(std::string_view in, Blocks& out) {
  while (!in.empty()) {
    char* to = out.prepare(1);
    const std::size_t n = std::min(in.size(), out.room());
    std::memcpy(to, in.data(), n);
    out.commit(to + n);
    in.remove_prefix(n);
  }
}

/// Quotes and backslashes without the table: they are what there is most of.
[[gnu::always_inline]] inline char* put_special(char* to, char byte) {
  if (byte != '"' && byte != '\\') return put(to, kForms[static_cast<unsigned char>(byte)]);
  to[0] = '\\';
  to[1] = byte;
  return to + 2;
}

/// A byte at a time.
void escape_bytes(std::string_view in, Blocks& out) {
  while (!in.empty()) {
    char* to = out.prepare(2 * sizeof kForms[0]);
    const std::size_t n = std::min(in.size(), out.room() / sizeof kForms[0]);
    for (const char byte : in.substr(0, n)) {
      if (static_cast<unsigned char>(byte) >= 0x20 && byte != '"' && byte != '\\') {
        *to++ = byte;
      } else {
        to = put_special(to, byte);
      }
    }
    out.commit(to);
    in.remove_prefix(n);
  }
}

#if defined(__x86_64__)
SLUICE_TARGET_BEGIN("avx2,bmi")
/// Finds the next byte that needs it, copies up to it on the way, handles it, goes on.
void escape_find_next(std::string_view in, Blocks& out) {
  constexpr std::size_t kBlock = 32;
  const char* from = in.data();
  const char* const end = from + in.size();
  while (from != end) {
    char* to = out.prepare(kBlock + sizeof kForms[0]);
    const char* const last = to + out.room() - kBlock - sizeof kForms[0];
    while (end - from >= static_cast<std::ptrdiff_t>(kBlock) && to <= last) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
      const __m256i quote = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"'));
      const __m256i backslash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'));
      const __m256i control =
          _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
      const auto special = static_cast<unsigned>(
          _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(quote, backslash), control)));
      if (special == 0) {
        from += kBlock;
        to += kBlock;
        continue;
      }
      const unsigned plain = _tzcnt_u32(special);
      to = put_special(to + plain, from[plain]);
      from += plain + 1;
    }
    if (end - from < static_cast<std::ptrdiff_t>(kBlock)) {
      for (; from != end && to <= last; ++from) {
        const bool is_plain = static_cast<unsigned char>(*from) >= 0x20;
        if (is_plain && *from != '"' && *from != '\\') {
          *to++ = *from;
        } else {
          to = put_special(to, *from);
        }
      }
    }
    out.commit(to);
  }
}
SLUICE_TARGET_END
#endif

class Escape {
 public:
  explicit Escape(Simd simd) : escaper_(simd) {}
  void operator()(std::string_view in, Blocks& out) {
    while (!in.empty()) {
      char* to = out.prepare(Escaper::kMinRoom);
      const Escaper::Step step = escaper_.step(in, {to, out.room()});
      out.commit(to + step.written);
      in.remove_prefix(step.read);
    }
  }

 private:
  Escaper escaper_;
};

/// Into a buffer for the worst case, and from there into the block: the best escaper, one copy more.
class EscapeAndCopy {
 public:
  void operator()(std::string_view in, Blocks& out) {
    const Escaper::Step step = escaper_.step(in, buffer_);
    copy(std::string_view(buffer_.data(), step.written), out);
  }

 private:
  Escaper escaper_;
  std::vector<char> buffer_ = std::vector<char>(kLongest * kChunk + Escaper::kMinRoom);
};

template <class Way>
void add(const std::string& name, Text text, std::size_t block, Way way) {
  benchmark::RegisterBenchmark(name.c_str(), [text, block, way](benchmark::State& state) {
    const std::string& bytes = text();
    Blocks out(block);
    Way go = way;
    for (auto _ : state) {
      for (std::size_t at = 0; at < bytes.size(); at += kChunk)
        go(std::string_view(bytes).substr(at, kChunk), out);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(bytes.size()));
  })->MinTime(0.1);
}

void add_all(const std::string& name, Text text, std::size_t block) {
  const std::string place = "escape/" + name + "/" + std::to_string(block / 1024) + "K/";
  add(place + "memcpy", text, block, copy);
  add(place + "bytes", text, block, escape_bytes);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
    add(place + "find_next", text, block, escape_find_next);
#endif
  add(place + "and_copy", text, block, EscapeAndCopy());
  for (const Simd simd : supported_simd())
    add(place + std::string(name_of(simd)), text, block, Escape(simd));
}

[[maybe_unused]] const bool kAdded = [] {
  for (const std::size_t block : {4 * kChunk, kChunk, kChunk / 4}) {
    add_all("table", table, block);
    add_all("plain", plain, block);
    add_all("lines", lines, block);
    add_all("prose", prose, block);
    add_all("coloured", coloured, block);
  }
  return true;
}();

}  // namespace
}  // namespace sluice::bench
