// Compressed responses decode to what was written, in the same bounded memory.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "buffer/encoded_forms.hpp"
#include "buffer/frame_writer.hpp"
#include "support/decode_content.hpp"
#include "support/response_bench.hpp"

namespace sluice {
namespace {

using Prefer = FrameWriter::Options::Prefer;
using testing::Response;
using testing::ResponseBench;

constexpr ContentCoding kCodings[] = {ContentCoding::gzip, ContentCoding::zstd, ContentCoding::br};

struct EncodingBench : ResponseBench {
  explicit EncodingBench(ContentCoding coding, std::size_t frames = 64)
      : ResponseBench(frames), encoder_budget(64 * kFrameBytes), encoders(encoder_budget) {
    options.coding = coding;
    options.encoders = &encoders;
    options.min_encoded = 100;
  }
  ~EncodingBench() { EXPECT_EQ(encoders.in_use(), 0U); }

  Result<> send_all(std::string_view message, std::size_t piece = SIZE_MAX) {
    Result<> result;
    testing::run(io, testing::send(writer, message, piece, most_frames, result));
    return result;
  }
  /// The body, decoded.
  [[nodiscard]] std::string body() const {
    const Response r = response();
    const auto name = r.field("Content-Encoding");
    for (const auto coding : kCodings)
      if (name == name_of(coding)) return testing::decode_content(coding, r.body);
    return r.body;
  }

  FrameBudget encoder_budget;
  EncoderPool encoders;
  std::size_t most_frames = 0;
};

std::string rows(std::size_t size) {
  std::string out;
  for (int i = 0; out.size() < size; ++i) out += "[\"2026\"," + std::to_string(i * 7919) + "],";
  out.resize(size);
  return out;
}

std::string noise(std::size_t size) {
  std::mt19937 random(7);
  std::string out(size, ' ');
  for (char& c : out) c = static_cast<char>('!' + random() % 90);
  return out;
}

TEST(FrameWriterEncode, DecodesToWhatWasWrittenInEveryFormAtEverySize) {
  for (const auto coding : kCodings)
    for (const auto prefer : {Prefer::automatic, Prefer::json, Prefer::events})
      for (const std::size_t size : {100U, 5000U, 61000U, 130000U, 250000U, 262144U, 1500000U})
        for (const bool compressible : {true, false}) {
          const std::string message = compressible ? rows(size) : noise(size);
          EncodingBench bench(coding);
          bench.options.prefer = prefer;
          ASSERT_TRUE(bench.start());
          ASSERT_TRUE(bench.send_all(message, 16384));
          EXPECT_EQ(bench.response().field("Content-Encoding"), name_of(coding));
          const bool events = bench.response().field("Content-Type") == "text/event-stream";
          const std::string expected = events ? "data: " + message + "\n\n" : message;
          EXPECT_TRUE(bench.body() == expected) << name_of(coding) << ' ' << size;
          EXPECT_LE(bench.most_frames, FrameWriter::kWindow + 1) << name_of(coding) << ' ' << size;
          EXPECT_EQ(bench.pool.in_use(), 0U);
        }
}

TEST(FrameWriterEncode, SendsWhatIsAllAtHandWithItsLength) {
  for (const auto coding : kCodings) {
    EncodingBench bench(coding);
    ASSERT_TRUE(bench.start());
    ASSERT_TRUE(bench.send_all(noise(250000)));
    EXPECT_TRUE(bench.response().field("Content-Length"));
    EXPECT_EQ(bench.transport.writes, 1U);
  }
}

TEST(FrameWriterEncode, LeavesShortMessagesAlone) {
  EncodingBench bench(ContentCoding::gzip);
  ASSERT_TRUE(bench.start());
  ASSERT_TRUE(bench.send_all(std::string(99, 'x')));
  EXPECT_FALSE(bench.response().field("Content-Encoding"));
}

TEST(FrameWriterEncode, LeavesResponsesAloneThatHadToBeginEarly) {
  for (const bool by_event : {true, false}) {
    EncodingBench bench(ContentCoding::gzip);
    ASSERT_TRUE(bench.start());
    if (by_event)
      EXPECT_EQ(bench.writer.event("{}"), FrameWriter::Event::sent);
    else
      bench.writer.heartbeat();
    bench.poll();
    ASSERT_TRUE(bench.send_all(rows(500000)));
    EXPECT_FALSE(bench.response().field("Content-Encoding"));
    EXPECT_TRUE(bench.message() == rows(500000));
  }
}

TEST(FrameWriterEncode, AHeartbeatSendsWhatTheEncoderHoldsBack) {
  for (const auto coding : kCodings) {
    EncodingBench bench(coding);
    bench.options.prefer = Prefer::json;
    ASSERT_TRUE(bench.start());
    const std::string message = rows(300000);
    testing::run(bench.io, [](FrameWriter& writer, std::string_view text) -> Awaitable<void> {
      std::size_t most = 0;
      const auto produced = co_await testing::produce(writer, text, SIZE_MAX, most);
      EXPECT_TRUE(produced);
    }(bench.writer, message));
    bench.writer.heartbeat();
    bench.poll();
    const auto sent = bench.transport.bytes;
    EXPECT_GT(sent.size(), 1000U);
    ASSERT_TRUE(bench.send_all(rows(1000)));
    EXPECT_TRUE(bench.body() == message + rows(1000));
  }
}

TEST(FrameWriterEncode, GoesOnWithTwoFramesWhereThePoolHasNoMore) {
  for (const auto coding : kCodings) {
    EncodingBench bench(coding, 6);
    ASSERT_TRUE(bench.start());
    const std::string message = noise(2000000);
    // The first window takes four; then somebody else takes what is left.
    Result<> result;
    bool done = false;
    std::size_t most = 0;
    bench.transport.most = 10000;
    boost::asio::co_spawn(bench.io, testing::send(bench.writer, message, 16384, most, result),
                          [&](std::exception_ptr) { done = true; });
    bench.poll();
    std::vector<Frame> others;
    while (Frame frame = bench.pool.take()) others.push_back(std::move(frame));
    testing::run_until(bench.io, [&] { return done; });
    ASSERT_TRUE(result);
    EXPECT_TRUE(bench.body() == message);
  }
}

TEST(FrameWriterEncode, GoesOutAsItIsWhereThereIsNoFrameForAnEncoder) {
  EncodingBench bench(ContentCoding::gzip, 4);
  ASSERT_TRUE(bench.start());
  ASSERT_TRUE(bench.send_all(rows(500000)));
  EXPECT_FALSE(bench.response().field("Content-Encoding"));
  EXPECT_TRUE(bench.message() == rows(500000));
}

TEST(FrameWriterEncode, EndsWithTheErrorOfAnyWrite) {
  for (const auto coding : kCodings)
    for (std::size_t fail_at = 0; fail_at < 12; ++fail_at) {
      EncodingBench bench(coding);
      bench.transport.most = 50000;
      bench.transport.fail_at = fail_at;
      ASSERT_TRUE(bench.start());
      EXPECT_FALSE(bench.send_all(noise(1500000), 16384));
      EXPECT_EQ(bench.pool.in_use(), 0U);
    }
}

TEST(FrameWriterEncode, DropsEverythingWhenNobodyReadsAnyMore) {
  for (const auto coding : kCodings) {
    EncodingBench bench(coding);
    ASSERT_TRUE(bench.start());
    testing::run(bench.io, [](FrameWriter& writer) -> Awaitable<void> {
      std::size_t most = 0;
      const auto produced = co_await testing::produce(writer, rows(400000), 16384, most);
      EXPECT_TRUE(produced);
    }(bench.writer));
    bench.writer.discard();
    ASSERT_TRUE(bench.send_all(rows(400000)));
    EXPECT_EQ(bench.pool.in_use(), 0U);
  }
}

TEST(EncodedForms, AreMadeOnceAndCompletedWithEachTail) {
  EncodedForms forms;
  for (const auto coding : kCodings)
    for (const auto form : {BodyForm::json, BodyForm::event_stream}) {
      const EncodedForms::Key key{coding, form, 0};
      auto found = forms.find(key);
      ASSERT_TRUE(found.is_new);
      EXPECT_FALSE(forms.find(key).is_new);
      EXPECT_EQ(forms.find(key).form, nullptr) << "in the making";
      const std::string text = rows(100000);
      const std::vector<BodyPiece> pieces{{std::string_view(text).substr(0, 70000), false},
                                          {std::string_view(text).substr(70000), true}};
      forms.put(key, encode_form("front", pieces, form, coding));
      const auto encoded = forms.find(key).form;
      ASSERT_NE(encoded, nullptr);
      for (const std::string tail : {",\"id\":1}", ",\"id\":\"two\"}"}) {
        std::string end(max_tail(tail.size()), '\0');
        end.resize(write_tail(encoded->end, tail, end));
        const std::string expected = "front" + text.substr(0, 70000) +
                                     (form == BodyForm::event_stream ? "\ndata: " : "") +
                                     text.substr(70000) + tail;
        EXPECT_TRUE(testing::decode_content(coding, encoded->bytes + end) == expected);
        EncodingBench bench(coding);
        ASSERT_TRUE(bench.start());
        const std::array<BodyPiece, 2> body{BodyPiece{encoded->bytes}, BodyPiece{end}};
        testing::run(bench.io,
                     [](FrameWriter& writer, std::span<const BodyPiece> all, BodyForm f,
                        ContentCoding c) -> Awaitable<void> {
                       const auto sent = co_await writer.finish_encoded(all, f, c);
                       EXPECT_TRUE(sent);
                     }(bench.writer, body, form, coding));
        EXPECT_TRUE(bench.body() == expected);
        EXPECT_EQ(bench.response().field("Content-Length"),
                  std::to_string(encoded->bytes.size() + end.size()));
      }
    }
  EXPECT_GT(forms.bytes(), 1000U);
}

}  // namespace
}  // namespace sluice
