// Results that leave compressed: what is asked for, in every framing and size.
#include "support/decode_content.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

constexpr std::size_t kMiB = 1024 * 1024;
constexpr const char* kJson = "application/json";
constexpr const char* kEvents = "text/event-stream";

struct Coding {
  ContentCoding coding;
  const char* accept;
};
constexpr Coding kCodings[] = {{ContentCoding::gzip, "gzip, deflate"},
                               {ContentCoding::zstd, "gzip, deflate, br, zstd"},
                               {ContentCoding::br, "gzip, deflate, br"}};

/// The answer as a client that undoes the coding sees it. Bytes that are no content throw.
Reply decoded(std::uint16_t port, const Request& request, std::size_t piece = 65536) {
  RawClient client(port);
  EXPECT_TRUE(client.send(request.text()));
  Response response = client.read();
  EXPECT_TRUE(response.is_complete);
  const auto name = response.field("Content-Encoding");
  for (const Coding& coding : kCodings)
    if (name == name_of(coding.coding))
      response.body = decode_content(coding.coding, response.body, piece);
  return Reply(std::move(response));
}

Request big(const char* tool, std::size_t bytes, const char* codings,
            const char* accept = nullptr) {
  Request request = modern_call(tool, "{\"bytes\":" + std::to_string(bytes) + "}");
  if (codings != nullptr) request.set("Accept-Encoding", codings);
  if (accept != nullptr) request.set("Accept", accept);
  return request;
}

class Compression : public WithServer<Compression> {
 public:
  static std::string yaml() {
    return "plugins: [\"@PLUGIN@\"]\n"
           "server: { compression: auto }\n"
           "tools:\n"
           "  plain: { description: P., text: \"" +
           std::string(5000, 'x') +
           "\", compression: off }\n"
           "  kept: { description: K., text: \"" +
           std::string(50'000, 'y') + "\" }\n";
  }
};

TEST_F(Compression, GivesTheSameResultInEveryCodingFramingAndSize) {
  for (const Coding& coding : kCodings)
    for (const char* accept : {static_cast<const char*>(nullptr), kJson, kEvents})
      for (const std::size_t bytes : {std::size_t{1024}, std::size_t{60'000}, std::size_t{70'000},
                                      std::size_t{262'144}, 3 * kMiB}) {
        const Reply reply = decoded(port(), big("big", bytes, coding.accept, accept));
        EXPECT_EQ(reply.http.field("Content-Encoding"), name_of(coding.coding)) << bytes;
        EXPECT_EQ(reply.http.field("Vary"), "Accept-Encoding");
        EXPECT_EQ(reply.content(), std::string(bytes, 'a')) << name_of(coding.coding);
      }
}

TEST_F(Compression, LeavesShortResultsAsTheyAre) {
  const Reply reply = decoded(port(), big("big", 100, "gzip, br, zstd"));
  EXPECT_FALSE(reply.http.field("Content-Encoding"));
  EXPECT_EQ(reply.http.field("Vary"), "Accept-Encoding");
  EXPECT_EQ(reply.content(), std::string(100, 'a'));
}

TEST_F(Compression, LeavesResultsAsTheyAreForClientsThatTakeNothingElse) {
  for (const char* codings :
       {static_cast<const char*>(nullptr), "", "identity", "deflate", "gzip;q=0", "identity;q=0"}) {
    const Reply reply = decoded(port(), big("big", 100'000, codings));
    EXPECT_EQ(reply.status(), 200);
    EXPECT_FALSE(reply.http.field("Content-Encoding"));
    EXPECT_EQ(reply.http.field("Vary"), "Accept-Encoding");
    EXPECT_EQ(reply.content().size(), 100'000u);
  }
}

TEST_F(Compression, IsForTheToolToDecide) {
  Request request = modern_call("plain");
  request.set("Accept-Encoding", "gzip");
  const Reply reply = decoded(port(), request);
  EXPECT_FALSE(reply.http.field("Content-Encoding"));
  EXPECT_FALSE(reply.http.field("Vary"));
  EXPECT_EQ(reply.content().size(), 5000u);
}

TEST_F(Compression, TakesAKeptResultWithAnyId) {
  for (const Coding& coding : kCodings)
    for (const char* id : {"1", "\"a longer id\"", "9007199254740993"}) {
      Request request = modern_call("kept", "{}", id);
      request.set("Accept-Encoding", coding.accept);
      const Reply reply = decoded(port(), request, 1);
      EXPECT_EQ(reply.http.field("Content-Encoding"), name_of(coding.coding));
      EXPECT_LT(reply.http.body.size(), 60'000u);
      EXPECT_EQ(reply.id(), id);
      EXPECT_EQ(reply.content(), std::string(50'000, 'y'));
    }
}

TEST_F(Compression, GoesWithConnectionsThatStayAndOlderVersions) {
  RawClient client(port());
  for (int i = 0; i < 3; ++i)
    for (const Coding& coding : kCodings) {
      ASSERT_TRUE(client.send(big("big", 300'000, coding.accept).text()));
      Response response = client.read();
      ASSERT_TRUE(response.is_complete);
      response.body = decode_content(coding.coding, response.body);
      EXPECT_EQ(Reply(std::move(response)).content().size(), 300'000u);
    }
  Request old = big("big", 300'000, "gzip");
  old.version = "HTTP/1.0";
  EXPECT_EQ(decoded(port(), old).content().size(), 300'000u);
}

TEST_F(Compression, DoesNotHoldBackProgress) {
  const std::string meta = R"(,"progressToken":1)";
  Request request = modern_call("progress", R"({"n":150})", "7", meta);
  request.set("Accept-Encoding", "gzip");
  const Reply reply = decoded(port(), request);
  EXPECT_EQ(reply.content(), "done");
  EXPECT_GT(reply.messages().size(), 1u);
}

TEST(CompressionOff, IsWhatAServerDoesUnlessItIsTold) {
  ServerProcess server("plugins: [\"@PLUGIN@\"]\n");
  ASSERT_NE(server.port(), 0) << server.log();
  const Reply reply = decoded(server.port(), big("big", 100'000, "gzip, br, zstd"));
  EXPECT_FALSE(reply.http.field("Content-Encoding"));
  EXPECT_FALSE(reply.http.field("Vary"));
  EXPECT_EQ(reply.content().size(), 100'000u);
}

}  // namespace
}  // namespace sluice::testing
