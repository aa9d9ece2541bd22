// The required part of the JSON Schema test suite, for both dialects.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "check.hpp"
#include "schema/schema.hpp"
#include "support/test_data.hpp"

namespace sluice::schema {
namespace {

namespace fs = std::filesystem;

fs::path suite_folder() { return testing::test_data("json-schema") / "tests"; }

std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Groups that must not compile, and what the error says.
struct Exception {
  std::string_view file;
  std::string_view group;
  std::string_view says;
};

constexpr std::string_view kLeadsOut = "leads out of this document";
constexpr std::string_view kDialect = "is not supported";
constexpr std::string_view kBadDefault = "is not valid here";

constexpr Exception k2020[] = {
    // The metaschema counts as another document.
    {"defs.json", "validate definition against metaschema", kLeadsOut},
    {"ref.json", "remote ref, containing refs itself", kLeadsOut},
    // Every group of these is about other documents.
    {"refRemote.json", "*", kLeadsOut},
    {"dynamicRef.json", "strict-tree schema, guards against misspelled properties", kLeadsOut},
    {"dynamicRef.json", "tests for implementation dynamic anchor and reference link", kLeadsOut},
    {"dynamicRef.json", "$ref and $dynamicAnchor are independent of order - $defs first",
     kLeadsOut},
    {"dynamicRef.json", "$ref and $dynamicAnchor are independent of order - $ref first", kLeadsOut},
    {"dynamicRef.json", "$ref to $dynamicRef finds detached $dynamicAnchor", kLeadsOut},
    // Dialects of their own.
    {"vocabulary.json", "*", kDialect},
    // Allowed by JSON Schema; here a default must fit, for it is put in.
    {"default.json", "invalid type for default", kBadDefault},
    {"default.json", "invalid string value for default", kBadDefault},
    {"default.json", "the default keyword does not do anything if the property is missing",
     kBadDefault},
};

constexpr Exception k07[] = {
    {"definitions.json", "validate definition against metaschema", kLeadsOut},
    {"ref.json", "remote ref, containing refs itself", kLeadsOut},
    {"refRemote.json", "*", kLeadsOut},
    {"default.json", "invalid type for default", kBadDefault},
    {"default.json", "invalid string value for default", kBadDefault},
    {"default.json", "the default keyword does not do anything if the property is missing",
     kBadDefault},
};

class Suite {
 public:
  Suite(std::string folder, const Exception* first, const Exception* last, std::string dialect)
      : folder_(std::move(folder)), first_(first), last_(last), dialect_(std::move(dialect)) {}

  void run() {
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(suite_folder() / folder_)) {
      if (entry.path().extension() == ".json") files.insert(entry.path());
    }
    for (const auto& file : files) run_file(file);
    std::cout << folder_ << ": " << groups_ << " groups, " << tests_ << " tests; " << excepted_
              << " further groups are refused when compiling, as they should be\n";
    EXPECT_GT(tests_, 800);
  }

 private:
  void run_file(const fs::path& file) {
    json::Document document;
    const auto text = read_file(file);
    const auto root = document.parse_copy(text, 512);
    ASSERT_TRUE(root) << file;
    for (const Json group : *root) run_group(file.filename().string(), group);
  }

  void run_group(const std::string& file, Json group) {
    const std::string name(group.find("description").as_string().value());
    SCOPED_TRACE(folder_ + "/" + file + ": " + name);
    std::string text(group.find("schema").raw());
    // Draft-07 is not the default, so the suite's schemas have to say it.
    if (!dialect_.empty() && group.find("schema").is(JsonKind::object) &&
        !group.find("schema").find("$schema")) {
      text.insert(
          1, "\"$schema\":\"" + dialect_ + "\"" + (group.find("schema").size() == 0 ? "" : ","));
    }
    const auto* exception = std::find_if(first_, last_, [&](const Exception& e) {
      return e.file == file && (e.group == "*" || e.group == name);
    });
    Schema::CompileError error;
    const auto schema = Schema::compile(text, error);
    if (exception != last_) {
      ++excepted_;
      EXPECT_FALSE(schema);
      EXPECT_NE(error.message.find(exception->says), std::string::npos) << error.message;
      return;
    }
    ASSERT_TRUE(schema) << error.pointer << ": " << error.message;
    ++groups_;
    for (const Json test : group.find("tests")) {
      ++tests_;
      const Verdict verdict = schema->validate(test.find("data"));
      EXPECT_EQ(verdict.violations.empty(), test.find("valid").as_bool().value())
          << test.find("description").raw() << " " << test.find("data").raw();
      EXPECT_FALSE(verdict.out_of_steps);
    }
  }

  std::string folder_;
  const Exception* first_;
  const Exception* last_;
  std::string dialect_;
  int groups_ = 0;
  int tests_ = 0;
  int excepted_ = 0;
};

TEST(SchemaSuite, PassesTheRequiredTestsOf2020_12) {
  if (!fs::exists(suite_folder()))
    GTEST_SKIP() << "the JSON Schema test suite is not at " << suite_folder();
  Suite("draft2020-12", std::begin(k2020), std::end(k2020), "").run();
}

TEST(SchemaSuite, PassesTheRequiredTestsOfDraft07) {
  if (!fs::exists(suite_folder()))
    GTEST_SKIP() << "the JSON Schema test suite is not at " << suite_folder();
  Suite("draft7", std::begin(k07), std::end(k07), "http://json-schema.org/draft-07/schema#").run();
}

}  // namespace
}  // namespace sluice::schema
