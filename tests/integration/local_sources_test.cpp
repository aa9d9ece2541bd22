// Files and commands.
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "support/deadline.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class LocalSources : public WithServer<LocalSources> {
 public:
  static std::string yaml() {
    return R"(
plugins: ["@PLUGIN@"]
defaults: { timeout: 20s }
tools:
  read: { description: Reads., file: { root: "@DIR@/share", path: "{path}" }, parameters: { path: { type: string, required: true } } }
  read_text: { description: Reads., file: { root: "@DIR@/share", path: "{path}" }, result: text, parameters: { path: { type: string, required: true } } }
  print: { description: Prints., command: [printf, "%s", "{text}"], parameters: { text: { type: string, required: true } } }
  odd: { description: Prints odd bytes., command: [printf, '\377\376caf\351 \000 end'] }
  odd_failure: { description: Fails oddly., command: [sh, -c, "printf '\\377\\376caf\\351 \\000 end' >&2; exit 3"] }
  cut: { description: Cuts a character., command: [printf, "%s", "aé漢🙂"], max_result: 5 }
  cat: { description: Copies., command: [cat], stdin: text, parameters: { text: { type: string, required: true } } }
  ignores: { description: Does not read., command: ["true"], stdin: text, parameters: { text: { type: string, required: true } } }
  killed: { description: Ends badly., command: [sh, -c, "kill -9 $$"] }
  orphan: { description: Leaves something., command: [sh, -c, "sleep 3600 & echo $!"] }
  noisy: { description: Complains much., command: [sh, -c, "head -c 300000 /dev/zero >&2; echo done"] }
)";
  }
  static void prepare(const TempFolder& folder) {
    folder.write("share/ok.txt", "inside");
    folder.write("share/sub/x", "deeper");
    folder.write("share/korean.txt", "\xC7\xD1\xB1\xDB and \xE9");
    folder.write("share/latin.json", "{\"a\":\"\xE9\"}");
    folder.write("share-secret/x", "SECRET");
    std::filesystem::create_symlink("/etc/passwd", folder.path() / "share/link");
    std::filesystem::create_symlink(folder.path() / "share-secret",
                                    folder.path() / "share/dirlink");
    std::filesystem::create_symlink("ok.txt", folder.path() / "share/inner");
    ::mkfifo((folder.path() / "share/fifo").c_str(), 0600);
  }
  static Reply read(const std::string& path, const char* tool = "read") {
    return send(modern_call(tool, "{\"path\":" + json_string(path) + "}"));
  }
};

TEST_F(LocalSources, FilesBelowTheRootAreServed) {
  EXPECT_EQ(read("ok.txt").content(), "inside");
  EXPECT_EQ(read("sub/x", "read_text").content(), "deeper");
}

TEST_F(LocalSources, NothingOutsideTheRootIs) {
  for (const char* path : {"link", "dirlink/x", "../share-secret/x", "sub/../../share-secret/x",
                           "%2e%2e/share-secret/x", "/etc/passwd", "../share-secret", "sub", ".",
                           "..", "", "fifo", "none", "ok.txt/", "ok.txt/x"}) {
    const Reply reply = read(path);
    EXPECT_TRUE(reply.is_tool_error()) << path << reply.http.body;
    EXPECT_EQ(reply.http.body.find("SECRET"), std::string::npos) << path;
    EXPECT_EQ(reply.http.body.find("root:"), std::string::npos) << path;
  }
  const std::string absolute = (server().folder().path() / "share-secret/x").string();
  EXPECT_TRUE(read(absolute).is_tool_error());
  EXPECT_TRUE(read("/dev/zero").is_tool_error());
}

TEST_F(LocalSources, ANulIsRefusedAndNeverCutsAName) {
  const std::string path("ok.txt\0.png", 11);
  const Reply file = read(path);
  EXPECT_TRUE(file.is_tool_error());
  EXPECT_NE(file.content().find("NUL"), std::string::npos) << file.content();
  const Reply command = send(modern_call("print", R"({"text":"a\u0000b"})"));
  EXPECT_TRUE(command.is_tool_error());
  EXPECT_NE(command.content().find("NUL"), std::string::npos) << command.content();
}

TEST_F(LocalSources, BytesThatAreNotUtf8BecomeReplacements) {
  const Reply odd = send(modern_call("odd"));
  EXPECT_FALSE(odd.is_tool_error());
  EXPECT_EQ(odd.content(), std::string("\xEF\xBF\xBD\xEF\xBF\xBD"
                                       "caf\xEF\xBF\xBD \0 end",
                                       18));
  const Reply failure = send(modern_call("odd_failure"));
  EXPECT_TRUE(failure.is_tool_error());
  EXPECT_NE(failure.content().find("status 3"), std::string::npos) << failure.content();
  EXPECT_NE(failure.content().find("caf\xEF\xBF\xBD"), std::string::npos) << failure.content();
  const Reply korean = read("korean.txt", "read_text");
  EXPECT_NE(korean.content().find("\xEF\xBF\xBD"), std::string::npos);
  EXPECT_NE(korean.content().find(" and "), std::string::npos);
  EXPECT_EQ(read("latin.json", "read_text").content(), "{\"a\":\"\xEF\xBF\xBD\"}");
}

TEST_F(LocalSources, ASizeCutFallsBetweenCharactersAndIsMarked) {
  const Reply reply = send(modern_call("cut"));
  EXPECT_TRUE(reply.is_tool_error());
  EXPECT_EQ(reply.text("result.content.0.text"), "aé");
  EXPECT_NE(reply.text("result.content.1.text").find("max_result"), std::string::npos)
      << reply.http.body;
}

TEST_F(LocalSources, ArgumentsAreWordsAndNeverShellText) {
  for (const char* text : {"; touch x", "$(id)", "`id`", "a b", "'", "\"", "-n", "%s%n", "*"})
    EXPECT_EQ(send(modern_call("print", "{\"text\":" + json_string(text) + "}")).content(), text);
}

TEST_F(LocalSources, LargeInputGoesThroughACommand) {
  std::string text;
  while (text.size() < 3'000'000) text += "line é of input\n";
  EXPECT_EQ(send(modern_call("cat", "{\"text\":" + json_string(text) + "}")).content(), text);
  EXPECT_FALSE(
      send(modern_call("ignores", "{\"text\":" + json_string(text) + "}")).is_tool_error());
  const Reply too_long = send(modern_call("print", "{\"text\":" + json_string(text) + "}"));
  EXPECT_TRUE(too_long.is_tool_error()) << "longer than a command line may be";
}

TEST_F(LocalSources, CommandsThatFailSayHow) {
  const Reply killed = send(modern_call("killed"));
  EXPECT_TRUE(killed.is_tool_error());
  EXPECT_NE(killed.content().find("signal 9"), std::string::npos) << killed.content();
  EXPECT_EQ(send(modern_call("noisy")).content(), "done\n");
}

TEST_F(LocalSources, WhatACommandLeavesBehindEndsWithTheCall) {
  const Reply reply = send(modern_call("orphan"));
  const int left = std::atoi(reply.content().c_str());
  ASSERT_GT(left, 1) << reply.http.body;
  // It may stay a zombie where nobody waits for it: that is not the daemon's child any more.
  EXPECT_TRUE(eventually([&] {
    std::ifstream stat("/proc/" + std::to_string(left) + "/stat");
    std::string line;
    return !std::getline(stat, line) || line.substr(line.rfind(')') + 1).starts_with(" Z");
  })) << left;
  expect_alive();
}

}  // namespace
}  // namespace sluice::testing
