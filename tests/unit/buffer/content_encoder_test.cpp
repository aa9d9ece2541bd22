#include "buffer/content_encoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "support/decode_content.hpp"

namespace sluice {
namespace {

using testing::ContentDecoder;
using testing::decode_content;
using Random = std::mt19937;

constexpr ContentCoding kCodings[] = {ContentCoding::gzip, ContentCoding::zstd, ContentCoding::br};

std::unique_ptr<ContentEncoder> make(ContentCoding coding) {
  auto encoder = ContentEncoder::make(coding);
  EXPECT_TRUE(encoder);
  return *std::move(encoder);
}

std::size_t between(Random& random, std::size_t low, std::size_t high) {
  return std::uniform_int_distribution<std::size_t>(low, high)(random);
}

std::string rows(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i)
    text += R"([\"2026)" + std::to_string(i % 12 + 101).substr(1) + R"(01\",\")" +
            std::to_string(2300 + i % 1000) + R"(\",\"台積電\",)" +
            std::to_string(i * 7919 % 9001) + "],";
  text.resize(size);
  return text;
}

/// Runs that repeat, runs that do not, and some that did before.
std::string anything(Random& random, std::size_t size) {
  std::string text;
  while (text.size() < size) {
    const std::size_t n = between(random, 1, size / 4 + 1);
    switch (between(random, 0, 3)) {
      case 0:
        text.append(n, static_cast<char>(between(random, 0, 255)));
        break;
      case 1:
        for (std::size_t i = 0; i < n; ++i) text += static_cast<char>(between(random, 0, 255));
        break;
      case 2:
        text += text.substr(between(random, 0, text.size()), n);
        break;
      default:
        text += rows(n);
    }
  }
  text.resize(size);
  return text;
}

/// An encoder that is given spans with a fence behind, and is held to the contract.
class Encoding {
 public:
  using Room = std::function<std::size_t()>;
  Encoding(ContentEncoder& encoder, Room room) : encoder_(encoder), room_(std::move(room)) {}

  void put(std::string_view in) {
    const std::vector<char> copy(in.begin(), in.end());  // so that a sanitizer sees its end
    std::string_view left(copy.data(), copy.size());
    while (!left.empty()) {
      open();
      const auto step = encoder_.step(left, {out_.data(), out_.size() - kFence});
      ASSERT_TRUE(step);
      ASSERT_LE(step->read, left.size());
      if (step->read < left.size()) {
        ASSERT_EQ(step->written, out_.size() - kFence) << "it stopped too early";
      }
      close(step->written);
      left.remove_prefix(step->read);
    }
  }
  void flush() {
    rest([&](std::span<char> out) { return encoder_.flush(out); });
  }
  void finish() {
    rest([&](std::span<char> out) { return encoder_.finish(out); });
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::size_t kFence = 16;

  template <class Call>
  void rest(Call call) {
    for (int calls = 0; calls < 1'000'000; ++calls) {
      open();
      out_.resize(std::max(out_.size(), ContentEncoder::kMinRoom + kFence), '#');
      const auto rest = call(std::span<char>(out_.data(), out_.size() - kFence));
      ASSERT_TRUE(rest);
      close(rest->written);
      if (rest->done) return;
      ASSERT_NE(rest->written, 0u);
    }
    FAIL() << "it never ends";
  }
  void open() { out_.assign(room_() + kFence, '#'); }
  void close(std::size_t written) {
    ASSERT_LE(written, out_.size() - kFence);
    ASSERT_EQ(std::string_view(out_).substr(out_.size() - kFence), std::string(kFence, '#'));
    bytes_.append(out_, 0, written);
  }

  ContentEncoder& encoder_;
  const Room room_;
  std::string out_;
  std::string bytes_;
};

Encoding::Room always(std::size_t room) {
  return [room] { return room; };
}

TEST(ContentEncoder, GivesBackTheTextWhateverThePieces) {
  const std::string text = rows(5000);
  for (const auto coding : kCodings)
    for (const std::size_t piece : {1u, 7u, 100u, 4096u, 5000u}) {
      const auto encoder = make(coding);
      Encoding run(*encoder, always(2048));
      for (std::size_t at = 0; at < text.size(); at += piece) run.put(text.substr(at, piece));
      run.finish();
      EXPECT_EQ(decode_content(coding, run.bytes(), 1), text) << name_of(coding) << " " << piece;
      EXPECT_LT(run.bytes().size(), text.size() / 2);
    }
}

TEST(ContentEncoder, GivesBackAnythingWhateverTheRoomAndTheFlushes) {
  Random random(1);
  for (const auto coding : kCodings) {
    const auto encoder = make(coding);
    for (int round = 0; round < 60; ++round) {
      const std::string text =
          anything(random, between(random, 0, round % 10 == 0 ? 600'000 : 9000));
      const std::size_t most = round % 3 == 0 ? 64 : 5000;
      Encoding run(*encoder, [&] { return between(random, 1, most); });
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t n = between(random, 0, text.size() / 3 + 2);
        run.put(std::string_view(text).substr(at, n));
        at += std::min(n, text.size() - at);
        if (between(random, 0, 4) == 0) run.flush();
        ASSERT_FALSE(HasFatalFailure());
        ASSERT_EQ(encoder->taken(), at);
      }
      // Some are given up half way.
      if (between(random, 0, 5) != 0) {
        run.finish();
        ASSERT_TRUE(decode_content(coding, run.bytes(), between(random, 1, 5000)) == text)
            << name_of(coding) << " round " << round;
      }
      ASSERT_TRUE(encoder->reset());
    }
  }
}

TEST(ContentEncoder, LetsAllBeDecodedThatWasFlushed) {
  Random random(2);
  for (const auto coding : kCodings) {
    const auto encoder = make(coding);
    ContentDecoder decoder(coding);
    Encoding run(*encoder, always(300));
    std::string text;
    std::size_t fed = 0;
    for (const std::size_t size : {0u, 1u, 3u, 0u, 2000u, 1u, 300'000u, 17u}) {
      const std::string piece = anything(random, size);
      run.put(piece);
      text += piece;
      run.flush();
      decoder.feed(std::string_view(run.bytes()).substr(fed));
      fed = run.bytes().size();
      ASSERT_TRUE(decoder.text() == text) << name_of(coding) << " " << size;
      EXPECT_FALSE(decoder.ended());
    }
    run.finish();
    decoder.feed(std::string_view(run.bytes()).substr(fed));
    EXPECT_TRUE(decoder.ended());
    EXPECT_TRUE(decoder.text() == text);
  }
}

TEST(ContentEncoder, WritesNothingForAFlushOfNothing) {
  for (const auto coding : kCodings) {
    const auto encoder = make(coding);
    Encoding run(*encoder, always(300));
    run.put("text");
    run.flush();
    const std::size_t size = run.bytes().size();
    run.flush();
    run.flush();
    EXPECT_EQ(run.bytes().size(), size) << name_of(coding);
    run.finish();
    EXPECT_EQ(decode_content(coding, run.bytes()), "text");
  }
}

TEST(ContentEncoder, EncodesAnEmptyText) {
  for (const auto coding : kCodings) {
    const auto encoder = make(coding);
    Encoding run(*encoder, always(ContentEncoder::kMinRoom));
    run.finish();
    EXPECT_EQ(decode_content(coding, run.bytes(), 1), "") << name_of(coding);
    EXPECT_LE(run.bytes().size(), 20u);
  }
}

TEST(ContentEncoder, StaysEndedOnceItIsFinished) {
  for (const auto coding : kCodings) {
    const auto encoder = make(coding);
    Encoding run(*encoder, always(1000));
    run.put("text");
    run.finish();
    const std::string bytes = run.bytes();
    run.finish();
    EXPECT_EQ(run.bytes(), bytes) << name_of(coding);
  }
}

TEST(ContentEncoder, GivesTheSameBytesOnceItIsReset) {
  const std::string text = rows(300'000);
  for (const auto coding : kCodings) {
    const auto encoder = make(coding);
    std::string first;
    for (int i = 0; i < 3; ++i) {
      Encoding run(*encoder, always(4096));
      run.put(text);
      run.finish();
      if (i == 0) first = run.bytes();
      EXPECT_TRUE(run.bytes() == first) << name_of(coding);
      ASSERT_TRUE(encoder->reset());
      EXPECT_EQ(encoder->taken(), 0u);
      Encoding other(*encoder, always(4096));
      other.put("something else");
      ASSERT_TRUE(encoder->reset());
    }
  }
}

TEST(ContentEncoder, TakesNoMoreMemoryThanItSaysWhateverTheText) {
  Random random(3);
  for (const auto coding : kCodings) {
    const auto encoder = make(coding);
    EXPECT_LE(encoder->memory(), ContentEncoder::max_memory(coding));
    for (int round = 0; round < 20; ++round) {
      const std::string text = anything(random, between(random, 1, 2'000'000));
      Encoding run(*encoder, always(60'000));
      for (std::size_t at = 0, n = 0; at < text.size(); at += n) {
        n = between(random, 1, 200'000);
        run.put(std::string_view(text).substr(at, n));
        if (between(random, 0, 3) == 0) run.flush();
      }
      run.finish();
      ASSERT_LE(encoder->memory(), ContentEncoder::max_memory(coding)) << name_of(coding);
      ASSERT_TRUE(encoder->reset());
    }
  }
}

TEST(ContentEncoder, TakesNoMoreMemoryOnceItIsWarm) {
  for (const auto coding : kCodings)
    for (const std::size_t size : {100u, 10'000u, 1'000'000u}) {
      const auto encoder = make(coding);
      const std::string text = rows(size);
      std::size_t warm = 0;
      for (int i = 0; i < 4; ++i) {
        Encoding run(*encoder, always(60'000));
        for (std::size_t at = 0; at < size; at += 16384)
          run.put(std::string_view(text).substr(at, 16384));
        run.finish();
        if (i <= 1) warm = encoder->memory();  // br settles with the second
        EXPECT_EQ(encoder->memory(), warm) << name_of(coding) << " " << size;
        ASSERT_TRUE(encoder->reset());
      }
    }
}

std::string tail_of(const PrefixEnd& prefix, std::string_view tail) {
  std::string out(max_tail(tail.size()), '\0');
  out.resize(write_tail(prefix, tail, out));
  return out;
}

TEST(ContentTail, CompletesAPrefixWithAnyNumberOfTails) {
  Random random(4);
  for (const auto coding : kCodings) {
    const auto encoder = make(coding);
    for (const std::size_t size : {0u, 1u, 500u, 200'000u}) {
      const std::string text = anything(random, size);
      Encoding run(*encoder, always(4096));
      run.put(text);
      run.flush();
      const PrefixEnd end = encoder->prefix_end();
      EXPECT_EQ(end.coding, coding);
      EXPECT_EQ(end.length, size);
      for (const std::size_t more :
           {0u, 1u, 2u, 255u, 300u, 65535u, 65536u, 65537u, 131'072u, 131'073u, 400'000u}) {
        const std::string tail = anything(random, more);
        const std::string bytes = run.bytes() + tail_of(end, tail);
        ASSERT_TRUE(decode_content(coding, bytes, 997) == text + tail)
            << name_of(coding) << " " << size << " + " << more;
        if (more <= 300) {
          ASSERT_TRUE(decode_content(coding, bytes, 1) == text + tail);
          EXPECT_LE(bytes.size(), run.bytes().size() + more + 16);
        }
      }
      ASSERT_TRUE(encoder->reset());
    }
  }
}

TEST(ContentTail, OfNoCodingIsTheTailItself) {
  EXPECT_EQ(tail_of({}, "tail"), "tail");
  EXPECT_EQ(tail_of({}, ""), "");
}

TEST(ContentTail, LeavesTheEncoderFreeForTheNextContent) {
  for (const auto coding : kCodings) {
    const auto encoder = make(coding);
    Encoding run(*encoder, always(4096));
    run.put("the prefix, ");
    run.flush();
    const PrefixEnd end = encoder->prefix_end();
    ASSERT_TRUE(encoder->reset());
    EXPECT_EQ(decode_content(coding, run.bytes() + tail_of(end, "the tail")),
              "the prefix, the tail")
        << name_of(coding);
  }
}

}  // namespace
}  // namespace sluice
