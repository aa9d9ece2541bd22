#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/answer.hpp>
#include <sluice/error.hpp>
#include <sluice/question.hpp>

#include "schema/schema.hpp"

namespace sluice::mcp {

/// A question as the protocol has it, and what an answer to it has to be.
///
/// Ownership: holds copies of what the question's views showed.
struct Inquiry {
  enum class Kind : std::uint8_t { form, page, sampling, roots };
  Kind kind = Kind::form;
  std::string key;              ///< As the handler named it; empty: it did not.
  std::string_view method;      ///< "elicitation/create"
  std::string params;           ///< JSON object, one line.
  std::string_view capability;  ///< What the client must have declared: "elicitation.form".
  std::string elicitation_id;   ///< page: see Page::id.
  std::unique_ptr<const schema::Schema> content;  ///< form: what its content has to fit.
};

/// Errors: Errc::misuse where the question is not valid JSON or no JSON Schema; the log says how.
[[nodiscard]] Result<Inquiry> make_inquiry(const Question& question);

/// All of them. `has` says what the client has declared; what of that is missing goes to `missing`.
/// Errors: Errc::too_many_questions, Errc::missing_capability, or those of make_inquiry().
[[nodiscard]] Result<std::vector<Inquiry>> make_inquiries(
    std::span<const Question> questions, std::size_t most,
    const std::function<bool(std::string_view)>& has, std::vector<std::string>& missing);

/// `{"method":...,"params":...}`, without the braces.
[[nodiscard]] std::string members_of(const Inquiry& inquiry);

/// An answer as text, or Errc::bad_answer with what is wrong with it in `problem`.
[[nodiscard]] Result<Answer> read_answer(const Inquiry& inquiry, std::string_view json,
                                         std::uint64_t max_schema_steps, std::string& problem);

}  // namespace sluice::mcp
