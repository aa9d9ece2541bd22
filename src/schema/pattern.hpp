#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/budget.hpp"

struct pcre2_real_code_8;

namespace sluice::schema {

/// A compiled regular expression of ECMA-262.
///
/// Threads:   immutable; matching keeps its scratch per thread.
/// Bounds:    the matcher backtracks. It reports every item of the expression that it tries, and is
///            stopped when one match took more of these than kMaxWork and kWorkPerByte allow, or
///            when the budget, of which each takes a step, is used up.
class Pattern {
 public:
  enum class Outcome : std::uint8_t { matches, differs, too_costly };
  static constexpr std::uint64_t kMaxWork = 200'000;
  static constexpr std::uint64_t kWorkPerByte = 8;  ///< What is linear in the text stays possible.

  Pattern() = default;
  ~Pattern();
  Pattern(Pattern&& other) noexcept;
  Pattern& operator=(Pattern&& other) noexcept;

  /// Compiles `ecma`; returns false and fills `error` where it is no such expression. The text is
  /// kept by reference.
  [[nodiscard]] bool compile(std::string_view ecma, std::string& error);
  /// Whether the expression matches anywhere in `text`. REQUIRES: compiled.
  [[nodiscard]] Outcome match(std::string_view text, Budget& budget) const noexcept;
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  pcre2_real_code_8* code_ = nullptr;
  std::string_view text_;
};

}  // namespace sluice::schema
