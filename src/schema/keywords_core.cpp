#include <array>

#include "schema/keywords.hpp"

namespace sluice::schema {
namespace {

using Frame = Compiler::Frame;

bool read_ref(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_reference(f, value, false);
}

bool read_dynamic_ref(Compiler& c, Frame& f, const JsonNode*, Json value) {
  return c.read_reference(f, value, true);
}

template <bool IsDynamic>
bool read_anchor(Compiler& c, Frame& f, const JsonNode*, Json value) {
  std::string_view name;
  if (!c.read_string(value, name)) return false;
  const auto is_start = [](char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
  };
  bool good = !name.empty() && is_start(name.front());
  for (const char ch : name)
    good = good && (is_start(ch) || (ch >= '0' && ch <= '9') || ch == '-' || ch == '.');
  if (!good)
    return c.refuse(
        value,
        "must be a name of letters, digits, '-', '.' and '_' that starts with a letter or '_'");
  return c.add_anchor(f, value, name, IsDynamic);
}

bool read_definitions(Compiler& c, Frame& f, const JsonNode*, Json value) {
  if (value.kind() != JsonKind::object) return c.refuse_type(value, "an object");
  for (const auto& member : value.members()) {
    const Subschema* unused = nullptr;
    if (!c.read_schema(f, member.value, unused)) return false;
  }
  return true;
}

bool read_default(Compiler& c, Frame& f, const JsonNode*, Json value) {
  c.note_default(f.schema, value);
  return true;
}

bool read_content_schema(Compiler& c, Frame& f, const JsonNode*, Json value) {
  const Subschema* unused = nullptr;
  return c.read_schema(f, value, unused);
}

bool read_text(Compiler& c, Frame&, const JsonNode*, Json value) {
  std::string_view unused;
  return c.read_string(value, unused);
}

bool read_flag(Compiler& c, Frame&, const JsonNode*, Json value) {
  return value.kind() == JsonKind::boolean || c.refuse_type(value, "a boolean");
}

bool read_examples(Compiler& c, Frame&, const JsonNode*, Json value) {
  return value.kind() == JsonKind::array || c.refuse_type(value, "an array");
}

// `$id` and `$schema` are read before all others.
constexpr std::array kTable{
    Keyword{"$ref", true, true, read_ref},
    Keyword{"$dynamicRef", true, false, read_dynamic_ref},
    Keyword{"$anchor", true, false, read_anchor<false>},
    Keyword{"$dynamicAnchor", true, false, read_anchor<true>},
    Keyword{"$defs", true, true, read_definitions},
    Keyword{"definitions", true, true, read_definitions},
    Keyword{"default", true, true, read_default},
    Keyword{"contentSchema", true, false, read_content_schema},
    Keyword{"contentEncoding", true, true, read_text},
    Keyword{"contentMediaType", true, true, read_text},
    Keyword{"format", true, true, read_text},
    Keyword{"title", true, true, read_text},
    Keyword{"description", true, true, read_text},
    Keyword{"$comment", true, true, read_text},
    Keyword{"deprecated", true, false, read_flag},
    Keyword{"readOnly", true, true, read_flag},
    Keyword{"writeOnly", true, true, read_flag},
    Keyword{"examples", true, true, read_examples},
};

}  // namespace

KeywordTable core_keywords() noexcept { return {kTable.data(), kTable.size()}; }

}  // namespace sluice::schema
