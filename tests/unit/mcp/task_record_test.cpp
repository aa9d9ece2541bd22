#include "mcp/task_record.hpp"

#include <gtest/gtest.h>

#include "base/random_id.hpp"
#include "json/document.hpp"
#include "mcp/task_text.hpp"

namespace sluice::mcp {
namespace {

using namespace std::chrono_literals;

TaskRecord example(TaskStatus status = TaskStatus::working) {
  TaskRecord record;
  record.id = "0123456789abcdef0123456789abcdef";
  record.tool = "a \"tool\"";
  record.owner = "f00d";
  record.created = TaskRecord::Time(1764498609007ms);  // 2025-11-30T10:30:09.007Z
  record.updated = record.created + 61s;
  record.ttl = 90min;
  record.status = status;
  record.message = "Half\nof it";
  record.error_code = -32603;
  record.error_message = "Broken.";
  record.is_error = status == TaskStatus::completed;
  record.result_bytes = 12345678901;
  return record;
}

TEST(TaskRecord, ComesBackFromItsLine) {
  for (const auto status : {TaskStatus::working, TaskStatus::input_required, TaskStatus::completed,
                            TaskStatus::failed, TaskStatus::cancelled}) {
    const TaskRecord record = example(status);
    const std::string line = to_line(record);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto read = read_line(line + "   \n");
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(read->id, record.id);
    EXPECT_EQ(read->tool, record.tool);
    EXPECT_EQ(read->owner, record.owner);
    EXPECT_EQ(read->created, record.created);
    EXPECT_EQ(read->updated, record.updated);
    EXPECT_EQ(read->ttl, record.ttl);
    EXPECT_EQ(read->status, record.status);
    EXPECT_EQ(read->is_error, record.is_error);
    EXPECT_EQ(read->message, record.message);
    EXPECT_EQ(read->error_code, record.error_code);
    EXPECT_EQ(read->error_message, record.error_message);
    EXPECT_EQ(read->result_bytes, record.result_bytes);
  }
}

TEST(TaskRecord, IsNotReadFromWhatIsNoSuchLine) {
  const std::string line = to_line(example());
  for (std::size_t cut = 0; cut < line.size(); ++cut)
    EXPECT_FALSE(read_line(line.substr(0, cut))) << cut;
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string other = line;
    const auto at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return read_line(other.replace(at, from.size(), to));
  };
  EXPECT_FALSE(changed("sluice-task-1", "sluice-task-2"));
  EXPECT_FALSE(changed("\"working\"", "\"resting\""));
  EXPECT_FALSE(changed("0123456789abcdef", "../../../etc/pass"));
  EXPECT_FALSE(changed("12345678901", "-1"));
  EXPECT_FALSE(changed("12345678901", "\"1\""));
  EXPECT_FALSE(changed("5400000", "1.5"));
  EXPECT_FALSE(read_line("[]"));
  EXPECT_FALSE(read_line(std::string(8192, '\0')));
}

TEST(TaskRecord, FitsItsHeaderHoweverLongItsTexts) {
  TaskRecord record = example();
  record.tool = std::string(128, '"');
  record.message = std::string(100'000, '\x01');
  record.error_message = record.message;
  EXPECT_LT(to_line(record).size(), 8192U);
}

TEST(TaskRecord, HasMessagesThatEndBetweenCharacters) {
  EXPECT_EQ(short_message("short"), "short");
  for (std::size_t ascii = 0; ascii < 4; ++ascii) {
    std::string text(ascii, 'a');
    while (text.size() < 1000) text += "\xE2\x82\xAC";
    const std::string cut = short_message(text);
    EXPECT_LE(cut.size(), TaskRecord::kMaxMessage);
    EXPECT_TRUE(cut.ends_with("\xE2\x82\xAC...")) << ascii;
  }
}

TEST(TaskRecord, HasIdsThatNobodyCanGuess) {
  const std::string one = random_id();
  EXPECT_TRUE(is_random_id(one));
  EXPECT_NE(one, random_id());
  EXPECT_FALSE(is_random_id(""));
  EXPECT_FALSE(is_random_id(one.substr(1)));
  EXPECT_FALSE(is_random_id("../" + one.substr(3)));
  EXPECT_FALSE(is_random_id("0123456789ABCDEF0123456789abcdef"));
}

TEST(TaskText, IsWrittenAsTheRevisionHasIt) {
  const TaskTerms modern{kModern, R"({"name":"s","version":"1"})", 1500ms};
  EXPECT_EQ(created_result(example(), modern),
            R"({"resultType":"task","_meta":{"io.modelcontextprotocol/serverInfo":)"
            R"({"name":"s","version":"1"}},"taskId":"0123456789abcdef0123456789abcdef",)"
            R"("status":"working","statusMessage":"Half\nof it",)"
            R"("createdAt":"2025-11-30T10:30:09.007Z","lastUpdatedAt":"2025-11-30T10:31:10.007Z",)"
            R"("ttlMs":5400000,"pollIntervalMs":1500})");
  const TaskTerms legacy{kNewestLegacy, "{}", 1500ms};
  EXPECT_EQ(created_result(example(), legacy),
            R"({"task":{"taskId":"0123456789abcdef0123456789abcdef","status":"working",)"
            R"("statusMessage":"Half\nof it","createdAt":"2025-11-30T10:30:09.007Z",)"
            R"("lastUpdatedAt":"2025-11-30T10:31:10.007Z","ttl":5400000,"pollInterval":1500}})");
}

TEST(TaskText, SaysWhatFailed) {
  json::Document document;
  const auto modern =
      document.parse_copy(task_result(example(TaskStatus::failed), {}, {kModern, "{}", 1000ms}));
  ASSERT_TRUE(modern);
  EXPECT_EQ(modern->find("status").as_string(), "failed");
  EXPECT_EQ(modern->find("error").raw(), R"({"code":-32603,"message":"Broken."})");
  // Before, the error comes with tasks/result.
  const auto legacy = document.parse_copy(
      task_result(example(TaskStatus::failed), {}, {kNewestLegacy, "{}", 1000ms}));
  ASSERT_TRUE(legacy);
  EXPECT_FALSE(legacy->find("error"));
}

TEST(TaskText, TellsOfToolsThatFailedAsTheRevisionSays) {
  const TaskRecord record = example(TaskStatus::completed);
  json::Document document;
  const auto legacy = document.parse_copy(task_result(record, {}, {kNewestLegacy, "{}", 1000ms}));
  ASSERT_TRUE(legacy);
  EXPECT_EQ(legacy->find("status").as_string(), "failed");
  const auto modern = document.parse_copy(completed_front(record, {kModern, "{}", 1000ms}, "7") +
                                          "]}}" + std::string(kCompletedEnd));
  ASSERT_TRUE(modern);
  const Json result = modern->find("result");
  EXPECT_EQ(result.find("status").as_string(), "completed");
  EXPECT_EQ(result.find("result").raw(), R"({"resultType":"complete","content":[]})");
}

}  // namespace
}  // namespace sluice::mcp
