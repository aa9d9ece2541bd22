#include "mcp/session_inbox.hpp"

#include <openssl/rand.h>

#include <array>
#include <cstring>

#include "base/check.hpp"
#include "mcp/sessions.hpp"
#include "mcp/task.hpp"
#include "mcp/task_news.hpp"

namespace sluice::mcp {
namespace {

std::uint32_t random_number() {
  std::array<unsigned char, sizeof(std::uint32_t)> bytes;
  SLUICE_CHECK(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

}  // namespace

SessionInbox::SessionInbox(Session& session, const Place& place)
    : session_(session),
      epoch_(random_number()),
      kept_(place.budget, place.replay, place.replay_life),
      changes_(place.hub, place.loop, place.lists, *this) {}

void SessionInbox::follow(const std::shared_ptr<Task>& task, std::size_t most) {
  const std::string topic = task_topic(task->id());
  {
    const std::scoped_lock lock(tasks_mutex_);
    tasks_[topic] = task;
  }
  if (changes_.watch(topic, most) != Subscription::Watch::watched) unfollow(topic);
}

void SessionInbox::unfollow(std::string_view topic) {
  changes_.forget(topic);
  const std::scoped_lock lock(tasks_mutex_);
  if (const auto found = tasks_.find(topic); found != tasks_.end()) tasks_.erase(found);
}

std::optional<std::shared_ptr<Task>> SessionInbox::followed(std::string_view topic) const {
  const std::scoped_lock lock(tasks_mutex_);
  const auto found = tasks_.find(topic);
  if (found == tasks_.end()) return std::nullopt;
  return found->second.lock();
}

void SessionInbox::on_changes() { session_.wake_stream(); }

}  // namespace sluice::mcp
