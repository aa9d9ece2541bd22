#include "tools/file_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace sluice::tools {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

enum class What : std::uint8_t { file, directory, other };

What what(int directory, const char* name, unsigned char type) noexcept {
  if (type == DT_UNKNOWN) {
    struct stat status{};
    if (::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return What::other;
    if (S_ISDIR(status.st_mode)) return What::directory;
    return S_ISREG(status.st_mode) || S_ISLNK(status.st_mode) ? What::file : What::other;
  }
  if (type == DT_DIR) return What::directory;
  return type == DT_REG || type == DT_LNK ? What::file : What::other;
}

/// One call of list().
class Walk {
 public:
  Walk(const RootedDirectory& root, const PathFilter& filter, std::string_view after,
       std::size_t count)
      : root_(root), filter_(filter), after_(after), count_(count) {}

  [[nodiscard]] FileTree::Listing run() && {
    enter({}, 0);
    return std::move(out_);
  }

 private:
  /// Goes through the directory whose path is `prefix`, with a slash at its end, or the root. False
  /// where the walk is over.
  bool enter(const std::string& prefix, std::size_t depth) {
    if (depth > FileTree::kMaxDepth) return true;
    if (++looks_ > FileTree::kMaxLooks) {
      out_.next = prefix;
      return false;
    }
    std::string from(after_ > prefix && after_.starts_with(prefix) ? after_.substr(prefix.size())
                                                                   : std::string_view());
    while (true) {
      bool has_more = false;
      const auto keys = read(prefix, from, has_more);
      held_ += keys.size();
      for (const auto& key : keys) {
        const bool goes_on =
            key.ends_with('/') ? enter(prefix + key, depth + 1) : look(prefix + key);
        if (!goes_on) return false;
      }
      held_ -= keys.size();
      if (!has_more) return true;
      from = keys.back();
    }
  }

  bool look(std::string path) {
    if (++looks_ > FileTree::kMaxLooks) {
      out_.next = last_;
      return false;
    }
    last_ = path;
    struct stat status{};
    if (!filter_.takes(path) || !root_.stat_file(path, status)) return true;
    if (out_.files.size() == count_) {
      out_.next = out_.files.back().path;
      return false;
    }
    out_.files.push_back({std::move(path), static_cast<std::uint64_t>(status.st_size),
                          static_cast<std::int64_t>(status.st_mtim.tv_sec)});
    return true;
  }

  /// The names behind `from` in order, those of directories with a slash at their end, so that the
  /// order is that of paths.
  std::vector<std::string> read(const std::string& prefix, const std::string& from,
                                bool& has_more) {
    constexpr std::size_t kFew = 512;
    const std::size_t most =
        std::max(kFew, FileTree::kMaxHeld - std::min(held_, FileTree::kMaxHeld));
    std::vector<std::string> keys;
    Descriptor opened = root_.open_directory(prefix.empty() ? "." : prefix);
    const Directory directory(opened ? ::fdopendir(opened.get()) : nullptr);
    if (!directory) return keys;
    const int fd = opened.release();
    while (const dirent* entry = ::readdir(directory.get())) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      const What kind = what(fd, entry->d_name, entry->d_type);
      if (kind == What::other) continue;
      std::string key(name);
      if (kind == What::directory) {
        if (!filter_.enters(prefix + key)) continue;
        key += '/';
      }
      // Of the directory that `from` leads into, the rest is still to be seen.
      if (!from.empty() && key <= from && !(key.back() == '/' && from.starts_with(key))) continue;
      keys.push_back(std::move(key));
      if (keys.size() == 2 * most) {
        drop_largest(keys, most);
        has_more = true;
      }
    }
    if (keys.size() > most) {
      drop_largest(keys, most);
      has_more = true;
    }
    std::ranges::sort(keys);
    return keys;
  }

  static void drop_largest(std::vector<std::string>& keys, std::size_t most) {
    const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(keys.begin(), middle, keys.end());
    keys.erase(middle, keys.end());
  }

  const RootedDirectory& root_;
  const PathFilter& filter_;
  const std::string_view after_;
  const std::size_t count_;
  std::string last_;
  std::size_t looks_ = 0;
  std::size_t held_ = 0;  // names, in all directories that are open
  FileTree::Listing out_;
};

}  // namespace

FileTree::Listing FileTree::list(std::string_view after, std::size_t count) const {
  return Walk(root_, filter_, after, count).run();
}

}  // namespace sluice::tools
