#include <algorithm>

#include "config/json_text.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"

namespace sluice::config {
namespace {

constexpr std::pair<std::string_view, ParameterIn> kPlaces[] = {{"path", ParameterIn::path},
                                                                {"query", ParameterIn::query},
                                                                {"header", ParameterIn::header},
                                                                {"body", ParameterIn::body}};

bool has_type(const yaml::Node& schema, std::string_view name) {
  const auto* type = schema.find("type");
  return type != nullptr && type->value->is(yaml::Node::Kind::scalar) && type->value->value == name;
}

bool has_default(const yaml::Node& schema) { return schema.find("default") != nullptr; }

void read_as(const Section& section, Parameter& out) {
  const auto as = section.find("as");
  if (!as) return;
  if (out.in == ParameterIn::none || out.in == ParameterIn::path)
    as->complain("goes with in: query, header or body only");
  if (auto text = as->text()) {
    if (text->empty()) as->expected("a name");
    out.as = *std::move(text);
  }
}

/// One entry of `parameters`: our own keys beside those of JSON Schema.
Parameter read_parameter(const std::string& name, const Field& field) {
  Parameter out;
  out.name = name;
  out.place = field.place();
  out.schema = "{}";
  const Section section(field, keys::parameter);
  section.choice("in", out.in, kPlaces);
  read_as(section, out);
  // A list under `required` is the keyword of JSON Schema for the members of an object.
  const auto required = section.find("required");
  const bool is_keyword = required && required->is_sequence();
  if (required && !is_keyword) section.boolean("required", out.required);
  const std::string_view ours[] = {"in", "as", "required"};
  if (auto schema = to_json(field, std::span(ours, is_keyword ? 2 : 3)); schema && !field.is_null())
    out.schema = *std::move(schema);
  out.is_string = has_type(field.node(), "string");
  out.is_array = has_type(field.node(), "array");
  out.has_default = has_default(field.node());
  if (out.in == ParameterIn::header) {
    const std::string& header = out.as.empty() ? out.name : out.as;
    if (const auto wrong = wrong_header_name(header); !wrong.empty()) field.complain(wrong);
  }
  return out;
}

}  // namespace

std::string build_schema(std::span<const Parameter> parameters) {
  std::string properties, required;
  for (const auto& p : parameters) {
    if (!properties.empty()) properties += ',';
    properties += json_string(p.name) + ':' + p.schema;
    if (!p.required) continue;
    if (!required.empty()) required += ',';
    required += json_string(p.name);
  }
  std::string out = R"({"type":"object","properties":{)" + properties + '}';
  if (!required.empty()) out += ",\"required\":[" + required + ']';
  return out + ",\"additionalProperties\":false}";
}

namespace {

/// Slots may name the properties of a schema that was written as a whole.
void take_properties(const Field& schema, std::vector<Parameter>& out) {
  const auto* properties = schema.node().find("properties");
  if (properties == nullptr) return;
  const auto* required = schema.node().find("required");
  for (const auto& entry : properties->value->entries) {
    Parameter p;
    p.name = entry.key;
    p.place = schema.context().complaints.place(entry.spot);
    p.schema =
        to_json(Field(schema.context(), *entry.value, schema.name() + ".properties." + entry.key))
            .value_or("{}");
    p.is_string = has_type(*entry.value, "string");
    p.is_array = has_type(*entry.value, "array");
    p.has_default = has_default(*entry.value);
    if (required != nullptr)
      p.required = std::ranges::any_of(required->value->elements,
                                       [&](const auto& e) { return e->value == entry.key; });
    out.push_back(std::move(p));
  }
}

}  // namespace

void read_parameters(const Field& field, std::vector<Parameter>& out) {
  for (const auto& member : field.members()) {
    if (member.key.empty() || member.key.find_first_of("{}") != std::string::npos)
      field.context().complaints.add(member.spot,
                                     field.name() + ": a parameter's name is text without braces");
    if (!member.value.is_mapping() && !member.value.is_null()) {
      member.value.expected("a JSON Schema as a mapping");
      // Known by its name all the same, so that slots are not complained about too.
      Parameter unknown;
      unknown.name = member.key;
      unknown.schema = "{}";
      unknown.has_default = true;
      out.push_back(std::move(unknown));
      continue;
    }
    out.push_back(read_parameter(member.key, member.value));
  }
}

void read_arguments(const Section& tool, Tool& out) {
  const auto parameters = tool.find("parameters");
  const auto schema = tool.find("input_schema");
  if (parameters && schema) schema->complain("cannot stand beside parameters");
  if (parameters) {
    read_parameters(*parameters, out.parameters);
  } else if (schema) {
    if (schema->is_mapping()) take_properties(*schema, out.parameters);
    out.input_schema = to_json_object(*schema).value_or("{}");
    return;
  }
  out.input_schema = build_schema(out.parameters);
}

}  // namespace sluice::config
