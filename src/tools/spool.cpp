#include "tools/spool.hpp"

#include <algorithm>
#include <boost/system/error_code.hpp>
#include <cerrno>
#include <span>
#include <string>

#include "base/file_io.hpp"
#include "base/units.hpp"

namespace sluice::tools {
Spool::Spool(mcp::InnerCall& call) : call_(call), checker_(call.max_nesting()) {}

void Spool::set(boost::system::error_code ec) noexcept {
  problem_ = ec == Errc::too_deep ? Problem::too_deep : Problem::not_json;
}

Awaitable<void> Spool::append(std::string_view piece) {
  if (problem_ == Problem::none && !frame_) {
    frame_ = call_.frames().take();
    if (!frame_) problem_ = Problem::no_frame;
  }
  while (problem_ == Problem::none && !piece.empty()) {
    if (used_ == kFrameBytes) {
      co_await flush();
    }
    if (problem_ != Problem::none) break;
    const auto copied = checker_.step(piece, std::span(frame_.data() + used_, kFrameBytes - used_));
    if (!copied) {
      set(copied.error());
      break;
    }
    used_ += *copied;
    piece.remove_prefix(*copied);
  }
  // A source that is no JSON is still read to its end as text; it need not hold the space for that.
  if (problem_ != Problem::none) {
    frame_.reset();
    file_.reset();
    used_ = 0;
    in_file_ = 0;
  }
}

Awaitable<void> Spool::flush() {
  int error = 0;
  int fd = file_.get();
  auto write = [this, &error, &fd] {
    if (fd < 0) fd = open_unnamed(call_.spool_directory());
    error = fd < 0 ? errno : write_all(fd, {frame_.data(), used_}, in_file_);
  };
  co_await call_.offload(write);
  if (!file_ && fd >= 0) file_ = Descriptor(fd);
  if (error != 0) {
    problem_ = Problem::disk;
    disk_error_ = error;
    co_return;
  }
  in_file_ += used_;
  used_ = 0;
}

void Spool::finish() noexcept {
  if (problem_ != Problem::none) return;
  const auto complete = checker_.finish();
  if (!complete) set(complete.error());
}

Awaitable<Result<>> Spool::replay(ResultWriter& out) {
  if (in_file_ > 0 && used_ > 0) {
    co_await flush();
    if (problem_ != Problem::none) co_return Errc::source_failed;
  }
  if (in_file_ == 0) {
    const auto sent = co_await out.write(std::string_view(frame_.data(), used_));
    co_return sent;
  }
  for (std::uint64_t at = 0; at < in_file_;) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kFrameBytes, in_file_ - at));
    int error = 0;
    auto read = [this, &error, size, at] {
      error = read_all(file_.get(), std::span(frame_.data(), size), at);
    };
    co_await call_.offload(read);
    if (error != 0) {
      problem_ = Problem::disk;
      disk_error_ = error;
      co_return Errc::source_failed;
    }
    const auto sent = co_await out.write(std::string_view(frame_.data(), size));
    if (!sent) co_return sent;
    at += size;
  }
  co_return Result<>{};
}

std::string Spool::why_not(const ResultWriter& out) const {
  switch (problem_) {
    case Problem::not_json:
      return "The tool did not give one JSON value.";
    case Problem::too_deep:
      return "The tool gave a JSON value that is nested deeper than limits.nesting allows.";
    case Problem::no_frame:
      return "The structured content is missing: limits.frames was used up.";
    case Problem::disk:
      return "The structured content is missing: no temporary file could be written to the "
             "directory of server.spool (" +
             boost::system::error_code(disk_error_, boost::system::generic_category()).message() +
             ").";
    case Problem::none:
      break;
  }
  // Found out now, while the result can still be closed: raw JSON that is cut cannot.
  if (out.bytes() + bytes() > call_.max_result())
    return "The structured content is missing: with the text it would be larger than the limit "
           "of " +
           format_bytes(call_.max_result()) + " for a result.";
  return {};
}

}  // namespace sluice::tools
