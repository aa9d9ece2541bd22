#include "http/upstream_resolver.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <utility>

namespace sluice::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

UpstreamResolver::UpstreamResolver(asio::any_io_executor executor, std::string host,
                                   std::uint16_t port)
    : resolver_(executor),
      host_(std::move(host)),
      port_(port),
      state_(std::make_shared<State>(executor)) {}

Awaitable<error_code> UpstreamResolver::resolve(Endpoints& out, UpstreamWatch& watch) {
  out.clear();
  error_code ec;
  const auto address = asio::ip::make_address(host_, ec);
  if (!ec) {
    out.emplace_back(address, port_);
    co_return error_code();
  }
  const std::shared_ptr<State> state = state_;
  if (!state->running) {
    state->running = true;
    resolver_.async_resolve(host_, std::to_string(port_), tcp::resolver::numeric_service,
                            [state](error_code error, const tcp::resolver::results_type& results) {
                              state->running = false;
                              state->error = error;
                              state->found.clear();
                              for (const auto& entry : results)
                                state->found.push_back(entry.endpoint());
                              state->signal.notify();
                            });
  }
  while (state->running) {
    if (watch.is_expired()) co_return asio::error::operation_aborted;
    // Wakes the others too; they look and wait on.
    watch.guard([s = state.get()] { s->signal.notify(); });
    co_await state->signal.wait();
    watch.guard({});
  }
  if (!state->error) out = state->found;
  co_return state->error;
}

}  // namespace sluice::http
