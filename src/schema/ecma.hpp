#pragma once

#include <string>
#include <string_view>

namespace sluice::schema {

/// Rewrites a regular expression of ECMA-262 (unicode mode) so that PCRE2 in UTF mode takes it with
/// the same meaning:
/// `\s`, `.`, `\v`, `\uXXXX`, `\p{Letter}` and others differ. What is of Perl only (`(?i)`, `\A`,
/// possessive repeats, verbs) is refused, for clients that read the schema could not use it.
/// Returns false and fills `error` where it cannot; mistakes that PCRE2 finds as well are left to
/// it.
[[nodiscard]] bool translate_ecma(std::string_view pattern, std::string& out, std::string& error);

}  // namespace sluice::schema
