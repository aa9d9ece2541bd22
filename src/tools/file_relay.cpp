#include "tools/file_relay.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <limits>
#include <system_error>

namespace sluice::tools {
namespace {

/// What the caller is told; nothing of the directory that is served.
std::string open_failure(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "There is no such file.";
    case EXDEV:
    case ELOOP:
      return "The path leads out of the directory that this tool serves.";
    case ENODEV:
    case ENXIO:
      return "This is not a regular file.";
    case EACCES:
    case EPERM:
      return "The file may not be read.";
    case ENAMETOOLONG:
      return "The path is too long.";
    default:
      return "The file cannot be opened: " + std::generic_category().message(error) + ".";
  }
}

/// Bytes read, or -1 and `error`.
struct Piece {
  ssize_t bytes = 0;
  int error = 0;
};

Piece read_at(int fd, char* to, std::size_t size, std::uint64_t at, int flags) noexcept {
  iovec span{to, size};
  Piece piece;
  do {
    piece.bytes = ::preadv2(fd, &span, 1, static_cast<off_t>(at), flags);
  } while (piece.bytes < 0 && errno == EINTR);
  if (piece.bytes < 0) piece.error = errno;
  return piece;
}

/// True where the error means that there is nothing that could be read under that name.
bool is_missing(int error) noexcept {
  return error != EACCES && error != EPERM && error != EMFILE && error != ENFILE &&
         error != ENOMEM && error != EIO;
}

Awaitable<Result<>> send(mcp::InnerCall& call, const RootedDirectory::Opened& from,
                         SourceResult& result) {
  Frame frame = call.frames().take();
  if (!frame) co_return Errc::frames_exhausted;
  const int fd = from.file.get();
  // Files of /proc and their like have no size; they are read until they end.
  const std::uint64_t end = from.size > 0 ? from.size : std::numeric_limits<std::uint64_t>::max();
  std::uint64_t at = 0;
  while (at < end) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kFrameBytes, end - at));
    Piece piece = read_at(fd, frame.data(), size, at, RWF_NOWAIT);
    if (piece.error == EAGAIN || piece.error == EOPNOTSUPP) {
      auto read = [&piece, &frame, fd, size, at] {
        piece = read_at(fd, frame.data(), size, at, 0);
      };
      co_await call.offload(read);
    }
    if (piece.error != 0) {
      const std::string problem = "The file could not be read further after " + std::to_string(at) +
                                  " bytes: " + std::generic_category().message(piece.error) + ".";
      const auto failed = co_await result.fail(problem);
      co_return failed;
    }
    if (piece.bytes == 0 && from.size > 0) {
      const auto failed = co_await result.fail("The file became shorter while it was read, after " +
                                               std::to_string(at) + " bytes.");
      co_return failed;
    }
    if (piece.bytes == 0) break;
    const auto bytes = static_cast<std::size_t>(piece.bytes);
    const auto written = co_await result.write(std::string_view(frame.data(), bytes));
    if (!written) co_return written;
    at += bytes;
  }
  frame.reset();
  const auto finished = co_await result.finish();
  co_return finished;
}

}  // namespace

std::string path_problem(std::string_view path) {
  if (path.empty()) return "The path is empty.";
  if (path.find('\0') != std::string_view::npos)
    return "The path holds a NUL character, which no file name has.";
  if (path.front() == '/') return "The path must not be absolute.";
  return {};
}

std::string time_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[32];
  if (::gmtime_r(&time, &parts) == nullptr) return {};
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

Awaitable<Result<>> give_file(mcp::InnerCall& call, ResultWriter& out, const RootedDirectory& root,
                              const std::string& path, const ResultShape& shape) {
  RootedDirectory::Opened opened = root.open_file(path, RootedDirectory::Wait::never);
  if (opened.error == EAGAIN) {
    auto open = [&root, &opened, &path] {
      opened = root.open_file(path, RootedDirectory::Wait::may_block);
    };
    co_await call.offload(open);
  }
  if (opened.error != 0) {
    const std::string reason = open_failure(opened.error);
    if (is_missing(opened.error)) {
      const auto told = co_await out.not_found(reason);
      co_return told;
    }
    const auto failed = co_await out.fail(reason);
    co_return failed;
  }
  const std::string_view media_type =
      shape.mime_type.empty() ? media_type_of(path) : shape.mime_type;
  SourceResult result(call, out, shape, media_type);
  if (opened.size > 0) result.expect(opened.size);
  const auto sent = co_await send(call, opened, result);
  co_return sent;
}

}  // namespace sluice::tools
