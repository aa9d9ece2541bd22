#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the two programs share that show what a machine can do at best (ready_made, proxy): as little
/// of HTTP as the load client needs, and nothing of MCP beyond finding the id and the tool.
namespace limit {

/// A request, as views that hold until the next take() of its buffer.
struct Request {
  std::string_view head;
  std::string_view body;
};

/// The requests of one connection.
class RequestBuffer {
 public:
  RequestBuffer() : bytes_(16384) {}
  /// One recv. False: the connection has ended.
  [[nodiscard]] bool receive(int fd);
  /// The next whole request.
  [[nodiscard]] std::optional<Request> take();

 private:
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// What stands after `key` up to the next `,` or `}`; empty when it is not there.
[[nodiscard]] std::string_view member(std::string_view json, std::string_view key);

/// The whole response to what is no tools/call: initialize, a notification, another method.
[[nodiscard]] std::string other_response(const Request& request);

/// How a JSON-RPC response to tools/call begins up to its id, goes on up to the text, and ends.
inline constexpr std::string_view kBeforeId = R"({"jsonrpc":"2.0","id":)";
inline constexpr std::string_view kBeforeText =
    R"(,"result":{"resultType":"complete","content":[{"type":"text","text":")";
inline constexpr std::string_view kAfterText = R"("}]}})";

/// A listening socket on loopback, not blocking; prints "port N". Ends the program when it cannot.
[[nodiscard]] int listen_on(std::uint16_t port);
/// The next connection, not blocking and without delay, or -1.
[[nodiscard]] int accept_from(int listener);
[[noreturn]] void die(const std::string& what);

}  // namespace limit
