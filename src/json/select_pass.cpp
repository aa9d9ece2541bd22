#include <algorithm>

#include "json/select.hpp"

namespace sluice::json {

// Most members and elements go where the one in front of them went: into what is put out, or not.
// These are passed over at once, as long as they end in the piece, and the walk goes on behind them:
// token by token it takes several times as long. What is wrong is left to it too.

/// Where the value of the member at `at` begins, or the size of the piece where the walk has to look
/// at it.
[[gnu::always_inline]] inline std::size_t Selector::behind_passed_name(
    const SelectPlan::State& state, std::size_t at) const noexcept {
  if (at == size_ || text_[at] != '"') return size_;
  const std::size_t end = structure_.string_end(at + 1);
  if (end == size_) return size_;
  const std::string_view name(text_ + at + 1, end - at - 1);
  if (structure_.has_backslash() && name.find('\\') != std::string_view::npos) return size_;
  if (state.has_length(name.size()) && find_name(state, name) != nullptr) return size_;
  at = structure_.token(end + 1);
  return at < size_ && text_[at] == ':' ? structure_.token(at + 1) : size_;
}

/// Behind the value at `at`, or the size of the piece where it may go on behind that.
[[gnu::always_inline]] inline std::size_t Selector::end_of_value(std::size_t at) const noexcept {
  const char c = text_[at];
  if (c == '"') return std::min(structure_.string_end(at + 1) + 1, size_);
  if (c != '{' && c != '[') return starts_scalar(c) ? structure_.scalar_end(at + 1) : size_;
  std::uint64_t depth = 1;
  const std::size_t end = structure_.skip(at + 1, depth);
  return depth == 0 ? end : size_;
}

/// From the comma at `at` to the comma or bracket that the walk goes on from.
std::size_t Selector::pass(std::size_t at) noexcept {
  Level& level = levels_.back();
  const SelectPlan::State& state = plan_->state(level.state);
  const std::uint32_t same = is_copying_ ? SelectPlan::kCopy : SelectPlan::kDrop;
  if (level.is_object && state.other != same) return at;
  while (text_[at] == ',' && !is_exhausted(level)) {
    std::size_t next = structure_.token(at + 1);
    if (level.is_object) {
      next = behind_passed_name(state, next);
    } else if (target_of_element(level) != same) {
      break;
    }
    if (next == size_) break;
    next = end_of_value(next);
    if (next == size_) break;
    next = structure_.token(next);
    if (next == size_) break;
    if (!level.is_object) ++level.seen;
    if (is_copying_) level.has_items = true;
    at = next;
  }
  return at;
}

}  // namespace sluice::json
