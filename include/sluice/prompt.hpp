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
#include <sluice/completion.hpp>
#include <sluice/error.hpp>
#include <sluice/icon.hpp>
#include <sluice/result_writer.hpp>

namespace sluice {

/// An argument of a prompt. Its value is always a string.
struct PromptArgument {
  std::string name = {};
  std::string title = {};  ///< Empty: none.
  std::string description = {};
  bool required = false;
  std::shared_ptr<Completer> completer = {};  ///< Null: nothing is offered.
};

/// What prompts/list says of a prompt, and the limit it runs under.
struct Prompt {
  std::string name = {};
  std::string title = {};  ///< Empty: none.
  std::string description = {};
  std::vector<PromptArgument> arguments = {};
  std::vector<Icon> icons = {};
  std::string meta = {};  ///< `_meta` of the prompt, as a JSON object; empty: none.
  std::optional<std::chrono::milliseconds> timeout = {};  ///< Else `timeouts.call`.
};

enum class Role : std::uint8_t { user, assistant };

/// Where a handler puts the messages of a prompt, each with one piece of content.
///
/// Ownership: belongs to the call; valid until the handler has returned.
/// Threads:   the call's loop.
/// Bounds:    `limits.prompt` bytes of JSON, in memory until they are sent.
/// Errors:    Errc::result_too_large; return it. The client is told which limit that was.
class PromptWriter {
 public:
  PromptWriter(const PromptWriter&) = delete;
  PromptWriter& operator=(const PromptWriter&) = delete;
  virtual ~PromptWriter() = default;

  /// Any content but structured. What `block` points to and `content` are copied.
  [[nodiscard]] virtual Result<> message(Role role, const Block& block,
                                         std::string_view content) = 0;
  [[nodiscard]] virtual Result<> link(Role role, const ResourceLink& link) = 0;
  [[nodiscard]] Result<> text(Role role, std::string_view content) {
    return message(role, {}, content);
  }
  /// Takes the place of the prompt's own description in the answer.
  virtual void describe(std::string_view description) = 0;

  /// Says that an argument is no good: the request is answered with the error -32602 and this text.
  /// Gives the error that the handler is to return.
  [[nodiscard]] virtual Result<> refuse(std::string_view why) = 0;

 protected:
  PromptWriter() = default;
};

/// Makes the messages of one prompt.
///
/// Ownership: the catalogue owns it; it outlives its calls.
/// Threads:   get() is called on any loop, on several at once.
/// Errors:    a returned error or an exception answers with an internal error (-32603) that holds
///            no more than the error's own text.
class PromptHandler {
 public:
  PromptHandler() = default;
  PromptHandler(const PromptHandler&) = delete;
  PromptHandler& operator=(const PromptHandler&) = delete;
  virtual ~PromptHandler() = default;
  /// call.arguments() is an object of strings that holds all that are required and none that the
  /// prompt does not have. call.tool() is the prompt's name.
  [[nodiscard]] virtual Awaitable<Result<>> get(Call& call, PromptWriter& out) = 0;
};

/// A handler that is a coroutine function.
using PromptFunction = std::function<Awaitable<Result<>>(Call&, PromptWriter&)>;

}  // namespace sluice
