#include "http/negotiate.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(Accept, SaysWhichFormsTheClientTakes) {
  struct Case {
    std::string_view field;
    bool json;
    bool events;
  };
  for (const Case c :
       {Case{"application/json, text/event-stream", true, true},
        Case{"*/*", true, true},
        Case{"application/*, text/*", true, true},
        Case{"application/json", true, false},
        Case{"text/event-stream", false, true},
        Case{"image/png", false, false},
        Case{"", true, true},
        Case{"  ", true, true},
        Case{"APPLICATION/JSON;q=0.5", true, false},
        Case{"Text/*", false, true},
        Case{"text/html, */*;q=0.1", true, true},
        Case{"application/json;q=0", false, false},
        Case{"*/*, application/json;q=0", false, true},
        Case{"application/json;q=0, */*", false, true},
        Case{"*/*;q=0, text/event-stream", false, true},
        Case{"text/*;q=0.000, text/event-stream;q=0.001", false, true},
        Case{"application/*;q=0., */*", false, true},
        Case{"application/json ; charset=utf-8 ; q=1 , text/event-stream", true, true},
        Case{"text/plain;x=\"a,application/json\", text/event-stream", false, true},
        Case{"application/jsonx, xapplication/json, application/json-seq", false, false},
        Case{"application/json,,text/event-stream,", true, true},
        Case{",", false, false},
        Case{"*", false, false},
        Case{"*/json", false, false},
        Case{"text/plain;x=\"\\\",*/*", false, false},
        Case{";q=1", false, false},
        Case{"application/json;q", true, false},
        Case{"application/json;Q=0", false, false}}) {
    const auto got = parse_accept(c.field);
    EXPECT_EQ(got.json, c.json) << c.field;
    EXPECT_EQ(got.events, c.events) << c.field;
  }
  EXPECT_TRUE(parse_accept(std::nullopt).json);
  EXPECT_TRUE(parse_accept(std::nullopt).events);
}

TEST(AcceptEncoding, SaysWhichCodingTheClientLikesBest) {
  struct Case {
    std::string_view field;
    ContentCoding coding;
  };
  constexpr auto kNone = ContentCoding::identity;
  constexpr auto kGzip = ContentCoding::gzip;
  constexpr auto kZstd = ContentCoding::zstd;
  constexpr auto kBr = ContentCoding::br;
  for (const Case c :
       {Case{"gzip", kGzip}, Case{"br", kBr}, Case{"zstd", kZstd}, Case{"GZip", kGzip},
        Case{"x-gzip", kGzip}, Case{"X-GZIP;q=0.5", kGzip}, Case{"gzip, deflate", kGzip},
        Case{"deflate", kNone}, Case{"compress, deflate;q=1", kNone},
        // Equals.
        Case{"gzip, br", kBr}, Case{"gzip, deflate, br, zstd", kZstd},
        Case{"deflate, gzip, br, zstd;q=0", kBr}, Case{"gzip;q=0.5, br;q=0.5", kBr},
        // Weights.
        Case{"gzip;q=1.0, br;q=0.8, zstd;q=0.9", kGzip}, Case{"br;q=0.001", kBr},
        Case{"gzip;q=0.1, zstd;q=0.099", kGzip}, Case{"gzip;q=0", kNone},
        Case{"gzip;q=0., br;q=0.000", kNone}, Case{"gzip ; q=0 , br ; Q=0.3", kBr},
        Case{"gzip;q=1.000, br;q=0.999", kGzip}, Case{"gzip;q=0, x-gzip", kGzip},
        Case{"gzip;level=9;q=0", kNone},
        // Identity.
        Case{"", kNone}, Case{"  ", kNone}, Case{"identity", kNone}, Case{"identity, gzip", kGzip},
        Case{"identity;q=0", kNone}, Case{"identity;q=0, gzip;q=0.1", kGzip},
        Case{"gzip;q=0.5, identity", kNone}, Case{"gzip;q=0.5, Identity;q=0.6", kNone},
        Case{"gzip;q=0.5, identity;q=0.5", kGzip},
        // Anything.
        Case{"*", kGzip}, Case{"*;q=0.1", kGzip}, Case{"*;q=0", kNone}, Case{"br, *;q=0.1", kBr},
        Case{"br;q=0.1, *", kGzip}, Case{"gzip;q=0, *", kNone}, Case{"identity;q=0, *;q=0", kNone},
        // What is no weight, and no list.
        Case{"gzip;q=", kNone}, Case{"gzip;q=x, br;q=2", kNone}, Case{"gzip;q=-1, br;q=0,5", kNone},
        Case{"gzip;q=1.5", kGzip}, Case{"gzip;q=0.55555555555555555555", kGzip},
        Case{"gzip;q", kGzip}, Case{",,gzip,", kGzip}, Case{";q=1", kNone},
        Case{"gzipped, brr, zstdx, **", kNone}, Case{"\"gzip\"", kNone}})
    EXPECT_EQ(choose_coding(c.field), c.coding) << c.field;
  EXPECT_EQ(choose_coding(std::nullopt), kNone);
}

TEST(ContentType, IsJsonInEverySpellingOfTheStandard) {
  for (const std::string_view type :
       {"application/json", "application/json; charset=utf-8", "Application/JSON",
        "application/json;charset=\"UTF-8\"", "application/json ; Charset=Utf-8",
        "application/json;", "application/json; v=1; charset=utf-8", "  application/json  "})
    EXPECT_TRUE(is_json_media_type(type)) << type;
}

TEST(ContentType, IsNotJsonWhereItSaysSomethingElse) {
  for (const std::string_view type :
       {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
        "application/jsonx", "application/json-rpc", "text/json", "application / json",
        "application/json, text/plain", "application/json; charset=latin1",
        "application/json;charset=utf-16", "text/plain; application/json",
        "text/plain;x=\"application/json"})
    EXPECT_FALSE(is_json_media_type(type)) << type;
}

}  // namespace
}  // namespace sluice::http
