#include "schema/schema.hpp"

#include "schema/compile.hpp"
#include "schema/program.hpp"
#include "schema/validate.hpp"

namespace sluice::schema {

struct Schema::Impl : Program {};

Schema::Schema(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Schema::~Schema() = default;

std::unique_ptr<const Schema> Schema::compile(std::string_view json, CompileError& error) {
  auto impl = std::make_unique<Impl>();
  Compiler compiler(*impl, error);
  if (!compiler.compile(json)) return nullptr;
  return std::unique_ptr<const Schema>(new Schema(std::move(impl)));
}

Verdict Schema::validate(Json value, std::uint64_t max_steps) const {
  Verdict verdict;
  std::vector<Preset> presets;
  Validator quick(*impl_, max_steps);
  if (quick.run(*impl_->entry, value, nullptr, &presets)) {
    if (!presets.empty()) verdict.defaults = to_insertions(presets, value);
    return verdict;
  }
  if (quick.is_exhausted()) {
    verdict.out_of_steps = true;
    verdict.violations.push_back({"", "", "is too large or too deeply nested to be checked"});
    return verdict;
  }
  // Known to be invalid: once more, for the words.
  Report report(impl_->root, value, kMaxViolations);
  Validator wordy(*impl_, max_steps);
  static_cast<void>(wordy.run(*impl_->entry, value, &report, nullptr));
  verdict.violations = std::move(report.violations());
  if (verdict.violations.empty())
    verdict.violations.push_back({"", "", "does not match the schema"});
  return verdict;
}

}  // namespace sluice::schema
