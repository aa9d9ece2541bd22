#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/event_id.hpp"

/// What is taken for an id says the same when it has gone to the client and back, and nothing of it
/// could break a line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sluice::mcp::EventId;
  const auto id = EventId::parse({reinterpret_cast<const char*>(data), size});
  if (!id) return 0;
  const auto text = id->text();
  for (const char c : text)
    if (c < 0x21 || c > 0x7e) __builtin_trap();
  const auto back = EventId::parse(text);
  if (!back || back->text() != text || back->epoch != id->epoch || back->kind != id->kind ||
      back->stream != id->stream || back->number != id->number)
    __builtin_trap();
  return 0;
}
