#include "mcp/private_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace sluice::mcp {
namespace {

std::string text_of(int error) { return std::generic_category().message(error); }

struct CloseDirectory {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

}  // namespace

bool PrivateFolder::open(const std::string& directory, std::string& problem) {
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    problem = "cannot make the directory " + directory + ": " + text_of(errno);
    return false;
  }
  folder_ = Descriptor(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_ || ::faccessat(folder_.get(), ".", R_OK | W_OK | X_OK, AT_EACCESS) != 0) {
    problem = "cannot use the directory " + directory + ": " + text_of(errno);
    return false;
  }
  struct stat status{};
  if (::fstat(folder_.get(), &status) == 0 && (status.st_mode & S_IWOTH) != 0 &&
      (status.st_mode & S_ISVTX) == 0)
    spdlog::warn("{}: others may remove what is in {}", setting_, directory);
  return true;
}

Descriptor PrivateFolder::open_file(const std::string& name, int flags) const {
  Descriptor file(
      ::openat(folder_.get(), name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0) return {};
  const bool is_ours = S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
                       status.st_nlink == 1 && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  if (is_ours) return file;
  spdlog::warn("{}: {} is no file of this user alone; it is left aside", setting_, name);
  return {};
}

void PrivateFolder::remove(const std::string& name) const noexcept {
  ::unlinkat(folder_.get(), name.c_str(), 0);
}

void PrivateFolder::for_each(const std::function<void(const std::string& name)>& take) const {
  // fdopendir() takes the descriptor, and its offset is shared with what it was made of.
  const int copy = ::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, CloseDirectory> directory(copy < 0 ? nullptr : ::fdopendir(copy));
  if (!directory) return;
  while (const dirent* entry = ::readdir(directory.get())) take(entry->d_name);
}

}  // namespace sluice::mcp
