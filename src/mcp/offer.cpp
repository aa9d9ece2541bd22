#include "mcp/offer.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace sluice::mcp {
namespace {

/// The patterns of one list of a group, and which of them have matched anything.
class Patterns {
 public:
  explicit Patterns(const std::vector<std::string>& patterns)
      : patterns_(patterns), used_(patterns.size()) {}

  [[nodiscard]] IsWanted is_wanted() {
    return [this](const std::string& name) {
      bool found = false;
      for (std::size_t i = 0; i < patterns_.size(); ++i) {
        if (::fnmatch(patterns_[i].c_str(), name.c_str(), 0) != 0) continue;
        used_[i] = true;
        found = true;
      }
      return found;
    };
  }
  void complain(std::string_view group, std::string_view kind,
                std::vector<std::string>& complaints) const {
    for (std::size_t i = 0; i < patterns_.size(); ++i)
      if (!used_[i])
        complaints.push_back("group \"" + std::string(group) + "\": there is no " +
                             std::string(kind) + " \"" + patterns_[i] + '"');
  }

 private:
  const std::vector<std::string>& patterns_;
  std::vector<bool> used_;
};

}  // namespace

Features Offer::features() const {
  Features out;
  out.tools.emplace().list_changed = true;
  if (!prompts->empty()) out.prompts.emplace().list_changed = true;
  if (!resources->empty()) out.resources = ListFeature{.list_changed = true, .subscribe = true};
  out.completions = has_completions();
  out.tasks = tasks;
  return out;
}

std::shared_ptr<const Offer> part_of(const Offer& whole, const config::Group& group,
                                     std::size_t per_page, std::vector<std::string>& complaints) {
  auto part = std::make_shared<Offer>();
  part->origin = whole.origin;
  part->tasks = whole.tasks;
  part->instructions = group.instructions.empty() ? whole.instructions : group.instructions;
  part->parking = whole.parking;
  Patterns tools(group.tools);
  // A link in a result has to lead somewhere.
  const bool needs_readers = std::ranges::any_of(whole.parking.tools, tools.is_wanted());
  const auto and_reader = [needs_readers](const IsWanted& is_wanted, const std::string& reader) {
    return [=](const std::string& name) {
      return is_wanted(name) || (needs_readers && name == reader);
    };
  };
  part->tools =
      whole.tools->only(and_reader(tools.is_wanted(), whole.parking.reader_tool), per_page);
  tools.complain(group.name, "tool", complaints);
  Patterns prompts(group.prompts);
  part->prompts = whole.prompts->only(prompts.is_wanted(), per_page);
  prompts.complain(group.name, "prompt", complaints);
  Patterns resources(group.resources);
  part->resources = whole.resources->only(
      and_reader(resources.is_wanted(), whole.parking.reader_resource), per_page);
  resources.complain(group.name, "resource", complaints);
  return part;
}

}  // namespace sluice::mcp
