#include "mcp/subscriptions.hpp"

#include <boost/asio/post.hpp>
#include <mutex>
#include <utility>

#include "base/check.hpp"
#include "base/uri_text.hpp"
#include "mcp/subscription_shard.hpp"

namespace sluice::mcp {
namespace {

/// Owners told in one turn of a loop: each then has something to send.
constexpr std::size_t kAtOnce = 128;

}  // namespace

void Subscriptions::Shard::mark_noted() {
  for (const List list : kLists)
    if (lists.has(list))
      for (auto& subscription : subscriptions)
        if (subscription.wanted.has(list)) subscription.mark(list);
  for (const auto& uri : uris)
    if (const auto topic = topics.find(uri); topic != topics.end())
      for (auto& link : topic->second) link.subscription.mark(link);
  for (const auto& prefix : prefixes)
    for (auto topic = topics.lower_bound(prefix);
         topic != topics.end() && topic->first.starts_with(prefix); ++topic)
      for (auto& link : topic->second) link.subscription.mark(link);
  lists = {};
  uris.clear();
  prefixes.clear();
}

Subscriptions::Subscriptions(std::size_t loops, std::uint64_t max_bytes) : max_bytes_(max_bytes) {
  for (std::size_t i = 0; i < loops; ++i) shards_.push_back(std::make_unique<Shard>());
}

Subscriptions::~Subscriptions() = default;

void Subscriptions::serve(std::size_t loop, boost::asio::any_io_executor executor) {
  Shard& shard = *shards_[loop];
  const std::scoped_lock lock(shard.mutex);
  shard.executor = std::move(executor);
  shard.serves = true;
}

void Subscriptions::stop(std::size_t loop) {
  Shard& shard = *shards_[loop];
  const std::scoped_lock lock(shard.mutex);
  shard.serves = false;
  shard.executor = {};
}

template <class Note>
void Subscriptions::note(Note change) {
  for (const auto& shard : shards_) {
    const std::scoped_lock lock(shard->mutex);
    if (!shard->serves || shard->subscriptions.empty()) continue;
    change(*shard);
    post(*shard);
  }
}

void Subscriptions::resource_updated(std::string_view uri) {
  const std::string normal = uri::normalize(uri);
  note([&](Shard& shard) {
    if (shard.topics.empty()) return;
    if (shard.uris.size() >= kMostNoted)
      shard.note_all();
    else if (shard.prefixes.find(std::string_view()) == shard.prefixes.end())
      shard.uris.insert(normal);
  });
}

void Subscriptions::resources_updated(std::string_view prefix) {
  const std::string normal = uri::normalize(prefix);
  note([&](Shard& shard) {
    if (shard.topics.empty()) return;
    if (normal.empty() || shard.prefixes.size() >= kMostNoted)
      shard.note_all();
    else
      shard.prefixes.insert(normal);
  });
}

void Subscriptions::list_changed(List list) {
  note([&](Shard& shard) { shard.lists.add(list); });
}

void Subscriptions::post(Shard& shard) {
  if (std::exchange(shard.posted, true)) return;
  boost::asio::post(shard.executor, [this, &shard] { deliver(shard); });
}

void Subscriptions::deliver(Shard& shard) {
  const std::scoped_lock lock(shard.mutex);
  shard.posted = false;
  shard.mark_noted();
  for (std::size_t i = 0; i < kAtOnce && !shard.due.empty(); ++i) {
    auto& subscription = shard.due.front();
    shard.due.pop_front();
    subscription.owner.on_changes();
  }
  if (!shard.due.empty() && shard.serves) post(shard);
}

std::size_t Subscriptions::size() const {
  std::size_t n = 0;
  for (const auto& shard : shards_) {
    const std::scoped_lock lock(shard->mutex);
    n += shard->subscriptions.size();
  }
  return n;
}

bool Subscriptions::take_bytes(std::uint64_t bytes) noexcept {
  if (bytes_.fetch_add(bytes) + bytes <= max_bytes_) return true;
  bytes_.fetch_sub(bytes);
  return false;
}

}  // namespace sluice::mcp
