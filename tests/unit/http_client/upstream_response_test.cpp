#include "http/upstream_response.hpp"

#include <gtest/gtest.h>

#include "fetch.hpp"

namespace sluice::http {
namespace {

using namespace sluice::testing;
using Reply = CannedUpstream::Reply;
using Then = CannedUpstream::Then;

Fetched answer_to(const Reply& reply, std::string method = "GET") {
  CannedUpstream stub([reply](const CannedUpstream::Request&) { return reply; });
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  const Fetched got = fetcher.get("/", std::move(method));
  EXPECT_EQ(fetcher.frames.in_use(), 0u);
  return got;
}

TEST(UpstreamResponse, ReadsEveryFramingWhereverTheBytesAreCut) {
  const std::pair<const char*, Then> cases[] = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world", Then::keep},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;ext=\"x\"\r\n "
       "world\r\n0\r\nTrailer: x\r\n\r\n",
       Then::keep},
      {"HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n0000b\r\nhello world\r\n0\r\n\r\n",
       Then::keep},
      {"HTTP/1.1 200 OK\r\n\r\nhello world", Then::close},
      {"HTTP/1.0 200 OK\r\n\r\nhello world", Then::close},
      {"HTTP/1.1 200\r\nContent-Length: 11\r\n\r\nhello world", Then::keep},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 "
       "OK\r\nContent-Length: 11\r\n\r\n"
       "hello world",
       Then::keep},
  };
  for (const auto& [bytes, then] : cases) {
    for (const bool byte_by_byte : {false, true}) {
      const Fetched got = answer_to({bytes, then, 0, byte_by_byte});
      EXPECT_EQ(got.problem, "") << bytes;
      EXPECT_EQ(got.status, 200u) << bytes;
      EXPECT_EQ(got.body, "hello world") << bytes;
    }
  }
}

TEST(UpstreamResponse, HasNoBodyWhereHttpSaysSo) {
  for (const char* status : {"204 No Content", "304 Not Modified"}) {
    const Fetched got =
        answer_to({"HTTP/1.1 " + std::string(status) + "\r\nContent-Length: 5\r\n\r\n"});
    EXPECT_EQ(got.problem, "");
    EXPECT_EQ(got.body, "");
  }
  const Fetched head = answer_to({"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"}, "HEAD");
  EXPECT_EQ(head.problem, "");
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(answer_to({"HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"}).body, "");
}

TEST(UpstreamResponse, RefusesWhatIsNoHttpResponse) {
  const std::string big(70'000, 'a');
  const std::string cases[] = {
      "SSH-2.0-OpenSSH_9.2\r\n",
      "HTTP/2.0 200 OK\r\n\r\n",
      "HTTP/1.1 2000 OK\r\n\r\n",
      "HTTP/1.1 abc OK\r\n\r\n",
      "HTTP/1.1 000 No\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: "
      "3\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nX: " + big + "\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200 OK\r\n" + big,
      big,
  };
  for (const std::string& bytes : cases) {
    const Fetched got = answer_to({bytes, Then::close});
    EXPECT_NE(got.problem.find("upstream market sent something that is not an HTTP response"),
              std::string::npos)
        << bytes.substr(0, 80) << " gave " << got.problem << got.status;
    EXPECT_LT(got.problem.size(), 300u);
  }
}

TEST(UpstreamResponse, DoesNotWaitForEverForTheEndOfInterimResponses) {
  std::string bytes;
  for (int i = 0; i < 50; ++i) bytes += "HTTP/1.1 102 Processing\r\n\r\n";
  EXPECT_NE(answer_to({bytes, Then::hold}).problem.find("1xx"), std::string::npos);
}

TEST(UpstreamResponse, RefusesBrokenChunksAndKeepsWhatCameBefore) {
  for (const char* rest :
       {"zz\r\n", "5 \r\nhello", "FFFFFFFFFFFFFFFFF\r\n", "-1\r\n", "5\r\nhelloX\r\n"}) {
    const Fetched got = answer_to(
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n" + std::string(rest),
         Then::close});
    EXPECT_NE(got.problem, "") << rest;
    EXPECT_EQ(got.body.substr(0, 2), "ab");
  }
  const Fetched line = answer_to(
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=" + std::string(80'000, 'a'),
       Then::hold});
  EXPECT_NE(line.problem, "");
}

TEST(UpstreamResponse, SaysHowMuchCameWhenTheBodyIsCutShort) {
  const std::pair<std::string, std::string> cases[] = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + std::string(700, 'x'),
       "700 of 1000 bytes came"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n" + std::string(700, 'x'),
       "700 bytes came"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2bc\r\n" + std::string(700, 'x') +
           "\r\n",
       "700 bytes came"},
  };
  for (const auto& [bytes, text] : cases) {
    const Fetched got = answer_to({bytes, Then::close});
    EXPECT_NE(got.problem.find(text), std::string::npos) << got.problem;
    EXPECT_NE(got.problem.find("in the middle of the body"), std::string::npos) << got.problem;
    EXPECT_EQ(got.body, std::string(700, 'x'));
  }
}

TEST(UpstreamResponse, SaysSoWhenTheHeadIsCutShort) {
  EXPECT_NE(answer_to({"HTTP/1.1 200 OK\r\nContent-", Then::close}).problem.find("cut short"),
            std::string::npos);
}

TEST(UpstreamResponse, ReadsABodyLargerThanAFrameManyTimesOver) {
  CannedUpstream stub([](const CannedUpstream::Request&) {
    return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n", Then::keep, 3'000'000};
  });
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get().body, std::string(3'000'000, 'x'));
  EXPECT_EQ(fetcher.budget.used(), 1u);  // one frame, and back in the pool
}

TEST(UpstreamResponse, ReadsChunksThatLieAcrossTheEndOfTheFrame) {
  std::string bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  std::string want;
  for (int i = 1; i < 800; ++i) {
    const std::string chunk(static_cast<std::size_t>(i), static_cast<char>('a' + i % 26));
    char size[16];
    std::snprintf(size, sizeof size, "%x\r\n", i);
    bytes += size + chunk + "\r\n";
    want += chunk;
  }
  EXPECT_EQ(answer_to({bytes + "0\r\n\r\n"}).body, want);
}

}  // namespace
}  // namespace sluice::http
