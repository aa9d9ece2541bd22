#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>
#include <memory>
#include <utility>

namespace sluice::mcp {

/// A handle by which any loop can stop, or wake, something that runs on one loop: a call, an event
/// stream.
///
/// Ownership: shared; what it stops detaches itself when it ends, after which nothing does anything.
/// Threads:   stop() and wake() any; the rest the loop.
class Stopper : public std::enable_shared_from_this<Stopper> {
 public:
  /// REQUIRES: lives on the loop until detach().
  class Target {
   public:
    virtual void on_stop(boost::system::error_code why) = 0;
    virtual void on_wake() {}

   protected:
    ~Target() = default;
  };

  Stopper(boost::asio::any_io_executor executor, Target& target)
      : executor_(std::move(executor)), target_(&target) {}
  Stopper(const Stopper&) = delete;
  Stopper& operator=(const Stopper&) = delete;

  void stop(boost::system::error_code why) {
    boost::asio::post(executor_, [self = shared_from_this(), why] { self->stop_now(why); });
  }
  /// The same from the loop itself, at once.
  void stop_now(boost::system::error_code why) {
    if (target_ != nullptr) target_->on_stop(why);
  }
  /// Tells it, on its loop, that there is something to do.
  void wake() {
    boost::asio::post(executor_, [self = shared_from_this()] {
      if (self->target_ != nullptr) self->target_->on_wake();
    });
  }
  void detach() noexcept { target_ = nullptr; }

 private:
  boost::asio::any_io_executor executor_;
  Target* target_;
};

}  // namespace sluice::mcp
