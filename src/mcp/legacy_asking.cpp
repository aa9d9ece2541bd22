#include "mcp/legacy_asking.hpp"

#include <openssl/rand.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "base/await.hpp"
#include "base/base64url.hpp"
#include "base/check.hpp"
#include "json/document.hpp"
#include "mcp/call_context.hpp"
#include "mcp/json_members.hpp"

namespace sluice::mcp::legacy {
namespace {

/// In the place of an answer that there is no room for.
constexpr const char* kTooLarge =
    R"({"error":{"message":"together, the answers are larger than limits.request_body"}})";

}  // namespace

std::string make_question_id() {
  std::string bytes(16, '\0');
  SLUICE_CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()),
                          static_cast<int>(bytes.size())) == 1);
  return base64url_encode(bytes);
}

std::string request_of(const Inquiry& inquiry, std::string_view id, std::string_view task) {
  std::string out = R"({"jsonrpc":"2.0","id":")";
  out += id;
  out += "\",";
  out += members_of(inquiry);
  if (inquiry.kind == Inquiry::Kind::page) {
    out.pop_back();
    append_text(out, "elicitationId",
                inquiry.elicitation_id.empty() ? id : std::string_view(inquiry.elicitation_id));
    out += '}';
  }
  if (!task.empty()) {
    std::string about = "{";
    append_text(about, "taskId", task);
    out.pop_back();
    append_member(out, "_meta", R"({"io.modelcontextprotocol/related-task":)" + about + "}}");
    out += '}';
  }
  return out + '}';
}

Result<Answer> answer_in(const Inquiry& inquiry, std::string_view response,
                         const config::Config& config) {
  json::Document document;
  const auto root = document.parse_copy(response, config.limits.nesting);
  if (!root) return Errc::bad_answer;
  std::string problem;
  if (const Json result = root->find("result")) {
    auto answer = read_answer(inquiry, result.raw(), config.limits.schema_steps, problem);
    if (answer) return answer;
  } else if (const Json message = root->find("error").find("message")) {
    problem = message.as_string().value_or("an error");
  }
  spdlog::info("a client's answer to {} cannot be used: {}", inquiry.method,
               problem.substr(0, 512));
  return Errc::bad_answer;
}

/// The questions that are waited for; what comes for them when this is over finds nobody.
struct Asking::Open {
  explicit Open(Asking& owner) : asking(owner) { asking.open_ = this; }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() {
    asking.open_ = nullptr;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!responses[i].empty()) continue;
      asking.in_.caller.session->remove_question(ids[i]);
      asking.withdraw(ids[i]);
    }
  }
  [[nodiscard]] bool is_answered() const {
    return std::ranges::none_of(responses, &std::string::empty);
  }

  Asking& asking;
  std::vector<std::string> ids;
  std::vector<std::string> responses;  // empty: has not come
};

Asking::Asking(const AskedIn& in, AskingCall& call)
    : in_(in),
      call_(call),
      timer_(in.exchange.executor()),
      mailbox_(
          std::make_shared<Mailbox>(in.exchange.executor(), static_cast<Mailbox::Owner&>(*this))) {}

Asking::~Asking() { mailbox_->detach(); }

Awaitable<Result<std::vector<Answer>>> Asking::ask(std::span<const Inquiry> inquiries) {
  if (open_ != nullptr) co_return Errc::misuse;
  call_.pause();
  auto answers = co_await send_and_wait(inquiries);
  if (!call_.resume()) co_return Errc::busy;
  co_return answers;
}

Awaitable<Result<std::vector<Answer>>> Asking::send_and_wait(std::span<const Inquiry> inquiries) {
  Open open(*this);
  open.responses.resize(inquiries.size());
  for (const auto& inquiry : inquiries) {
    open.ids.push_back(make_question_id());
    // Before it is sent, so that no answer is too early.
    in_.caller.session->add_question(open.ids.back(), mailbox_);
    const std::string request = request_of(inquiry, open.ids.back());
    const auto sent = co_await send(request);
    if (!sent) co_return sent.error();
  }
  const auto waited = co_await wait(open);
  if (!waited) co_return waited.error();

  std::vector<Answer> answers;
  for (std::size_t i = 0; i < inquiries.size(); ++i) {
    auto answer = answer_in(inquiries[i], open.responses[i], *in_.services.config);
    if (!answer) co_return answer.error();
    answers.push_back(std::move(*answer));
  }
  co_return answers;
}

Awaitable<Result<>> Asking::send(std::string_view message) {
  FrameWriter& frames = in_.exchange.writer();
  const auto sent = co_await frames.send_event(message);
  if (sent) co_return sent;
  if (is_peer_gone_ || frames.error()) co_return Errc::peer_gone;
  co_return Errc::cannot_ask;
}

Awaitable<Result<>> Asking::wait(const Open& open) {
  timer_.expires_after(in_.services.config->timeouts.ask);
  while (!open.is_answered() && !is_peer_gone_) {
    const auto waited = co_await timer_.async_wait(kAwaitTuple);
    if (call_.cancelled()) throw boost::system::system_error(boost::asio::error::operation_aborted);
    const bool is_over = !std::get<0>(waited);  // else something has come
    if (is_over && !open.is_answered()) co_return Errc::no_answer;
  }
  if (!open.is_answered()) co_return Errc::peer_gone;
  co_return Result<>{};
}

void Asking::on_response(std::string_view id, std::string response) {
  if (open_ == nullptr) return;
  const auto asked = std::ranges::find(open_->ids, id);
  if (asked == open_->ids.end()) return;
  std::size_t held = response.size();
  for (const auto& other : open_->responses) held += other.size();
  if (held > in_.services.config->limits.request_body) response = kTooLarge;
  open_->responses[static_cast<std::size_t>(asked - open_->ids.begin())] = std::move(response);
  timer_.cancel();
}

void Asking::on_peer_gone() {
  is_peer_gone_ = true;
  timer_.cancel();
}

void Asking::withdraw(std::string_view id) {
  if (is_peer_gone_ || call_.cancelled()) return;
  std::string message = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{)";
  append_text(message, "requestId", id);
  append_text(message, "reason", "The server waits for the answer no longer.");
  message += "}}";
  static_cast<void>(in_.exchange.writer().event(message, FrameWriter::Need::required));
}

}  // namespace sluice::mcp::legacy
