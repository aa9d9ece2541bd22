#include <algorithm>
#include <string>
#include <vector>

#include "schema/validate.hpp"
#include "schema/words.hpp"

namespace sluice::schema {
namespace {

constexpr std::size_t kShownReasons = 3;

/// How far a failed alternative is from fitting: what is of the wrong type or names another variant
/// by `const` or `enum` was hardly meant.
std::size_t distance(const std::vector<Violation>& violations, std::string_view path) {
  std::size_t sum = 0;
  for (const Violation& violation : violations) {
    const bool is_here = violation.instance_path == path;
    const bool is_variant = violation.rule.ends_with("/const") || violation.rule.ends_with("/enum");
    if (is_here && violation.rule.ends_with("/type")) {
      sum += 1000;
    } else if (is_variant) {
      sum += 100;
    } else {
      sum += 1;
    }
  }
  return violations.empty() ? 10'000 : sum;
}

}  // namespace

bool Validator::check_applicators(const Subschema& schema, Json value, Place place) {
  const Applicators& rules = *schema.applicators;
  Outcome outcome(*this);
  if (rules.ref && !outcome.add(check(*rules.ref, value, place))) return false;
  if (rules.dynamic_ref) {
    const Subschema* target = dynamic_target(rules, place.scope);
    if (!outcome.add(check(*target, value, place))) return false;
  }
  for (const Subschema* rule : rules.all_of) {
    if (!outcome.add(check(*rule, value, place))) return false;
  }
  if (!rules.any_of.empty() && !outcome.add(check_any_of(schema, value, place))) return false;
  if (!rules.one_of.empty() && !outcome.add(check_one_of(schema, value, place))) return false;
  if (rules.negated && !outcome.add(check_not(schema, value, place))) return false;
  if (rules.condition) outcome.add(check_condition(schema, value, place));
  return outcome.passed();
}

const Subschema* Validator::dynamic_target(const Applicators& rules, const Scope* scope) {
  const Subschema* target = rules.dynamic_ref;
  if (rules.dynamic_anchor.empty()) return target;
  for (; scope != nullptr && budget_.spend(1); scope = scope->outer) {
    const auto& anchors = program_.resources[scope->resource].dynamic_anchors;
    // The outermost counts, which is the last one met.
    if (const auto found = anchors.find(rules.dynamic_anchor); found != anchors.end())
      target = found->second;
  }
  return target;
}

bool Validator::check_any_of(const Subschema& schema, Json value, Place place) {
  const SchemaList& alternatives = schema.applicators->any_of;
  bool any = false;
  for (const Subschema* alternative : alternatives) {
    Marks marks;
    Trial trial(*this, nullptr, any ? Trial::Presets::drop : Trial::Presets::keep);
    if (check(*alternative, value, {place.scope, place.marks == nullptr ? nullptr : &marks})) {
      any = true;
      if (place.marks == nullptr) return true;
      if (budget_.spend(marks.size())) place.marks->add(marks);
    } else {
      trial.undo();
    }
    if (budget_.is_exhausted()) return false;
  }
  if (any) return true;
  return fail(schema, "anyOf", value.node(), [&] { return explain(alternatives, value, place); });
}

bool Validator::check_one_of(const Subschema& schema, Json value, Place place) {
  const SchemaList& alternatives = schema.applicators->one_of;
  std::size_t first = 0;
  std::size_t number = 0;
  for (const Subschema* alternative : alternatives) {
    ++number;
    Marks marks;
    Trial trial(*this, nullptr, first != 0 ? Trial::Presets::drop : Trial::Presets::keep);
    const bool passed =
        check(*alternative, value, {place.scope, place.marks == nullptr ? nullptr : &marks});
    if (budget_.is_exhausted()) return false;
    if (!passed) {
      trial.undo();
    } else if (first == 0) {
      first = number;
      if (place.marks != nullptr && budget_.spend(marks.size())) place.marks->add(marks);
    } else {
      break;
    }
    if (number == alternatives.size() && first != 0) return true;
  }
  return fail(schema, "oneOf", value.node(), [&] {
    if (first == 0) return explain(alternatives, value, place);
    return "must match exactly one of the " + std::to_string(alternatives.size()) +
           " alternatives, matches no. " + std::to_string(first) + " and no. " +
           std::to_string(number);
  });
}

std::string Validator::explain(const SchemaList& alternatives, Json value, Place place) {
  const std::string path = report_->path_of(value.node());
  std::vector<Violation> nearest;
  std::size_t nearest_number = 0;
  std::size_t least = 0;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    Report report = report_->nested(kShownReasons + 1);
    {
      Trial trial(*this, &report, Trial::Presets::drop);
      Marks unused;
      check(*alternatives[i], value, {place.scope, place.marks == nullptr ? nullptr : &unused});
    }
    if (budget_.is_exhausted()) break;
    const auto far = distance(report.violations(), path);
    if (nearest_number != 0 && far >= least) continue;
    nearest_number = i + 1;
    least = far;
    nearest = std::move(report.violations());
  }
  std::string words =
      alternatives.size() == 1
          ? "does not match"
          : "matches none of the " + std::to_string(alternatives.size()) + " alternatives";
  if (nearest.empty()) return words;
  words += alternatives.size() == 1
               ? ": "
               : "; the nearest, no. " + std::to_string(nearest_number) + ", says: ";
  for (std::size_t i = 0; i < nearest.size() && i < kShownReasons; ++i) {
    if (i != 0) words += "; ";
    if (nearest[i].instance_path != path) words += nearest[i].instance_path + " ";
    words += nearest[i].message;
  }
  if (nearest.size() > kShownReasons) words += "; and more";
  // Reasons hold reasons where alternatives nest.
  return words.size() <= 16 * kShownBytes ? words : show_text(words, 16 * kShownBytes);
}

bool Validator::check_not(const Subschema& schema, Json value, Place place) {
  const Subschema& negated = *schema.applicators->negated;
  {
    Trial trial(*this, nullptr, Trial::Presets::drop);
    const bool passed = check(negated, value, {place.scope, nullptr});
    if (budget_.is_exhausted()) return false;
    if (!passed) return true;
  }
  return fail(schema, "not", value.node(),
              [&] { return "must not match " + show(negated.source); });
}

bool Validator::check_condition(const Subschema& schema, Json value, Place place) {
  const Applicators& rules = *schema.applicators;
  bool holds = false;
  {
    Marks marks;
    Trial trial(*this, nullptr, Trial::Presets::drop);
    holds =
        check(*rules.condition, value, {place.scope, place.marks == nullptr ? nullptr : &marks});
    if (budget_.is_exhausted()) return false;
    if (holds && place.marks != nullptr && budget_.spend(marks.size())) place.marks->add(marks);
  }
  const Subschema* branch = holds ? rules.then : rules.otherwise;
  return branch == nullptr || check(*branch, value, place);
}

bool Validator::check_unevaluated(const Subschema& schema, Json value, Place place) {
  const Unevaluated& rules = *schema.unevaluated;
  const Place inner{place.scope, nullptr};
  Outcome outcome(*this);
  std::size_t index = 0;
  if (value.kind() == JsonKind::array && rules.items != nullptr) {
    for (const Json element : value) {
      if (!budget_.spend(1)) return false;
      if (!place.marks->has(index++) && !outcome.add(check(*rules.items, element, inner)))
        return false;
    }
    place.marks->set_all();
  }
  if (value.kind() == JsonKind::object && rules.properties != nullptr) {
    for (const auto& member : value.members()) {
      if (!budget_.spend(1)) return false;
      if (place.marks->has(index++)) continue;
      if (!outcome.add(
              check_unknown(schema, *rules.properties, member, "unevaluatedProperties", inner)))
        return false;
    }
    place.marks->set_all();
  }
  return outcome.passed();
}

}  // namespace sluice::schema
