#include "load_connection.hpp"

#include <unistd.h>

#include <string_view>
#include <utility>

namespace load {
namespace {

constexpr std::size_t kIdDigits = 8;
constexpr std::uint64_t kFirstId = 10'000'000;
constexpr std::string_view kBeforeId = R"({"jsonrpc":"2.0","id":)";

/// Ids have as many digits on every call, so that all answers are of one length.
std::string next_id() {
  static std::uint64_t given = 0;
  return std::to_string(kFirstId + given++ % (9 * kFirstId));
}

std::string call_request(const Options& o, const Session& session) {
  std::string body = std::string(kBeforeId) + std::string(kIdDigits, '0') +
                     R"(,"method":"tools/call","params":{"name":")" + o.tool + R"(","arguments":)" +
                     o.arguments;
  if (o.era == Era::legacy) return post(o, session, "", body + "}}");
  body += R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
          R"("io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"},)"
          R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
  return post(
      o, session,
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + o.tool + "\r\n",
      body);
}

std::optional<std::string_view> expected_of(const Options& o) {
  if (!o.expected) return std::nullopt;
  return *o.expected;
}

}  // namespace

Connection::Connection(const Options& options)
    : options_(options), message_(expected_of(options)), events_(expected_of(options)) {
  open();
}

Connection::~Connection() { close(); }

void Connection::open() {
  fd_ = connect_to(options_);
  opened_ = true;
  const Session session =
      options_.era == Era::legacy && request_.empty() ? open_session(options_, fd_) : Session();
  // A session outlives its connection: one opened again goes on with the request as it is.
  if (!request_.empty()) return;
  request_ = call_request(options_, session);
  id_at_ = request_.find(kBeforeId) + kBeforeId.size();
}

void Connection::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void Connection::send(Clock::time_point now) {
  if (fd_ < 0) open();
  request_.replace(id_at_, kIdDigits, next_id());
  decoding_ = options_.check == Check::every || !first_length_;
  message_.reset();
  events_.reset();
  refusal_.clear();
  busy_ = true;
  first_byte_.reset();
  sent_ = now;
  // A connection that was closed between two calls shows in the next recv.
  static_cast<void>(send_all(fd_, request_));
}

Connection::Progress Connection::fail(std::string why) {
  why_ = std::move(why);
  busy_ = false;
  close();
  response_ = {};
  return Progress::failed;
}

Connection::Progress Connection::take(std::string_view in, Clock::time_point now) {
  if (in.empty()) {
    if (response_.ends_with_connection()) return finish();
    return fail("the server closed the connection after " + std::to_string(response_.body_bytes()) +
                " bytes of the answer");
  }
  if (!first_byte_) first_byte_ = now;
  for (;;) {
    switch (response_.next(in)) {
      case ResponseReader::Step::more:
        return Progress::waiting;
      case ResponseReader::Step::head:
        break;
      case ResponseReader::Step::body: {
        const auto progress = take_body(response_.piece());
        if (progress != Progress::waiting) return progress;
        break;
      }
      case ResponseReader::Step::done:
        return finish();
      case ResponseReader::Step::bad:
        return fail(response_.why());
    }
  }
}

Connection::Progress Connection::take_body(std::string_view piece) {
  const auto& head = response_.head();
  if (head.status != 200) {
    if (refusal_.size() < 300) refusal_.append(piece.substr(0, 300));
    return Progress::waiting;
  }
  if (!decoding_) return Progress::waiting;
  if (head.events ? events_.take(piece) : message_.take(piece)) return Progress::waiting;
  return fail("not JSON: " + (head.events ? events_.why() : message_.why()));
}

Connection::Progress Connection::finish() {
  busy_ = false;
  const auto& head = response_.head();
  if (head.status != 200) return fail("status " + std::to_string(head.status) + ": " + refusal_);
  if (!decoding_ && response_.body_bytes() != *first_length_)
    return fail("an answer of " + std::to_string(response_.body_bytes()) +
                " bytes where the first had " + std::to_string(*first_length_));
  if (decoding_) {
    if (head.events && !events_.answer()) return fail("a stream without the response");
    if (!head.events && !message_.finish()) return fail(message_.why());
    const auto progress = check(head.events ? *events_.answer() : message_.answer());
    if (progress != Progress::answered) return progress;
    first_length_ = response_.body_bytes();
  }
  if (head.closes) {
    close();
    response_ = {};
  }
  return Progress::answered;
}

Connection::Progress Connection::check(const Answer& answer) {
  if (!answer.is_response) return fail("a message that is no response");
  if (answer.is_error)
    return fail("an error: " +
                (answer.error_message.empty() ? answer.text_start : answer.error_message));
  const auto id = std::string_view(request_).substr(id_at_, kIdDigits);
  if (answer.id != id) return fail("the answer to " + answer.id + " instead of " + std::string(id));
  if (answer.differs_at)
    return fail("the text of " + std::to_string(answer.text_bytes) + " bytes differs from the " +
                std::to_string(options_.expected->size()) + " expected at byte " +
                std::to_string(*answer.differs_at));
  text_bytes_ = answer.text_bytes;
  return Progress::answered;
}

}  // namespace load
