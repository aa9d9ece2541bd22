#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "mcp/call_context.hpp"
#include "mcp/call_stop.hpp"
#include "mcp/caller.hpp"
#include "mcp/catalogue.hpp"
#include "mcp/envelope.hpp"
#include "mcp/exchange.hpp"
#include "mcp/handler_call.hpp"
#include "mcp/handler_run.hpp"
#include "mcp/json_result_writer.hpp"
#include "mcp/result_cache.hpp"

namespace sluice::mcp {

/// One accepted tools/call on its way to the end of its answer.
///
/// Ownership: lives in the coroutine that answers the request; borrows all it is given.
/// Threads:   the call's loop.
class ToolCall final : public HandlerCall {
 public:
  ToolCall(Exchange& exchange, const Envelope& message, const Caller& caller,
           const ToolEntry& entry, Json arguments, CallServices& services, const AskedIn& asked_in,
           Place place);

  /// Answers with a text for the model: the arguments were wrong.
  [[nodiscard]] Awaitable<void> refuse(std::string_view text);
  /// Runs the handler; its result goes out as it is made. Something else is the answer where the
  /// caller is to be asked first, or cannot be.
  [[nodiscard]] Awaitable<Outcome> run(Permits permits);
  /// Answers with a result that is being made. Where the recording is new, this call makes it, for
  /// all who follow it, and is not over before it is made.
  [[nodiscard]] Awaitable<void> share(ResultCache::Found found,
                                      std::unique_ptr<Recording::Reader> reader,
                                      const std::string& key, Permits permits);
  /// What results are shared under: all that they depend on. None where it cannot be had.
  [[nodiscard]] std::optional<std::string> cache_key() const;

 private:
  [[nodiscard]] std::string shared_envelope() const override;
  [[nodiscard]] JsonResultWriter::Options options(std::string_view envelope) const;
  [[nodiscard]] CallContext::Options context_options(bool speaks) const;
  /// Runs the handler into the recording. `running` is the run while there is one to be stopped.
  [[nodiscard]] Awaitable<void> produce(Recording& recording, Permits permits,
                                        boost::asio::cancellation_signal& cancellation,
                                        HandlerRun*& running);
  /// Copies what the recording has until its end, or until nobody wants it any more.
  [[nodiscard]] Awaitable<Recording::End> copy(Recording::Reader& reader, const CallStop& stop);

  const ToolEntry& entry_;
  const Json arguments_;
};

}  // namespace sluice::mcp
