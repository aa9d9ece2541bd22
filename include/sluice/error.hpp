#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>
#include <type_traits>

namespace sluice {

/// What peers and the environment can do to us. Values of this type travel as
/// boost::system::error_code in the category "sluice"; `message()` is a short English phrase.
/// How each one is answered (JSON-RPC code, HTTP status, log level) stands in one table,
/// mcp/errors.hpp.
enum class Errc {
  ok = 0,
  // The request.
  parse_error,      ///< The body is not one JSON text in UTF-8.
  too_deep,         ///< Nested deeper than `limits.nesting`.
  too_many_values,  ///< More JSON values than `limits.values`.
  invalid_request,  ///< JSON, but no JSON-RPC 2.0 message.
  invalid_params,   ///< Right method, wrong params.
  method_not_found,
  body_too_large,  ///< `limits.request_body`
  // The call.
  cancelled,         ///< By the client, or because it went away.
  deadline,          ///< The tool's `timeout` passed.
  result_too_large,  ///< `limits.result` or the tool's `max_result`.
  frames_exhausted,  ///< `limits.frames`
  busy,              ///< `limits.calls_in_flight` or the tool's `concurrency`.
  stalled,           ///< The client took nothing for `timeouts.stall`.
  peer_gone,         ///< The client closed the connection.
  shutting_down,
  // The source.
  source_failed,  ///< Upstream, file or command; the text of the result says how.
  not_json,       ///< A source that should give one JSON value gave something else.
  misuse,         ///< A handler called the writer in an order that cannot be written.
  // Asking the caller.
  missing_capability,  ///< The client has not declared that it can be asked that.
  cannot_ask,          ///< There is no way to it: see Call::ask().
  no_answer,           ///< `timeouts.ask` passed.
  bad_answer,          ///< An error, or no answer to what was asked.
  too_many_questions,  ///< `limits.questions`
  state_too_large,     ///< `limits.request_state`
  input_required,      ///< The caller is asked first; the handler will run again.
  // What was sealed and came back.
  forged,   ///< It was not sealed here, or not for this, or was changed.
  expired,  ///< It was good once.
};

[[nodiscard]] const boost::system::error_category& error_category() noexcept;

[[nodiscard]] inline boost::system::error_code make_error_code(Errc e) noexcept {
  return {static_cast<int>(e), error_category()};
}

/// A value, or why there is none. Nothing on the data path throws.
template <class T = void>
using Result = boost::system::result<T>;

}  // namespace sluice

template <>
struct boost::system::is_error_code_enum<sluice::Errc> : std::true_type {};
