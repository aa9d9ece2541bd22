#include "mcp/result_text.hpp"

#include "mcp/json_members.hpp"

namespace sluice::mcp {

std::string begin_result(const Revision& revision, std::string_view server_info,
                         std::string_view type) {
  std::string out = "{";
  if (!revision.has_result_type) return out;
  append_text(out, "resultType", type);
  append_member(out, "_meta", R"({"io.modelcontextprotocol/serverInfo":)");
  out += server_info;
  out += '}';
  return out;
}

void append_caching(std::string& out, const Revision& revision, std::chrono::milliseconds ttl,
                    CacheScope scope) {
  if (!revision.has_result_type) return;
  append_member(out, "ttlMs", std::to_string(ttl.count()));
  append_text(out, "cacheScope", scope == CacheScope::everybody ? "public" : "private");
}

}  // namespace sluice::mcp
