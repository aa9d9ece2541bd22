#include <vector>

#include "schema/validate.hpp"
#include "schema/words.hpp"

namespace sluice::schema {

bool Validator::check_object(const Subschema& schema, Json value, Place place) {
  const ObjectRules& rules = *schema.object;
  Outcome outcome(*this);
  if (!outcome.add(check_counts(schema, value))) return false;
  for (const auto name : rules.required) {
    if (!budget_.spend(1 + value.size() / 16)) return false;
    if (value.find(name)) continue;
    if (!outcome.add(
            fail(schema, "required", value.node(), [&] { return quote(name) + " is required"; })))
      return false;
  }
  const bool has_rules =
      !rules.properties.empty() || !rules.patterns.empty() || rules.rest || rules.names;
  if (has_rules && !outcome.add(check_members(schema, value, place))) return false;
  const bool has_dependents = !rules.dependent_names.empty() || !rules.dependent_schemas.empty();
  if (has_dependents && !outcome.add(check_dependents(schema, value, place))) return false;
  if (presets_ != nullptr && !rules.presets.empty() && outcome.passed())
    gather_presets(rules, value);
  return outcome.passed();
}

bool Validator::check_counts(const Subschema& schema, Json value) {
  const Range& count = schema.object->count;
  const auto refuse = [&](std::string_view keyword, std::string_view words, std::uint64_t bound) {
    return fail(schema, keyword, value.node(), [&] {
      return "must have " + std::string(words) + " " + counted(bound, "member") + ", has " +
             std::to_string(value.size());
    });
  };
  if (value.size() < count.min) return refuse("minProperties", "at least", count.min);
  return value.size() <= count.max || refuse("maxProperties", "at most", count.max);
}

bool Validator::check_members(const Subschema& schema, Json value, Place place) {
  const ObjectRules& rules = *schema.object;
  const Place inner{place.scope, nullptr};
  Outcome outcome(*this);
  std::size_t index = 0;
  for (const auto& member : value.members()) {
    if (!budget_.spend(1)) return false;
    bool is_known = false;
    if (rules.names && !outcome.add(check_name(schema, member, inner))) return false;
    if (const Property* property = rules.find(member.name)) {
      is_known = true;
      if (!outcome.add(check(*property->schema, member.value, inner))) return false;
    }
    for (const auto& [pattern, rule] : rules.patterns) {
      bool too_costly = false;
      if (match(pattern, member.name, too_costly)) {
        is_known = true;
        if (!outcome.add(check(*rule, member.value, inner))) return false;
      } else if (too_costly) {
        const bool passed = fail(schema, "patternProperties", value.node(), [&] {
          return "member name " + quote(member.name) + " is too costly to match";
        });
        if (!outcome.add(passed)) return false;
      }
      if (budget_.is_exhausted()) return false;
    }
    if (!is_known && rules.rest != nullptr) {
      is_known = true;
      if (!outcome.add(check_unknown(schema, *rules.rest, member, "additionalProperties", inner)))
        return false;
    }
    if (is_known && place.marks != nullptr) place.marks->set(index);
    ++index;
  }
  return outcome.passed();
}

bool Validator::check_unknown(const Subschema& schema, const Subschema& rest, Json::Member member,
                              std::string_view keyword, Place place) {
  if (!rest.is_never) return check(rest, member.value, place);
  return fail(schema, keyword, member.value.node(), [&] {
    std::vector<std::string_view> known;
    std::string words = "is not allowed here";
    if (schema.object == nullptr) return words;
    for (const Property& property : schema.object->properties) {
      if (!property.schema->is_never) known.push_back(property.name->string);
    }
    if (!known.empty()) words += "; known: " + list_names(known);
    if (!schema.object->patterns.empty()) {
      words += "; or a name that matches " +
               show_text(schema.object->patterns.front().first.text(), kShownBytes);
    }
    return words;
  });
}

bool Validator::check_name(const Subschema& schema, Json::Member member, Place place) {
  const Subschema& rule = *schema.object->names;
  const Json name(member.value.node() - 1);
  Report found = report_ == nullptr ? Report({}, {}, 0) : report_->nested(1);
  bool passed = false;
  {
    Trial trial(*this, report_ == nullptr ? nullptr : &found, Trial::Presets::drop);
    passed = check(rule, name, place);
  }
  if (passed || report_ == nullptr) return passed;
  for (Violation& violation : found.violations()) {
    violation.message = "as a name, " + violation.message;
    report_->add(std::move(violation));
  }
  return false;
}

bool Validator::check_dependents(const Subschema& schema, Json value, Place place) {
  const ObjectRules& rules = *schema.object;
  Outcome outcome(*this);
  for (const DependentNames& dependent : rules.dependent_names) {
    if (!budget_.spend(1 + value.size() / 16)) return false;
    if (!value.find(dependent.name)) continue;
    for (const auto name : dependent.required) {
      if (!budget_.spend(1 + value.size() / 16)) return false;
      if (value.find(name)) continue;
      const bool passed = fail(schema, dependent.keyword, value.node(), [&] {
        return quote(name) + " is required where " + quote(dependent.name) + " is given";
      });
      if (!outcome.add(passed)) return false;
    }
  }
  for (const DependentSchema& dependent : rules.dependent_schemas) {
    if (!budget_.spend(1 + value.size() / 16)) return false;
    if (value.find(dependent.name) && !outcome.add(check(*dependent.schema, value, place)))
      return false;
  }
  return outcome.passed();
}

void Validator::gather_presets(const ObjectRules& rules, Json value) {
  for (const auto index : rules.presets) {
    if (!budget_.spend(1 + value.size() / 16)) return;
    const Property& property = rules.properties[index];
    if (value.find(property.name->string)) continue;
    presets_->push_back({value.node(), property.name, property.schema->preset});
  }
}

}  // namespace sluice::schema
