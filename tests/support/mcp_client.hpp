#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/document.hpp"
#include "support/raw_client.hpp"

namespace sluice::testing {

/// A request before it is bytes. Everything can be changed; what is empty is left out.
struct Request {
  std::string method = "POST";
  std::string target = "/mcp";
  std::string version = "HTTP/1.1";
  std::string host = "127.0.0.1";
  std::vector<std::pair<std::string, std::string>> fields;
  std::string body;
  bool with_length = true;
  std::string revision = {};  ///< What the messages of the answer are held against; empty: nothing.

  Request& set(std::string_view name, std::string_view value);  ///< Instead of what was there.
  Request& add(std::string_view name, std::string_view value);  ///< One more line.
  Request& drop(std::string_view name);
  [[nodiscard]] std::string text() const;
  /// The same with a chunked body, in chunks of that size.
  [[nodiscard]] std::string chunked(std::size_t size) const;
};

/// A POST of any body, without headers of a revision.
[[nodiscard]] Request post(std::string body);
/// A 2026-07-28 request. `params` are members without braces; `_meta` is added. `id` is JSON.
[[nodiscard]] Request modern(std::string_view method, std::string_view params = "",
                             std::string_view id = "1");
/// Likewise for tools/call. `meta` are more members of `_meta`, beginning with a comma.
[[nodiscard]] Request modern_call(std::string_view tool, std::string_view arguments = "{}",
                                  std::string_view id = "1", std::string_view meta = "");

/// A response with the JSON-RPC messages in it, whatever form they came in.
class Reply {
 public:
  explicit Reply(Response response);

  const Response http;
  [[nodiscard]] int status() const noexcept { return http.status; }
  /// Every message, in order; the answer is the last.
  [[nodiscard]] const std::vector<std::string>& messages() const noexcept { return messages_; }
  /// A value of the last message by its path, such as "result.content.0.text"; not there where a
  /// step is not.
  [[nodiscard]] Json at(std::string_view path) const;
  [[nodiscard]] bool has(std::string_view path) const { return static_cast<bool>(at(path)); }
  /// A string's value, or another value as it stands; "" where there is none.
  [[nodiscard]] std::string text(std::string_view path) const;
  /// 0 where there is no error.
  [[nodiscard]] int error() const;
  [[nodiscard]] std::string error_text() const { return text("error.message"); }
  /// The id as it stands in the message; "" where it has none.
  [[nodiscard]] std::string id() const;
  /// The text blocks of a result, joined.
  [[nodiscard]] std::string content() const;
  [[nodiscard]] bool is_tool_error() const { return text("result.isError") == "true"; }

 private:
  std::vector<std::string> messages_;
  std::shared_ptr<json::Document> document_;
};

/// Sends and reads on a connection of its own.
[[nodiscard]] Reply exchange(std::uint16_t port, const Request& request);
[[nodiscard]] Reply exchange(RawClient& client, const Request& request);

/// A session of one of the older revisions.
class LegacySession {
 public:
  /// `capabilities` are the client's, an object.
  LegacySession(std::uint16_t port, std::string version, std::string_view capabilities = "{}");

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] const Reply& initialized() const noexcept { return *initialized_; }
  /// `params` are members without braces.
  [[nodiscard]] Request request(std::string_view method, std::string_view params = "",
                                std::string_view id = "1") const;
  [[nodiscard]] Request call(std::string_view tool, std::string_view arguments = "{}",
                             std::string_view id = "1") const;
  [[nodiscard]] Request notification(std::string_view method, std::string_view params = "") const;
  /// Any body with the session's headers.
  [[nodiscard]] Request post(std::string body) const;
  /// GET, DELETE and so on.
  [[nodiscard]] Request bare(std::string method) const;

 private:
  std::uint16_t port_;
  std::string version_;
  std::string id_;
  std::optional<Reply> initialized_;
};

/// `text` as a JSON string.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace sluice::testing
