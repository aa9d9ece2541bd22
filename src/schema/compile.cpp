#include "schema/compile.hpp"

#include <algorithm>
#include <bitset>

#include "schema/keywords.hpp"
#include "schema/pointer.hpp"
#include "schema/uri.hpp"
#include "schema/validate.hpp"
#include "schema/words.hpp"

namespace sluice::schema {
namespace {
// A schema takes up to two levels of JSON (`properties`, then the name); const and examples may
// nest on top.
constexpr std::uint32_t kMaxJsonDepth = 2 * Compiler::kMaxNesting + 64;
constexpr std::uint64_t kDefaultSteps = 1'000'000;
}  // namespace

bool Compiler::compile(std::string_view text) {
  const auto root = program_.document.parse_copy(text, kMaxJsonDepth);
  if (!root) {
    error_ = {"", "is " + root.error().message()};
    return false;
  }
  program_.root = *root;
  return read(*root, 0, 0, program_.entry) && follow_references() && check_defaults();
}

bool Compiler::refuse(const JsonNode* where, std::string message) {
  error_ = {pointer_to(program_.root, where), std::move(message)};
  return false;
}

bool Compiler::refuse_type(Json value, std::string_view wanted) {
  return refuse(value, "must be " + std::string(wanted) + ", is " + std::string(type_name(value)));
}

bool Compiler::read(Json source, std::uint32_t resource, std::uint32_t depth,
                    const Subschema*& out) {
  if (const Subschema* known = names_.schema_at(source)) {
    out = known;
    return true;
  }
  if (source.kind() != JsonKind::object && source.kind() != JsonKind::boolean) {
    return refuse_type(source, "a schema (an object or a boolean)");
  }
  if (depth > kMaxNesting)
    return refuse(source, "is nested deeper than " + std::to_string(kMaxNesting) + " schemas");
  if (program_.subschemas.size() >= kMaxSubschemas) {
    return refuse(source,
                  "is one schema too many; a document may hold " + std::to_string(kMaxSubschemas));
  }
  Subschema& schema = program_.subschemas.emplace_back();
  schema.source = source;
  schema.resource = resource;
  names_.add_schema(schema);
  out = &schema;
  if (source.kind() == JsonKind::object) return read_object(schema, depth);
  schema.is_never = !source.node()->truth;
  return program_.resources.empty()
             ? names_.add_resource("", source, Dialect::draft_2020_12).has_value()
             : true;
}

bool Compiler::read_object(Subschema& schema, std::uint32_t depth) {
  const bool is_root = program_.resources.empty();
  Dialect dialect = is_root ? Dialect::draft_2020_12 : program_.resources[schema.resource].dialect;
  // Only what has an identity may choose its dialect.
  if ((is_root || schema.source.find("$id")) && !read_dialect(schema.source, dialect)) return false;
  const bool is_only_ref = dialect == Dialect::draft_07 && schema.source.find("$ref");
  if (is_root) {
    const auto added = names_.add_resource("", schema.source, dialect);
    if (!added) return refuse(schema.source, "cannot be named");
  }
  if (!is_only_ref && !read_identity(schema, dialect)) return false;
  Frame frame{schema, depth, dialect};
  return read_keywords(frame, is_only_ref) && finish(frame);
}

bool Compiler::read_dialect(Json source, Dialect& dialect) {
  const Json named = source.find("$schema");
  if (!named) return true;
  std::string_view uri;
  if (!read_string(named, uri)) return false;
  if (uri.ends_with('#')) uri.remove_suffix(1);
  if (uri == "https://json-schema.org/draft/2020-12/schema") {
    dialect = Dialect::draft_2020_12;
  } else if (uri == "http://json-schema.org/draft-07/schema" ||
             uri == "https://json-schema.org/draft-07/schema") {
    dialect = Dialect::draft_07;
  } else {
    return refuse(named,
                  "is not supported; use https://json-schema.org/draft/2020-12/schema or "
                  "http://json-schema.org/draft-07/schema");
  }
  return true;
}

bool Compiler::read_identity(Subschema& schema, Dialect dialect) {
  const Json id = schema.source.find("$id");
  if (!id) return true;
  std::string_view text;
  if (!read_string(id, text)) return false;
  const auto [base, fragment] = split_fragment(text);
  if (!fragment.empty() && dialect != Dialect::draft_07)
    return refuse(id, "must have no fragment; use $anchor");
  if (!base.empty()) {
    std::string uri = resolve_uri(program_.resources[schema.resource].uri, base);
    const auto added = names_.add_resource(std::move(uri), schema.source, dialect);
    if (!added) return refuse(id, "is the name of another schema too");
    schema.resource = *added;
  }
  Frame frame{schema, 0, dialect};
  return fragment.empty() || add_anchor(frame, id, fragment, false);
}

bool Compiler::read_keywords(Frame& frame, bool is_only_ref) {
  std::bitset<kMaxKeywords> seen;
  for (const auto& member : frame.schema.source.members()) {
    std::size_t index = 0;
    const Keyword* keyword = find_keyword(member.name, frame.dialect, index);
    if (keyword == nullptr) continue;
    // In draft-07 a reference stands alone; what it may lead to is read all the same.
    if (is_only_ref && member.name != "$ref" && member.name != "definitions" &&
        member.name != "$defs")
      continue;
    const JsonNode* name = member.value.node() - 1;
    if (seen.test(index)) return refuse(name, "is given twice");
    seen.set(index);
    if (!keyword->read(*this, frame, name, member.value)) return false;
  }
  return true;
}

bool Compiler::finish(Frame& frame) {
  Subschema& schema = frame.schema;
  if (schema.object) {
    ObjectRules& rules = *schema.object;
    rules.sort();
    for (std::size_t i = 1; i < rules.sorted.size(); ++i) {
      const JsonNode* name = rules.properties[rules.sorted[i]].name;
      if (rules.properties[rules.sorted[i - 1]].name->string == name->string)
        return refuse(name, "is given twice");
    }
    for (std::uint32_t i = 0; i < rules.properties.size(); ++i) {
      if (rules.properties[i].schema->preset) rules.presets.push_back(i);
    }
  }
  schema.has_rules = schema.types != kAnyType || schema.constant || schema.enumeration ||
                     schema.number || schema.string || schema.array || schema.object ||
                     schema.applicators || schema.unevaluated;
  return true;
}

bool Compiler::read_reference(Frame& frame, Json value, bool is_dynamic) {
  std::string_view unused;
  if (!read_string(value, unused)) return false;
  if (!frame.schema.applicators) frame.schema.applicators = std::make_unique<Applicators>();
  references_.push_back({&frame.schema, value, is_dynamic});
  return true;
}

bool Compiler::add_anchor(Frame& frame, Json where, std::string_view name, bool is_dynamic) {
  Resource& resource = program_.resources[frame.schema.resource];
  if (is_dynamic) resource.dynamic_anchors.emplace(name, &frame.schema);
  const auto [at, is_new] = resource.anchors.emplace(name, &frame.schema);
  return is_new || at->second == &frame.schema ||
         refuse(where, "is the name of another schema too");
}

void Compiler::note_default(Subschema& schema, Json value) {
  schema.preset = value;
  with_default_.push_back(&schema);
}

bool Compiler::follow_references() {
  // Reading what a reference leads to may add further ones.
  for (std::size_t i = 0; i < references_.size(); ++i) {
    const Reference reference = references_[i];
    auto resolved = names_.resolve(reference.schema->resource, reference.text.node()->string);
    if (auto* problem = std::get_if<std::string>(&resolved))
      return refuse(reference.text, std::move(*problem));
    auto& target = std::get<Names::Target>(resolved);
    if (target.schema == nullptr && !read(target.place, target.resource, 0, target.schema))
      return false;
    Applicators& to = *reference.schema->applicators;
    (reference.is_dynamic ? to.dynamic_ref : to.ref) = target.schema;
    if (reference.is_dynamic) to.dynamic_anchor = target.dynamic_anchor;
  }
  return true;
}

bool Compiler::check_defaults() {
  for (const Subschema* schema : with_default_) {
    Report report(program_.root, schema->preset, Schema::kMaxViolations);
    Validator validator(program_, kDefaultSteps);
    if (validator.run(*schema, schema->preset, &report, nullptr)) continue;
    std::string why =
        validator.is_exhausted() ? "takes too many steps to check" : "is not valid here";
    if (!report.violations().empty()) {
      const Violation& first = report.violations().front();
      why += ": " + first.instance_path + (first.instance_path.empty() ? "" : " ") + first.message;
    }
    return refuse(schema->preset, std::move(why));
  }
  return true;
}

}  // namespace sluice::schema
