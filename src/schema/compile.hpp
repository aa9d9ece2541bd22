#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/program.hpp"
#include "schema/resolve.hpp"
#include "schema/schema.hpp"

namespace sluice::schema {

/// Turns schema text into a Program: one pass over the places where schemas stand, then the
/// references, then the defaults. Functions return false once an error was filled in; the first one
/// ends the compilation.
///
/// Bounds:    kMaxNesting schemas in one another, kMaxSubschemas in all.
class Compiler {
 public:
  static constexpr std::uint32_t kMaxNesting = 128;
  static constexpr std::size_t kMaxSubschemas = 100'000;

  Compiler(Program& program, Schema::CompileError& error) noexcept
      : program_(program), names_(program), error_(error) {}
  [[nodiscard]] bool compile(std::string_view text);

  // What follows is for the handlers of keywords.

  /// The schema object whose keywords are being read.
  struct Frame {
    Subschema& schema;
    std::uint32_t depth;
    Dialect dialect;
  };
  bool refuse(const JsonNode* where, std::string message);
  bool refuse(Json where, std::string message) { return refuse(where.node(), std::move(message)); }
  /// "must be a string, is array"
  bool refuse_type(Json value, std::string_view wanted);

  bool read_schema(Frame& frame, Json value, const Subschema*& out);
  bool read_schemas(Frame& frame, Json value, SchemaList& out);
  bool read_count(Json value, std::uint64_t& out);
  bool read_number(Json value, std::optional<Json>& out, Decimal& decimal);
  bool read_string(Json value, std::string_view& out);
  bool read_names(Json value, std::vector<std::string_view>& out);
  bool read_pattern(Json value, Pattern& out);
  /// Notes a reference, to be followed once everything is read.
  bool read_reference(Frame& frame, Json value, bool is_dynamic);
  bool add_anchor(Frame& frame, Json where, std::string_view name, bool is_dynamic);
  void note_default(Subschema& schema, Json value);

 private:
  struct Reference {
    Subschema* schema;
    Json text;
    bool is_dynamic;
  };
  bool read(Json source, std::uint32_t resource, std::uint32_t depth, const Subschema*& out);
  bool read_object(Subschema& schema, std::uint32_t depth);
  bool read_keywords(Frame& frame, bool only_definitions);
  bool read_dialect(Json source, Dialect& dialect);
  bool read_identity(Subschema& schema, Dialect dialect);
  bool finish(Frame& frame);
  bool follow_references();
  bool check_defaults();

  Program& program_;
  Names names_;
  Schema::CompileError& error_;
  std::vector<Reference> references_;
  std::vector<const Subschema*> with_default_;
};

}  // namespace sluice::schema
