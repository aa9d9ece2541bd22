#pragma once

#include <string>
#include <string_view>

#include "support/mcp_client.hpp"

namespace sluice::testing {

/// `text` with the first `from` replaced; both must be there.
inline void replace_once(std::string& text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
}

/// A call of 2026-07-28 whose client can be asked.
struct AskingClient {
  std::string capabilities =
      R"({"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}})";
  std::string authorization = {};

  /// `responses` is an object, `state` the requestState; what is empty is left out.
  [[nodiscard]] Request call(std::string_view tool, std::string_view arguments = "{}",
                             std::string_view responses = "", std::string_view state = "") const {
    Request request = modern_call(tool, arguments);
    replace_once(request.body, R"(clientCapabilities":{})",
                 R"(clientCapabilities":)" + capabilities);
    std::string more;
    if (!responses.empty()) more += R"("inputResponses":)" + std::string(responses) + ",";
    if (!state.empty()) more += R"("requestState":")" + std::string(state) + "\",";
    replace_once(request.body, R"("arguments":)", more + R"("arguments":)");
    if (!authorization.empty()) request.set("Authorization", authorization);
    return request;
  }
};

[[nodiscard]] inline bool asks(const Reply& reply) {
  return reply.text("result.resultType") == "input_required";
}
[[nodiscard]] inline std::string state_of(const Reply& reply) {
  return reply.text("result.requestState");
}

}  // namespace sluice::testing
