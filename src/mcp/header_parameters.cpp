#include "mcp/header_parameters.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "json/base64.hpp"
#include "json/document.hpp"

namespace sluice::mcp {
namespace {

constexpr std::string_view kAnnotation = "x-mcp-header";
constexpr int kMaxDepth = 64;

/// Walks the chain of `properties`; an annotation met on any other way is misplaced.
struct Finder {
  std::vector<HeaderParameter> found;
  std::vector<std::string> seen;
  std::string problem;

  void add(const std::vector<std::string>& path, Json schema, Json annotation) {
    const auto name = annotation.as_string();
    if (!name || name->empty() || !std::all_of(name->begin(), name->end(), ascii::is_token)) {
      problem = "x-mcp-header must be a header token (RFC 9110)";
      return;
    }
    const Json type = schema.find("type");
    const auto is = [&](std::string_view t) { return type && type.as_string() == t; };
    if (!is("string") && !is("integer") && !is("boolean")) {
      problem =
          "x-mcp-header \"" + std::string(*name) + "\" must be on a string, integer or boolean";
      return;
    }
    const std::string key = ascii::lower(*name);
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      problem = "x-mcp-header \"" + std::string(*name) + "\" is used twice";
      return;
    }
    seen.push_back(key);
    found.push_back({"Mcp-Param-" + std::string(*name), path});
  }

  void walk(Json schema, std::vector<std::string>& path, bool reachable, int depth) {
    if (!problem.empty() || depth > kMaxDepth || !schema.is(JsonKind::object)) return;
    if (const Json annotation = schema.find(kAnnotation)) {
      if (!reachable || path.empty()) {
        problem = "x-mcp-header is only allowed on properties reachable through properties alone";
        return;
      }
      add(path, schema, annotation);
    }
    for (const auto member : schema.members()) {
      if (member.name == "properties" && member.value.is(JsonKind::object)) {
        for (const auto property : member.value.members()) {
          path.emplace_back(property.name);
          walk(property.value, path, reachable, depth + 1);
          path.pop_back();
        }
      } else if (member.name != "default" && member.name != "const" && member.name != "enum" &&
                 member.name != "examples") {
        elsewhere(member.value, path, depth + 1);
      }
    }
  }

  void elsewhere(Json value, std::vector<std::string>& path, int depth) {
    if (depth > kMaxDepth) return;
    if (value.is(JsonKind::object)) {
      walk(
          value, path, false,
          depth);  // a schema, or names with a schema each: one walk sees both, and each value once
    } else if (value.is(JsonKind::array)) {
      for (const Json element : value) walk(element, path, false, depth + 1);
    }
  }
};

}  // namespace

std::vector<HeaderParameter> find_header_parameters(Json schema, std::string& problem) {
  Finder finder;
  std::vector<std::string> path;
  finder.walk(schema, path, true, 0);
  problem = std::move(finder.problem);
  return std::move(finder.found);
}

std::optional<std::string> decode_header_value(std::string_view value) {
  value = ascii::trim(value);
  const bool plain = std::all_of(value.begin(), value.end(),
                                 [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\t'; });
  if (!plain) return std::nullopt;
  constexpr std::string_view kPrefix = "=?base64?";
  constexpr std::string_view kSuffix = "?=";
  if (value.size() >= kPrefix.size() + kSuffix.size() && value.starts_with(kPrefix) &&
      value.ends_with(kSuffix)) {
    value.remove_prefix(kPrefix.size());
    value.remove_suffix(kSuffix.size());
    return json::base64_decode(value);
  }
  return std::string(value);
}

bool header_matches(std::string_view decoded, Json value) {
  switch (value.kind()) {
    case JsonKind::string:
      return value.as_string() == decoded;
    case JsonKind::boolean:
      return decoded == (*value.as_bool() ? "true" : "false");
    case JsonKind::number: {
      if (decoded == value.raw()) return true;
      // By value, and exactly: as doubles, neighbours above 2^53 would be the same.
      json::Document document;
      const auto sent = document.parse_copy(decoded);
      if (!sent || !sent->is(JsonKind::number) || sent->raw().size() != decoded.size())
        return false;
      const auto a = sent->as_int();
      return a && a == value.as_int();
    }
    default:
      return false;
  }
}

}  // namespace sluice::mcp
