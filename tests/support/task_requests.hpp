#pragma once

#include <string>
#include <string_view>

#include "support/deadline.hpp"
#include "support/mcp_client.hpp"

namespace sluice::testing {

/// The same 2026-07-28 request from a client that can have tasks. `more`: other capabilities, each
/// with a comma behind it.
[[nodiscard]] inline Request declaring_tasks(Request request, std::string_view more = "") {
  constexpr std::string_view kNone = R"("io.modelcontextprotocol/clientCapabilities":{})";
  const auto at = request.body.find(kNone);
  if (at == std::string::npos) throw std::logic_error("no capabilities in the request");
  request.body.insert(at + kNone.size() - 1,
                      std::string(more) + R"("extensions":{"io.modelcontextprotocol/tasks":{}})");
  return request;
}

[[nodiscard]] inline Request task_call(std::string_view tool, std::string_view arguments = "{}") {
  return declaring_tasks(modern_call(tool, arguments));
}

/// tasks/get, tasks/cancel or tasks/update. `more`: members of params, each with a comma in front.
[[nodiscard]] inline Request task_request(std::string_view method, std::string_view id,
                                          std::string_view more = "") {
  return declaring_tasks(modern(method, "\"taskId\":" + json_string(id) + std::string(more)))
      .set("Mcp-Name", id);
}

/// Asks until the task is over, or patience is.
[[nodiscard]] inline Reply wait_for_task(std::uint16_t port, std::string_view id) {
  const Request request = task_request("tasks/get", id);
  const auto is_over = [&] {
    const std::string status = exchange(port, request).text("result.status");
    return status != "working" && status != "input_required";
  };
  static_cast<void>(eventually(is_over));
  return exchange(port, request);
}

}  // namespace sluice::testing
