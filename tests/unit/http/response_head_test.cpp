#include "http/response_head.hpp"

#include <gtest/gtest.h>

#include "buffer/frame_writer.hpp"

namespace sluice::http {
namespace {

std::string render(const ResponseHead& head) {
  char out[HeadWriter::kMaxHead];
  return {out, write_response_head(out, head)};
}

TEST(ResponseHead, SaysHowLongTheBodyIs) {
  ResponseHead head;
  head.content_type = "application/json";
  head.length = 18446744073709551615ULL;
  head.date = "Sun, 06 Nov 1994 08:49:37 GMT";
  EXPECT_EQ(
      render(head),
      "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: application/json\r\n"
      "Content-Length: 18446744073709551615\r\n\r\n");
}

TEST(ResponseHead, SaysThatTheBodyComesInChunks) {
  ResponseHead head;
  head.content_type = "application/json";
  EXPECT_EQ(
      render(head),
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST(ResponseHead, EndsTheBodyOfHttp10WithTheConnection) {
  ResponseHead head;
  head.http10 = true;
  head.chunked = false;
  head.keep_alive = false;
  EXPECT_EQ(render(head), "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n");
  head.length = 0;
  head.keep_alive = true;
  EXPECT_EQ(render(head), "HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n");
}

TEST(ResponseHead, KeepsEventStreamsOutOfCachesAndBuffers) {
  ResponseHead head;
  head.content_type = "text/event-stream";
  const std::string text = render(head);
  EXPECT_NE(text.find("Cache-Control: no-cache\r\n"), std::string::npos);
  EXPECT_NE(text.find("X-Accel-Buffering: no\r\n"), std::string::npos);
}

TEST(ResponseHead, HasNoLengthWhereThereCanBeNoBody) {
  ResponseHead head;
  head.status = 204;
  head.length = 0;
  EXPECT_EQ(render(head), "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST(ResponseHead, AnswersACrossOriginRequestAndItsPreflight) {
  ResponseHead head;
  head.status = 204;
  head.length = 0;
  head.origin = "http://localhost:3000";
  EXPECT_EQ(render(head),
            "HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: "
            "http://localhost:3000\r\n"
            "Access-Control-Expose-Headers: Mcp-Session-Id\r\nVary: Origin\r\n\r\n");
  head.allow_headers = "content-type, mcp-method";
  const std::string text = render(head);
  EXPECT_NE(text.find("Access-Control-Allow-Methods: GET, POST, DELETE\r\n"), std::string::npos);
  EXPECT_NE(text.find("Access-Control-Allow-Headers: content-type, mcp-method\r\n"),
            std::string::npos);
}

TEST(ResponseHead, NamesTheCodingAndWhatItHangsOn) {
  ResponseHead head;
  head.content_type = "application/json";
  head.coding = ContentCoding::zstd;
  EXPECT_EQ(render(head),
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: zstd\r\n"
            "Transfer-Encoding: chunked\r\nVary: Accept-Encoding\r\n\r\n");
  head.coding = ContentCoding::br;
  EXPECT_NE(render(head).find("Content-Encoding: br\r\n"), std::string::npos);
  head.coding = ContentCoding::gzip;
  EXPECT_NE(render(head).find("Content-Encoding: gzip\r\n"), std::string::npos);
  head.origin = "http://localhost:3000";
  EXPECT_NE(render(head).find("\r\nVary: Origin, Accept-Encoding\r\n"), std::string::npos);
}

TEST(ResponseHead, TellsCachesThatItCouldHaveBeenCompressed) {
  ResponseHead head;
  head.length = 2;
  EXPECT_EQ(render(head).find("Vary"), std::string::npos);
  head.varies = true;
  EXPECT_EQ(render(head), "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nVary: Accept-Encoding\r\n\r\n");
}

TEST(ResponseHead, FitsItsRoomWithEverythingAtItsLongest) {
  const std::string longest(256, 'x');
  ResponseHead head;
  head.status = 431;  // the longest reason
  head.content_type = "text/event-stream";
  head.length = UINT64_MAX;
  head.http10 = true;
  head.coding = ContentCoding::zstd;
  head.date = "Sun, 06 Nov 1994 08:49:37 GMT";
  head.session_id = head.origin = head.allow_headers = longest;
  head.allow = "GET, POST, DELETE, OPTIONS";
  head.retry_after = "1";
  EXPECT_TRUE(render(head).ends_with("\r\n\r\n"));
}

TEST(ResponseHead, HasAReasonForEveryStatusThatIsSent) {
  for (const unsigned status :
       {200U, 202U, 204U, 400U, 403U, 404U, 405U, 406U, 408U, 413U, 415U, 429U, 431U, 503U, 505U}) {
    ResponseHead head;
    head.status = status;
    const std::string text = render(head);
    EXPECT_TRUE(text.starts_with("HTTP/1.1 " + std::to_string(status) + " "));
    EXPECT_EQ(text.find(" Error\r\n"), std::string::npos) << status;
  }
}

TEST(Date, IsWrittenAsHttpWantsIt) {
  EXPECT_EQ(format_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(format_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(format_date(1709164800), "Thu, 29 Feb 2024 00:00:00 GMT");
}

}  // namespace
}  // namespace sluice::http
