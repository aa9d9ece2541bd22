#include "schema/equality.hpp"
#include "schema/validate.hpp"
#include "schema/words.hpp"

namespace sluice::schema {

bool Validator::check_array(const Subschema& schema, Json value, Place place) {
  const ArrayRules& rules = *schema.array;
  Outcome outcome(*this);
  const auto refuse = [&](std::string_view keyword, std::string_view words, std::uint64_t bound) {
    return fail(schema, keyword, value.node(), [&] {
      return "must have " + std::string(words) + " " + counted(bound, "item") + ", has " +
             std::to_string(value.size());
    });
  };
  if (value.size() < rules.count.min &&
      !outcome.add(refuse("minItems", "at least", rules.count.min)))
    return false;
  if (value.size() > rules.count.max &&
      !outcome.add(refuse("maxItems", "at most", rules.count.max)))
    return false;
  if (rules.unique) {
    if (const auto repeated = find_repeated(value, budget_)) {
      const bool passed = fail(schema, "uniqueItems", value.node(), [&] {
        return "must not repeat an item; items " + std::to_string(repeated->first) + " and " +
               std::to_string(repeated->second) + " are equal";
      });
      if (!outcome.add(passed)) return false;
    }
  }
  if ((!rules.prefix.empty() || rules.rest) && !outcome.add(check_elements(schema, value, place)))
    return false;
  if (rules.contains) outcome.add(check_contains(schema, value, place));
  return outcome.passed();
}

bool Validator::check_elements(const Subschema& schema, Json value, Place place) {
  const ArrayRules& rules = *schema.array;
  Outcome outcome(*this);
  std::size_t index = 0;
  for (const Json element : value) {
    const bool in_prefix = index < rules.prefix.size();
    const Subschema* rule = in_prefix ? rules.prefix[index] : rules.rest;
    if (rule == nullptr) break;
    bool passed = false;
    if (!in_prefix && rule->is_never) {
      passed = fail(schema, rules.rest_keyword, element.node(), [&] {
        return "is not allowed here; at most " + counted(rules.prefix.size(), "item");
      });
    } else {
      passed = check(*rule, element, {place.scope, nullptr});
    }
    if (!outcome.add(passed)) return false;
    if (place.marks != nullptr && in_prefix) place.marks->set(index);
    ++index;
  }
  if (place.marks != nullptr && rules.rest != nullptr) place.marks->set_all();
  return outcome.passed();
}

bool Validator::check_contains(const Subschema& schema, Json value, Place place) {
  const ArrayRules& rules = *schema.array;
  std::uint64_t found = 0;
  {
    Trial trial(*this, nullptr, Trial::Presets::drop);
    std::size_t index = 0;
    for (const Json element : value) {
      if (check(*rules.contains, element, {place.scope, nullptr})) {
        ++found;
        if (place.marks != nullptr) {
          place.marks->set(index);
        } else if (found >= rules.contained.min && rules.contained.max == Range().max) {
          break;
        }
      }
      if (budget_.is_exhausted()) return false;
      ++index;
    }
  }
  const auto refuse = [&](std::string_view keyword, std::string_view words, std::uint64_t bound) {
    return fail(schema, keyword, value.node(), [&] {
      return "must have " + std::string(words) + " " + counted(bound, "item") + " like " +
             show(rules.contains->source) + ", has " + std::to_string(found);
    });
  };
  if (found < rules.contained.min) {
    const bool is_counted = static_cast<bool>(schema.source.find("minContains"));
    return refuse(is_counted ? "minContains" : "contains", "at least", rules.contained.min);
  }
  return found <= rules.contained.max || refuse("maxContains", "at most", rules.contained.max);
}

}  // namespace sluice::schema
