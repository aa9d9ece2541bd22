#include "tools/pending_changes.hpp"

#include <utility>

namespace sluice::tools {

void PendingChanges::note(const std::string& path, Kind kind) {
  if (all_) return;
  const auto [it, is_new] = files_.try_emplace(path, Story{kind, kind});
  if (!is_new && kind != Kind::written) it->second.last = kind;
  if (files_.size() > FileWatcher::kMaxNames) everything();
}

void PendingChanges::directory(const std::string& path) {
  if (all_) return;
  directories_.insert(path);
  if (directories_.size() > FileWatcher::kMaxNames) everything();
}

void PendingChanges::everything() {
  all_ = true;
  files_.clear();
  directories_.clear();
}

FileChanges PendingChanges::take() {
  FileChanges out;
  out.all = std::exchange(all_, false);
  out.list = out.all || !directories_.empty();
  for (const auto& [path, story] : std::exchange(files_, {})) {
    const bool is_gone = story.last == Kind::went;
    // A file that another writes to and takes away again: nobody has seen it.
    if (story.first == Kind::came && is_gone) continue;
    out.files.push_back(path);
    out.list |= story.first == Kind::came || is_gone;
  }
  for (auto& path : std::exchange(directories_, {})) out.directories.push_back(path);
  return out;
}

}  // namespace sluice::tools
