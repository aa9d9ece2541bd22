#include "mcp/modern_asking.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <utility>

#include "base/base64url.hpp"
#include "base/check.hpp"
#include "base/digest.hpp"
#include "json/canonical.hpp"
#include "json/document.hpp"
#include "mcp/call_context.hpp"
#include "mcp/json_members.hpp"

namespace sluice::mcp {
namespace {

Failure invalid(std::string text) { return {rpc::kInvalidParams, 200, std::move(text), {}}; }

/// Who calls, as far as credentials tell, and what for.
std::string binding_of(const AskedIn& in) {
  std::string out;
  SLUICE_CHECK(append_sha256(out, in.exchange.header("authorization").value_or("")));
  std::string request(in.method);
  request += '\n';
  request += in.name;
  request += '\n';
  request += json::canonical(in.arguments);
  SLUICE_CHECK(append_sha256(out, request));
  return out;
}

/// Tells questions apart; 16 bytes of a digest are enough for that.
std::string digest_of(const Inquiry& inquiry) {
  std::string digest;
  SLUICE_CHECK(append_sha256(digest, members_of(inquiry)));
  digest.resize(16);
  return base64url_encode(digest);
}

}  // namespace

std::optional<Failure> GivenAnswers::read(Json params, const AskedIn& in) {
  const Json state = params.find("requestState");
  const Json responses = params.find("inputResponses");
  if (responses && !responses.is(JsonKind::object))
    return invalid("params.inputResponses must be an object");
  std::map<std::string, std::string, std::less<>> open;
  if (state) {
    if (!state.is(JsonKind::string)) return invalid("params.requestState must be a string");
    const auto& limit = in.services.config->limits.request_state;
    const auto sealed = *state.as_string();
    const auto opened =
        sealed.size() > limit
            ? Result<RequestState>(Errc::forged)
            : RequestState::open(*in.services.sealer, binding_of(in), sealed, Sealer::now());
    if (!opened && opened.error() == Errc::expired)
      return invalid("params.requestState has expired: make the call anew");
    if (!opened)
      return invalid("params.requestState is none that this server gave for this request");
    for (const auto& entry : opened->entries) {
      if (entry.answer.empty())
        open.emplace(entry.key, entry.question);
      else
        answers_[entry.key] = {entry.question, entry.answer};
    }
  }
  if (!responses) return std::nullopt;
  for (const auto response : responses.members()) {
    const auto asked = open.find(response.name);
    // What was not asked for is not recognised (Multi Round-Trip Requests, Error Handling).
    if (state && asked == open.end()) continue;
    answers_[std::string(response.name)] = {state ? asked->second : std::string(),
                                            std::string(response.value.raw())};
  }
  return std::nullopt;
}

const std::string* GivenAnswers::find(std::string_view key, std::string_view question) const {
  const auto found = answers_.find(key);
  if (found == answers_.end()) return nullptr;
  const auto& given = found->second;
  return given.question.empty() || given.question == question ? &given.answer : nullptr;
}

namespace modern {

std::string Asking::key_of(const Inquiry& inquiry) {
  std::string key = inquiry.key.empty() ? 'q' + std::to_string(++unnamed_) : inquiry.key;
  const unsigned uses = ++uses_[key];
  if (uses > 1) key += '-' + std::to_string(uses);
  return key;
}

bool Asking::takes_result_back() { return in_.exchange.writer().take_back(); }

void Asking::stop(Outcome instead) {
  instead_ = std::move(instead);
  call_.stop_handler();
  throw boost::system::system_error(boost::asio::error::operation_aborted);
}

Awaitable<Result<std::vector<Answer>>> Asking::ask(std::span<const Inquiry> inquiries) {
  const auto& config = *in_.services.config;
  std::vector<Answer> answers;
  std::string requests;
  for (const auto& inquiry : inquiries) {
    const std::string key = key_of(inquiry);
    const std::string question = digest_of(inquiry);
    const auto* const given = in_.given != nullptr ? in_.given->find(key, question) : nullptr;
    state_.entries.push_back({key, question, given != nullptr ? *given : std::string()});
    if (given == nullptr) {
      requests += requests.empty() ? "{" : ",";
      json::append_string(requests, key);
      requests += ":{" + members_of(inquiry) + '}';
      continue;
    }
    std::string problem;
    auto answer = read_answer(inquiry, *given, config.limits.schema_steps, problem);
    if (!answer && !takes_result_back()) co_return answer.error();
    if (!answer) stop(failed(invalid("params.inputResponses." + key + ": " + problem), in_.id));
    answers.push_back(std::move(*answer));
  }
  if (requests.empty()) co_return answers;
  requests += '}';

  const auto life = std::chrono::ceil<std::chrono::seconds>(config.timeouts.ask);
  const auto sealed = state_.seal(*in_.services.sealer, binding_of(in_), Sealer::now() + life);
  if (sealed.size() > config.limits.request_state) co_return Errc::state_too_large;
  if (!takes_result_back()) co_return Errc::cannot_ask;
  std::string result = "{";
  append_text(result, "resultType", "input_required");
  append_member(result, "_meta", R"({"io.modelcontextprotocol/serverInfo":)");
  result += in_.server_info;
  result += '}';
  append_member(result, "inputRequests", requests);
  append_text(result, "requestState", sealed);
  result += '}';
  stop({200, render_result(in_.id, result), false});
}

}  // namespace modern
}  // namespace sluice::mcp
