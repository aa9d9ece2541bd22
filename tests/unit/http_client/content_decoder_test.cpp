#include "http/content_decoder.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "encode.hpp"

namespace sluice::http {
namespace {

using namespace sluice::testing;

struct Decoded {
  std::string text;
  std::string problem;
  std::size_t largest = 0;
};

/// Feeds `bytes` in pieces of `piece`, after a first one of `first`.
Decoded decode(std::string_view encoding, std::string_view bytes, std::size_t first,
               std::size_t piece) {
  Decoded out;
  ContentFilters filters;
  if (!add_content_decoders(filters, encoding, out.problem)) return out;
  std::size_t n = first;
  while (true) {
    const bool last = bytes.empty();
    std::string_view in = bytes.substr(0, n);
    // A copy that ends where the piece ends, so that a sanitizer sees who reads further.
    const std::vector<char> copy(in.begin(), in.end());
    std::string_view left(copy.data(), copy.size());
    while (true) {
      const auto got = filters.next(left, last);
      if (!got) {
        out.problem = filters.problem();
        return out;
      }
      if (got->empty()) break;
      out.text += *got;
      out.largest = std::max(out.largest, got->size());
    }
    if (last) return out;
    bytes.remove_prefix(in.size());
    n = piece;
  }
}

Decoded decode(std::string_view encoding, std::string_view bytes) {
  return decode(encoding, bytes, bytes.size(), bytes.size());
}

std::string sample() {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "row " + std::to_string(i * 7919) + " \xC3\xA9\n";
  return text;
}

struct Coding {
  std::string name;
  std::function<std::string(std::string_view)> encode;
};

std::vector<Coding> codings() {
  return {{"gzip", gzip_of},
          {"x-gzip", gzip_of},
          {"deflate", [](std::string_view t) { return deflate_of(t, Wrap::zlib); }},
          {"deflate", [](std::string_view t) { return deflate_of(t, Wrap::raw); }},
          {"br", brotli_of},
          {"zstd", [](std::string_view t) { return zstd_of(t); }},
          {"gzip, gzip", [](std::string_view t) { return gzip_of(gzip_of(t)); }},
          {"deflate, br, zstd",
           [](std::string_view t) { return zstd_of(brotli_of(deflate_of(t, Wrap::zlib))); }}};
}

TEST(ContentDecoder, DecodesWhereverTheInputIsCut) {
  const std::string text = sample();
  for (const Coding& coding : codings()) {
    const std::string bytes = coding.encode(text);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
      const Decoded got =
          decode(coding.name, bytes, cut == 0 ? 1 : cut, cut == 0 ? 1 : bytes.size());
      ASSERT_EQ(got.problem, "") << coding.name << " cut at " << cut;
      ASSERT_EQ(got.text, text) << coding.name << " cut at " << cut;
    }
  }
}

TEST(ContentDecoder, SaysThatDataIsCutShortWhereverItIsCut) {
  const std::string text = sample();
  for (const Coding& coding : codings()) {
    const std::string bytes = coding.encode(text);
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      const Decoded got = decode(coding.name, std::string_view(bytes).substr(0, size));
      ASSERT_NE(got.problem.find("cut short"), std::string::npos)
          << coding.name << " of size " << size;
    }
  }
}

TEST(ContentDecoder, TakesNoBytesForAnEmptyBody) {
  for (const Coding& coding : codings()) {
    const Decoded got = decode(coding.name, "");
    EXPECT_EQ(got.problem, "") << coding.name;
    EXPECT_EQ(got.text, "");
  }
}

TEST(ContentDecoder, DecodesAnEmptyText) {
  for (const Coding& coding : codings()) {
    const Decoded got = decode(coding.name, coding.encode(""));
    EXPECT_EQ(got.problem, "") << coding.name;
    EXPECT_EQ(got.text, "");
  }
}

TEST(ContentDecoder, KnowsNamesInAnyCaseAndSkipsIdentity) {
  const std::string text = sample();
  for (const char* name :
       {"GZIP", "GZip", " gzip ", "identity, gzip", "X-GZIP", "gzip,Identity,"}) {
    EXPECT_EQ(decode(name, gzip_of(text)).text, text) << name;
  }
  EXPECT_EQ(decode("identity", text).text, text);
}

TEST(ContentDecoder, NamesACodingThatItDoesNotKnow) {
  EXPECT_NE(decode("compress", "abc").problem.find("compress"), std::string::npos);
  EXPECT_NE(decode("gzip, sdch", "abc").problem.find("sdch"), std::string::npos);
}

TEST(ContentDecoder, RefusesMoreCodingsThanAnybodySends) {
  EXPECT_NE(decode("gzip, gzip, gzip, gzip, gzip", "abc").problem, "");
}

TEST(ContentDecoder, AcceptsConcatenatedGzipMembersWhereverTheyAreCut) {
  const std::string bytes = gzip_of("one ") + gzip_of("") + gzip_of("two");
  for (std::size_t cut = 1; cut <= bytes.size(); ++cut) {
    const Decoded got = decode("gzip", bytes, cut, bytes.size());
    ASSERT_EQ(got.problem, "");
    ASSERT_EQ(got.text, "one two");
  }
}

TEST(ContentDecoder, RefusesBytesBehindTheEnd) {
  for (const Coding& coding : codings()) {
    const std::string bytes = coding.encode("text") + "?garbage";
    EXPECT_NE(decode(coding.name, bytes).problem, "") << coding.name;
    EXPECT_NE(decode(coding.name, bytes, bytes.size() - 8, 8).problem, "") << coding.name;
  }
}

TEST(ContentDecoder, RefusesPlainTextThatIsCalledCompressed) {
  for (const char* name : {"gzip", "br", "zstd"}) {
    const Decoded got = decode(name, "This is plain text, whatever the header says of it.");
    EXPECT_NE(got.problem, "") << name;
  }
}

TEST(ContentDecoder, SurvivesEveryByteFlipped) {
  const std::string text = sample();
  for (const Coding& coding : codings()) {
    const std::string bytes = coding.encode(text);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
      const Decoded got = decode(coding.name, damaged, 7, 64);
      // What comes out is not more than a few windows, whatever it is.
      EXPECT_LT(got.text.size(), 50'000'000u);
    }
  }
}

TEST(ContentDecoder, GivesABombAWindowAtATime) {
  const std::string zeros(50'000'000, '\0');
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"gzip", gzip_of(zeros)}, {"br", brotli_of(zeros)}, {"zstd", zstd_of(zeros)}}) {
    EXPECT_LT(bytes.size(), 100'000u);
    ContentFilters filters;
    std::string problem;
    ASSERT_TRUE(add_content_decoders(filters, name, problem));
    std::string_view in = bytes;
    std::uint64_t total = 0;
    while (true) {
      const auto got = filters.next(in, false);
      ASSERT_TRUE(got) << name;
      if (got->empty()) break;
      ASSERT_LE(got->size(), ContentFilters::kWindow);
      total += got->size();
    }
    EXPECT_EQ(total, zeros.size()) << name;
  }
}

TEST(ContentDecoder, RefusesZstdThatNeedsMoreMemoryThanIsDue) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += std::to_string(static_cast<unsigned>(i) * 2654435761u);
  const Decoded fits = decode("zstd", zstd_of(text, 23));
  EXPECT_EQ(fits.problem, "");
  EXPECT_TRUE(fits.text == text);
  const Decoded got = decode("zstd", zstd_of(text, 27));
  EXPECT_NE(got.problem.find("8 MiB"), std::string::npos) << got.problem;
}

}  // namespace
}  // namespace sluice::http
