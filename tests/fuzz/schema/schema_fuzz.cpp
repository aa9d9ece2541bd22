#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/document.hpp"
#include "schema/schema.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

/// A schema, a line with nothing but "--", and a value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto border = input.find("\n--\n");
  if (border == std::string_view::npos) return 0;
  schema::Schema::CompileError error;
  const auto compiled = schema::Schema::compile(input.substr(0, border), error);
  if (!compiled) {
    require(!error.message.empty());
    return 0;
  }
  json::Document document;
  const auto value = document.parse_copy(input.substr(border + 4));
  if (!value) return 0;
  const auto verdict = compiled->validate(*value, 20'000);
  require(verdict.violations.size() <= schema::Schema::kMaxViolations);
  require(!verdict.out_of_steps || !verdict.violations.empty());
  require(verdict.violations.empty() || verdict.defaults.empty());
  for (const auto& violation : verdict.violations)
    require(!violation.message.empty() && violation.message.size() < 4096);
  const std::string filled = schema::apply(value->raw(), verdict.defaults);
  json::Document again;
  require(again.parse_copy(filled, 600).has_value());
  return 0;
}
