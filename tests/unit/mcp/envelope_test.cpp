#include "mcp/envelope.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

using Kind = Envelope::Kind;

/// An envelope together with the document that it points into.
struct Message {
  explicit Message(std::string_view text) {
    const auto root = document.parse_copy(text);
    EXPECT_TRUE(root) << text;
    envelope = read_envelope(*root);
  }
  const Envelope* operator->() const { return &envelope; }
  json::Document document;
  Envelope envelope;
};

TEST(Envelope, IsReadFromARequest) {
  const Message m(
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","_meta":{"a":1}},"extra":[]})");
  ASSERT_EQ(m->kind, Kind::request);
  EXPECT_EQ(m->id, "7");
  EXPECT_EQ(m->method, "tools/call");
  EXPECT_EQ(m->params.find("name").as_string(), "x");
  EXPECT_EQ(m->meta.find("a").raw(), "1");
}

TEST(Envelope, TellsTheKindsApart) {
  EXPECT_EQ(Message(R"({"jsonrpc":"2.0","method":"m"})")->kind, Kind::notification);
  EXPECT_EQ(Message(R"({"jsonrpc":"2.0","id":"","method":"m"})")->kind, Kind::request);
  EXPECT_EQ(Message(R"({"jsonrpc":"2.0","id":9,"result":{}})")->kind, Kind::response);
  EXPECT_EQ(Message(R"({"jsonrpc":"2.0","id":9,"error":{}})")->kind, Kind::response);
  EXPECT_EQ(Message(R"({"jsonrpc":"2.0","result":{}})")->kind, Kind::broken);
}

TEST(Envelope, KeepsTheIdAsTheBytesThatCame) {
  for (const std::string_view id : {"0", "-7", "2147483648", "1774232524389", "9007199254740993",
                                    R"("1")", R"("")", R"("q\"\\\u00e9\n")"}) {
    const Message m(R"({"jsonrpc":"2.0","id": )" + std::string(id) + R"( ,"method":"m"})");
    EXPECT_EQ(m->kind, Kind::request);
    EXPECT_EQ(m->id, id);
  }
}

TEST(Envelope, RefusesIdsThatAreNeitherStringNorInteger) {
  for (const std::string_view id : {"null", "1.5", "1e2", "1.0", "true", "[]", "{}"}) {
    const Message m(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"m"})");
    EXPECT_EQ(m->kind, Kind::broken) << id;
    EXPECT_EQ(m->failure.code, rpc::kInvalidRequest);
    EXPECT_EQ(m->failure.status, 400U);
    EXPECT_EQ(m->id, "");
  }
}

TEST(Envelope, RefusesValidJsonOfTheWrongShapeAndKeepsTheId) {
  struct Case {
    std::string_view text;
    int code;
    std::string_view id;
  };
  for (const Case& c :
       {Case{"1", rpc::kInvalidRequest, ""}, Case{"[]", rpc::kInvalidRequest, ""},
        Case{"null", rpc::kInvalidRequest, ""}, Case{"{}", rpc::kInvalidRequest, ""},
        Case{R"({"id":1,"method":"m"})", rpc::kInvalidRequest, "1"},
        Case{R"({"jsonrpc":"1.0","id":1,"method":"m"})", rpc::kInvalidRequest, "1"},
        Case{R"({"jsonrpc":2.0,"id":1,"method":"m"})", rpc::kInvalidRequest, "1"},
        Case{R"({"jsonrpc":"2.0","id":1})", rpc::kInvalidRequest, "1"},
        Case{R"({"jsonrpc":"2.0","id":1,"method":123})", rpc::kInvalidRequest, "1"},
        Case{R"({"jsonrpc":"2.0","id":1,"method":true})", rpc::kInvalidRequest, "1"},
        Case{R"({"jsonrpc":"2.0","id":1,"Method":"m"})", rpc::kInvalidRequest, "1"},
        Case{R"({"jsonrpc":"2.0","id":"a","method":"m","params":"x"})", rpc::kInvalidParams,
             R"("a")"},
        Case{R"({"jsonrpc":"2.0","id":1,"method":"m","params":42})", rpc::kInvalidParams, "1"},
        Case{R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1,2]})", rpc::kInvalidParams, "1"},
        Case{R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})", rpc::kInvalidParams, "1"},
        Case{R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":1}})", rpc::kInvalidParams,
             "1"}}) {
    const Message m(c.text);
    EXPECT_EQ(m->kind, Kind::broken) << c.text;
    EXPECT_EQ(m->failure.code, c.code) << c.text;
    EXPECT_EQ(m->failure.status, 400U) << c.text;
    EXPECT_EQ(m->id, c.id) << c.text;
    EXPECT_FALSE(m->failure.message.empty());
  }
}

TEST(Envelope, RefusesNamesThatAreRepeated) {
  for (const std::string_view text :
       {R"({"jsonrpc":"2.0","id":1,"method":"a","method":"b"})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","m\u0065thod":"a"})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","params":{},"params":{}})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"echo","name":"secret"}})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":{},"arguments":{}}})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"x":1,"x":2}}})"}) {
    const Message m(text);
    EXPECT_EQ(m->kind, Kind::broken) << text;
    EXPECT_EQ(m->failure.code, rpc::kInvalidRequest) << text;
    EXPECT_EQ(m->id, "1");
  }
  EXPECT_EQ(Message(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"a"})")->id, "")
      << "neither of the two";
  EXPECT_EQ(
      Message(R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"a","Name":"b"}})")->kind,
      Kind::request);
}

TEST(Envelope, FindsARepeatedNameAmongManyToo) {
  for (const std::size_t members : {15U, 16U, 17U, 1000U})
    for (const bool twice : {false, true}) {
      std::string text = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{)";
      for (std::size_t i = 0; i < members; ++i)
        text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
      if (twice) text += ",\"7\":1";
      EXPECT_EQ(Message(text + "}}")->kind, twice ? Kind::broken : Kind::request) << members;
    }
}

TEST(Envelope, QuotesNoMoreThanTheBeginningOfALongName) {
  const std::string name(100000, 'n');
  const Message m(R"({"jsonrpc":"2.0","method":"m",")" + name + R"(":1,")" + name + R"(":2})");
  ASSERT_EQ(m->kind, Kind::broken);
  EXPECT_LT(m->failure.message.size(), 300U);
}

}  // namespace
}  // namespace sluice::mcp
