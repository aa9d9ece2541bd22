#include <array>

#include "schema/keywords.hpp"
#include "schema/words.hpp"

namespace sluice::schema {
namespace {

using Frame = Compiler::Frame;

std::uint8_t type_bits(std::string_view name) noexcept {
  if (name == "null") return kNull;
  if (name == "boolean") return kBoolean;
  if (name == "integer") return kInteger;
  if (name == "number") return kNumber | kInteger;
  if (name == "string") return kString;
  if (name == "array") return kArray;
  if (name == "object") return kObject;
  return 0;
}

bool read_type_name(Compiler& c, Json value, std::uint8_t& types) {
  std::string_view name;
  if (!c.read_string(value, name)) return false;
  const auto bits = type_bits(name);
  if (bits == 0) {
    return c.refuse(
        value,
        "must be one of null, boolean, integer, number, string, array, object; is " + quote(name));
  }
  types = static_cast<std::uint8_t>(types | bits);
  return true;
}

bool read_type(Compiler& c, Frame& f, const JsonNode*, Json value) {
  f.schema.types = 0;
  if (value.kind() == JsonKind::string) return read_type_name(c, value, f.schema.types);
  if (value.kind() != JsonKind::array)
    return c.refuse_type(value, "a string or an array of strings");
  if (value.size() == 0) return c.refuse(value, "must name at least one type");
  for (const Json name : value) {
    if (!read_type_name(c, name, f.schema.types)) return false;
  }
  return true;
}

bool read_const(Compiler&, Frame& f, const JsonNode*, Json value) {
  f.schema.constant = value;
  return true;
}

bool read_enum(Compiler& c, Frame& f, const JsonNode*, Json value) {
  if (value.kind() != JsonKind::array) return c.refuse_type(value, "an array");
  f.schema.enumeration = value;
  return true;
}

template <std::optional<Json> NumberRules::* Text, Decimal NumberRules::* Value>
bool read_bound(Compiler& c, Frame& f, const JsonNode*, Json value) {
  auto& rules = group(f.schema.number);
  return c.read_number(value, rules.*Text, rules.*Value);
}

bool read_multiple_of(Compiler& c, Frame& f, const JsonNode*, Json value) {
  auto& rules = group(f.schema.number);
  Decimal divisor;
  if (!c.read_number(value, rules.multiple_of, divisor)) return false;
  if (divisor.is_zero() || divisor.is_negative())
    return c.refuse(value, "must be greater than 0, is " + show(value));
  if (divisor.size() > Divisor::kMaxDigits)
    return c.refuse(value, "must have at most 18 significant digits");
  rules.divisor = Divisor(divisor);
  return true;
}

template <class Rules, std::unique_ptr<Rules> Subschema::* Group, Range Rules::* Which,
          std::uint64_t Range::* End>
bool read_limit(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_count(value, (group(f.schema.*Group).*Which).*End);
}

template <std::uint64_t Range::* End>
constexpr Handler kLength = read_limit<StringRules, &Subschema::string, &StringRules::length, End>;
template <std::uint64_t Range::* End>
constexpr Handler kItems = read_limit<ArrayRules, &Subschema::array, &ArrayRules::count, End>;
template <std::uint64_t Range::* End>
constexpr Handler kContained =
    read_limit<ArrayRules, &Subschema::array, &ArrayRules::contained, End>;
template <std::uint64_t Range::* End>
constexpr Handler kProperties =
    read_limit<ObjectRules, &Subschema::object, &ObjectRules::count, End>;

bool read_pattern(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_pattern(value, group(f.schema.string).pattern.emplace());
}

bool read_unique(Compiler& c, Frame& f, const JsonNode*, Json value) {
  if (value.kind() != JsonKind::boolean) return c.refuse_type(value, "a boolean");
  group(f.schema.array).unique = value.node()->truth;
  return true;
}

bool read_required(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_names(value, group(f.schema.object).required);
}

bool read_dependent_required(Compiler& c, Frame& f, const JsonNode* name, Json value) {
  if (value.kind() != JsonKind::object) return c.refuse_type(value, "an object");
  for (const auto& member : value.members()) {
    auto& entry = group(f.schema.object).dependent_names.emplace_back();
    entry.name = member.name;
    entry.keyword = name->string;
    if (!c.read_names(member.value, entry.required)) return false;
  }
  return true;
}

constexpr std::array kTable{
    Keyword{"type", true, true, read_type},
    Keyword{"const", true, true, read_const},
    Keyword{"enum", true, true, read_enum},
    Keyword{"minimum", true, true, read_bound<&NumberRules::minimum, &NumberRules::min>},
    Keyword{"maximum", true, true, read_bound<&NumberRules::maximum, &NumberRules::max>},
    Keyword{"exclusiveMinimum", true, true,
            read_bound<&NumberRules::exclusive_minimum, &NumberRules::above>},
    Keyword{"exclusiveMaximum", true, true,
            read_bound<&NumberRules::exclusive_maximum, &NumberRules::below>},
    Keyword{"multipleOf", true, true, read_multiple_of},
    Keyword{"minLength", true, true, kLength<&Range::min>},
    Keyword{"maxLength", true, true, kLength<&Range::max>},
    Keyword{"pattern", true, true, read_pattern},
    Keyword{"minItems", true, true, kItems<&Range::min>},
    Keyword{"maxItems", true, true, kItems<&Range::max>},
    Keyword{"uniqueItems", true, true, read_unique},
    Keyword{"minContains", true, false, kContained<&Range::min>},
    Keyword{"maxContains", true, false, kContained<&Range::max>},
    Keyword{"minProperties", true, true, kProperties<&Range::min>},
    Keyword{"maxProperties", true, true, kProperties<&Range::max>},
    Keyword{"required", true, true, read_required},
    Keyword{"dependentRequired", true, false, read_dependent_required},
};

}  // namespace

KeywordTable assertion_keywords() noexcept { return {kTable.data(), kTable.size()}; }

}  // namespace sluice::schema
