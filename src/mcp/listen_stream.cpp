#include "mcp/listen_stream.hpp"

#include <cstdint>

#include "json/document.hpp"
#include "mcp/change_text.hpp"
#include "mcp/errors.hpp"
#include "mcp/json_members.hpp"
#include "mcp/listen_filter.hpp"

namespace sluice::mcp {
namespace {

constexpr std::string_view kIdKey = "io.modelcontextprotocol/subscriptionId";
constexpr std::string_view kServerKey = "io.modelcontextprotocol/serverInfo";

std::string meta_with(std::string_view id) {
  std::string meta = "{";
  append_member(meta, kIdKey, id);
  return meta;
}

}  // namespace

ListenStream::ListenStream(const Place& place, std::string_view id, std::string_view server_info,
                           ListSet lists)
    : listeners_(place.listeners),
      server_info_(server_info),
      id_(id),
      interval_(place.interval),
      lists_(lists),
      subscription_(place.hub, place.loop, lists, *this) {
  ++listeners_;
}

ListenStream::~ListenStream() { --listeners_; }

bool ListenStream::watch(std::string_view uri) {
  if (subscription_.watch(uri, SIZE_MAX) != Subscription::Watch::watched) return false;
  watched_.emplace_back(uri);
  return true;
}

bool ListenStream::follow(TaskStore& store, const TaskTerms& terms,
                          std::span<const std::shared_ptr<Task>> tasks,
                          const boost::asio::any_io_executor& executor) {
  if (tasks.empty()) return true;
  // Watched first, so that no change is missed.
  for (const auto& task : tasks)
    if (subscription_.watch(task_topic(task->id()), SIZE_MAX) != Subscription::Watch::watched)
      return false;
  news_ =
      std::make_unique<TaskNews>(store, terms, meta_with(id_) + '}', executor, [this] { wake(); });
  for (const auto& task : tasks) news_->add(task);
  return true;
}

void ListenStream::acknowledge(std::string& out) {
  std::string agreed = "{";
  for (const List list : kLists)
    if (lists_.has(list)) append_member(agreed, filter_name(list), "true");
  if (!watched_.empty()) {
    std::string uris = "[";
    for (const auto& uri : watched_) {
      if (uris.back() != '[') uris += ',';
      json::append_string(uris, uri);
    }
    append_member(agreed, kResourceSubscriptions, uris + ']');
  }
  if (news_) {
    std::string ids = "[";
    for (const auto id : news_->ids()) {
      if (ids.back() != '[') ids += ',';
      json::append_string(ids, id);
    }
    append_member(agreed, kTaskIds, ids + ']');
  }
  std::string json =
      R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{)";
  append_member(json, "_meta", meta_with(id_) + '}');
  append_member(json, "notifications", agreed + '}');
  append_event(out, json + "}}");
  watched_ = {};
}

void ListenStream::farewell(std::string& out) const {
  std::string meta = meta_with(id_);
  append_member(meta, kServerKey, server_info_);
  std::string result = R"({"resultType":"complete")";
  append_member(result, "_meta", meta + '}');
  append_event(out, render_result(id_, result + '}'));
}

EventSource::State ListenStream::next(std::string& out) {
  if (!is_acknowledged_) {
    is_acknowledged_ = true;
    acknowledge(out);
  }
  const std::string meta = meta_with(id_) + '}';
  while (out.size() < kPiece) {
    if (news_ && (!news_->is_idle() || news_->begin_first())) {
      news_->append(out);
      if (news_->is_broken()) return State::over;
      if (!news_->is_idle()) break;  // it wakes us
      continue;
    }
    const auto change = subscription_.take();
    if (change) {
      if (news_ && !change->list && news_->begin(change->uri)) continue;
      append_event(out, change_text(*change, meta));
      continue;
    }
    if (!is_draining_) break;
    farewell(out);
    return State::over;
  }
  return State::open;
}

void ListenStream::on_drain() { is_draining_ = true; }

}  // namespace sluice::mcp
