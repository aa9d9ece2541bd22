#include "http/charset.hpp"

#include <gtest/gtest.h>
#include <iconv.h>

#include <vector>

namespace sluice::http {
namespace {

std::string convert(std::string_view charset, std::string_view bytes, std::size_t first,
                    std::size_t piece) {
  ContentFilters filters;
  auto converter = make_charset_converter(charset);
  if (!converter) return "unknown";
  filters.add(std::move(converter));
  std::string out;
  std::size_t n = first;
  while (true) {
    const bool last = bytes.empty();
    const std::string_view in = bytes.substr(0, n);
    const std::vector<char> copy(in.begin(), in.end());
    std::string_view left(copy.data(), copy.size());
    while (true) {
      const auto got = filters.next(left, last);
      if (!got) return "failed: " + filters.problem();
      if (got->empty()) break;
      out += *got;
    }
    if (last) return out;
    bytes.remove_prefix(in.size());
    n = piece;
  }
}

void expect_at_every_cut(std::string_view charset, std::string_view bytes, std::string_view want) {
  for (std::size_t cut = 1; cut <= bytes.size(); ++cut) {
    EXPECT_EQ(convert(charset, bytes, cut, bytes.size()), want) << charset << " cut at " << cut;
  }
  EXPECT_EQ(convert(charset, bytes, 1, 1), want) << charset << " byte by byte";
}

using namespace std::string_view_literals;

TEST(Charset, ConvertsWhereverACharacterIsCut) {
  expect_at_every_cut("iso-8859-1", "caf\xE9 na\xEFve", "caf\xC3\xA9 na\xC3\xAFve");
  expect_at_every_cut("Windows-1252", "\x93quoted\x94 \x80",
                      "\xE2\x80\x9Cquoted\xE2\x80\x9D \xE2\x82\xAC");
  expect_at_every_cut("Shift_JIS", "\x93\xFA\x96{ abc", "\xE6\x97\xA5\xE6\x9C\xAC abc");
  expect_at_every_cut("EUC-JP", "\xC6\xFC\xCB\xDC", "\xE6\x97\xA5\xE6\x9C\xAC");
  expect_at_every_cut("gb2312", "\xD6\xD0\xCE\xC4", "\xE4\xB8\xAD\xE6\x96\x87");
  expect_at_every_cut("GB18030", "\x95\x32\x82\x36x", "\xF0\xA0\x80\x80x");
  expect_at_every_cut("Big5", "\xA4\xA4\xA4\xE5", "\xE4\xB8\xAD\xE6\x96\x87");
  expect_at_every_cut("euc-kr", "\xC7\xD1\xB1\xDB", "\xED\x95\x9C\xEA\xB8\x80");
  expect_at_every_cut("UTF-16LE", "a\0\x3D\xD8\x00\xDE\xE9\0"sv, "a\xF0\x9F\x98\x80\xC3\xA9");
  expect_at_every_cut("UTF-16BE", "\0a\xD8\x3D\xDE\x00\0\xE9"sv, "a\xF0\x9F\x98\x80\xC3\xA9");
  expect_at_every_cut("ISO-2022-JP", "\x1B$BF|K\\\x1B(B abc", "\xE6\x97\xA5\xE6\x9C\xAC abc");
}

TEST(Charset, PutsAReplacementForWhatCannotBeDecoded) {
  expect_at_every_cut("EUC-JP",
                      "a\xFF"
                      "b",
                      "a\xEF\xBF\xBD"
                      "b");
  expect_at_every_cut("Windows-1252",
                      "a\x81"
                      "b",
                      "a\xEF\xBF\xBD"
                      "b");
  // A lone surrogate: two bytes are skipped, so that what follows stays in step.
  expect_at_every_cut("UTF-16LE",
                      "a\0\x00\xDC"
                      "b\0"sv,
                      "a\xEF\xBF\xBD"
                      "b");
}

TEST(Charset, PutsAReplacementForACharacterThatTheEndCutsOff) {
  expect_at_every_cut("Shift_JIS", "a\x93", "a\xEF\xBF\xBD");
  expect_at_every_cut("UTF-16LE", "a\0b"sv, "a\xEF\xBF\xBD");
}

TEST(Charset, ComesToAnEndWithAnyBytesInAnyCharset) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i)
    bytes += static_cast<char>((static_cast<unsigned>(i) * 2654435761u) >> 11);
  for (const char* name :
       {"iso-8859-1", "shift_jis",    "euc-jp", "gb18030",       "big5",        "euc-kr",
        "utf-16",     "utf-16le",     "utf-32", "iso-2022-jp",   "iso-2022-kr", "utf-7",
        "hz-gb-2312", "windows-1251", "koi8-r", "iso-2022-jp-3", "iso-2022-cn", "iso-2022-cn-ext",
        "ibm1364",    "ibm1399",      "euc-tw", "tcvn"}) {
    const std::string got = convert(name, bytes, 100, 100);
    // What comes out is UTF-8: iconv itself takes it.
    const iconv_t check = iconv_open("UTF-16LE", "UTF-8");
    std::string sink(got.size() * 4 + 16, '\0');
    char* in = const_cast<char*>(got.data());
    std::size_t in_left = got.size();
    char* out = sink.data();
    std::size_t out_left = sink.size();
    EXPECT_NE(iconv(check, &in, &in_left, &out, &out_left), static_cast<std::size_t>(-1)) << name;
    iconv_close(check);
  }
}

TEST(Charset, IsReadFromTheContentType) {
  EXPECT_EQ(charset_of("text/html"), "");
  EXPECT_EQ(charset_of("text/html; charset=UTF-8"), "UTF-8");
  EXPECT_EQ(charset_of("text/html;Charset=\"iso-8859-1\" ; x=y"), "iso-8859-1");
  EXPECT_EQ(charset_of("text/html; a=\"b; charset=no\"; charset=yes"), "yes");
  EXPECT_EQ(charset_of("text/html; charset"), "");
  EXPECT_EQ(charset_of(";;;"), "");
}

TEST(Charset, TakesAsciiForUtf8) {
  EXPECT_TRUE(is_utf8_charset(""));
  EXPECT_TRUE(is_utf8_charset("Utf-8"));
  EXPECT_TRUE(is_utf8_charset("US-ASCII"));
  EXPECT_FALSE(is_utf8_charset("latin1"));
}

TEST(Charset, DoesNotKnowWhatIsNone) {
  for (const char* name : {"klingon", "utf-8//TRANSLIT", "latin1//IGNORE", "", "a b", "../x"}) {
    EXPECT_EQ(make_charset_converter(name), nullptr) << name;
  }
}

std::string strip_in_pieces(std::string_view text, std::size_t first) {
  ByteOrderMark mark;
  std::string out;
  for (const std::string_view piece : {text.substr(0, first), text.substr(first)}) {
    for (std::size_t i = 0; i < piece.size(); i += 2) {
      std::string_view held;
      const std::string_view rest = mark.strip(piece.substr(i, 2), held);
      out += held;
      out += rest;
    }
  }
  out += mark.finish();
  out += mark.finish();
  return out;
}

TEST(ByteOrderMark, IsDroppedWhereverItIsCut) {
  for (std::size_t cut = 0; cut <= 5; ++cut) {
    EXPECT_EQ(strip_in_pieces("\xEF\xBB\xBFhi", cut), "hi");
    EXPECT_EQ(strip_in_pieces("\xEF\xBB\xBE!!", cut), "\xEF\xBB\xBE!!");
    EXPECT_EQ(strip_in_pieces("ab\xEF\xBB\xBF", cut), "ab\xEF\xBB\xBF");
  }
  EXPECT_EQ(strip_in_pieces("\xEF\xBB", 1), "\xEF\xBB");
  EXPECT_EQ(strip_in_pieces("\xEF\xBB\xBF", 2), "");
  EXPECT_EQ(strip_in_pieces("\xEF\xBB\xBF\xEF\xBB\xBF", 3), "\xEF\xBB\xBF");
}

}  // namespace
}  // namespace sluice::http
