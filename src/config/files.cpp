#include "config/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace sluice::config {
namespace {

std::string message(int error) { return std::generic_category().message(error); }

/// Why the path cannot be read; empty where it can.
std::string why_unreadable(const std::string& path, bool wants_directory) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return message(errno);
  if (wants_directory != S_ISDIR(info.st_mode))
    return wants_directory ? "not a directory" : "is a directory";
  if (::access(path.c_str(), wants_directory ? R_OK | X_OK : R_OK) != 0) return message(errno);
  return {};
}

std::optional<std::string> existing(const Field& field, bool wants_directory) {
  const auto path = field.text();
  if (!path) return std::nullopt;
  if (path->empty() || path->find('\0') != std::string::npos) {
    field.expected("a path");
    return std::nullopt;
  }
  auto full = resolve(field.context(), *path);
  const auto why = why_unreadable(full, wants_directory);
  if (why.empty()) return full;
  field.complain("cannot read " + in_quotes(field.node().written) + ": " + why);
  return std::nullopt;
}

}  // namespace

FileContent slurp(const std::string& path) {
  if (auto why = why_unreadable(path, false); !why.empty()) return {std::nullopt, std::move(why)};
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {std::nullopt, message(errno)};
  FileContent out{std::string{}, {}};
  std::array<char, 16384> chunk;
  while (true) {
    const auto n = ::read(fd, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) out = {std::nullopt, message(errno)};
    if (n <= 0) break;
    out.content->append(chunk.data(), static_cast<std::size_t>(n));
  }
  ::close(fd);
  return out;
}

std::string resolve(const Context& context, std::string_view path) {
  return (std::filesystem::path(context.folder) / path).lexically_normal().string();
}

std::optional<std::string> readable_file(const Field& field) { return existing(field, false); }

std::optional<std::string> directory(const Field& field) { return existing(field, true); }

std::optional<std::string> read_file(const Field& field) {
  const auto path = readable_file(field);
  if (!path) return std::nullopt;
  auto file = slurp(*path);
  if (!file.content)
    field.complain("cannot read " + in_quotes(field.node().written) + ": " + file.error);
  return std::move(file.content);
}

}  // namespace sluice::config
