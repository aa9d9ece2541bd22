#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace sluice {

/// For Asio operations inside coroutines: the result is a tuple that starts with the error code;
/// failures of peers are values, only cancellation of the coroutine itself throws.
inline constexpr auto kAwaitTuple = boost::asio::as_tuple(boost::asio::use_awaitable);

}  // namespace sluice
