#pragma once

#include <sluice/result_writer.hpp>

namespace sluice::mcp {

/// The ResultWriter of a response, as whoever runs the handler and ends the response sees it.
class ResponseWriter : public ResultWriter {
 public:
  /// Ends the message: closes what is open. Does not send; the sink's finish() does. An error where
  /// the message can no longer be ended honestly.
  [[nodiscard]] virtual Awaitable<Result<>> close() = 0;
  /// True where the client is told of a failure.
  [[nodiscard]] virtual bool is_error() const noexcept = 0;
  /// True where close() is going to fail.
  [[nodiscard]] virtual bool is_broken() const noexcept = 0;
};

}  // namespace sluice::mcp
