#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "mcp/inner_call.hpp"
#include "tools/factory.hpp"
#include "tools/rooted_open.hpp"
#include "tools/source_result.hpp"
#include "tools/template.hpp"

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

/// Why a path is refused before anything is opened; empty where it is not.
std::string path_problem(const std::string& path) {
  if (path.empty()) return "The path is empty.";
  if (path.find('\0') != std::string::npos)
    return "The path holds a NUL character, which no file name has.";
  if (path.front() == '/') return "The path must not be absolute.";
  return {};
}

/// A URI for a file whose place is nobody's business: the tool's name and the path below the
/// directory.
std::string uri_of(std::string_view tool, std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = "sluice://";
  uri.append(tool).append("/");
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri.append("%").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
    }
  }
  return uri;
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

/// Gives files below a directory.
///
/// What the kernel holds in memory is opened and read on the loop; what needs the disk, on the
/// worker pool.
///
/// Ownership: borrows the configuration, which outlives it; owns the directory's descriptor.
/// Threads:   immutable, any.
/// Bounds:    one frame per call. A file is read up to the size that it had when it was opened.
class FileHandler final : public ToolHandler {
 public:
  FileHandler(const config::Tool& tool, RootedDirectory root)
      : tool_(tool), config_(std::get<config::FileTool>(tool.source)), root_(std::move(root)) {}

  Awaitable<Result<>> run(Call& base, ResultWriter& out) override {
    mcp::InnerCall& call = mcp::inner(base);
    const auto path = expand(config_.path, call.arguments());
    const std::string refusal =
        path ? path_problem(*path) : "A parameter of the path has no value.";
    if (!refusal.empty()) {
      const auto failed = co_await out.fail(refusal);
      co_return failed;
    }
    RootedDirectory::Opened opened = root_.open_file(*path, RootedDirectory::Wait::never);
    if (opened.error == EAGAIN) {
      auto open = [this, &opened, &path] {
        opened = root_.open_file(*path, RootedDirectory::Wait::may_block);
      };
      co_await call.offload(open);
    }
    if (opened.error != 0) {
      const std::string reason = open_failure(opened.error);
      const auto failed = co_await out.fail(reason);
      co_return failed;
    }
    ResultShape shape{config_.result, config_.structured, config_.mime_type.value_or(std::string()),
                      uri_of(tool_.name, *path)};
    const std::string_view media_type =
        shape.mime_type.empty() ? media_type_of(*path) : shape.mime_type;
    SourceResult result(call, out, shape, media_type);
    if (opened.size > 0) result.expect(opened.size);
    const auto sent = co_await send(call, opened, result);
    co_return sent;
  }

 private:
  static Awaitable<Result<>> send(mcp::InnerCall& call, const RootedDirectory::Opened& from,
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
        const std::string problem = "The file could not be read further after " +
                                    std::to_string(at) +
                                    " bytes: " + std::generic_category().message(piece.error) + ".";
        const auto failed = co_await result.fail(problem);
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

  const config::Tool& tool_;
  const config::FileTool& config_;
  const RootedDirectory root_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_file_tool(const config::Tool& tool, std::string& problem) {
  RootedDirectory root;
  if (!root.open(std::get<config::FileTool>(tool.source).root, problem)) return nullptr;
  return std::make_unique<FileHandler>(tool, std::move(root));
}

}  // namespace sluice::tools
