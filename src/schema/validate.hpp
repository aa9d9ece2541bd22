#pragma once

#include <cstdint>
#include <sluice/json.hpp>
#include <string_view>
#include <vector>

#include "schema/budget.hpp"
#include "schema/marks.hpp"
#include "schema/presets.hpp"
#include "schema/program.hpp"
#include "schema/report.hpp"

namespace sluice::schema {

/// One check of one value. Without a report it stops at the first failure and makes no words; with
/// one it goes on and collects them.
///
/// Bounds:    `steps` of work, and kMaxDepth schemas applied within one another; reaching either
///            exhausts the check, whose outcome is then false.
class Validator {
 public:
  static constexpr std::uint32_t kMaxDepth = 1000;

  Validator(const Program& program, std::uint64_t steps) noexcept
      : program_(program), budget_(steps) {}
  [[nodiscard]] bool run(const Subschema& schema, Json value, Report* report,
                         std::vector<Preset>* presets);
  [[nodiscard]] bool is_exhausted() const noexcept { return budget_.is_exhausted(); }

 private:
  /// The resources entered on the way to a schema, innermost first: the dynamic scope.
  struct Scope {
    std::uint32_t resource;
    const Scope* outer;
  };
  /// Where a schema is applied: its dynamic scope, and the marks that its keywords set (null:
  /// nobody asks).
  struct Place {
    const Scope* scope;
    Marks* marks;
  };
  /// Sets report and presets for a while; schemas that may fail without harm are tried in silence.
  class Trial;
  /// Joins the outcomes of a schema's rules: without a report the first failure ends it.
  class Outcome;

  bool check(const Subschema& schema, Json value, Place place);
  bool check_rules(const Subschema& schema, Json value, Place place);
  bool check_type(const Subschema& schema, Json value);
  bool check_values(const Subschema& schema, Json value);
  bool check_number(const Subschema& schema, Json value);
  bool check_string(const Subschema& schema, Json value);

  bool check_array(const Subschema& schema, Json value, Place place);
  bool check_elements(const Subschema& schema, Json value, Place place);
  bool check_contains(const Subschema& schema, Json value, Place place);

  bool check_object(const Subschema& schema, Json value, Place place);
  bool check_counts(const Subschema& schema, Json value);
  bool check_members(const Subschema& schema, Json value, Place place);
  bool check_name(const Subschema& schema, Json::Member member, Place place);
  bool check_dependents(const Subschema& schema, Json value, Place place);
  bool check_unknown(const Subschema& schema, const Subschema& rest, Json::Member member,
                     std::string_view keyword, Place place);
  void gather_presets(const ObjectRules& rules, Json value);

  bool check_applicators(const Subschema& schema, Json value, Place place);
  bool check_any_of(const Subschema& schema, Json value, Place place);
  bool check_one_of(const Subschema& schema, Json value, Place place);
  bool check_not(const Subschema& schema, Json value, Place place);
  bool check_condition(const Subschema& schema, Json value, Place place);
  const Subschema* dynamic_target(const Applicators& rules, const Scope* scope);
  std::string explain(const SchemaList& alternatives, Json value, Place place);
  bool check_unevaluated(const Subschema& schema, Json value, Place place);

  bool match(const Pattern& pattern, std::string_view text, bool& too_costly);

  /// Notes a violation where there is a report; false in any case. The words are made only then.
  template <class Words>
  bool fail(const Subschema& schema, std::string_view keyword, const JsonNode* where,
            Words&& words) {
    if (report_ != nullptr && !budget_.is_exhausted())
      report_->add(where, schema.source, keyword, words());
    return false;
  }
  [[nodiscard]] bool goes_on() const noexcept {
    return report_ != nullptr && !report_->is_full() && !budget_.is_exhausted();
  }

  const Program& program_;
  Budget budget_;
  std::uint32_t depth_ = 0;
  Report* report_ = nullptr;
  std::vector<Preset>* presets_ = nullptr;
};

class Validator::Trial {
 public:
  enum class Presets : std::uint8_t { keep, drop };
  Trial(Validator& validator, Report* report, Presets presets) noexcept
      : validator_(validator), report_(validator.report_), presets_(validator.presets_) {
    validator.report_ = report;
    if (presets == Presets::drop) validator.presets_ = nullptr;
    mark_ = validator.presets_ == nullptr ? 0 : validator.presets_->size();
  }
  ~Trial() {
    validator_.report_ = report_;
    validator_.presets_ = presets_;
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  /// Forgets the presets found since.
  void undo() {
    if (validator_.presets_ != nullptr) validator_.presets_->resize(mark_);
  }

 private:
  Validator& validator_;
  Report* report_;
  std::vector<Preset>* presets_;
  std::size_t mark_;
};

class Validator::Outcome {
 public:
  explicit Outcome(const Validator& validator) noexcept : validator_(validator) {}
  /// True where the next rule is to be looked at.
  bool add(bool passed) noexcept {
    passed_ = passed_ && passed;
    return passed_ || validator_.goes_on();
  }
  [[nodiscard]] bool passed() const noexcept { return passed_; }

 private:
  const Validator& validator_;
  bool passed_ = true;
};

}  // namespace sluice::schema
