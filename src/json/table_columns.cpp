#include "json/table_columns.hpp"

#include "json/unescape.hpp"

namespace sluice::json {

void TableColumns::add(std::string_view raw) {
  std::string name(raw.size(), '\0');
  name.resize(static_cast<std::size_t>(unescape(raw, name.data()) - name.data()));
  if (!index_.try_emplace(name, static_cast<std::uint32_t>(names_.size())).second) return;
  names_.push_back(std::move(name));
  raws_.emplace_back(raw);
}

void TableColumns::add_text(std::string_view name) {
  if (!index_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size())).second)
    return;
  names_.emplace_back(name);
  // A name that has to be written with escapes is found by its characters alone: no raw one is `"`.
  raws_.emplace_back(name.find('\\') == std::string_view::npos ? name : "\"");
}

std::uint32_t TableColumns::find(std::string_view raw, std::uint32_t expected) {
  // The one that is expected, or, where members are missing, one close behind.
  constexpr std::uint32_t kNear = 4;
  for (std::uint32_t i = 0; i < kNear && i < raws_.size(); ++i) {
    const std::uint32_t at = expected + i < raws_.size() ? expected + i : i;
    if (raws_[at] == raw) return at;
  }
  scratch_.resize(raw.size());
  scratch_.resize(static_cast<std::size_t>(unescape(raw, scratch_.data()) - scratch_.data()));
  const auto found = index_.find(scratch_);
  return found == index_.end() ? kNone : found->second;
}

}  // namespace sluice::json
