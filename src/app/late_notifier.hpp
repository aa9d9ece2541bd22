#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include <sluice/notifier.hpp>

namespace sluice::app {

/// A notifier that can be had before there is anybody to tell; what it is told by then means
/// nothing, since there are no clients either.
///
/// Threads: any.
class LateNotifier final : public Notifier {
 public:
  void pass_on_to(std::shared_ptr<Notifier> notifier) {
    const std::scoped_lock lock(mutex_);
    notifier_ = std::move(notifier);
  }

  void resource_updated(std::string_view uri) override {
    if (const auto notifier = get()) notifier->resource_updated(uri);
  }
  void resources_updated(std::string_view prefix) override {
    if (const auto notifier = get()) notifier->resources_updated(prefix);
  }
  void list_changed(List list) override {
    if (const auto notifier = get()) notifier->list_changed(list);
  }

 private:
  [[nodiscard]] std::shared_ptr<Notifier> get() {
    const std::scoped_lock lock(mutex_);
    return notifier_;
  }

  std::mutex mutex_;
  std::shared_ptr<Notifier> notifier_;
};

}  // namespace sluice::app
