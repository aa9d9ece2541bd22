#pragma once

#include <boost/system/error_code.hpp>
#include <span>
#include <string>
#include <string_view>

#include <sluice/error.hpp>

#include "mcp/revision.hpp"

namespace sluice::mcp {

/// JSON-RPC error codes: JSON-RPC 2.0 section 5.1, and MCP 2026-07-28, Base Protocol, Error Codes.
namespace rpc {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
/// Until 2025-11-25; from then on kInvalidParams.
inline constexpr int kResourceNotFound = -32002;
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;
/// Not defined by MCP: "try again later". Outside the range that JSON-RPC reserves.
inline constexpr int kOverloaded = -31503;
}  // namespace rpc

/// How a failed request is answered.
struct Failure {
  int code = rpc::kInternalError;
  unsigned status = 200;
  std::string message;
  std::string data;  ///< JSON text; empty: none.
};

/// The one table from what happened to how it is answered.
[[nodiscard]] Failure failure_of(boost::system::error_code ec);

/// A request that needs capabilities which its client has not declared.
[[nodiscard]] Failure missing_capability(std::span<const std::string> names,
                                         const Revision& revision);

/// {"jsonrpc":"2.0","id":...,"error":{...}}; no id member where `id` is empty.
[[nodiscard]] std::string render(const Failure& failure, std::string_view id);
/// {"jsonrpc":"2.0","id":ID,"result":RESULT}
[[nodiscard]] std::string render_result(std::string_view id, std::string_view result);

}  // namespace sluice::mcp
