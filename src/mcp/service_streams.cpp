// Event streams that tell of changes, and what is asked for on them.

#include <memory>
#include <string>
#include <utility>

#include "mcp/legacy.hpp"
#include "mcp/listen_filter.hpp"
#include "mcp/listen_stream.hpp"
#include "mcp/resumed_response.hpp"
#include "mcp/service.hpp"
#include "mcp/session_stream.hpp"
#include "mcp/version_header.hpp"

namespace sluice::mcp {
namespace {

/// The lists whose changes clients are told of.
ListSet told_lists(const Features& features) {
  ListSet lists;
  if (features.tools && features.tools->list_changed) lists.add(List::tools);
  if (features.prompts && features.prompts->list_changed) lists.add(List::prompts);
  if (features.resources && features.resources->list_changed) lists.add(List::resources);
  return lists;
}

Failure reached(std::string_view limit, std::uint64_t value) {
  Failure failure = failure_of(Errc::busy);
  failure.message = std::string(limit) + " (" + std::to_string(value) + ") is reached";
  return failure;
}

std::optional<std::string_view> uri_of(const Envelope& message) {
  const Json uri = message.params.find("uri");
  return uri ? uri.as_string() : std::nullopt;
}

}  // namespace

bool Service::can_watch(const Offer& offer) {
  const auto offered = offer.features().resources;
  return offered && offered->subscribe;
}

SessionInbox& Service::inbox_of(Session& session, Exchange& exchange, Session::Begun begun) {
  if (auto* const inbox = session.inbox()) return *inbox;
  return session.inbox(
      {subscriptions_, replay_budget_, exchange.loop().index, told_lists(offer()->features()),
       config_.limits.replay, config_.timeouts.replay},
      begun);
}

ResponseLog Service::log_of(const Caller& caller, Exchange& exchange, std::string_view request) {
  const bool is_kept = caller.session && config_.limits.replay != 0 &&
                       caller.revision->resumption != Revision::Resumption::none;
  return {is_kept ? &inbox_of(*caller.session, exchange) : nullptr, *caller.revision, request,
          config_.server.retry};
}

std::optional<Failure> Service::open_stream(Exchange& exchange,
                                            const std::shared_ptr<Session>& session,
                                            std::unique_ptr<EventSource>& stream) {
  const auto& limits = config_.limits;
  const auto resumption =
      limits.replay == 0 ? Revision::Resumption::none : session->revision().resumption;
  std::optional<EventId> last;
  if (resumption != Revision::Resumption::none)
    last = EventId::parse(exchange.header("Last-Event-ID").value_or(""));
  SessionInbox& inbox = inbox_of(*session, exchange);
  if (last && last->kind == EventId::Kind::response) {
    if (!ResumedResponse::is_due(inbox, *last))
      return Failure{rpc::kInvalidRequest, 405, "there is no more of this answer", {}};
    stream = ResumedResponse::open(exchange.executor(), session, inbox, *std::move(last),
                                   limits.streams_per_session);
  } else {
    stream = SessionStream::open(exchange.executor(), session, inbox,
                                 {limits.streams_per_session, config_.server.change_interval,
                                  resumption, config_.server.retry, config_.tasks.poll_interval},
                                 last);
  }
  if (stream) return std::nullopt;
  return Failure{rpc::kOverloaded, 429, "limits.streams_per_session is reached", {}};
}

Awaitable<void> Service::get(Exchange& exchange) {
  Caller caller;
  const auto version = read_version_header(exchange.header("MCP-Protocol-Version"));
  std::optional<Failure> refused;
  if (offer_to(exchange) == nullptr)
    refused = no_such_group();
  else if (version.kind == VersionHeader::Kind::one && version.is_after_legacy())
    refused = Failure{rpc::kInvalidRequest, 405, "this revision has no GET stream", {}};
  else
    refused = legacy::check(exchange, sessions_, caller);
  if (!refused && !exchange.takes_events())
    refused = Failure{rpc::kInvalidRequest, 406, "the stream is text/event-stream", {}};
  std::unique_ptr<EventSource> stream;
  if (!refused) refused = open_stream(exchange, caller.session, stream);
  if (refused) {
    const std::string message = render(*refused, {});
    co_await exchange.reply(refused->status, message);
    co_return;
  }
  exchange.hold_event_stream(std::move(stream));
}

Awaitable<Outcome> Service::listen(Exchange& exchange, const Envelope& message,
                                   const Caller& caller) {
  // It is kept with the stream, and stands in each of its messages.
  constexpr std::size_t kLongestId = 256;
  const auto& limits = config_.limits;
  ListenFilter filter;
  auto refused =
      ListenFilter::read(message.params.find("notifications"), limits.subscriptions, filter);
  if (!refused && message.id.size() > kLongestId)
    refused = Failure{
        rpc::kInvalidRequest, 400, "an id of subscriptions/listen is at most 256 bytes", {}};
  if (!refused && !exchange.takes_events())
    refused = Failure{rpc::kInvalidRequest, 406, "the answer is text/event-stream", {}};
  if (!refused && draining_) refused = failure_of(Errc::shutting_down);
  if (refused) co_return failed(*refused, message.id);

  TaskService::Found followed;
  if (tasks_) {
    auto found = co_await tasks_->find(exchange, caller, filter.tasks);
    followed = std::move(found);
    if (followed.failure) co_return failed(*followed.failure, message.id);
  }

  const Offer& offer = *caller.offer;
  const ListSet told = told_lists(offer.features());
  for (const List list : kLists)
    if (!told.has(list)) filter.lists.remove(list);
  if (!can_watch(offer)) filter.uris.clear();
  const ListenStream::Place place{subscriptions_, exchange.loop().index, listeners_,
                                  config_.server.change_interval};
  auto stream = std::make_unique<ListenStream>(place, message.id, server_info_, filter.lists);
  if (listeners_ > limits.listeners)
    co_return failed(reached("limits.listeners", limits.listeners), message.id);
  for (const auto uri : filter.uris)
    if (!stream->watch(uri))
      co_return failed(reached("limits.watched_uris", limits.watched_uris), message.id);
  if (tasks_ && !stream->follow(tasks_->store(), tasks_->terms(*caller.revision), followed.tasks,
                                exchange.executor()))
    co_return failed(reached("limits.watched_uris", limits.watched_uris), message.id);
  exchange.hold_event_stream(std::move(stream));
  co_return Outcome{200, {}, true};
}

Outcome Service::subscribe(Exchange& exchange, const Envelope& message, Session& session) {
  const auto uri = uri_of(message);
  if (!uri)
    return failed({rpc::kInvalidParams, 200, "params.uri must be a string", {}}, message.id);
  const auto& limits = config_.limits;
  switch (inbox_of(session, exchange).changes().watch(*uri, limits.subscriptions)) {
    case Subscription::Watch::watched:
      break;
    case Subscription::Watch::too_many: {
      auto failure = reached("limits.subscriptions", limits.subscriptions);
      failure.status = 200;  // the client has to give up others
      return failed(failure, message.id);
    }
    case Subscription::Watch::no_memory:
      return failed(reached("limits.watched_uris", limits.watched_uris), message.id);
  }
  return {200, render_result(message.id, "{}"), false};
}

Outcome Service::unsubscribe(Exchange& exchange, const Envelope& message, Session& session) {
  const auto uri = uri_of(message);
  if (!uri)
    return failed({rpc::kInvalidParams, 200, "params.uri must be a string", {}}, message.id);
  inbox_of(session, exchange).changes().forget(*uri);
  return {200, render_result(message.id, "{}"), false};
}

}  // namespace sluice::mcp
