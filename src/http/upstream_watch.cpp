#include "http/upstream_watch.hpp"

#include <utility>

namespace sluice::http {

UpstreamWatch::UpstreamWatch(const boost::asio::any_io_executor& executor)
    : timer_(executor), state_(std::make_shared<State>(State{this})) {}

UpstreamWatch::~UpstreamWatch() { state_->owner = nullptr; }

void UpstreamWatch::arm(Clock::time_point when) {
  expired_ = false;
  timer_.expires_at(when);
  timer_.async_wait([state = state_](boost::system::error_code ec) {
    if (!ec && state->owner != nullptr) state->owner->on_timer();
  });
}

void UpstreamWatch::guard(std::function<void()> stop) {
  stop_ = std::move(stop);
  if (expired_ && stop_) stop_();
}

void UpstreamWatch::on_timer() {
  // A wait that had ended before it was armed anew comes here too.
  if (Clock::now() < timer_.expiry()) return;
  expired_ = true;
  if (stop_) stop_();
}

}  // namespace sluice::http
