#include "schema/validate.hpp"

#include "schema/equality.hpp"
#include "schema/words.hpp"

namespace sluice::schema {
namespace {

std::uint8_t type_bits(Json value) noexcept {
  switch (value.kind()) {
    case JsonKind::null:
      return kNull;
    case JsonKind::boolean:
      return kBoolean;
    case JsonKind::number:
      return Decimal(value.raw()).is_integer() ? kInteger : kNumber;
    case JsonKind::string:
      return kString;
    case JsonKind::array:
      return kArray;
    case JsonKind::object:
      return kObject;
  }
  return 0;
}

std::uint64_t count_characters(std::string_view text) noexcept {
  std::uint64_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1u : 0u;
  return count;
}

}  // namespace

bool Validator::run(const Subschema& schema, Json value, Report* report,
                    std::vector<Preset>* presets) {
  report_ = report;
  presets_ = presets;
  return check(schema, value, {nullptr, nullptr}) && !budget_.is_exhausted();
}

bool Validator::check(const Subschema& schema, Json value, Place place) {
  if (!budget_.spend(1)) return false;
  if (schema.is_never) return fail(schema, "", value.node(), [] { return "is not allowed here"; });
  if (!schema.has_rules) return true;
  if (depth_ >= kMaxDepth) {
    budget_.exhaust();
    return false;
  }
  ++depth_;
  const bool passed = check_rules(schema, value, place);
  --depth_;
  return passed;
}

bool Validator::check_rules(const Subschema& schema, Json value, Place place) {
  const Scope entered{schema.resource, place.scope};
  if (place.scope == nullptr || place.scope->resource != schema.resource) place.scope = &entered;
  // What is of the wrong type fails most other rules too; one violation says enough.
  if (schema.types != kAnyType && !check_type(schema, value)) return false;

  Outcome outcome(*this);
  if ((schema.constant || schema.enumeration) && !outcome.add(check_values(schema, value)))
    return false;
  Marks own;
  Place inside = place;
  if (schema.unevaluated) inside.marks = &own;
  switch (value.kind()) {
    case JsonKind::number:
      if (schema.number && !outcome.add(check_number(schema, value))) return false;
      break;
    case JsonKind::string:
      if (schema.string && !outcome.add(check_string(schema, value))) return false;
      break;
    case JsonKind::array:
      if (schema.array && !outcome.add(check_array(schema, value, inside))) return false;
      break;
    case JsonKind::object:
      if (schema.object && !outcome.add(check_object(schema, value, inside))) return false;
      break;
    case JsonKind::null:
    case JsonKind::boolean:
      break;
  }
  if (schema.applicators && !outcome.add(check_applicators(schema, value, inside))) return false;
  // Where others failed, they left marks out, and what is not marked says nothing.
  if (schema.unevaluated && outcome.passed()) {
    outcome.add(check_unevaluated(schema, value, inside));
    if (place.marks != nullptr && budget_.spend(own.size())) place.marks->add(own);
  }
  return outcome.passed();
}

bool Validator::check_type(const Subschema& schema, Json value) {
  if ((schema.types & type_bits(value)) != 0) return true;
  return fail(schema, "type", value.node(), [&] {
    // "number" has the bit of "integer" as well.
    const auto shown = (schema.types & kNumber) != 0 ? schema.types & ~kInteger : schema.types;
    return "must be " + type_names(static_cast<std::uint8_t>(shown)) + ", is " +
           std::string(type_name(value));
  });
}

bool Validator::check_values(const Subschema& schema, Json value) {
  if (schema.constant && !equal(*schema.constant, value, budget_)) {
    return fail(schema, "const", value.node(),
                [&] { return "must be " + show(*schema.constant) + ", is " + show(value); });
  }
  if (!schema.enumeration) return true;
  for (const Json allowed : *schema.enumeration) {
    if (equal(allowed, value, budget_)) return true;
  }
  return fail(schema, "enum", value.node(), [&] {
    return "must be one of " + list_values(*schema.enumeration) + "; is " + show(value);
  });
}

bool Validator::check_number(const Subschema& schema, Json value) {
  const NumberRules& rules = *schema.number;
  if (!budget_.spend(value.raw().size() / 16)) return false;
  const Decimal number(value.raw());
  Outcome outcome(*this);
  const auto refuse = [&](std::string_view keyword, std::string_view words, Json bound) {
    return fail(schema, keyword, value.node(), [&] {
      return "must be " + std::string(words) + " " + show(bound) + ", is " + show(value);
    });
  };
  if (rules.minimum && compare(number, rules.min) < 0 &&
      !outcome.add(refuse("minimum", "at least", *rules.minimum))) {
    return false;
  }
  if (rules.maximum && compare(number, rules.max) > 0 &&
      !outcome.add(refuse("maximum", "at most", *rules.maximum))) {
    return false;
  }
  if (rules.exclusive_minimum && compare(number, rules.above) <= 0 &&
      !outcome.add(refuse("exclusiveMinimum", "greater than", *rules.exclusive_minimum))) {
    return false;
  }
  if (rules.exclusive_maximum && compare(number, rules.below) >= 0 &&
      !outcome.add(refuse("exclusiveMaximum", "less than", *rules.exclusive_maximum))) {
    return false;
  }
  if (rules.multiple_of && !rules.divisor.divides(number)) {
    outcome.add(refuse("multipleOf", "a multiple of", *rules.multiple_of));
  }
  return outcome.passed();
}

bool Validator::check_string(const Subschema& schema, Json value) {
  const StringRules& rules = *schema.string;
  const std::string_view text = value.node()->string;
  Outcome outcome(*this);
  if (rules.length.min != 0 || rules.length.max != Range().max) {
    if (!budget_.spend(text.size() / 64)) return false;
    const auto length = count_characters(text);
    const auto refuse = [&](std::string_view keyword, std::string_view words, std::uint64_t bound) {
      return fail(schema, keyword, value.node(), [&] {
        return "must have " + std::string(words) + " " + counted(bound, "character") + ", has " +
               std::to_string(length);
      });
    };
    if (length < rules.length.min &&
        !outcome.add(refuse("minLength", "at least", rules.length.min)))
      return false;
    if (length > rules.length.max && !outcome.add(refuse("maxLength", "at most", rules.length.max)))
      return false;
  }
  if (!rules.pattern) return outcome.passed();
  bool too_costly = false;
  if (match(*rules.pattern, text, too_costly)) return outcome.passed();
  return fail(schema, "pattern", value.node(), [&] {
    const std::string pattern = show_text(rules.pattern->text(), 4 * kShownBytes);
    if (too_costly)
      return "is too costly to match against the pattern " + pattern + "; send a shorter text";
    return "must match the pattern " + pattern + ", is " + show(value);
  });
}

bool Validator::match(const Pattern& pattern, std::string_view text, bool& too_costly) {
  const auto outcome = pattern.match(text, budget_);
  too_costly = too_costly || outcome == Pattern::Outcome::too_costly;
  return outcome == Pattern::Outcome::matches;
}

}  // namespace sluice::schema
