#include "mcp/capabilities.hpp"

#include <gtest/gtest.h>

namespace sluice::mcp {
namespace {

TEST(Capabilities, SayWhatIsThereAndNothingElse) {
  Features features;
  EXPECT_EQ(capabilities(features, kModern), R"({"logging":{}})");
  features.logging = false;
  EXPECT_EQ(capabilities(features, kModern), "{}");
  features.tools.emplace();
  features.prompts = ListFeature{.list_changed = true};
  features.resources = ListFeature{.list_changed = true, .subscribe = true};
  features.completions = true;
  features.extensions = R"("example.com/x":{})";
  const std::string known = R"({"completions":{},"tools":{},"prompts":{"listChanged":true},)"
                            R"("resources":{"listChanged":true,"subscribe":true})";
  EXPECT_EQ(capabilities(features, kNewestLegacy), known + '}');
  EXPECT_EQ(capabilities(features, kModern), known + R"(,"extensions":{"example.com/x":{}}})");
}

}  // namespace
}  // namespace sluice::mcp
