#include "load_http.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace load {
namespace {

struct Seen {
  int status = 0;
  bool events = false;
  bool closes = false;
  std::string session;
  std::string body;
  int responses = 0;
  std::string why;
};

/// What comes of `bytes`, taken in two parts.
Seen read_split(std::string_view bytes, std::size_t split) {
  ResponseReader reader;
  Seen seen;
  for (auto part : {bytes.substr(0, split), bytes.substr(split)}) {
    for (auto step = reader.next(part); step != ResponseReader::Step::more;
         step = reader.next(part)) {
      if (step == ResponseReader::Step::bad) {
        seen.why = reader.why();
        return seen;
      }
      if (step == ResponseReader::Step::body) seen.body += reader.piece();
      if (step != ResponseReader::Step::done) continue;
      ++seen.responses;
      EXPECT_EQ(reader.body_bytes(), seen.body.size());
    }
  }
  seen.status = reader.head().status;
  seen.events = reader.head().events;
  seen.closes = reader.head().closes;
  seen.session = reader.head().session;
  return seen;
}

TEST(LoadResponseReader, ReadsABodyWithItsLengthHoweverItIsSplit) {
  const std::string_view bytes =
      "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n"
      "MCP-SESSION-ID: s1\r\nContent-Length: 11\r\nConnection: close\r\n\r\nhello\r\nbody";
  for (std::size_t split = 0; split <= bytes.size(); ++split) {
    const auto seen = read_split(bytes, split);
    EXPECT_EQ(seen.responses, 1) << split << seen.why;
    EXPECT_EQ(seen.body, "hello\r\nbody") << split;
    EXPECT_EQ(seen.status, 200);
    EXPECT_TRUE(seen.events);
    EXPECT_TRUE(seen.closes);
    EXPECT_EQ(seen.session, "s1");
  }
}

TEST(LoadResponseReader, ReadsChunksHoweverTheyAreSplit) {
  const std::string_view bytes =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
      "000005\r\nhello\r\nB;name=value\r\n, the world\r\n0\r\nTrailer: x\r\n\r\n";
  for (std::size_t split = 0; split <= bytes.size(); ++split) {
    const auto seen = read_split(bytes, split);
    EXPECT_EQ(seen.responses, 1) << split << seen.why;
    EXPECT_EQ(seen.body, "hello, the world") << split;
    EXPECT_FALSE(seen.events);
    EXPECT_FALSE(seen.closes);
  }
}

TEST(LoadResponseReader, ReadsOneResponseAfterAnotherAndSkipsInterimOnes) {
  const std::string_view bytes =
      "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
      "HTTP/1.1 100 Continue\r\n\r\n"
      "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno";
  for (std::size_t split = 0; split <= bytes.size(); ++split) {
    const auto seen = read_split(bytes, split);
    EXPECT_EQ(seen.responses, 2) << split << seen.why;
    EXPECT_EQ(seen.status, 503) << split;
    EXPECT_EQ(seen.body, "no") << split;
  }
}

TEST(LoadResponseReader, SaysThatABodyWithoutALengthEndsWithTheConnection) {
  ResponseReader reader;
  std::string_view bytes = "HTTP/1.1 200 OK\r\n\r\nhello";
  EXPECT_EQ(reader.next(bytes), ResponseReader::Step::head);
  EXPECT_EQ(reader.next(bytes), ResponseReader::Step::body);
  EXPECT_EQ(reader.piece(), "hello");
  EXPECT_TRUE(reader.ends_with_connection());
  EXPECT_TRUE(reader.head().closes);
}

TEST(LoadResponseReader, RefusesWhatIsNoResponse) {
  EXPECT_NE(read_split("SSH-2.0-server\r\n\r\n", 3).why, "");
  EXPECT_NE(read_split("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 3).why, "");
}

}  // namespace
}  // namespace load
