#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/intrusive/list.hpp>
#include <boost/intrusive/list_hook.hpp>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "mcp/list_set.hpp"
#include "mcp/subscription.hpp"
#include "mcp/subscriptions.hpp"

/// What Subscriptions and Subscription have in common. REQUIRES of all of it: the shard's lock is
/// held.
namespace sluice::mcp {

using SubscriptionHook =
    boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
/// Members of it leave when they die.
template <class T, SubscriptionHook T::* member>
using SubscriptionRow =
    boost::intrusive::list<T, boost::intrusive::member_hook<T, SubscriptionHook, member>,
                           boost::intrusive::constant_time_size<false>>;

/// One resource that one subscription wants to hear of.
struct SubscriptionLink {
  Subscription::State& subscription;
  std::string uri;
  SentAs sent = {};
  SubscriptionHook in_topic = {};
  SubscriptionHook in_pending = {};
};

struct Subscription::State {
  using Links = std::list<SubscriptionLink>;

  Subscriptions& hub;
  Subscriptions::Shard& shard;
  Owner& owner;
  ListSet wanted;
  ListSet pending = {};
  std::array<SentAs, kLists.size()> sent = {};
  Links links = {};
  SubscriptionRow<SubscriptionLink, &SubscriptionLink::in_pending> pending_links = {};
  SubscriptionHook in_shard = {};
  SubscriptionHook in_due = {};

  [[nodiscard]] bool has_pending() const noexcept {
    return !pending.empty() || !pending_links.empty();
  }
  void mark(List list);
  void mark(SubscriptionLink& link);
  void drop(Links::iterator link);
  [[nodiscard]] Links::iterator find(std::string_view uri);

 private:
  /// Its owner is to be told, unless it has been and has not asked for all of it yet.
  void be_due();
};

struct Subscriptions::Shard {
  using State = Subscription::State;
  using Topic = SubscriptionRow<SubscriptionLink, &SubscriptionLink::in_topic>;
  using Texts = std::set<std::string, std::less<>>;

  mutable std::mutex mutex;
  boost::asio::any_io_executor executor;
  bool serves = false;
  bool posted = false;
  SubscriptionRow<State, &State::in_shard> subscriptions;
  SubscriptionRow<State, &State::in_due> due;        ///< Their owners are to be told.
  std::map<std::string, Topic, std::less<>> topics;  ///< By normalized URI.
  // What has changed and is not marked yet.
  ListSet lists;
  Texts uris;
  Texts prefixes;

  void note_all() {
    uris.clear();
    prefixes = {""};
  }
  void mark_noted();
};

}  // namespace sluice::mcp
