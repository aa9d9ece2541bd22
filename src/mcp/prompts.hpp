#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sluice/prompt.hpp>

#include "config/config.hpp"
#include "mcp/list_pages.hpp"

namespace sluice::mcp {

/// A prompt, ready to be asked for.
struct PromptEntry {
  Prompt prompt;
  std::unique_ptr<PromptHandler> handler;
  std::chrono::milliseconds timeout{};
  std::string timeout_name;  ///< "timeouts.call (60s)"

  /// Null where it has no such argument.
  [[nodiscard]] const PromptArgument* find(std::string_view argument) const noexcept;
};

/// All prompts, and prompts/list as it is sent. Built once, then shared by all loops.
///
/// Threads:   immutable, any.
class Prompts {
 public:
  class Builder;

  [[nodiscard]] const PromptEntry* find(std::string_view name) const noexcept;
  /// prompts/list, in the order of registration.
  [[nodiscard]] const ListPages& pages() const noexcept { return pages_; }
  [[nodiscard]] bool empty() const noexcept { return prompts_.empty(); }
  /// Those prompts alone, in pages of their own.
  [[nodiscard]] std::shared_ptr<const Prompts> only(const IsWanted& is_wanted,
                                                    std::size_t per_page) const;
  /// True where an argument of one of them has values to offer.
  [[nodiscard]] bool has_completions() const noexcept;

 private:
  using Entries = std::vector<std::shared_ptr<const PromptEntry>>;
  Prompts(Entries prompts, std::size_t per_page);
  Entries prompts_;
  std::unordered_map<std::string_view, const PromptEntry*> by_name_;
  ListPages pages_;
};

class Prompts::Builder {
 public:
  explicit Builder(const config::Config& config) : config_(config) {}
  /// Takes a prompt, or keeps a complaint about it.
  void add(Prompt prompt, std::unique_ptr<PromptHandler> handler);
  /// What was wrong with the prompts added since the last call.
  [[nodiscard]] std::vector<std::string> take_complaints() {
    return std::exchange(complaints_, {});
  }
  /// REQUIRES: there were no complaints.
  [[nodiscard]] std::shared_ptr<const Prompts> build() &&;

 private:
  void complain(const Prompt& prompt, std::string_view what);

  const config::Config& config_;
  std::vector<std::shared_ptr<const PromptEntry>> prompts_;
  std::vector<std::string> complaints_;
};

}  // namespace sluice::mcp
