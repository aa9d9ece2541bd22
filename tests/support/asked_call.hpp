#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "support/event_stream.hpp"
#include "support/mcp_client.hpp"
#include "support/message_check.hpp"

namespace sluice::testing {

/// A legacy call that is asked something while it runs, seen from its client.
class AskedCall {
 public:
  AskedCall(std::uint16_t port, const LegacySession& session, const Request& call,
            std::string method = "tools/call")
      : port_(port),
        session_(session),
        revision_(call.revision),
        method_(std::move(method)),
        client_(port) {
    static_cast<void>(client_.send(call.text()));
    response_ = client_.read_head();
  }

  [[nodiscard]] Response& response() noexcept { return response_; }
  [[nodiscard]] RawClient& client() noexcept { return client_; }

  /// The next request of the server's; its text, "" where the stream ends without one.
  [[nodiscard]] std::string next_question() {
    for (;;) {
      while (seen_ < stream().size()) {
        std::string message = stream()[seen_++];
        check_message(revision_, "", message);
        if (message.find("\"id\":") != std::string::npos &&
            message.find("\"method\":") != std::string::npos)
          return message;
      }
      if (!client_.read_piece(response_)) return {};
    }
  }
  [[nodiscard]] static std::string id_of(std::string_view question) {
    const auto begin = question.find("\"id\":") + 5;
    return std::string(question.substr(begin, question.find(',', begin) - begin));
  }
  /// POSTs a result, or another member of a response, for a question.
  Reply answer(std::string_view question, std::string_view result,
               std::string_view member = "result") const {
    return exchange(port_, session_.post(R"({"jsonrpc":"2.0","id":)" + id_of(question) + ",\"" +
                                         std::string(member) + "\":" + std::string(result) + "}"));
  }
  /// The rest of the response.
  [[nodiscard]] Reply finish() {
    client_.read_rest(response_);
    Reply reply(response_);
    for (const auto& message : reply.messages()) check_message(revision_, method_, message);
    return reply;
  }

 private:
  [[nodiscard]] std::vector<std::string> stream() const {
    std::vector<std::string> messages;
    for (auto& event : read_event_stream(response_.body).events)
      if (!event.data.empty()) messages.push_back(std::move(event.data));
    return messages;
  }

  std::uint16_t port_;
  const LegacySession& session_;
  const std::string revision_;
  const std::string method_;
  RawClient client_;
  Response response_;
  std::size_t seen_ = 0;
};

}  // namespace sluice::testing
