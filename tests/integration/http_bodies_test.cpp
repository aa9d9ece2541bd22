// Request bodies: chunked, cut, sized, labelled.
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class HttpBodies : public WithServer<HttpBodies> {
 public:
  static std::string yaml() { return "plugins: [\"@PLUGIN@\"]\nlimits: { request_body: 1MiB }\n"; }
};

/// A call whose body has exactly `size` bytes.
Request sized(std::size_t size) {
  Request request = modern_call("echo", R"({"text":"fits"})");
  request.body.insert(request.body.size() - 1, std::string(size - request.body.size(), ' '));
  return request;
}

TEST_F(HttpBodies, AChunkedBodyIsTheSameAsOneWithALength) {
  const Request request = modern_call("echo", R"({"text":"é漢🙂 in pieces"})");
  const Reply whole = send(request);
  ASSERT_EQ(whole.content(), "é漢🙂 in pieces");
  for (const std::size_t size : {1u, 2u, 7u, 1000u}) {
    RawClient client = connect();
    ASSERT_TRUE(client.send(request.chunked(size)));
    EXPECT_EQ(client.read().body, whole.http.body) << "chunks of " << size;
  }
}

TEST_F(HttpBodies, ChunksMayComeByteByByteWithExtensionsAndTrailers) {
  const Request request = modern_call("echo", R"({"text":"é漢🙂"})");
  std::string text = request.chunked(1);
  for (std::size_t at = 0; (at = text.find("\r\n1\r\n", at)) != std::string::npos; at += 9)
    text.replace(at, 5, "\r\n1;x=y\r\n");
  ASSERT_TRUE(text.ends_with("0\r\n\r\n"));
  text.insert(text.size() - 2, "X-Trailer: late\r\n");
  RawClient client = connect();
  ASSERT_TRUE(client.send_by_byte(text));
  const Reply reply(client.read());
  EXPECT_EQ(reply.content(), "é漢🙂");
  EXPECT_EQ(exchange(client, request).content(), "é漢🙂") << "the connection goes on";
}

TEST_F(HttpBodies, TextMayBeCutAnywhere) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "é漢🙂";
  const Request request = modern_call("echo", "{\"text\":\"" + text + "\"}");
  const std::string bytes = request.text();
  RawClient by_byte = connect();
  ASSERT_TRUE(by_byte.send_by_byte(bytes));
  EXPECT_EQ(Reply(by_byte.read()).content(), text);

  // A pause inside a character.
  std::size_t cut = bytes.size() - request.body.size() + 4096;
  while ((static_cast<unsigned char>(bytes[cut]) & 0xC0) != 0x80) ++cut;
  RawClient in_two = connect();
  ASSERT_TRUE(in_two.send(std::string_view(bytes).substr(0, cut)));
  expect_alive();
  ASSERT_TRUE(in_two.send(std::string_view(bytes).substr(cut)));
  EXPECT_EQ(Reply(in_two.read()).content(), text);
}

TEST_F(HttpBodies, BytesThatAreNotUtf8AreAParseError) {
  Request request = modern_call("echo", "{\"text\":\"a\x97z\"}");
  const Reply reply = send(request);
  EXPECT_EQ(reply.status(), 400);
  EXPECT_EQ(reply.error(), -32700);
  EXPECT_TRUE(reply.id().empty() || reply.id() == "null");
  EXPECT_EQ(server().log().find("error]"), std::string::npos) << server().log();
}

TEST_F(HttpBodies, TheSizeLimitIsExactAndNamed) {
  const std::size_t limit = 1024 * 1024;
  EXPECT_EQ(send(sized(limit)).content(), "fits");
  const Reply over = send(sized(limit + 1));
  EXPECT_EQ(over.status(), 413);
  EXPECT_NE(over.error_text().find("limits.request_body"), std::string::npos) << over.http.body;
}

TEST_F(HttpBodies, AChunkedBodyIsHeldToTheLimitToo) {
  RawClient fits = connect();
  ASSERT_TRUE(fits.send(sized(1024 * 1024).chunked(50'000)));
  EXPECT_EQ(Reply(fits.read()).content(), "fits");

  RawClient over = connect();
  static_cast<void>(over.send(sized(2 * 1024 * 1024).chunked(50'000)));
  const Response response = over.read();
  EXPECT_EQ(response.status, 413);
  EXPECT_NE(response.body.find("limits.request_body"), std::string::npos);
  EXPECT_EQ(response.field("Connection"), "close");
  EXPECT_TRUE(over.reads_end());
}

TEST_F(HttpBodies, OneHugeChunkIsRefusedBeforeItComes) {
  Request request = modern_call("echo");
  const std::string head = request.chunked(1u << 30);
  RawClient client = connect();
  ASSERT_TRUE(client.send(head.substr(0, head.find("\r\n\r\n") + 4) + "7fffffffff\r\nabc"));
  EXPECT_EQ(client.read().status, 413);
}

TEST_F(HttpBodies, LengthsThatCannotBeAreRefused) {
  for (const char* length : {"99999999999999999999", "-1", "abc", "1, 2", "0x10", "+5", ""}) {
    Request request = modern_call("echo");
    request.with_length = false;
    request.set("Content-Length", length);
    const Reply reply = send(request);
    EXPECT_TRUE(reply.status() == 400 || reply.status() == 413) << length << ": " << reply.status();
  }
  Request twice = modern_call("echo");
  twice.add("Content-Length", "3");
  EXPECT_EQ(send(twice).status(), 400);
  expect_alive();
}

TEST_F(HttpBodies, LengthAndChunksTogetherAreRefused) {
  Request request = modern_call("echo", R"({"text":"smuggled"})");
  request.set("Transfer-Encoding", "chunked");
  const Reply reply = send(request);
  EXPECT_EQ(reply.status(), 400);
}

TEST_F(HttpBodies, BrokenChunksAreRefused) {
  for (const char* body :
       {"zz\r\nabc\r\n", "-1\r\n", "3\r\nabcdef\r\n0\r\n\r\n", "fffffffffffffffff\r\n"}) {
    Request request = modern_call("echo");
    const std::string head = request.chunked(1);
    RawClient client = connect();
    ASSERT_TRUE(client.send(head.substr(0, head.find("\r\n\r\n") + 4) + body));
    const Response response = client.read();
    EXPECT_TRUE(response.status == 400 || response.status == 413)
        << body << ": " << response.status;
    EXPECT_TRUE(client.reads_end());
  }
}

TEST_F(HttpBodies, ExpectContinueIsToldToGoOn) {
  const Request request = modern_call("echo", R"({"text":"went on"})");
  Request asking = request;
  asking.set("Expect", "100-continue");
  const std::string text = asking.text();
  const std::size_t head = text.find("\r\n\r\n") + 4;
  RawClient client = connect();
  ASSERT_TRUE(client.send(std::string_view(text).substr(0, head)));
  EXPECT_EQ(client.read().status, 100);
  ASSERT_TRUE(client.send(std::string_view(text).substr(head)));
  EXPECT_EQ(Reply(client.read()).content(), "went on");
  // With the body in the same write nobody waits for the 100.
  ASSERT_TRUE(client.send(text));
  Response response = client.read();
  if (response.status == 100) response = client.read();
  EXPECT_EQ(Reply(response).content(), "went on");
}

TEST_F(HttpBodies, ExpectContinueIsRefusedBeforeTheBody) {
  Request request = sized(2 * 1024 * 1024);
  request.set("Expect", "100-continue");
  const std::string text = request.text();
  RawClient client = connect();
  ASSERT_TRUE(client.send(text.substr(0, text.find("\r\n\r\n") + 4)));
  EXPECT_EQ(client.read().status, 413);
  Request wrong_type = modern_call("echo");
  wrong_type.set("Expect", "100-continue").set("Content-Type", "text/plain");
  const std::string wrong = wrong_type.text();
  RawClient other = connect();
  ASSERT_TRUE(other.send(wrong.substr(0, wrong.find("\r\n\r\n") + 4)));
  EXPECT_EQ(other.read().status, 415);
}

TEST_F(HttpBodies, AByteOrderMarkOrNothingIsAParseError) {
  for (const char* body : {"", " ", "\xEF\xBB\xBF{}", "{", "{}{}", "nul"}) {
    Request request = modern_call("echo");
    request.body = body;
    const Reply reply = send(request);
    EXPECT_EQ(reply.status(), 400) << body;
    EXPECT_EQ(reply.error(), -32700) << body;
  }
}

}  // namespace
}  // namespace sluice::testing
