#include "mcp/resource_read.hpp"

#include "mcp/contents_writer.hpp"
#include "mcp/result_text.hpp"

namespace sluice::mcp {
namespace {

/// What an answer begins with, up to `"contents":[`. An empty id is left out, to come last.
std::string contents_envelope(std::string_view id, const ResourceEntry& entry,
                              const Revision& revision, std::string_view server_info) {
  const auto& resource = entry.resource;
  std::string result = begin_result(revision, server_info);
  append_caching(result, revision, resource.ttl,
                 resource.is_public ? CacheScope::everybody : CacheScope::caller);
  if (result.back() != '{') result += ',';
  std::string out = R"({"jsonrpc":"2.0",)";
  if (!id.empty()) {
    out += R"("id":)";
    out += id;
    out += ',';
  }
  out += R"("result":)" + result;
  return out + R"("contents":[)";
}

}  // namespace

ResourceRead::ResourceRead(Exchange& exchange, const Envelope& message, const Caller& caller,
                           const ResourceEntry& entry, std::string_view uri, Json arguments,
                           CallServices& services, const AskedIn& asked_in, Place place)
    : HandlerCall(exchange, message, caller, entry, services, asked_in, place,
                  contents_envelope(message.id, entry, *caller.revision, asked_in.server_info)),
      entry_(entry),
      uri_(uri),
      arguments_(arguments) {}

std::string ResourceRead::shared_envelope() const {
  return contents_envelope({}, entry_, *caller_.revision, asked_in_.server_info);
}

Awaitable<Outcome> ResourceRead::run(Permits permits) {
  auto options = contents_options(entry_, uri_);
  options.id = message_.id;
  options.envelope = envelope_;
  options.revision = caller_.revision;
  ContentsWriter out(exchange_.writer(), options);
  auto about = context_options(arguments_);
  about.uri = uri_;
  CallContext context(exchange_, services_, about);
  auto outcome = co_await run_handler(out, context, permits);
  co_return outcome;
}

}  // namespace sluice::mcp
