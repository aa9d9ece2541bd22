#include <array>

#include "schema/keywords.hpp"
#include "schema/words.hpp"

namespace sluice::schema {
namespace {

using Frame = Compiler::Frame;

template <class Rules, std::unique_ptr<Rules> Subschema::* Group, const Subschema* Rules::* Slot>
bool read_one(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_schema(f, value, group(f.schema.*Group).*Slot);
}

template <const Subschema* Applicators::* Slot>
constexpr Handler kInPlace = read_one<Applicators, &Subschema::applicators, Slot>;

bool read_all_of(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_schemas(f, value, group(f.schema.applicators).all_of);
}

bool read_any_of(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_schemas(f, value, group(f.schema.applicators).any_of);
}

bool read_one_of(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_schemas(f, value, group(f.schema.applicators).one_of);
}

bool read_items(Compiler& c, Frame& f, const JsonNode*, Json value) {
  if (value.kind() == JsonKind::array) {
    return c.refuse(
        value, "must be one schema, is array; a schema for each position stands in prefixItems");
  }
  return c.read_schema(f, value, group(f.schema.array).rest);
}

bool read_items_07(Compiler& c, Frame& f, const JsonNode*, Json value) {
  auto& rules = group(f.schema.array);
  if (value.kind() != JsonKind::array) return c.read_schema(f, value, rules.rest);
  // Of draft-07, an empty list is allowed.
  if (value.size() != 0 && !c.read_schemas(f, value, rules.prefix)) return false;
  const Json rest = f.schema.source.find("additionalItems");
  if (!rest) return true;
  rules.rest_keyword = "additionalItems";
  return c.read_schema(f, rest, rules.rest);
}

bool read_additional_items(Compiler& c, Frame& f, const JsonNode*, Json value) {
  if (f.schema.source.find("items").is(JsonKind::array)) return true;  // Read with these.
  const Subschema* unused = nullptr;
  return c.read_schema(f, value, unused);
}

bool read_prefix_items(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_schemas(f, value, group(f.schema.array).prefix);
}

bool read_properties(Compiler& c, Frame& f, const JsonNode*, Json value) {
  if (value.kind() != JsonKind::object) return c.refuse_type(value, "an object");
  auto& rules = group(f.schema.object);
  for (const auto& member : value.members()) {
    const Subschema* schema = nullptr;
    if (!c.read_schema(f, member.value, schema)) return false;
    rules.properties.push_back({member.value.node() - 1, schema});
  }
  return true;
}

bool read_pattern_properties(Compiler& c, Frame& f, const JsonNode*, Json value) {
  if (value.kind() != JsonKind::object) return c.refuse_type(value, "an object");
  auto& rules = group(f.schema.object);
  for (const auto& member : value.members()) {
    const Subschema* schema = nullptr;
    Pattern pattern;
    if (!c.read_pattern(Json(member.value.node() - 1), pattern)) return false;
    if (!c.read_schema(f, member.value, schema)) return false;
    rules.patterns.emplace_back(std::move(pattern), schema);
  }
  return true;
}

bool read_dependent_schemas(Compiler& c, Frame& f, const JsonNode*, Json value) {
  if (value.kind() != JsonKind::object) return c.refuse_type(value, "an object");
  auto& rules = group(f.schema.object);
  for (const auto& member : value.members()) {
    const Subschema* schema = nullptr;
    if (!c.read_schema(f, member.value, schema)) return false;
    rules.dependent_schemas.push_back({member.name, schema});
  }
  return true;
}

bool read_dependencies(Compiler& c, Frame& f, const JsonNode* name, Json value) {
  if (value.kind() != JsonKind::object) return c.refuse_type(value, "an object");
  auto& rules = group(f.schema.object);
  for (const auto& member : value.members()) {
    if (member.value.kind() == JsonKind::array) {
      auto& entry = rules.dependent_names.emplace_back();
      entry.name = member.name;
      entry.keyword = name->string;
      if (!c.read_names(member.value, entry.required)) return false;
      continue;
    }
    const Subschema* schema = nullptr;
    if (!c.read_schema(f, member.value, schema)) return false;
    rules.dependent_schemas.push_back({member.name, schema});
  }
  return true;
}

constexpr Handler kAdditional = read_one<ObjectRules, &Subschema::object, &ObjectRules::rest>;
constexpr Handler kNames = read_one<ObjectRules, &Subschema::object, &ObjectRules::names>;
constexpr Handler kContains = read_one<ArrayRules, &Subschema::array, &ArrayRules::contains>;
constexpr Handler kOtherItems = read_one<Unevaluated, &Subschema::unevaluated, &Unevaluated::items>;
constexpr Handler kOtherProperties =
    read_one<Unevaluated, &Subschema::unevaluated, &Unevaluated::properties>;

constexpr std::array kTable{
    Keyword{"allOf", true, true, read_all_of},
    Keyword{"anyOf", true, true, read_any_of},
    Keyword{"oneOf", true, true, read_one_of},
    Keyword{"not", true, true, kInPlace<&Applicators::negated>},
    Keyword{"if", true, true, kInPlace<&Applicators::condition>},
    Keyword{"then", true, true, kInPlace<&Applicators::then>},
    Keyword{"else", true, true, kInPlace<&Applicators::otherwise>},
    Keyword{"items", true, false, read_items},
    Keyword{"items", false, true, read_items_07},
    Keyword{"additionalItems", false, true, read_additional_items},
    Keyword{"prefixItems", true, false, read_prefix_items},
    Keyword{"contains", true, true, kContains},
    Keyword{"properties", true, true, read_properties},
    Keyword{"patternProperties", true, true, read_pattern_properties},
    Keyword{"additionalProperties", true, true, kAdditional},
    Keyword{"propertyNames", true, true, kNames},
    Keyword{"dependentSchemas", true, false, read_dependent_schemas},
    Keyword{"dependencies", false, true, read_dependencies},
    Keyword{"unevaluatedItems", true, false, kOtherItems},
    Keyword{"unevaluatedProperties", true, false, kOtherProperties},
};

}  // namespace

KeywordTable applicator_keywords() noexcept { return {kTable.data(), kTable.size()}; }

}  // namespace sluice::schema
