#include "tools/kept_bytes.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <span>

#include "base/file_io.hpp"
#include "base/units.hpp"

namespace sluice::tools {

Awaitable<Result<std::string_view>> KeptReader::next(std::uint64_t most) {
  if (at_ >= bytes_.in_file) {
    const auto rest = bytes_.tail.substr(static_cast<std::size_t>(at_ - bytes_.in_file));
    const auto piece =
        rest.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(most, rest.size())));
    at_ += piece.size();
    co_return piece;
  }
  if (!frame_) frame_ = call_.frames().take();
  if (!frame_) co_return Errc::frames_exhausted;
  const auto size =
      static_cast<std::size_t>(std::min({most, std::uint64_t{kFrameBytes}, bytes_.in_file - at_}));
  const std::span<char> to(frame_.data(), size);
  int error = size == 0 ? 0 : read_cached(bytes_.fd, to, at_);
  if (error != 0) {
    auto read = [&] { error = read_all(bytes_.fd, to, at_); };
    co_await call_.offload(read);
  }
  if (error != 0) co_return Errc::source_failed;
  at_ += size;
  // What is read without waiting, and skipped, must not keep others from the loop.
  constexpr std::uint64_t kTurn = 1_MiB;
  read_ += size;
  if (read_ >= kTurn) {
    read_ = 0;
    co_await boost::asio::post(call_.executor(), boost::asio::use_awaitable);
  }
  co_return std::string_view(to.data(), size);
}

}  // namespace sluice::tools
