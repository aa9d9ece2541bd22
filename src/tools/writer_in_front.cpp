#include "tools/writer_in_front.hpp"

namespace sluice::tools {

Awaitable<Result<>> WriterInFront::link(ResourceLink link) {
  if (failed_) co_return Errc::result_too_large;
  const auto ended = co_await end();
  if (!ended) co_return ended;
  const auto sent = co_await out_.link(link);
  co_return sent;
}

Awaitable<Result<>> WriterInFront::raw_block(std::string_view json) {
  if (failed_) co_return Errc::result_too_large;
  const auto ended = co_await end();
  if (!ended) co_return ended;
  const auto sent = co_await out_.raw_block(json);
  co_return sent;
}

Awaitable<Result<>> WriterInFront::fail(std::string_view message) {
  if (failed_) co_return Result<>();
  const auto left = co_await break_off();
  if (!left) co_return left;
  failed_ = true;
  const auto told = co_await out_.fail(message);
  co_return told;
}

Awaitable<Result<>> WriterInFront::not_found(std::string_view message) {
  if (failed_) co_return Result<>();
  const auto left = co_await break_off();
  if (!left) co_return left;
  failed_ = true;
  const auto told = co_await out_.not_found(message);
  co_return told;
}

}  // namespace sluice::tools
