// The public collection of JSON texts, each as a value inside a call's arguments.
#include <fstream>
#include <iterator>

#include "support/test_data.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class JsonSuite : public WithServer<JsonSuite> {
 public:
  static std::string yaml() { return "plugins: [\"@PLUGIN@\"]\n"; }
};

TEST_F(JsonSuite, EveryTextIsAcceptedOrRefusedAndNoneDoesHarm) {
  const auto folder = test_data("json-parsing");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "The JSON texts are not there: " << folder;
  int seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name.size() < 2 || name[1] != '_') continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Reply reply = send(modern_call("echo", "{\"value\":" + text + "}"));
    ++seen;
    ASSERT_NE(reply.status(), 0) << name << server().log();
    const bool accepted = reply.status() == 200 && reply.has("result");
    const bool refused =
        reply.status() == 400 && (reply.error() == -32700 || reply.error() == -32600);
    EXPECT_TRUE(accepted || refused)
        << name << ": " << reply.status() << reply.http.body.substr(0, 300);
    if (name[0] == 'y') {
      EXPECT_TRUE(accepted) << name << reply.http.body.substr(0, 300);
    }
    // Inside an object some broken texts are whole: what would end it, or add to it.
    if (name[0] == 'n' && text.find(',') == std::string::npos &&
        text.find('}') == std::string::npos) {
      EXPECT_TRUE(refused) << name << ": " << reply.http.body.substr(0, 300);
    }
  }
  EXPECT_GT(seen, 200);
  expect_alive();
}

}  // namespace
}  // namespace sluice::testing
