#include "answers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <system_error>

#include "payload.hpp"

namespace upstream {
namespace {

constexpr std::size_t kAnswersKept = 32;
constexpr std::size_t kChunk = 16384;

std::optional<std::size_t> query_number(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (!pair.starts_with(name) || pair.size() <= name.size() || pair[name.size()] != '=') continue;
    const auto digits = pair.substr(name.size() + 1);
    std::size_t value = 0;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (ec == std::errc() && end == digits.data() + digits.size()) return value;
  }
  return std::nullopt;
}

std::string in_chunks(std::string_view body) {
  std::string out;
  out.reserve(body.size() + (body.size() / kChunk + 2) * 16);
  while (!body.empty()) {
    const auto piece = body.substr(0, kChunk);
    char size[24];
    std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
    out += size;
    out += piece;
    out += "\r\n";
    body.remove_prefix(piece.size());
  }
  return out += "0\r\n\r\n";
}

Answer not_found() {
  Answer answer;
  answer.head = "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\n";
  answer.body = std::make_shared<const std::string>("not found\r\n");
  answer.send = answer.body->size();
  return answer;
}

Answer data(std::string_view query) {
  Answer answer;
  answer.is_data = true;
  const auto megabytes = query_number(query, "sizeMb").value_or(1);
  answer.body = payload(query_number(query, "bytes").value_or(megabytes << 20));
  answer.delay = std::chrono::milliseconds(query_number(query, "delay_ms").value_or(0));
  answer.head = "HTTP/1.1 " + std::to_string(query_number(query, "status").value_or(200)) +
                " Status\r\nContent-Type: application/json\r\n";
  if (query_number(query, "chunked").value_or(0) != 0) {
    answer.head += "Transfer-Encoding: chunked\r\n\r\n";
    answer.body = std::make_shared<const std::string>(in_chunks(*answer.body));
    answer.send = answer.body->size();
    return answer;
  }
  answer.head += "Content-Length: " + std::to_string(answer.body->size()) + "\r\n\r\n";
  const auto pause = query_number(query, "pause_after");
  const auto cut = pause ? pause : query_number(query, "break_after");
  answer.send = std::min(cut.value_or(answer.body->size()), answer.body->size());
  if (cut) answer.end = pause ? Answer::End::pause : Answer::End::close;
  return answer;
}

}  // namespace

std::shared_ptr<const Answer> Answers::to(std::string_view target) {
  if (const auto found = kept_.find(target); found != kept_.end()) return found->second;
  const auto path = target.substr(0, target.find('?'));
  const auto query = target.substr(std::min(target.size(), path.size() + 1));
  const bool is_data = path == "/data" || (path.starts_with("/v1/") && path.ends_with("/data"));
  auto answer = std::make_shared<const Answer>(is_data ? data(query) : not_found());
  if (kept_.size() >= kAnswersKept) kept_.clear();
  return kept_.emplace(std::string(target), std::move(answer)).first->second;
}

}  // namespace upstream
