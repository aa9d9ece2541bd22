#include "tools/file_watcher.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "tools/descriptor.hpp"
#include "tools/pending_changes.hpp"
#include "tools/rooted_open.hpp"
#include "tools/watch_table.hpp"

namespace sluice::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kMask = IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                IN_MOVED_TO | IN_ONLYDIR | IN_EXCL_UNLINK;

struct CloseDirectory {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

/// The names of the directories in one, and of its files.
struct Names {
  std::vector<std::string> directories;
  std::vector<std::string> files;
};

Names read_names(Descriptor opened) {
  Names out;
  const int fd = opened.get();
  const std::unique_ptr<DIR, CloseDirectory> directory(::fdopendir(fd));
  if (!directory) return out;
  static_cast<void>(opened.release());
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat status{};
    bool is_directory = entry->d_type == DT_DIR;
    if (entry->d_type == DT_UNKNOWN)
      is_directory = ::fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                     S_ISDIR(status.st_mode);
    (is_directory ? out.directories : out.files).emplace_back(name);
  }
  return out;
}

}  // namespace

struct FileWatcher::Impl {
  struct Watched {
    std::unique_ptr<Target> target;
    RootedDirectory root;
    PendingChanges pending;
  };

  Impl(std::vector<std::unique_ptr<Target>> targets, const Options& o) : options(o) {
    for (auto& target : targets) {
      Watched watched;
      std::string problem;
      if (!watched.root.open(target->root(), problem)) {
        spdlog::warn("changes are not seen: {}", problem);
        continue;
      }
      watched.target = std::move(target);
      all.push_back(std::move(watched));
    }
    inotify = Descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    wake = Descriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    if (!inotify || !wake) {
      spdlog::warn("changes of files are not seen: {}", std::generic_category().message(errno));
      return;
    }
    for (std::size_t i = 0; i < all.size(); ++i) add(i, {}, nullptr);
    thread = std::thread([this] { run(); });
  }

  ~Impl() {
    if (!thread.joinable()) return;
    const std::uint64_t one = 1;
    static_cast<void>(!::write(wake.get(), &one, sizeof one));
    thread.join();
  }

  /// Watches a directory of a target and those below it. `found`: the files in them count as come.
  void add(std::size_t index, std::string directory, PendingChanges* found) {
    Watched& watched = all[index];
    std::vector<std::string> todo{std::move(directory)};
    while (!todo.empty()) {
      const std::string path = std::move(todo.back());
      todo.pop_back();
      Descriptor opened = watched.root.open_directory(path.empty() ? "." : path);
      if (!opened || !watch(index, path, opened.get())) continue;
      // Only now: what came before the watch is in the names, what comes after it is an event.
      const Names names = read_names(std::move(opened));
      for (const auto& name : names.directories)
        if (watched.target->enters(path + name)) todo.push_back(path + name + '/');
      if (found == nullptr) continue;
      for (const auto& name : names.files)
        if (watched.target->takes(path + name)) found->came(path + name);
    }
  }

  bool watch(std::size_t index, const std::string& path, int fd) {
    if (table.size() >= options.max_directories) {
      tell_once("limits.watches (" + std::to_string(options.max_directories) + ") is reached");
      return false;
    }
    const std::string name = "/proc/self/fd/" + std::to_string(fd);
    const int wd = ::inotify_add_watch(inotify.get(), name.c_str(), kMask);
    if (wd < 0) {
      tell_once(errno == ENOSPC ? "fs.inotify.max_user_watches of the system is reached"
                                : std::generic_category().message(errno));
      return false;
    }
    table.add(wd, {index, path});
    directories = table.size();
    return true;
  }

  void tell_once(const std::string& why) {
    if (!std::exchange(has_told, true))
      spdlog::warn("changes in some directories are not seen: {}", why);
  }

  void run() {
    std::array<pollfd, 2> polled{pollfd{inotify.get(), POLLIN, 0}, pollfd{wake.get(), POLLIN, 0}};
    auto due = Clock::time_point::max();
    while (true) {
      int timeout = -1;
      if (due != Clock::time_point::max()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
        timeout = static_cast<int>(std::max<std::int64_t>(0, left.count()));
      }
      const int ready = ::poll(polled.data(), polled.size(), timeout);
      if (ready < 0 && errno != EINTR) return;
      if (polled[1].revents != 0) return;
      if (ready > 0) read_events();
      const auto now = Clock::now();
      if (due <= now) {
        due = Clock::time_point::max();
        for (auto& watched : all)
          if (!watched.pending.empty()) watched.target->changed(watched.pending.take());
      }
      for (const auto& watched : all)
        if (!watched.pending.empty() && due == Clock::time_point::max())
          due = now + options.interval;
    }
  }

  void read_events() {
    alignas(inotify_event) std::array<char, 16 * 1024> buffer;
    // Some at a time, so that what is due is told in a storm too.
    for (int rounds = 0; rounds < 16; ++rounds) {
      const auto size = ::read(inotify.get(), buffer.data(), buffer.size());
      if (size <= 0) return;
      for (const char* at = buffer.data(); at < buffer.data() + size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(at);
        on_event(*event);
        at += sizeof(inotify_event) + event->len;
      }
    }
  }

  void on_event(const inotify_event& event) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) return start_again();
    if ((event.mask & IN_IGNORED) != 0) {
      table.forget(event.wd);
      directories = table.size();
      return;
    }
    const std::string name = event.len > 0 ? event.name : "";
    if (name.empty()) return;
    // A copy: what happens may add to the table.
    for (const auto& place : table.find(event.wd)) {
      if ((event.mask & IN_ISDIR) != 0)
        on_directory(place, name, event.mask);
      else
        on_file(place, name, event.mask);
    }
  }

  void on_directory(const WatchTable::Place& place, const std::string& name, std::uint32_t mask) {
    Watched& watched = all[place.target];
    const std::string path = place.directory + name;
    if (!watched.target->enters(path)) return;
    if ((mask & (IN_CREATE | IN_MOVED_TO)) != 0) {
      add(place.target, path + '/', &watched.pending);
      if ((mask & IN_MOVED_TO) != 0) watched.pending.directory(path + '/');
    } else if ((mask & IN_MOVED_FROM) != 0) {
      for (const int wd : table.leave(place.target, path + '/'))
        ::inotify_rm_watch(inotify.get(), wd);
      watched.pending.directory(path + '/');
    }
  }

  void on_file(const WatchTable::Place& place, const std::string& name, std::uint32_t mask) {
    Watched& watched = all[place.target];
    const std::string path = place.directory + name;
    const bool has_come = (mask & (IN_CREATE | IN_MOVED_TO)) != 0;
    if (has_come && watched.root.is_link(path)) return watched.pending.everything();
    if (!watched.target->takes(path)) return;
    if (has_come)
      watched.pending.came(path);
    else if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0)
      watched.pending.went(path);
    else
      watched.pending.written(path);
  }

  /// Events have been lost, so what is watched may have become wrong too.
  void start_again() {
    spdlog::debug("changes of files came too fast: everything is looked at again");
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].pending.everything();
      for (const int wd : table.leave(i, {})) ::inotify_rm_watch(inotify.get(), wd);
    }
    for (std::size_t i = 0; i < all.size(); ++i) add(i, {}, nullptr);
  }

  const Options options;
  std::vector<Watched> all;
  Descriptor inotify;
  Descriptor wake;
  WatchTable table;
  std::atomic<std::size_t> directories{0};
  bool has_told = false;
  std::thread thread;
};

FileWatcher::FileWatcher(std::vector<std::unique_ptr<Target>> targets, const Options& options)
    : impl_(std::make_unique<Impl>(std::move(targets), options)) {}

FileWatcher::~FileWatcher() = default;

std::size_t FileWatcher::directories() const noexcept { return impl_->directories; }

}  // namespace sluice::tools
