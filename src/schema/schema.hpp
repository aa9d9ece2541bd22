#pragma once

#include <cstdint>
#include <memory>
#include <sluice/error.hpp>
#include <sluice/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::schema {

/// One failed rule, in words that let a model correct itself.
struct Violation {
  std::string instance_path;  ///< JSON Pointer (RFC 6901) into the checked value; "" is the whole.
  std::string rule;           ///< JSON Pointer into the schema: the keyword that failed.
  std::string message;        ///< "must be at most 20, is 21"
};

/// Text to put into the checked value at a byte offset of its raw text: a default that was missing.
struct Insertion {
  std::size_t offset;  ///< From value.raw().data().
  std::string text;    ///< With the comma before it where one is needed.
};

struct Verdict {
  std::vector<Violation> violations;  ///< Empty: valid. At most Schema::kMaxViolations.
  std::vector<Insertion> defaults;    ///< In order of offset; only where valid.
  bool out_of_steps = false;          ///< The work bound was reached; counts as not valid.
};

/// A compiled JSON Schema: 2020-12, or draft-07 where `$schema` says so. `$ref`, `$dynamicRef` and
/// `$anchor` work inside the document (embedded `$id`s too); a reference that leads out of it, also
/// one to the metaschema, is refused when compiling. `format` and `content*` are annotations. A
/// `default` must be valid against its own schema. Numbers compare by their value as written,
/// without rounding to doubles.
///
/// Threads:   immutable once compiled; validate() may run on several at once.
/// Bounds:    depth and `max_steps` of work per check, and as much again to word what is wrong with
///            an invalid value; a `pattern` that takes too much work is a violation that says so.
class Schema {
 public:
  static constexpr std::size_t kMaxViolations = 8;

  /// Errors as text: where in the schema (JSON Pointer) and what is wrong.
  struct CompileError {
    std::string pointer;
    std::string message;
  };
  /// Compiles a schema given as JSON text. On failure returns null and fills `error`.
  [[nodiscard]] static std::unique_ptr<const Schema> compile(std::string_view json,
                                                             CompileError& error);

  ~Schema();
  [[nodiscard]] Verdict validate(Json value, std::uint64_t max_steps = 1'000'000) const;

 private:
  struct Impl;
  explicit Schema(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// `text`, the raw() of the checked value, with the insertions put in.
[[nodiscard]] std::string apply(std::string_view text, const std::vector<Insertion>& insertions);

}  // namespace sluice::schema
