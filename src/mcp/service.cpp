#include "mcp/service.hpp"

#include <spdlog/spdlog.h>

#include <utility>
#include <vector>

#include <sluice/version.hpp>

#include "base/units.hpp"
#include "json/document.hpp"
#include "mcp/json_members.hpp"
#include "mcp/legacy.hpp"
#include "mcp/modern.hpp"
#include "mcp/result_text.hpp"
#include "mcp/task_news.hpp"
#include "mcp/version_header.hpp"

namespace sluice::mcp {
namespace {

std::string implementation(const config::Server& server) {
  std::string out = "{";
  append_text(out, "name", server.name);
  append_text(out, "title", server.title);
  append_text(out, "version", server.version.empty() ? std::string_view(kVersion) : server.version);
  return out + '}';
}

std::vector<SealingKey> keys_of(const config::Server& server) {
  if (!server.keys.empty()) return server.keys;
  return {SealingKey::random()};
}

std::string temporary_directory(const config::Server& server) {
  if (!server.spool.empty()) return server.spool;
  const char* directory = std::getenv("TMPDIR");
  return directory != nullptr && *directory != '\0' ? directory : "/tmp";
}

}  // namespace

Service::Service(const config::Config& config, std::shared_ptr<const Offer> offer,
                 Subscriptions& subscriptions, WorkerPool& workers)
    : config_(config),
      offer_(std::move(offer)),
      subscriptions_(subscriptions),
      replay_budget_(config.limits.replays),
      sealer_(keys_of(config.server)),
      parked_(config.parking, temporary_directory(config.server)),
      sessions_(sealer_, {config.limits.sessions, config.timeouts.session,
                          config.timeouts.session_life, config.limits.deleted_sessions}),
      call_services_{&config,        &workers, &sealer_, temporary_directory(config.server),
                     &subscriptions, &parked_, &asking_},
      server_info_(implementation(config.server)),
      completion_timeout_name_("timeouts.completion (" +
                               format_duration(config.timeouts.completion) + ")") {
  if (!config.tasks.spool.empty()) {
    tasks_ = std::make_unique<TaskService>(config_, call_services_, server_info_);
    tasks_->store().when_changed(
        [this](const Task& task) { subscriptions_.resource_updated(task_topic(task.id())); });
  }
}

bool Service::open(std::string& problem) {
  if (!parked_.open(problem)) {
    problem.insert(0, "parking.directory: ");
    return false;
  }
  if (!tasks_ || tasks_->open(problem)) return true;
  problem.insert(0, "tasks.spool: ");
  return false;
}

void Service::end_tasks() {
  if (tasks_) tasks_->store().stop_all(Errc::shutting_down);
}

std::uint32_t Service::runs() const noexcept { return tasks_ ? tasks_->store().runs().load() : 0; }

void Service::offer(std::shared_ptr<const Offer> offer) {
  const auto fresh = offer;
  {
    const std::lock_guard lock(offer_mutex_);
    offer_.swap(offer);
  }
  if (fresh->tools->pages().differs_from(offer->tools->pages()))
    subscriptions_.list_changed(List::tools);
  if (fresh->prompts->pages().differs_from(offer->prompts->pages()))
    subscriptions_.list_changed(List::prompts);
  if (fresh->resources->differs_from(*offer->resources))
    subscriptions_.list_changed(List::resources);
  fresh->resources->tell_changes_since(*offer->resources, subscriptions_);
}

std::shared_ptr<const Offer> Service::offer() const {
  const std::lock_guard lock(offer_mutex_);
  return offer_;
}

std::shared_ptr<const Offer> Service::offer_to(const Exchange& exchange) const {
  auto whole = offer();
  const auto group = exchange.group();
  if (group.empty()) return whole;
  const auto found = whole->groups.find(group);
  return found == whole->groups.end() ? nullptr : found->second;
}

Failure Service::no_such_group() {
  return {rpc::kInvalidRequest, 404, "there is nothing here; see groups", {}};
}

void Service::sweep() {
  sessions_.sweep();
  const auto now = ResultCache::Clock::now();
  const auto offered = offer();
  for (const auto& entry : offered->tools->tools())
    if (entry->cache) entry->cache->sweep(now);
  if (tasks_) tasks_->store().sweep();
  call_services_.workers->post([this] { parked_.sweep(ParkedResults::now()); });
}

Awaitable<void> Service::post(Exchange& exchange) {
  const auto root =
      exchange.document().parse(exchange.body(), exchange.body_capacity(), config_.limits.nesting);
  if (!root) {
    const auto failure = failure_of(root.error());
    const std::string message = render(failure, {});
    co_await exchange.reply(failure.status, message);
    co_return;
  }
  if (root->is(JsonKind::array)) {
    co_await post_batch(exchange, *root);
    co_return;
  }
  const Envelope message = read_envelope(*root);
  const Outcome outcome = co_await handle(exchange, message, Place::alone);
  if (!outcome.streamed) {
    co_await exchange.reply(outcome.status, outcome.message);
  }
}

Awaitable<void> Service::post_batch(Exchange& exchange, Json messages) {
  Caller caller;
  auto refused = legacy::check(exchange, sessions_, caller);
  const auto version = read_version_header(exchange.header("MCP-Protocol-Version"));
  if (!refused && (!caller.revision->takes_batches || version.is_after_legacy()))
    refused = Failure{rpc::kInvalidRequest, 400, "batches are part of 2025-03-26 only", {}};
  if (!refused && messages.size() == 0)
    refused = Failure{rpc::kInvalidRequest, 400, "a batch must hold a message", {}};
  if (!refused && messages.size() > config_.limits.batch)
    refused = Failure{rpc::kInvalidRequest, 400, "a batch holds at most limits.batch messages", {}};
  if (refused) {
    // Without a session there is no revision in which an array is a message.
    if (!caller.session) refused->code = rpc::kInvalidRequest;
    if (!caller.session && !exchange.header("Mcp-Session-Id"))
      refused->message = "a batch needs a 2025-03-26 session";
    const std::string message = render(*refused, {});
    co_await exchange.reply(refused->status, message);
    co_return;
  }

  FrameWriter& frames = exchange.writer();
  bool started = false;
  for (const Json item : messages) {
    const Envelope message = read_envelope(item);
    if (message.kind == Envelope::Kind::notification || message.kind == Envelope::Kind::response) {
      const Outcome ignored = co_await handle(exchange, message, Place::in_batch);
      static_cast<void>(ignored);
      continue;
    }
    if (!started && !frames.start({exchange.takes_json(), exchange.takes_events(),
                                   FrameWriter::Options::Prefer::json, exchange.takes_chunks()})) {
      const auto failure = failure_of(Errc::frames_exhausted);
      const std::string text = render(failure, message.id);
      co_await exchange.reply(failure.status, text);
      co_return;
    }
    const auto ready = co_await frames.wait_room();
    if (!ready) co_return;
    frames.put(started ? "," : "[");
    started = true;
    const Outcome outcome = co_await handle(exchange, message, Place::in_batch);
    std::string_view rest = outcome.message;
    while (!rest.empty()) {
      const auto more = co_await frames.wait_room();
      if (!more) co_return;
      const std::size_t n = std::min(rest.size(), frames.room().size());
      frames.put(rest.substr(0, n));
      rest.remove_prefix(n);
    }
    if (frames.error()) co_return;
  }
  if (!started) {
    co_await exchange.reply(202, {});
    co_return;
  }
  const auto ready = co_await frames.wait_room();
  if (!ready) co_return;
  frames.put("]");
  const auto finished = co_await frames.finish();
  static_cast<void>(finished);  // the connection sees the writer's error
}

Awaitable<Outcome> Service::handle(Exchange& exchange, const Envelope& message, Place place) {
  if (message.kind == Envelope::Kind::broken) co_return failed(message.failure, message.id);

  Caller caller;
  caller.offer = offer_to(exchange);
  if (caller.offer == nullptr) co_return failed(no_such_group(), message.id);
  if (modern::is_modern(message, exchange.header("MCP-Protocol-Version"))) {
    if (message.kind == Envelope::Kind::response)
      co_return failed({rpc::kInvalidRequest, 400, "a client must not send responses", {}}, {});
    // The revision leaves open what headers a notification carries; none of them means anything
    // here.
    if (message.kind == Envelope::Kind::notification) co_return Outcome{202, {}, false};
    if (const auto refused = modern::check(message, exchange, caller))
      co_return failed(*refused, message.id);
  } else if (message.method == "initialize" && message.kind == Envelope::Kind::request &&
             place == Place::alone) {
    if (const auto refused = legacy::check_version(exchange))
      co_return failed(*refused, message.id);
    co_return initialize(exchange, message, *caller.offer);
  } else if (const auto refused = legacy::check(exchange, sessions_, caller)) {
    co_return failed(*refused, message.id);
  }

  if (message.kind != Envelope::Kind::request) co_return notified(message, caller);
  auto outcome = co_await handle_request(exchange, message, caller, place);
  co_return outcome;
}

Awaitable<Outcome> Service::handle_request(Exchange& exchange, const Envelope& message,
                                           const Caller& caller, Place place) {
  const bool modern = caller.revision->is_modern;
  const Offer& offer = *caller.offer;
  if (message.method == "tools/call") {
    auto outcome = co_await call_tool(exchange, message, caller, place);
    co_return outcome;
  }
  if (message.method == "tools/list")
    co_return list(message, *caller.revision, offer.tools->pages());
  if (!offer.prompts->empty()) {
    if (message.method == "prompts/list")
      co_return list(message, *caller.revision, offer.prompts->pages());
    if (message.method == "prompts/get") {
      auto outcome = co_await get_prompt(exchange, message, caller, place);
      co_return outcome;
    }
  }
  if (message.method == "completion/complete" && offer.has_completions()) {
    auto outcome = co_await complete(exchange, message, caller, place);
    co_return outcome;
  }
  if (!offer.resources->empty()) {
    if (message.method == "resources/read") {
      auto outcome = co_await read_resource(exchange, message, caller, place);
      co_return outcome;
    }
    if (message.method == "resources/list") {
      auto outcome = co_await list_resources(message, caller);
      co_return outcome;
    }
    if (message.method == "resources/templates/list")
      co_return list(message, *caller.revision, offer.resources->templates());
  }
  if (message.method == "server/discover" && modern) co_return discover(message, offer);
  if (message.method == "subscriptions/listen" && modern) {
    auto outcome = co_await listen(exchange, message, caller);
    co_return outcome;
  }
  if (message.method == "ping" && !modern)
    co_return Outcome{200, render_result(message.id, "{}"), false};
  if (message.method == "logging/setLevel" && !modern)
    co_return set_log_level(message, *caller.session);
  if (message.method == "resources/subscribe" && !modern && can_watch(offer))
    co_return subscribe(exchange, message, *caller.session);
  if (message.method == "resources/unsubscribe" && !modern && can_watch(offer))
    co_return unsubscribe(exchange, message, *caller.session);
  if (tasks_ && TaskService::has_method(message.method, *caller.revision)) {
    auto outcome = co_await tasks_->handle(exchange, message, caller);
    co_return outcome;
  }
  Failure failure = failure_of(Errc::method_not_found);
  failure.message += ": " + std::string(message.method.substr(0, 128));
  if (modern) failure.status = 404;  // Streamable HTTP, Protocol Version Header
  co_return failed(failure, message.id);
}

Outcome Service::initialize(Exchange& exchange, const Envelope& message, const Offer& offer) {
  Failure failure;
  const auto session = legacy::initialize(message, sessions_, failure);
  if (!session) return failed(failure, message.id);
  exchange.set_session_id(session->id());
  static_cast<void>(inbox_of(*session, exchange, Session::Begun::now));
  std::string result = R"({"protocolVersion":")";
  result += session->revision().name;
  result += R"(","capabilities":)" + capabilities(offer.features(), session->revision());
  result += R"(,"serverInfo":)";
  result += server_info_;
  append_text(result, "instructions", offer.instructions);
  result += '}';
  return {200, render_result(message.id, result), false};
}

Outcome Service::notified(const Envelope& message, const Caller& caller) {
  if (message.kind == Envelope::Kind::response) legacy::answered(message, *caller.session);
  if (message.method == "notifications/cancelled") legacy::cancelled(message, *caller.session);
  // What we do not know is taken and means nothing (JSON-RPC 2.0 section 4.1), answers to nothing
  // likewise.
  return {202, {}, false};
}

Outcome Service::discover(const Envelope& message, const Offer& offer) const {
  std::string result = begin_result(kModern, server_info_);
  append_member(result, "supportedVersions", supported_versions());
  append_member(result, "capabilities", capabilities(offer.features(), kModern));
  append_caching(result, kModern, config_.server.list_ttl, CacheScope::everybody);
  append_text(result, "instructions", offer.instructions);
  result += '}';
  return {200, render_result(message.id, result), false};
}

Outcome Service::list(const Envelope& message, const Revision& revision,
                      const ListPages& pages) const {
  const Json cursor = message.params.find("cursor");
  const std::string* page = nullptr;
  if (!cursor)
    page = pages.page({}, revision);
  else if (const auto text = cursor.as_string(); text && !text->empty())
    page = pages.page(*text, revision);
  return list_result(message, revision, page);
}

Outcome Service::list_result(const Envelope& message, const Revision& revision,
                             const std::string* page) const {
  if (page == nullptr)
    return failed({rpc::kInvalidParams,
                   200,
                   "cursor is none that " + std::string(message.method) + " gave",
                   {}},
                  message.id);
  std::string result = begin_result(revision, server_info_);
  append_caching(result, revision, config_.server.list_ttl, CacheScope::everybody);
  if (result.back() != '{') result += ',';
  result += *page;
  result += '}';
  return {200, render_result(message.id, result), false};
}

Failure Service::too_many_calls() const {
  Failure busy = failure_of(Errc::busy);
  busy.message =
      "limits.calls_in_flight (" + std::to_string(config_.limits.calls_in_flight) + ") is reached";
  return busy;
}

Failure Service::too_many_calls(const HandlerEntry& entry) {
  Failure busy = failure_of(Errc::busy);
  busy.message = "the " + std::string(entry.kind) + "'s concurrency (" +
                 std::to_string(*entry.concurrency) + ") is reached";
  return busy;
}

Outcome Service::set_log_level(const Envelope& message, Session& session) {
  const Json level = message.params.find("level");
  const auto parsed = level ? parse_log_level(level.as_string().value_or("")) : std::nullopt;
  if (!parsed)
    return failed({rpc::kInvalidParams, 200, "params.level is no log level", {}}, message.id);
  session.set_log_level(*parsed);
  return {200, render_result(message.id, "{}"), false};
}

Awaitable<void> Service::erase(Exchange& exchange) {
  Caller caller;
  const auto version = read_version_header(exchange.header("MCP-Protocol-Version"));
  std::optional<Failure> refused;
  if (offer_to(exchange) == nullptr)
    refused = no_such_group();
  else if (version.kind == VersionHeader::Kind::one && version.is_after_legacy())
    refused = Failure{rpc::kInvalidRequest, 405, "this revision has no sessions", {}};
  else
    refused = legacy::check(exchange, sessions_, caller);
  if (refused) {
    const std::string message = render(*refused, {});
    co_await exchange.reply(refused->status, message);
    co_return;
  }
  sessions_.erase(caller.session->id());
  co_await exchange.reply(204, {});
}

}  // namespace sluice::mcp
