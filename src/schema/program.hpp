#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <sluice/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/document.hpp"
#include "schema/number.hpp"
#include "schema/pattern.hpp"

namespace sluice::schema {

struct Subschema;
using SchemaList = std::vector<const Subschema*>;

/// Bits of Subschema::types.
enum TypeBit : std::uint8_t {
  kNull = 1,
  kBoolean = 2,
  kInteger = 4,
  kNumber = 8,
  kString = 16,
  kArray = 32,
  kObject = 64,
};
inline constexpr std::uint8_t kAnyType = 127;

struct Range {
  std::uint64_t min = 0;
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
};

struct NumberRules {
  std::optional<Json> minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of;
  Decimal min, max, above, below;  ///< The values of the first four.
  Divisor divisor;
};

struct StringRules {
  Range length;
  std::optional<Pattern> pattern;
};

struct ArrayRules {
  Range count;
  Range contained{1, Range().max};
  bool unique = false;
  SchemaList prefix;
  const Subschema* rest = nullptr;  ///< For what `prefix` leaves.
  std::string_view rest_keyword = "items";
  const Subschema* contains = nullptr;
};

struct Property {
  const JsonNode* name;
  const Subschema* schema;
};

/// The members that must be there where another one is.
struct DependentNames {
  std::string_view name;
  std::vector<std::string_view> required;
  std::string_view keyword;
};

struct DependentSchema {
  std::string_view name;
  const Subschema* schema;
};

struct ObjectRules {
  Range count;
  std::vector<Property> properties;    ///< As declared.
  std::vector<std::uint32_t> sorted;   ///< Indices by name, where there are many.
  std::vector<std::uint32_t> presets;  ///< Indices of the properties with a default.
  std::vector<std::pair<Pattern, const Subschema*>> patterns;
  const Subschema* rest = nullptr;
  const Subschema* names = nullptr;
  std::vector<std::string_view> required;
  std::vector<DependentNames> dependent_names;
  std::vector<DependentSchema> dependent_schemas;

  [[nodiscard]] const Property* find(std::string_view name) const noexcept;
  void sort();
};

/// What applies other schemas to the same value.
struct Applicators {
  const Subschema* ref = nullptr;
  const Subschema* dynamic_ref =
      nullptr;                      ///< Where it leads unless the dynamic scope knows the anchor.
  std::string_view dynamic_anchor;  ///< Empty: `dynamic_ref` is an ordinary reference.
  SchemaList all_of, any_of, one_of;
  const Subschema* negated = nullptr;
  const Subschema* condition = nullptr;
  const Subschema* then = nullptr;
  const Subschema* otherwise = nullptr;
};

struct Unevaluated {
  const Subschema* items = nullptr;
  const Subschema* properties = nullptr;
};

/// One compiled schema. Groups of rules are there only where the schema has one of them.
struct Subschema {
  Json source;
  std::uint32_t resource = 0;
  bool is_never = false;  ///< `false`
  bool has_rules = false;
  std::uint8_t types = kAnyType;
  std::optional<Json> constant;
  std::optional<Json> enumeration;
  Json preset;  ///< `default`
  std::unique_ptr<NumberRules> number;
  std::unique_ptr<StringRules> string;
  std::unique_ptr<ArrayRules> array;
  std::unique_ptr<ObjectRules> object;
  std::unique_ptr<Applicators> applicators;
  std::unique_ptr<Unevaluated> unevaluated;
};

enum class Dialect : std::uint8_t { draft_2020_12, draft_07 };

/// A schema with an identity of its own: the document, or a part with `$id`.
struct Resource {
  std::string uri;
  Json root;
  Dialect dialect = Dialect::draft_2020_12;
  std::map<std::string, const Subschema*, std::less<>> anchors;  ///< Dynamic ones as well.
  std::map<std::string, const Subschema*, std::less<>> dynamic_anchors;
};

/// A compiled document. Addresses of subschemas are stable.
struct Program {
  json::Document document;
  Json root;
  std::deque<Subschema> subschemas;
  std::deque<Resource> resources;
  const Subschema* entry = nullptr;
};

}  // namespace sluice::schema
