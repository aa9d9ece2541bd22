#include <algorithm>

#include "config/files.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"

namespace sluice::config {
namespace {

/// What is wrong with a key is told without its text.
void read_sealing_keys(const Field& field, std::vector<SealingKey>& out) {
  for (const auto& element : field.elements(Field::Lists::or_single)) {
    const auto text = element.secret();
    if (!text) continue;
    const auto key = SealingKey::parse(*text);
    if (!key)
      element.complain("expected 32 bytes in base64 or hexadecimal");
    else if (std::ranges::find(out, *key) != out.end())
      element.complain("this key is there already");
    else
      out.push_back(*key);
  }
}

}  // namespace

void read_server(const Field& field, Server& out) {
  const Section section(field, keys::server);
  section.text("name", out.name);
  section.text("title", out.title);
  section.text("version", out.version);
  section.text("instructions", out.instructions);
  if (const auto listen = section.find("listen")) {
    out.listen.clear();
    for (const auto& element : listen->elements(Field::Lists::or_single)) {
      const auto text = element.text();
      if (!text) continue;
      if (auto endpoint = parse_endpoint(*text))
        out.listen.push_back(*std::move(endpoint));
      else
        element.expected("host:port or [v6]:port");
    }
    if ((listen->is_sequence() && listen->node().elements.empty()) || listen->is_null())
      listen->expected("host:port or a list of them");
  }
  section.text("path", out.path);
  if (!out.path.starts_with('/') || out.path.find_first_of("?# \t\r\n") != std::string::npos)
    section.find("path")->expected("a path that begins with /");
  section.texts("allowed_hosts", out.allowed_hosts);
  section.texts("allowed_origins", out.allowed_origins);
  section.integer("loops", out.loops, 0, 1024);
  section.integer("workers", out.workers, 1, 1024);
  section.choice("framing", out.framing, kFramings);
  section.choice("compression", out.compression, kCompressions);
  section.bytes("compression_min", out.compression_min, 0);
  section.duration("list_ttl", out.list_ttl, 0ms);
  section.integer("list_page", out.list_page);
  section.duration("progress_interval", out.progress_interval, 0ms);
  section.duration("change_interval", out.change_interval, 0ms);
  section.duration("watch_interval", out.watch_interval);
  section.duration("retry", out.retry, 0ms);
  if (const auto spool = section.find("spool");
      spool && !(spool->is_scalar() && spool->node().value.empty()))
    out.spool = directory(*spool).value_or("");
  if (const auto found = section.find("keys")) read_sealing_keys(*found, out.keys);
}

namespace {
constexpr std::uint64_t kLeastSocketBuffer = 64_KiB;
}

void read_limits(const Field& field, Limits& out) {
  const Section section(field, keys::limits);
  section.bytes("request_head", out.request_head);
  section.bytes("request_body", out.request_body);
  section.bytes("request_bodies", out.request_bodies);
  section.integer("nesting", out.nesting, 1, 1000);
  section.integer("values", out.values, 1, 100'000'000);
  section.bytes("result", out.result);
  section.integer("calls_in_flight", out.calls_in_flight);
  section.integer("connections", out.connections);
  section.integer("sessions", out.sessions);
  section.integer("deleted_sessions", out.deleted_sessions, 0);
  section.integer("streams_per_session", out.streams_per_session);
  section.integer("listeners", out.listeners);
  section.integer("subscriptions", out.subscriptions);
  section.bytes("watched_uris", out.watched_uris);
  section.bytes("replay", out.replay, 0);
  section.bytes("replays", out.replays);
  section.integer("batch", out.batch);
  section.integer("questions", out.questions);
  section.integer("asking", out.asking);
  section.bytes("request_state", out.request_state);
  section.bytes("frames", out.frames, 1_MiB);
  // Below that a reader that acknowledges late, as most do, leaves nothing to send meanwhile.
  section.bytes("send_buffer", out.send_buffer, kLeastSocketBuffer);
  section.bytes("receive_buffer", out.receive_buffer, kLeastSocketBuffer);
  for (auto* const size : {&out.send_buffer, &out.receive_buffer})
    *size = std::min<std::uint64_t>(*size, 512_MiB);  // far above what a kernel gives
  section.bytes("prompt", out.prompt);
  section.bytes("completion", out.completion);
  section.integer("schema_steps", out.schema_steps);
  section.integer("watches", out.watches, 0);
  section.bytes("shaping_window", out.shaping_window, 4_KiB);
  section.bytes("table_row", out.table_row);
  section.integer("table_columns", out.table_columns);
}

void read_timeouts(const Field& field, Timeouts& out) {
  const Section section(field, keys::timeouts);
  section.duration("header", out.header);
  section.duration("body", out.body);
  section.duration("idle", out.idle);
  section.duration("stall", out.stall);
  section.duration("call", out.call);
  section.duration("completion", out.completion);
  section.duration("session", out.session);
  section.duration("replay", out.replay);
  section.duration("session_life", out.session_life);
  section.duration("ask", out.ask);
  section.duration("heartbeat", out.heartbeat);
  section.duration("grace", out.grace, 0ms);
}

void read_log(const Field& field, Log& out) {
  static constexpr std::pair<std::string_view, std::string_view> kLevels[] = {
      {"trace", "trace"}, {"debug", "debug"}, {"info", "info"},
      {"warn", "warn"},   {"error", "error"}, {"off", "off"}};
  const Section section(field, keys::log);
  section.choice("level", out.level, kLevels);
  section.boolean("json", out.json);
}

}  // namespace sluice::config
