#include "mcp/request_state.hpp"

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

/// Answers were part of a request, whose depth has its own limit.
constexpr std::uint32_t kMaxNesting = 2000;

std::string purpose(std::string_view binding) { return "request state " + std::string(binding); }

std::string text_of(Json member) {
  return member ? std::string(member.as_string().value_or(std::string_view())) : std::string();
}

}  // namespace

std::string RequestState::seal(const Sealer& sealer, std::string_view binding,
                               Sealer::Time expires) const {
  std::string text = "[";
  for (const auto& entry : entries) {
    if (text.size() > 1) text += ',';
    text += R"({"key":)";
    json::append_string(text, entry.key);
    text += R"(,"question":)";
    json::append_string(text, entry.question);
    if (!entry.answer.empty()) {
      text += R"(,"answer":)";
      text += entry.answer;
    }
    text += '}';
  }
  text += ']';
  return sealer.seal(purpose(binding), text, expires);
}

Result<RequestState> RequestState::open(const Sealer& sealer, std::string_view binding,
                                        std::string_view sealed, Sealer::Time now) {
  const auto opened = sealer.open(purpose(binding), sealed, now);
  if (!opened) return opened.error();
  json::Document document;
  const auto root = document.parse_copy(opened->text, kMaxNesting);
  if (!root) return Errc::forged;
  RequestState state;
  for (const Json entry : *root) {
    const Json answer = entry.find("answer");
    state.entries.push_back({text_of(entry.find("key")), text_of(entry.find("question")),
                             answer ? std::string(answer.raw()) : std::string()});
  }
  return state;
}

}  // namespace sluice::mcp
