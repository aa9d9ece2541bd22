// The values that keywords take.
#include "schema/compile.hpp"
#include "schema/words.hpp"

namespace sluice::schema {

bool Compiler::read_schema(Frame& frame, Json value, const Subschema*& out) {
  return read(value, frame.schema.resource, frame.depth + 1, out);
}

bool Compiler::read_schemas(Frame& frame, Json value, SchemaList& out) {
  if (value.kind() != JsonKind::array) return refuse_type(value, "an array of schemas");
  if (value.size() == 0) return refuse(value, "must hold at least one schema");
  for (const Json element : value) {
    if (!read_schema(frame, element, out.emplace_back())) return false;
  }
  return true;
}

bool Compiler::read_count(Json value, std::uint64_t& out) {
  if (value.kind() != JsonKind::number) return refuse_type(value, "an integer of 0 or more");
  const auto count = Decimal(value.raw()).as_count();
  if (!count) return refuse(value, "must be an integer of 0 or more, is " + show(value));
  out = *count;
  return true;
}

bool Compiler::read_number(Json value, std::optional<Json>& out, Decimal& decimal) {
  if (value.kind() != JsonKind::number) return refuse_type(value, "a number");
  out = value;
  decimal = Decimal(value.raw());
  return true;
}

bool Compiler::read_string(Json value, std::string_view& out) {
  if (value.kind() != JsonKind::string) return refuse_type(value, "a string");
  out = value.node()->string;
  return true;
}

bool Compiler::read_names(Json value, std::vector<std::string_view>& out) {
  if (value.kind() != JsonKind::array) return refuse_type(value, "an array of strings");
  for (const Json element : value) {
    if (!read_string(element, out.emplace_back())) return false;
  }
  return true;
}

bool Compiler::read_pattern(Json value, Pattern& out) {
  std::string_view text;
  if (!read_string(value, text)) return false;
  std::string problem;
  return out.compile(text, problem) ||
         refuse(value, "is no regular expression of ECMA-262: " + problem);
}

}  // namespace sluice::schema
