#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sluice/json.hpp>

#include "mcp/errors.hpp"

namespace sluice::mcp {

/// One JSON-RPC 2.0 message, looked at from outside. Views last as long as the document.
struct Envelope {
  enum class Kind : std::uint8_t { request, notification, response, broken };
  Kind kind = Kind::broken;
  std::string_view id;  ///< The bytes that came; empty where there is none that could be echoed.
  std::string_view method;
  Json params;      ///< An object, or not there.
  Json meta;        ///< `params._meta`, an object, or not there.
  Json whole;       ///< response: the message.
  Failure failure;  ///< broken: why.
};

/// Reads a message. Member names match exactly; a name that is repeated on the outer level, in
/// `params` or in `_meta` makes the message broken, so that no two readers of it can disagree (RFC
/// 8259 section 4). A broken message keeps its id where that could be read.
[[nodiscard]] Envelope read_envelope(Json message);

}  // namespace sluice::mcp
