#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/call.hpp>
#include <sluice/error.hpp>
#include <sluice/icon.hpp>
#include <sluice/notifier.hpp>
#include <sluice/result_writer.hpp>

namespace sluice {

/// How a result is framed where the client accepts both forms (README, Protocol).
enum class Framing : std::uint8_t { automatic, sse, json };

/// Whether a result is compressed where the client accepts that (README, Protocol).
enum class Compression : std::uint8_t { off, automatic };

/// Whether a call may be answered with a task, whose result the client fetches later. Clients that
/// cannot have tasks get ordinary answers from `automatic` and `always`.
enum class TaskMode : std::uint8_t {
  off,
  automatic,  ///< Where the call takes longer than `task_after` and nothing of its result has left.
  always,     ///< At once.
  required,   ///< At once; clients that cannot have tasks are refused (2026-07-28: -32021).
};

/// MCP tool annotations; only what is set is sent.
struct ToolAnnotations {
  std::string title = {};
  std::optional<bool> read_only = {};
  std::optional<bool> destructive = {};
  std::optional<bool> idempotent = {};
  std::optional<bool> open_world = {};
};

/// How long and for whom results of a tool are kept. Equal calls (the same arguments) get the
/// result that is there, and those that come while it is being made share it. Failures are not
/// kept.
struct CachePolicy {
  std::chrono::milliseconds ttl = std::chrono::minutes(1);
  std::uint64_t max_bytes = std::uint64_t{64} << 20;  ///< Memory for all results of the tool.
  bool per_caller = true;  ///< Callers with other credentials do not share a result.
};

/// What tools/list says of a tool, and the limits it runs under.
struct Tool {
  std::string name = {};
  std::string title = {};  ///< Empty: none.
  std::string description = {};
  /// JSON Schema of the arguments, as JSON text; its type must be object.
  std::string input_schema = R"({"type":"object"})";
  std::string output_schema = {};  ///< As JSON text; empty: none.
  std::string meta = {};           ///< `_meta` of the tool, as a JSON object; empty: none.
  ToolAnnotations annotations = {};
  std::vector<Icon> icons = {};
  /// Client capabilities that the tool cannot do without ("sampling", "elicitation", "roots"). A
  /// caller that has not declared them is refused (2026-07-28: -32021) and the handler does not
  /// run.
  std::vector<std::string> client_capabilities = {};
  Framing framing = Framing::automatic;  ///< Automatic: as `defaults.framing` or the server's says.
  std::optional<Compression> compression =
      {};  ///< Else `defaults.compression`, then `server.compression`.
  std::optional<std::chrono::milliseconds> timeout =
      {};  ///< Else `defaults.timeout`, then `timeouts.call`.
  std::optional<std::uint32_t> concurrency =
      {};  ///< Calls at once over all loops; else `defaults.concurrency`.
  std::optional<std::uint64_t> max_result =
      {};  ///< Bytes of payload; else `defaults.max_result`, then `limits.result`.
  /// Else `defaults.task`, then off. Needs `tasks.spool`. What a handler throws fails its task; a
  /// progress message is the task's status message.
  std::optional<TaskMode> task = {};
  std::optional<std::chrono::milliseconds> task_after =
      {};  ///< Else `defaults.task_after`, then 5 s.
  /// None: every call runs the handler. Calls that share a result get no progress or log messages.
  std::optional<CachePolicy> cache = {};
};

/// Runs the calls of one tool.
///
/// Ownership: the catalogue owns it; it outlives its calls.
/// Threads:   run() is called on any loop, on several at once.
/// Errors:    failures that the model should see are written with ResultWriter::fail; a returned
///            error or an exception ends the result with a general text and `isError`.
class ToolHandler {
 public:
  ToolHandler() = default;
  ToolHandler(const ToolHandler&) = delete;
  ToolHandler& operator=(const ToolHandler&) = delete;
  virtual ~ToolHandler() = default;
  [[nodiscard]] virtual Awaitable<Result<>> run(Call& call, ResultWriter& out) = 0;
};

/// A handler that is a coroutine function.
using HandlerFunction = std::function<Awaitable<Result<>>(Call&, ResultWriter&)>;

}  // namespace sluice
