// resources/list, resources/templates/list and resources/read.

#include "base/uri_text.hpp"
#include "json/document.hpp"
#include "mcp/framing.hpp"
#include "mcp/modern.hpp"
#include "mcp/modern_asking.hpp"
#include "mcp/offer.hpp"
#include "mcp/permit.hpp"
#include "mcp/resource_read.hpp"
#include "mcp/result_text.hpp"
#include "mcp/service.hpp"

namespace sluice::mcp {
namespace {

// Longer than any that is listed, and short enough that looking for it costs nothing.
constexpr std::size_t kLongestUri = 8192;

/// What is wrong with a URI as such; empty: nothing.
std::string wrong_uri(std::string_view uri) {
  if (uri.size() > kLongestUri)
    return "params.uri is longer than " + std::to_string(kLongestUri) + " bytes";
  if (uri::scheme_of(uri).empty()) return "params.uri does not begin with a scheme";
  for (const char c : uri)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      return "params.uri holds a control character";
  return {};
}

}  // namespace

Awaitable<Outcome> Service::list_resources(const Envelope& message, const Caller& caller) {
  const Resources& resources = *caller.offer->resources;
  const Revision& revision = *caller.revision;
  const Json cursor = message.params.find("cursor");
  const auto text = cursor ? cursor.as_string() : std::optional<std::string_view>("");
  std::optional<std::string> page;
  if (text && (!cursor || !text->empty())) {
    const auto make = [&] { page = resources.page(*text, revision); };
    if (resources.blocks()) {
      co_await call_services_.workers->run(make);
    } else {
      make();
    }
  }
  co_return list_result(message, revision, page ? &*page : nullptr);
}

Awaitable<Outcome> Service::read_resource(Exchange& exchange, const Envelope& message,
                                          const Caller& caller, Place place) {
  const auto invalid = [&](std::string text) {
    return failed({rpc::kInvalidParams, 200, std::move(text), {}}, message.id);
  };
  const Json param = message.params.find("uri");
  if (!param || !param.is(JsonKind::string)) co_return invalid("params.uri must be a string");
  const auto uri = *param.as_string();
  if (caller.revision->is_modern)
    if (const auto refused = modern::check_name(uri, exchange))
      co_return failed(*refused, message.id);
  if (auto wrong = wrong_uri(uri); !wrong.empty()) co_return invalid(std::move(wrong));

  const auto found = caller.offer->resources->find(uri, config_.limits.schema_steps);
  if (!found.problem.empty()) co_return invalid(found.problem);
  if (found.entry == nullptr)
    co_return failed(resource_not_found(*caller.revision, uri, "Resource not found"), message.id);
  json::Document document;
  const auto arguments = document.parse_copy(found.arguments);
  if (!arguments) co_return invalid("params.uri does not fit the resource template");

  GivenAnswers given;
  const AskedIn asked_in{exchange,         caller, call_services_, server_info_, message.id,
                         "resources/read", uri,    *arguments,     &given};
  if (caller.revision->is_modern)
    if (const auto refused = given.read(message.params, asked_in))
      co_return failed(*refused, message.id);

  if (draining_) co_return failed(failure_of(Errc::shutting_down), message.id);
  Permit permit(calls_, config_.limits.calls_in_flight);
  if (!permit.is_held()) co_return failed(too_many_calls(), message.id);
  const Permit loop_permit(*exchange.loop().calls, UINT32_MAX);
  Permit entry_permit(found.entry->in_flight, found.entry->concurrency.value_or(UINT32_MAX));
  if (!entry_permit.is_held()) co_return failed(too_many_calls(*found.entry), message.id);

  FrameWriter& frames = exchange.writer();
  ResponseLog log = log_of(caller, exchange, message.id);
  if (place == Place::alone) {
    auto options = frame_options(exchange, *found.entry, config_.server);
    options.log = log.get();
    if (!frames.start(options)) co_return failed(failure_of(Errc::frames_exhausted), message.id);
  }
  ResourceRead read(exchange, message, caller, *found.entry, uri, *arguments, call_services_,
                    asked_in, place);
  const HandlerCall::Permits permits{permit, entry_permit};
  if (found.entry->fixed) {
    permit.release();
    entry_permit.release();
    co_await read.send(found.entry->fixed);
    co_return Outcome{200, {}, true};
  }
  auto outcome = co_await read.run(permits);
  co_return outcome;
}

}  // namespace sluice::mcp
