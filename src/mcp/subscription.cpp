#include "mcp/subscription.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/uri_text.hpp"
#include "mcp/subscription_shard.hpp"

namespace sluice::mcp {
namespace {

/// What a watched resource takes: its link, its text, and a topic where nobody else watches it.
std::uint64_t bytes_for(std::string_view uri) {
  constexpr std::size_t kNodes = 192;  // of a list and a map
  return sizeof(SubscriptionLink) + kNodes + 2 * uri.size();
}

constexpr std::size_t place_of(List list) noexcept { return static_cast<std::size_t>(list); }

bool is_after(const SentAs& sent, const SentAs& last) noexcept {
  return sent.number > last.number && sent.stream == last.stream;
}

}  // namespace

void Subscription::State::be_due() {
  if (!has_pending() && !in_due.is_linked()) shard.due.push_back(*this);
}

void Subscription::State::mark(List list) {
  be_due();
  pending.add(list);
}

void Subscription::State::mark(SubscriptionLink& link) {
  if (link.in_pending.is_linked()) return;
  be_due();
  pending_links.push_back(link);
}

Subscription::State::Links::iterator Subscription::State::find(std::string_view uri) {
  return std::ranges::find(links, uri, &SubscriptionLink::uri);
}

void Subscription::State::drop(Links::iterator link) {
  const std::string normal = uri::normalize(link->uri);
  hub.give_bytes(bytes_for(link->uri));
  links.erase(link);
  const auto topic = shard.topics.find(normal);
  if (topic != shard.topics.end() && topic->second.empty()) shard.topics.erase(topic);
}

Subscription::Subscription(Subscriptions& hub, std::size_t loop, ListSet lists, Owner& owner)
    : state_(std::make_unique<State>(hub, hub.shard(loop), owner, lists)) {
  const std::scoped_lock lock(state_->shard.mutex);
  state_->shard.subscriptions.push_back(*state_);
}

Subscription::~Subscription() {
  const std::scoped_lock lock(state_->shard.mutex);
  while (!state_->links.empty()) state_->drop(state_->links.begin());
  state_->in_due.unlink();
  state_->in_shard.unlink();
}

Subscription::Watch Subscription::watch(std::string_view uri, std::size_t most) {
  const std::scoped_lock lock(state_->shard.mutex);
  if (state_->find(uri) != state_->links.end()) return Watch::watched;
  if (state_->links.size() >= most) return Watch::too_many;
  if (!state_->hub.take_bytes(bytes_for(uri))) return Watch::no_memory;
  auto& link = state_->links.emplace_back(*state_, std::string(uri));
  state_->shard.topics[uri::normalize(uri)].push_back(link);
  return Watch::watched;
}

void Subscription::forget(std::string_view uri) {
  const std::scoped_lock lock(state_->shard.mutex);
  if (const auto link = state_->find(uri); link != state_->links.end()) state_->drop(link);
}

bool Subscription::watches(std::string_view uri) const {
  const std::scoped_lock lock(state_->shard.mutex);
  return state_->find(uri) != state_->links.end();
}

std::size_t Subscription::size() const {
  const std::scoped_lock lock(state_->shard.mutex);
  return state_->links.size();
}

std::optional<Change> Subscription::take(const SentAs& sent) {
  const std::scoped_lock lock(state_->shard.mutex);
  for (const List list : kLists) {
    if (!state_->pending.has(list)) continue;
    state_->pending.remove(list);
    state_->sent[place_of(list)] = sent;
    return Change{list, {}};
  }
  if (state_->pending_links.empty()) return std::nullopt;
  auto& link = state_->pending_links.front();
  state_->pending_links.pop_front();
  link.sent = sent;
  return Change{std::nullopt, link.uri};
}

bool Subscription::has_pending() const {
  const std::scoped_lock lock(state_->shard.mutex);
  return state_->has_pending();
}

void Subscription::repeat_after(const SentAs& last) {
  const std::scoped_lock lock(state_->shard.mutex);
  for (const List list : kLists)
    if (is_after(state_->sent[place_of(list)], last)) state_->pending.add(list);
  for (auto& link : state_->links)
    if (is_after(link.sent, last) && !link.in_pending.is_linked())
      state_->pending_links.push_back(link);
}

void Subscription::repeat_all() {
  const std::scoped_lock lock(state_->shard.mutex);
  state_->pending = state_->wanted;
  for (auto& link : state_->links)
    if (!link.in_pending.is_linked()) state_->pending_links.push_back(link);
}

}  // namespace sluice::mcp
