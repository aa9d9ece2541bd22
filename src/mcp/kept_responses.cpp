#include "mcp/kept_responses.hpp"

#include <algorithm>
#include <utility>

namespace sluice::mcp {
namespace {

/// What an event takes beside its text.
constexpr std::uint64_t kEventCost = 64;
constexpr std::string_view kStart = "data: ";
constexpr std::string_view kEnd = "\n\n";

void wake(const std::weak_ptr<Stopper>& reader) {
  if (const auto strong = reader.lock()) strong->wake();
}

}  // namespace

KeptResponses::~KeptResponses() { budget_.give(used_); }

bool KeptResponses::take(std::uint64_t bytes) noexcept {
  if (used_ + bytes > max_ || !budget_.take(bytes)) return false;
  used_ += bytes;
  return true;
}

void KeptResponses::give(std::uint64_t bytes) noexcept {
  used_ -= bytes;
  budget_.give(bytes);
}

void KeptResponses::drop(Responses::iterator response) {
  std::uint64_t bytes = response->second.result.size() + kEventCost;
  for (const Event& event : response->second.events) bytes += event.text.size() + kEventCost;
  give(bytes);
  responses_.erase(response);
}

bool KeptResponses::make_room(Response& growing, std::uint64_t bytes) {
  for (;;) {
    if (take(bytes)) return true;
    // Not the one that grows: events still come to one whose result is not kept.
    const auto oldest = std::ranges::find_if(responses_, [&](const auto& entry) {
      return entry.second.state != State::open && &entry.second != &growing;
    });
    if (oldest != responses_.end()) {
      drop(oldest);
    } else if (!growing.events.empty()) {
      give(growing.events.front().text.size() + kEventCost);
      growing.events.pop_front();
    } else {
      return false;
    }
  }
}

void KeptResponses::drop_result(Response& response, State why) {
  give(response.result.size());
  response.result = {};
  response.state = why;
  response.ended = Clock::now();
}

void KeptResponses::begin(std::uint32_t stream, std::string_view request) {
  const std::scoped_lock lock(mutex_);
  Response none;
  if (!make_room(none, kEventCost)) return;
  responses_[stream].request = request;
}

void KeptResponses::add_event(std::uint32_t stream, std::uint32_t number, std::string text) {
  const std::scoped_lock lock(mutex_);
  const auto found = responses_.find(stream);
  if (found == responses_.end()) return;
  Response& response = found->second;
  if (!make_room(response, text.size() + kEventCost)) return;
  response.events.push_back({number, std::move(text)});
  wake(response.reader);
}

void KeptResponses::add_result(std::uint32_t stream, std::string_view bytes) {
  const std::scoped_lock lock(mutex_);
  const auto found = responses_.find(stream);
  if (found == responses_.end() || found->second.state != State::open) return;
  Response& response = found->second;
  if (make_room(response, bytes.size())) {
    response.result += bytes;
    return;
  }
  drop_result(response, State::too_large);
  wake(response.reader);
}

void KeptResponses::end(std::uint32_t stream, bool is_whole) {
  const std::scoped_lock lock(mutex_);
  const auto found = responses_.find(stream);
  if (found == responses_.end() || found->second.state != State::open) return;
  Response& response = found->second;
  if (is_whole) {
    response.state = State::whole;
    response.ended = Clock::now();
  } else {
    drop_result(response, State::broken);
  }
  wake(response.reader);
}

KeptResponses::Piece KeptResponses::read(std::uint32_t stream, Position& position, std::size_t most,
                                         std::string_view fields, std::string& out) {
  const std::scoped_lock lock(mutex_);
  const auto found = responses_.find(stream);
  if (found == responses_.end()) return {};
  const Response& response = found->second;
  Piece piece{true, response.state, false, response.request};
  for (const Event& event : response.events) {
    if (event.number <= position.number) continue;
    if (out.size() >= most) return piece;
    out += event.text;
    position.number = event.number;
  }
  if (response.state == State::open || out.size() >= most) return piece;
  if (!response.result.empty()) {
    if (position.result == 0) (out += fields) += kStart;
    const std::size_t room = most - std::min(most, out.size()) + 1;
    const auto part = std::string_view(response.result).substr(position.result, room);
    out += part;
    position.result += part.size();
    if (position.result < response.result.size()) return piece;
    out += kEnd;
  }
  piece.is_all = true;
  return piece;
}

KeptResponses::Rest KeptResponses::rest_of(std::uint32_t stream, const Position& position) {
  const std::scoped_lock lock(mutex_);
  const auto found = responses_.find(stream);
  if (found == responses_.end()) return Rest::unknown;
  const Response& response = found->second;
  const bool has_event =
      !response.events.empty() && response.events.back().number > position.number;
  const bool is_all = response.state == State::whole && response.result.empty();
  return has_event || !is_all ? Rest::something : Rest::nothing;
}

void KeptResponses::follow(std::uint32_t stream, std::weak_ptr<Stopper> reader) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = responses_.find(stream); found != responses_.end())
    found->second.reader = std::move(reader);
}

void KeptResponses::sweep(Clock::time_point now) {
  const std::scoped_lock lock(mutex_);
  for (auto it = responses_.begin(); it != responses_.end();) {
    const auto response = it++;
    if (response->second.state != State::open && now - response->second.ended > life_)
      drop(response);
  }
}

}  // namespace sluice::mcp
