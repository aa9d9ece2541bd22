// What the checker takes in blocks of 64 bytes, compared with the way by bytes; raw_run.hpp does it.

#include "json/raw_json_blocks.hpp"

#include <gtest/gtest.h>

#include "raw_run.hpp"

namespace sluice::json::test {
namespace {

std::vector<std::string> texts() {
  std::string table = R"({"columns":["date","code","name","close"],"rows":[)";
  for (int i = 0; i < 8; ++i) {
    table += R"(["20260)" + std::to_string(101 + i) + R"(","2330","台積電",)" +
             std::to_string(100 * i) + ".25],";
  }
  table += "[]]}";
  std::string printed = "[\n";
  for (int i = 0; i < 4; ++i) {
    printed += "  {\r\n\t\"id\" : -" + std::to_string(i * 100) +
               ".5e-7 ,\n    \"tags\": [ \"a b\", {}, [ ], null ],\n    \"open\": " +
               (i % 2 == 0 ? "true" : "false") + "\n  },\n";
  }
  printed += "  0\n]\n";
  std::string escaped = "[";
  for (int i = 0; i < 6; ++i) {
    escaped += R"({"\u53f0\u7a4d\u96fb":"a \"word\"\n\\\\\/","":"\\"},)";
  }
  escaped += "\"" + std::string(30, '\\') + "\"]";
  std::string prose = "{\"text\":\"";
  for (int i = 0; i < 6; ++i) prose += "台積電公布第三季營收,\u00e9\U0001f600 plain words ";
  prose += "\"}";
  const std::string deep = std::string(70, '[') + "{\"a\":[1,2],\"b\":{}}" + std::string(70, ']');
  return {table,
          printed,
          escaped,
          prose,
          deep,
          "\"" + std::string(200, 'x') + "\"",
          std::string(200, '7'),
          "[" + std::string(150, ' ') + "]",
          "[0." + std::string(130, '1') + "e-" + std::string(70, '2') + ",true]"};
}

/// `middle` at every place of a block.
template <class Check>
void at_every_place(std::string_view before, std::string_view middle, std::string_view after,
                    char filling, Check check) {
  for (std::size_t place = 0; place < 66; ++place) {
    std::string text(before);
    text.append(place, filling).append(middle).append(after);
    // Behind it there is enough for a block that starts before it.
    check(text);
    if (testing::Test::HasFailure()) FAIL() << place << ": " << text;
  }
}

TEST(RawJsonBlocks, SayWhatBytesSayForEveryCut) {
  for (const std::string& text : texts()) {
    const Passed whole = pass({text});
    ASSERT_EQ(whole.verdict, Errc::ok) << text;
    for (std::size_t first = 0; first <= text.size(); ++first) {
      ASSERT_EQ(pass(cut(text, {first})), whole) << first << ": " << text;
    }
    for (std::size_t length = 1; length < 140; ++length) {
      ASSERT_EQ(pass(cut_every(text, length)), whole) << length << ": " << text;
    }
  }
}

TEST(RawJsonBlocks, SayWhatBytesSayForEveryStart) {
  for (const std::string& text : texts()) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      static_cast<void>(pass({std::string_view(text).substr(0, length)}));
      static_cast<void>(pass({std::string_view(text).substr(length)}));
      ASSERT_FALSE(testing::Test::HasFailure()) << length << ": " << text;
    }
  }
}

TEST(RawJsonBlocks, SayWhatBytesSayWhereAByteIsAnother) {
  const std::string_view bytes("[]{},:\"\\ \n\t\r0123-+.eEtfnu/\0\x1f\x7f\x80\xc1\xe9\xf5", 33);
  for (const std::string& text : texts()) {
    std::string changed = text;
    for (std::size_t place = 0; place < text.size(); ++place) {
      for (const char c : bytes) {
        changed[place] = c;
        const Passed expected = pass_with(Simd::portable, {changed});
        for (const Simd simd : supported_simd()) {
          ASSERT_EQ(pass_with(simd, {changed}), expected) << name_of(simd) << ": " << changed;
        }
      }
      changed[place] = text[place];
    }
  }
}

TEST(RawJsonBlocks, JudgeNumbersAndLiteralsAtEveryPlace) {
  for (const char* middle :
       {"0",          "-0",    "00",      "01",    "-01",   "-",        "--1",    "1-",
        "+1",         "1.",    ".5",      "1.5",   "1..5",  "1.5.5",    "0.0",    "0.5e1",
        "1e5",        "1E+05", "1e-0",    "1e",    "1e+",   "1e+-1",    "1ee5",   "1e5.5",
        "1.e5",       "-.5",   "1.5e5e5", "true",  "false", "null",     "tru",    "truex",
        "nul",        "fals",  "True",    "true1", "1true", "nulL",     "0x10",   "NaN",
        "-true",      "1 1",   "true 1",  "1,2",   "1:2",   "a",        "\xc3",   "\xc3\xa9",
        "/",          ";",     "\x0c",    "\x1a",  "\x7f",  "-1.25e-3", "1\"a\"", "\"a\"1",
        "\"a\"\"b\"", "[]1",   "[1]]",    "{}[]",  "[,1]",  "[1,]",     ",",      ""}) {
    const auto check = [](const std::string& text) { static_cast<void>(pass({text})); };
    const std::string behind(70, ' ');
    at_every_place("[", middle, "]" + behind, ' ', check);
    at_every_place("[\"", std::string("\",") + middle, ",1]" + behind, 'x', check);
    at_every_place("{\"", std::string("\":") + middle, ",\"a\":1}" + behind, 'x', check);
    at_every_place("", middle, behind, ' ', check);
    at_every_place("", middle, "", ' ', check);
  }
}

TEST(RawJsonBlocks, JudgeObjectsAtEveryPlace) {
  for (const char* middle : {"{}",
                             "{ }",
                             "{,}",
                             "{:}",
                             "{1}",
                             "{1:1}",
                             "{\"a\"}",
                             "{\"a\":}",
                             "{\"a\":1}",
                             "{\"a\":1,}",
                             "{\"a\":1,2}",
                             "{\"a\":1,\"b\"}",
                             "{\"a\" : 1 , \"b\" :2 }",
                             "{\"a\"::1}",
                             "{\"a\":\"b\":1}",
                             "{\"a\":1:2}",
                             "{\"\":\"\"}",
                             "{\"a\":{}}",
                             "{\"a\":[]}",
                             "{\"a\":[}]",
                             "{[]:1}",
                             "{{}:1}",
                             "{true:1}",
                             "[\"a\":1]",
                             "[\"a\",\"b\":1]",
                             "{\"a\":[1,\"b\"],\"c\":{}}",
                             "{\"a\"1}",
                             "{\"a\",1}",
                             "{\"a\":1 \"b\":2}",
                             "[[],[{}],[[]]]",
                             "[}",
                             "{]",
                             "{\"a\":1]",
                             "[1}",
                             "[[1},[2]]",
                             "{\"a\":[1,2,{\"b\":\"c\"}],\"d\":null}"}) {
    const auto check = [](const std::string& text) {
      static_cast<void>(pass({text}));
      static_cast<void>(pass(cut(text, {text.size() / 2})));
    };
    const std::string behind(70, ' ');
    at_every_place("[", middle, "]" + behind, ' ', check);
    at_every_place("[[\"", std::string("\"],") + middle, ",[1],[2]]" + behind, 'x', check);
    at_every_place("{\"", std::string("\":") + middle, ",\"a\":1}" + behind, 'x', check);
    at_every_place("", middle, behind, '\n', check);
    at_every_place("", middle, "", '\r', check);
  }
}

TEST(RawJsonBlocks, JudgeEscapesAtEveryPlace) {
  for (const char* middle :
       {"\\\"",    "\\\\",   "\\\\\\\"", "\\n",  "\\u00e9",    "\\ud83d\\ude00", "\\u00",
        "\\u00g0", "\\x",    "\\",       "\\\n", "\\u",        "\\u\"",          "\\U0041",
        "\\u 041", "\\\\\\", "\n",       "\t",   "\\\xc3\xa9", "\\u004\xc3\xa9"}) {
    const auto check = [](const std::string& text) { static_cast<void>(pass({text})); };
    at_every_place("[\"", middle, "\"," + std::string(70, ' ') + "1]", 'x', check);
    at_every_place("[\"", middle, std::string(70, 'y') + "\"]", 'x', check);
    at_every_place("[\"", middle, std::string(70, 'y') + "\"]", ',', check);
    at_every_place("[", middle, "]" + std::string(70, ' '), ' ', check);
    at_every_place("[\"", middle, "\"]", 'x', check);
  }
}

TEST(RawJsonBlocks, SeeACharacterThatAnEscapeCuts) {
  for (const char* cut_one : {"\xc3", "\xe2\x82", "\xf0\x98\x80"}) {
    for (const char* escape : {"\\n", "\\u00e9", "\\\"", "\\\\"}) {
      const auto check = [](const std::string& text) {
        EXPECT_EQ(pass({text}).verdict, Errc::not_json);
      };
      const std::string middle = std::string(cut_one) + escape;
      at_every_place("\"", middle, std::string(70, 'y') + "\"", 'x', check);
      at_every_place("[1,\"", middle, "\"]", ',', check);
    }
  }
}

TEST(RawJsonBlocks, JudgeEveryPairOfBytesOfACharacter) {
  for (unsigned lead = 0x80; lead < 0x100; ++lead) {
    for (unsigned next = 0; next < 0x100; ++next) {
      for (std::size_t more = 0; more < 4; ++more) {
        std::string text = "\"" + std::string(next % 64, 'x');
        text += static_cast<char>(lead);
        text += static_cast<char>(next);
        text.append(more, '\x80').append(70, 'y') += '"';
        const Passed expected = pass_with(Simd::portable, {text});
        for (const Simd simd : supported_simd()) {
          ASSERT_EQ(pass_with(simd, {text}), expected)
              << name_of(simd) << ": " << lead << ' ' << next << ' ' << more;
        }
      }
    }
  }
}

TEST(RawJsonBlocks, JudgeCharactersAtEveryPlace) {
  for (const char* middle :
       {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xa9",
        "\xe0\x9f\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
        "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xc1\xbf",
        "\xf5\x80\x80\x80"}) {
    const auto check = [](const std::string& text) {
      static_cast<void>(pass({text}));
      static_cast<void>(pass(cut(text, {text.size() * 2 / 3})));
    };
    at_every_place("\"", middle, std::string(70, 'y') + "\"", 'x', check);
    at_every_place("[\"", middle, "\"," + std::string(70, '1') + "]", 'x', check);
    at_every_place("[\"", middle, "\"]", ' ', check);
    at_every_place("[", middle, "]" + std::string(70, ' '), ' ', check);
  }
}

TEST(RawJsonBlocks, NestAsDeepAsBytesDo) {
  for (std::uint32_t max_depth = 0; max_depth < 80; ++max_depth) {
    for (std::uint32_t depth = max_depth < 3 ? 0 : max_depth - 3; depth < max_depth + 3; ++depth) {
      for (const std::uint32_t kind : {0U, 1U, 3U}) {
        std::string text;
        std::string behind;
        for (std::uint32_t level = 0; level < depth; ++level) {
          const bool object = kind != 0 && level % kind == 0;
          text += object ? "{\"a\":" : "[";
          behind.insert(0, object ? "}" : "]");
        }
        text += "1" + behind + std::string(20, ' ');
        const Passed whole = pass({text}, max_depth);
        ASSERT_EQ(whole.verdict, depth <= max_depth ? Errc::ok : Errc::too_deep);
        static_cast<void>(pass(cut_every(text, 71), max_depth));
        ASSERT_FALSE(testing::Test::HasFailure()) << max_depth << ": " << text;
      }
    }
  }
}

TEST(RawJsonBlocks, SayWhatBytesSayOnRandomMixes) {
  const std::vector<std::string> all = texts();
  const std::string_view alphabet("[]{},:\"\\ \n0123-+.eEtrufalsn/bx\xc3\xa9\x80\xe2\x01", 36);
  std::size_t accepted = 0;
  for (std::uint32_t seed = 1; seed <= 8000; ++seed) {
    Dice dice(seed);
    std::string text;
    if (seed % 3 != 0) {
      // Parts of several, none of which need to fit.
      for (std::size_t parts = 1 + dice.below(4); parts > 0; --parts) {
        const std::string& from = all[dice.below(all.size())];
        const std::size_t start = dice.below(from.size());
        text += from.substr(start, dice.below(120));
      }
      if (seed % 2 == 0) text = "[\"" + text + "\"]";
    } else {
      text = all[dice.below(all.size())];
      for (std::size_t changes = dice.below(3); changes > 0; --changes) {
        text[dice.below(text.size())] = alphabet[dice.below(alphabet.size())];
      }
    }
    const Passed whole = pass({text});
    accepted += whole.verdict == Errc::ok ? 1 : 0;
    const Passed in_pieces = pass(dice.cuts(text, 1 + dice.below(200)));
    ASSERT_EQ(in_pieces.verdict, whole.verdict) << text;
    ASSERT_FALSE(testing::Test::HasFailure()) << text;
  }
  EXPECT_GT(accepted, 500U);
}

TEST(RawJsonBlocks, AreSeveralPiecesLong) {
  std::string text = "[\n";
  while (text.size() < 40000) text += "[\"2330\", \"台積電\",\r\n1.25, {\"a\": \"b\"}],\n";
  text += "[]\n]";
  const Passed whole = pass({text});
  EXPECT_EQ(whole.verdict, Errc::ok);
  EXPECT_EQ(whole.text.find_first_of("\r\n"), std::string::npos);
  for (const std::size_t length : {4095U, 8191U, 8193U, 16384U}) {
    ASSERT_EQ(pass(cut_every(text, length)), whole);
  }
  text[39000] = '\x01';
  EXPECT_EQ(pass({text}).verdict, Errc::not_json);
}

}  // namespace
}  // namespace sluice::json::test
