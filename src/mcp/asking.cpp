#include "mcp/asking.hpp"

#include "mcp/legacy_asking.hpp"
#include "mcp/modern_asking.hpp"

namespace sluice::mcp {

std::unique_ptr<Asking> make_asking(const AskedIn& in, AskingCall& call) {
  if (in.caller.revision->is_modern) return std::make_unique<modern::Asking>(in, call);
  return std::make_unique<legacy::Asking>(in, call);
}

}  // namespace sluice::mcp
