#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "json/document.hpp"
#include "schema/schema.hpp"

namespace sluice::schema {

inline std::unique_ptr<const Schema> compiled(std::string_view text) {
  Schema::CompileError error;
  auto schema = Schema::compile(text, error);
  EXPECT_TRUE(schema) << error.pointer << ": " << error.message << "\n" << text;
  return schema;
}

/// "pointer: message" of the error; "" where the schema compiles.
inline std::string compile_error(std::string_view text) {
  Schema::CompileError error;
  return Schema::compile(text, error) ? "" : error.pointer + ": " + error.message;
}

inline Verdict check(const Schema& schema, std::string_view value,
                     std::uint64_t steps = 1'000'000) {
  json::Document document;
  const auto root = document.parse_copy(value, 512);
  EXPECT_TRUE(root) << value;
  return root ? schema.validate(*root, steps) : Verdict{{{"", "", "no JSON"}}, {}, false};
}

inline bool is_valid(std::string_view schema, std::string_view value) {
  const auto s = compiled(schema);
  return s && check(*s, value).violations.empty();
}

/// Each violation as "path message", one a line.
inline std::string complaints(std::string_view schema, std::string_view value) {
  const auto s = compiled(schema);
  std::string out;
  if (!s) return out;
  for (const Violation& violation : check(*s, value).violations) {
    if (!out.empty()) out += '\n';
    out += violation.instance_path + " " + violation.message;
  }
  return out;
}

}  // namespace sluice::schema
