#include "mcp/template_variables.hpp"

#include <algorithm>
#include <utility>

#include "base/uri_text.hpp"
#include "json/document.hpp"
#include "mcp/json_members.hpp"
#include "mcp/violations.hpp"

namespace sluice::mcp {
namespace {

/// Every variable a text; those without which there is no URI are required.
std::string default_schema(const UriTemplate& parsed) {
  std::string properties = "{";
  std::string required;
  std::vector<std::string_view> seen;
  for (const auto& part : parsed.parts())
    for (const auto& variable : part.variables) {
      if (std::find(seen.begin(), seen.end(), variable.name) != seen.end()) continue;
      seen.push_back(variable.name);
      append_member(properties, variable.name,
                    variable.is_exploded ? R"({"type":"array","items":{"type":"string"}})"
                                         : R"({"type":"string"})");
      if (!UriTemplate::rules(part.op).first.empty()) continue;
      if (!required.empty()) required += ',';
      json::append_string(required, variable.name);
    }
  return R"({"type":"object","properties":)" + properties + R"(},"required":[)" + required + "]}";
}

bool is_number(std::string_view text) {
  json::Document document;
  const auto value = document.parse_copy(text);
  return value && value->is(JsonKind::number) && value->raw() == text;
}

}  // namespace

std::optional<TemplateVariables> TemplateVariables::make(std::string_view uri_template,
                                                         std::string_view schema,
                                                         std::string& problem) {
  const auto parsed = UriTemplate::parse(uri_template, problem);
  if (!parsed) {
    problem = "uri_template, " + problem;
    return std::nullopt;
  }
  if (parsed->parts().empty() || uri::scheme_of(parsed->parts()[0].literal).empty()) {
    problem = "uri_template must begin with a scheme";
    return std::nullopt;
  }
  const std::string text = schema.empty() ? default_schema(*parsed) : std::string(schema);
  TemplateVariables out;
  out.beginning_ = uri::normalize(parsed->parts()[0].literal);
  schema::Schema::CompileError error;
  out.schema_ = schema::Schema::compile(text, error);
  if (!out.schema_) {
    problem = "parameters" + error.pointer + ": " + error.message;
    return std::nullopt;
  }

  json::Document document;
  const auto root = document.parse_copy(text);
  const Json properties = root ? root->find("properties") : Json();
  const auto type_of = [](Json property) {
    const auto name = property.find("type").is(JsonKind::string)
                          ? property.find("type").as_string().value_or("")
                          : std::string_view();
    if (name == "integer" || name == "number") return Type::number;
    return name == "boolean" ? Type::boolean : Type::text;
  };
  std::vector<std::string_view> lists;
  for (const auto name : parsed->names()) {
    const Json property = properties.find(name);
    const Json type = property.find("type");
    Variable variable;
    variable.is_list = type.is(JsonKind::string) && type.as_string() == "array";
    variable.type = type_of(variable.is_list ? property.find("items") : property);
    for (const Json value : property.find("enum"))
      if (const auto one = value.as_string()) variable.allowed.emplace_back(*one);
    if (variable.is_list) lists.push_back(name);
    out.variables_.emplace(name, std::move(variable));
  }
  out.matcher_ = UriMatcher::make(*parsed, lists, problem);
  if (!out.matcher_) {
    problem = "uri_template: " + problem;
    return std::nullopt;
  }
  return out;
}

const std::vector<std::string>& TemplateVariables::allowed(std::string_view name) const noexcept {
  static const std::vector<std::string> kNone;
  const auto found = variables_.find(name);
  return found == variables_.end() ? kNone : found->second.allowed;
}

std::vector<std::string_view> TemplateVariables::names() const {
  std::vector<std::string_view> out;
  out.reserve(variables_.size());
  for (const auto& [name, variable] : variables_) out.push_back(name);
  return out;
}

std::string TemplateVariables::object_of(const std::vector<UriMatcher::Binding>& found) const {
  const auto value_of = [](Type type, const std::string& text) {
    if (type == Type::boolean && (text == "true" || text == "false")) return text;
    if (type == Type::number && is_number(text)) return text;
    std::string out;
    json::append_string(out, text);
    return out;
  };
  std::string object = "{";
  for (const auto& binding : found) {
    const auto variable = variables_.find(binding.name);
    const Type type = variable == variables_.end() ? Type::text : variable->second.type;
    if (object.back() != '{') object += ',';
    json::append_string(object, binding.name);
    object += ':';
    if (!binding.is_list) {
      object += value_of(type, binding.values.at(0));
      continue;
    }
    object += '[';
    for (const auto& value : binding.values) {
      if (object.back() != '[') object += ',';
      object += value_of(type, value);
    }
    object += ']';
  }
  return object + '}';
}

std::optional<TemplateVariables::Values> TemplateVariables::find(std::string_view uri,
                                                                 std::uint64_t max_steps) const {
  const auto found = matcher_->match(uri);
  if (!found) return std::nullopt;
  Values out;
  out.json = object_of(*found);
  json::Document document;
  const auto value = document.parse_copy(out.json);
  if (!value) return std::nullopt;
  const auto verdict = schema_->validate(*value, max_steps);
  if (verdict.out_of_steps)
    out.problem = "Checking the variables of the URI took more than limits.schema_steps allows.";
  else if (!verdict.violations.empty())
    out.problem = describe("The URI does not fit the resource template:", verdict.violations);
  else
    out.json = schema::apply(out.json, verdict.defaults);
  return out;
}

}  // namespace sluice::mcp
