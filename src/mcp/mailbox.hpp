#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::mcp {

/// Where answers from any loop arrive on one.
///
/// Ownership: shared; its owner detaches itself when it ends, after which nothing arrives.
/// Threads:   deliver() any; the rest the loop.
class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  /// REQUIRES: lives on the loop until detach().
  class Owner {
   public:
    /// The JSON-RPC response to the request of that id.
    virtual void on_response(std::string_view id, std::string response) = 0;

   protected:
    ~Owner() = default;
  };

  Mailbox(boost::asio::any_io_executor executor, Owner& owner)
      : executor_(std::move(executor)), owner_(&owner) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  void deliver(std::string id, std::string response) {
    auto arrive = [self = shared_from_this(), asked = std::move(id),
                   text = std::move(response)]() mutable {
      if (self->owner_ != nullptr) self->owner_->on_response(asked, std::move(text));
    };
    boost::asio::post(executor_, std::move(arrive));
  }
  void detach() noexcept { owner_ = nullptr; }

 private:
  boost::asio::any_io_executor executor_;
  Owner* owner_;
};

}  // namespace sluice::mcp
