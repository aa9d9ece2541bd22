#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace sluice::mcp {

/// A directory for files of this process that outlive it, and that nobody else may read.
///
/// Threads: immutable, any; everything here blocks.
class PrivateFolder {
 public:
  /// `setting` names it in the log: "tasks.spool".
  explicit PrivateFolder(std::string_view setting) : setting_(setting) {}

  /// Makes the directory, for this user alone, where there is none; its parent must be there.
  [[nodiscard]] bool open(const std::string& directory, std::string& problem);
  [[nodiscard]] int get() const noexcept { return folder_.get(); }

  /// A regular file of this user with no rights for others and no second name; empty where there is
  /// none. What is not so is left alone, and said in the log.
  [[nodiscard]] Descriptor open_file(const std::string& name, int flags) const;
  void remove(const std::string& name) const noexcept;
  /// Calls `take` with the name of everything in it.
  void for_each(const std::function<void(const std::string& name)>& take) const;

 private:
  const std::string setting_;
  Descriptor folder_;
};

}  // namespace sluice::mcp
