#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/sealer.hpp"
#include "base/worker_pool.hpp"
#include "config/config.hpp"
#include "mcp/call_context.hpp"
#include "mcp/caller.hpp"
#include "mcp/envelope.hpp"
#include "mcp/exchange.hpp"
#include "mcp/offer.hpp"
#include "mcp/outcome.hpp"
#include "mcp/parked_results.hpp"
#include "mcp/response_log.hpp"
#include "mcp/sessions.hpp"
#include "mcp/subscriptions.hpp"
#include "mcp/task_service.hpp"
#include "mcp/tool_call.hpp"

namespace sluice::mcp {

/// The protocol: takes requests from exchanges on all loops and answers them, in both eras.
///
/// Ownership: main owns it; it outlives the connections.
/// Threads:   any loop; what it shares is immutable or has its own lock.
class Service {
 public:
  /// All that is borrowed outlives it.
  Service(const config::Config& config, std::shared_ptr<const Offer> offer,
          Subscriptions& subscriptions, WorkerPool& workers);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// One request each, to its end. The HTTP layer has checked host, origin, path, media types and
  /// size.
  [[nodiscard]] Awaitable<void> post(Exchange& exchange);
  [[nodiscard]] Awaitable<void> get(Exchange& exchange);
  [[nodiscard]] Awaitable<void> erase(Exchange& exchange);

  /// Lets go of what has expired. Every few seconds.
  void sweep();
  [[nodiscard]] Subscriptions& subscriptions() noexcept { return subscriptions_; }
  [[nodiscard]] std::uint32_t calls_in_flight() const noexcept { return calls_.load(); }
  /// From now on new calls are refused.
  void drain() noexcept { draining_ = true; }
  /// What is offered from now on; requests in progress keep what they began with.
  void offer(std::shared_ptr<const Offer> offer);
  [[nodiscard]] std::shared_ptr<const Offer> offer() const;
  /// Opens what is kept between two lives of the process. Blocks; before the first request.
  [[nodiscard]] bool open(std::string& problem);
  /// Calls that run on without their requests are told that the server shuts down.
  void end_tasks();
  /// Such calls; loops live until there is none.
  [[nodiscard]] std::uint32_t runs() const noexcept;
  /// Lets go of what is offered. REQUIRES: no loop runs any more.
  void forget_offer() noexcept { offer_.reset(); }

 private:
  [[nodiscard]] Awaitable<void> post_batch(Exchange& exchange, Json messages);
  [[nodiscard]] Awaitable<Outcome> handle(Exchange& exchange, const Envelope& message, Place place);
  [[nodiscard]] Awaitable<Outcome> handle_request(Exchange& exchange, const Envelope& message,
                                                  const Caller& caller, Place place);
  [[nodiscard]] Outcome initialize(Exchange& exchange, const Envelope& message, const Offer& offer);
  [[nodiscard]] Outcome notified(const Envelope& message, const Caller& caller);
  [[nodiscard]] Outcome discover(const Envelope& message, const Offer& offer) const;
  [[nodiscard]] static Failure no_such_group();
  /// What a request is served from, by the group in its path; null where there is no such group.
  [[nodiscard]] std::shared_ptr<const Offer> offer_to(const Exchange& exchange) const;
  /// One page of a list.
  [[nodiscard]] Outcome list(const Envelope& message, const Revision& revision,
                             const ListPages& pages) const;
  /// The result that holds the page; null: the cursor was none of ours.
  [[nodiscard]] Outcome list_result(const Envelope& message, const Revision& revision,
                                    const std::string* page) const;
  [[nodiscard]] Awaitable<Outcome> list_resources(const Envelope& message, const Caller& caller);
  [[nodiscard]] Awaitable<Outcome> read_resource(Exchange& exchange, const Envelope& message,
                                                 const Caller& caller, Place place);
  [[nodiscard]] static Outcome set_log_level(const Envelope& message, Session& session);
  [[nodiscard]] Awaitable<Outcome> listen(Exchange& exchange, const Envelope& message,
                                          const Caller& caller);
  [[nodiscard]] Outcome subscribe(Exchange& exchange, const Envelope& message, Session& session);
  [[nodiscard]] Outcome unsubscribe(Exchange& exchange, const Envelope& message, Session& session);
  /// Whether clients may ask to be told of changes of single resources.
  [[nodiscard]] static bool can_watch(const Offer& offer);
  [[nodiscard]] SessionInbox& inbox_of(Session& session, Exchange& exchange,
                                       Session::Begun begun = Session::Begun::earlier);
  /// The GET stream that a client asks for, one that listens or the rest of an answer, into `stream`.
  [[nodiscard]] std::optional<Failure> open_stream(Exchange& exchange,
                                                   const std::shared_ptr<Session>& session,
                                                   std::unique_ptr<EventSource>& stream);
  /// For an answer that the caller may come back for.
  [[nodiscard]] ResponseLog log_of(const Caller& caller, Exchange& exchange,
                                   std::string_view request);
  [[nodiscard]] Awaitable<Outcome> call_tool(Exchange& exchange, const Envelope& message,
                                             const Caller& caller, Place place);
  [[nodiscard]] Awaitable<Outcome> get_prompt(Exchange& exchange, const Envelope& message,
                                              const Caller& caller, Place place);
  [[nodiscard]] Awaitable<Outcome> complete(Exchange& exchange, const Envelope& message,
                                            const Caller& caller, Place place);
  /// What offers values for the argument; null where nothing does. `name` is whose it is, for the
  /// log.
  [[nodiscard]] std::optional<Failure> find_completer(const Offer& offer, Json ref,
                                                      std::string_view argument,
                                                      std::shared_ptr<Completer>& found,
                                                      std::string& name) const;
  [[nodiscard]] Failure too_many_calls() const;
  /// The same for one tool or resource. REQUIRES: it has a `concurrency`.
  [[nodiscard]] static Failure too_many_calls(const HandlerEntry& entry);
  [[nodiscard]] static std::optional<Failure> missing_capabilities(const ToolEntry& entry,
                                                                   const Caller& caller);

  const config::Config& config_;
  mutable std::mutex offer_mutex_;  // for the pointer
  std::shared_ptr<const Offer> offer_;
  Subscriptions& subscriptions_;
  ReplayBudget replay_budget_;
  const Sealer sealer_;
  ParkedResults parked_;
  SessionTable sessions_;
  CallServices call_services_;
  std::string server_info_;              // Implementation object, JSON
  std::string completion_timeout_name_;  // "timeouts.completion (5s)"
  std::unique_ptr<TaskService> tasks_;   // null: there are none
  std::atomic<std::uint32_t> calls_{0};
  std::atomic<std::uint32_t> asking_{0};
  std::atomic<std::uint32_t> listeners_{0};
  std::atomic<bool> draining_{false};
};

}  // namespace sluice::mcp
