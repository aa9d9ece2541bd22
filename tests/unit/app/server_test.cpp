#include <sluice/server.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sluice {
namespace {

Awaitable<Result<>> nothing(Call&, ResultWriter&) { co_return Result<>{}; }

std::string listening_on(std::uint16_t port) {
  return "version: 1\nserver: { listen: \"127.0.0.1:" + std::to_string(port) +
         "\", loops: 1 }\nlog: { level: off }\n";
}

/// True where problem number `i` is there and begins so.
bool begins(const Server& server, std::size_t i, const std::string& text) {
  return i < server.problems().size() && server.problems()[i].starts_with(text);
}

TEST(Server, TellsAllMistakesOfItsConfigurationWithTheirPlaces) {
  Server server;
  EXPECT_FALSE(
      server.configure_text("version: 1\n"
                            "tools:\n"
                            "  a: { text: x, parameters: { p: { type: strin } } }\n"
                            "  b: { text: x, third: 3 }\n"
                            "  c: { command: [no-such-program-anywhere] }\n",
                            "mine.yaml"));
  EXPECT_EQ(server.problems().size(), 3U);
  EXPECT_TRUE(begins(server, 0, "mine.yaml:3:6: tool \"a\"")) << server.problems().at(0);
  EXPECT_TRUE(begins(server, 1, "mine.yaml:4:17: unknown key"));
  EXPECT_TRUE(begins(server, 2, "mine.yaml:5:6: tool \"c\""));
}

TEST(Server, TakesAnotherConfigurationAfterOneThatItRefused) {
  Server server;
  server.tools().add({.name = "mine"}, nothing);
  EXPECT_FALSE(server.configure_file("/no/such/file.yaml"));
  EXPECT_EQ(server.problems().size(), 1U);
  ASSERT_TRUE(server.configure_text(listening_on(0)));
  EXPECT_TRUE(server.problems().empty());
  ASSERT_TRUE(server.start());
  EXPECT_NE(server.port(), 0);
  server.stop();
}

TEST(Server, TellsWhatIsWrongWithAddedToolsByTheirNames) {
  Server server;
  server.tools().add({.name = "twice"}, nothing);
  server.tools().add({.name = "twice"}, nothing);
  ASSERT_TRUE(server.configure_text(listening_on(0)));
  EXPECT_FALSE(server.start());
  EXPECT_TRUE(begins(server, 0, "tool \"twice\""));
  EXPECT_EQ(server.problems().size(), 1U);
}

TEST(Server, TellsThatItsPortIsInUse) {
  Server first;
  ASSERT_TRUE(first.configure_text(listening_on(0)));
  ASSERT_TRUE(first.start());
  Server second;
  ASSERT_TRUE(second.configure_text(listening_on(first.port())));
  EXPECT_FALSE(second.start());
  ASSERT_EQ(second.problems().size(), 1U);
  EXPECT_NE(second.problems()[0].find(std::to_string(first.port())), std::string::npos)
      << second.problems()[0];
  second.stop();  // harmless
  first.stop();
}

}  // namespace
}  // namespace sluice
