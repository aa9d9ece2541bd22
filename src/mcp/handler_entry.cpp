#include "mcp/handler_entry.hpp"

#include "base/units.hpp"

namespace sluice::mcp {
namespace {

/// A bound that may be set, and how messages name it.
template <class T>
struct Setting {
  std::optional<T> value;
  std::string name;
};

/// The first that is set; the last always is.
template <class T>
Setting<T> first_of(const Setting<T> (&settings)[3]) {
  for (const auto& setting : settings)
    if (setting.value) return setting;
  return settings[2];
}

}  // namespace

void HandlerEntry::bound(const Bounds& own, const config::Config& config) {
  const auto& defaults = config.defaults;
  framing = own.framing == Framing::automatic ? framing_of(defaults.framing) : own.framing;
  auto chosen = own.compression;
  if (!chosen) chosen = compression_of(defaults.compression);
  if (!chosen) chosen = compression_of(config.server.compression);
  compression = chosen.value_or(Compression::off);
  concurrency = own.concurrency ? own.concurrency : defaults.concurrency;
  const std::string whose = "the " + std::string(kind) + "'s ";
  const auto time = first_of<std::chrono::milliseconds>({{own.timeout, whose + "timeout"},
                                                         {defaults.timeout, "defaults.timeout"},
                                                         {config.timeouts.call, "timeouts.call"}});
  timeout = *time.value;
  timeout_name = time.name + " (" + format_duration(timeout) + ")";
  const auto limit = first_of<std::uint64_t>({{own.max_result, whose + "max_result"},
                                              {defaults.max_result, "defaults.max_result"},
                                              {config.limits.result, "limits.result"}});
  max_result = *limit.value;
  limit_name = limit.name + " (" + format_bytes(max_result) + ")";
}

Framing framing_of(std::optional<config::Tool::Framing> framing) noexcept {
  switch (framing.value_or(config::Tool::Framing::automatic)) {
    case config::Tool::Framing::sse:
      return Framing::sse;
    case config::Tool::Framing::json:
      return Framing::json;
    case config::Tool::Framing::automatic:
      break;
  }
  return Framing::automatic;
}

std::optional<Compression> compression_of(
    std::optional<config::Tool::Compression> compression) noexcept {
  if (!compression) return std::nullopt;
  return *compression == config::Tool::Compression::automatic ? Compression::automatic
                                                              : Compression::off;
}

}  // namespace sluice::mcp
