#include "support/message_check.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <utility>

#include "json/document.hpp"
#include "schema/schema.hpp"
#include "support/test_data.hpp"

namespace sluice::testing {
namespace {

constexpr std::size_t kLargest = 1024 * 1024;  // more is checked by those who send it

/// The types of one revision, compiled as they are asked for.
class Types {
 public:
  explicit Types(std::string_view revision) {
    std::ifstream in(test_data("mcp-schema") / (std::string(revision) + ".json"));
    std::stringstream text;
    text << in.rdbuf();
    schema_ = text.str();
    root_ = schema_.find(R"("$defs")") == std::string::npos ? "#/definitions/" : "#/$defs/";
  }
  [[nodiscard]] bool has(std::string_view type) const {
    return schema_.find('"' + std::string(type) + "\": {") != std::string::npos;
  }
  [[nodiscard]] const schema::Schema* find(const std::string& type) {
    auto& compiled = compiled_[type];
    if (!compiled && has(type)) {
      const std::string text =
          R"({"$ref":")" + root_ + type + R"(",)" + schema_.substr(schema_.find('{') + 1);
      schema::Schema::CompileError error;
      compiled = schema::Schema::compile(text, error);
      EXPECT_TRUE(compiled) << type << error.pointer << ": " << error.message;
    }
    return compiled.get();
  }

 private:
  std::string schema_;
  std::string root_;
  std::map<std::string, std::unique_ptr<const schema::Schema>> compiled_;
};

std::string result_type(std::string_view method, Json result) {
  static const std::map<std::string_view, std::string_view> kTypes{
      {"initialize", "InitializeResult"},
      {"server/discover", "DiscoverResult"},
      {"tools/list", "ListToolsResult"},
      {"tools/call", "CallToolResult"},
      {"prompts/list", "ListPromptsResult"},
      {"prompts/get", "GetPromptResult"},
      {"resources/list", "ListResourcesResult"},
      {"resources/templates/list", "ListResourceTemplatesResult"},
      {"resources/read", "ReadResourceResult"},
      {"resources/subscribe", "EmptyResult"},
      {"resources/unsubscribe", "EmptyResult"},
      {"completion/complete", "CompleteResult"},
      {"logging/setLevel", "EmptyResult"},
      {"ping", "EmptyResult"},
      {"subscriptions/listen", "SubscriptionsListenResult"},
      {"tasks/get", "GetTaskResult"},
      {"tasks/result", "CallToolResult"},
      {"tasks/cancel", "CancelTaskResult"},
      {"tasks/list", "ListTasksResult"},
  };
  const Json kind = result.find("resultType");
  if (kind && kind.as_string() == "input_required") return "InputRequiredResult";
  if (kind && kind.as_string() != "complete") return "Result";  // of an extension
  if (result.find("task")) return "CreateTaskResult";
  const auto found = kTypes.find(method);
  return std::string(found == kTypes.end() ? "Result" : found->second);
}

void expect_fits(Types& types, const std::string& type, Json value, const std::string& message) {
  const auto* schema = types.find(type);
  if (schema == nullptr) return;
  const auto verdict = schema->validate(value, 100'000'000);
  for (const auto& violation : verdict.violations)
    ADD_FAILURE() << type << violation.instance_path << ' ' << violation.message << " ("
                  << violation.rule << ")\n"
                  << message.substr(0, 2000);
}

}  // namespace

void check_message(std::string_view revision, std::string_view method, const std::string& message) {
  static std::mutex mutex;
  static std::map<std::string, Types, std::less<>> all;
  if (message.size() > kLargest) return;
  const std::lock_guard lock(mutex);
  auto types = all.find(revision);
  if (types == all.end()) types = all.emplace(revision, Types(revision)).first;
  if (!types->second.has("JSONRPCMessage")) return;

  json::Document document;
  const auto parsed = document.parse_copy(message, 1000);
  if (!parsed) {
    ADD_FAILURE() << "no JSON: " << message.substr(0, 2000);
    return;
  }
  if (!parsed->is(JsonKind::object)) return;  // a batch
  const Json called = parsed->find("method");
  if (called && parsed->find("id"))
    return expect_fits(types->second, "ServerRequest", *parsed, message);
  // Those of extensions are none of the union's.
  if (called && !called.as_string()->starts_with("notifications/tasks"))
    return expect_fits(types->second, "ServerNotification", *parsed, message);
  if (parsed->find("error")) {
    const bool is_new = types->second.has("JSONRPCErrorResponse");
    // Before 2025-11-25 the type demands an id, which an unreadable request does not have.
    if (!is_new && !(parsed->find("id") && parsed->find("id").raw() != "null")) return;
    return expect_fits(types->second, is_new ? "JSONRPCErrorResponse" : "JSONRPCError", *parsed,
                       message);
  }
  if (const Json result = parsed->find("result")) {
    const bool is_new = types->second.has("JSONRPCResultResponse");
    expect_fits(types->second, is_new ? "JSONRPCResultResponse" : "JSONRPCResponse", *parsed,
                message);
    expect_fits(types->second, result_type(method, result), result, message);
  }
}

}  // namespace sluice::testing
