#include "mcp/parked_results.hpp"

#include <cerrno>
#include <utility>

#include "base/file_io.hpp"
#include "mcp/task_record.hpp"

namespace sluice::mcp {

/// What all results take. Outlives the store where somebody still reads.
struct ParkedResult::Budget {
  explicit Budget(ParkedResults::Limits of) : limits(of) {}

  [[nodiscard]] bool has_room(std::string_view owner, std::uint64_t bytes) const {
    return used + bytes <= limits.max_bytes && of_caller(owner) + bytes <= limits.per_caller;
  }
  [[nodiscard]] bool is_callers_fault(std::string_view owner, std::uint64_t bytes) const {
    return of_caller(owner) + bytes > limits.per_caller;
  }
  [[nodiscard]] std::uint64_t of_caller(std::string_view owner) const {
    const auto found = callers.find(owner);
    return found == callers.end() ? 0 : found->second;
  }

  const ParkedResults::Limits limits;
  std::mutex mutex;
  std::uint64_t used = 0;
  std::map<std::string, std::uint64_t, std::less<>> callers;
};

ParkedResult::ParkedResult(std::shared_ptr<Budget> budget, About about, std::string id,
                           Descriptor file)
    : budget_(std::move(budget)),
      about_(std::move(about)),
      id_(std::move(id)),
      file_(std::move(file)) {}

ParkedResult::~ParkedResult() {
  const std::scoped_lock lock(budget_->mutex);
  const auto size = size_.load();
  budget_->used -= size;
  const auto own = budget_->callers.find(about_.owner);
  if (own == budget_->callers.end()) return;
  own->second -= size;
  if (own->second == 0) budget_->callers.erase(own);
}

ParkedResults::ParkedResults(std::string directory, Limits limits)
    : directory_(std::move(directory)),
      budget_(std::make_shared<ParkedResult::Budget>(limits)) {}

ParkedResults::~ParkedResults() = default;

ParkedResults::Begun ParkedResults::begin(ParkedResult::About about) const {
  Descriptor file(open_unnamed(directory_));
  if (!file) return {nullptr, errno};
  return {std::shared_ptr<ParkedResult>(
              new ParkedResult(budget_, std::move(about), make_task_id(), std::move(file))),
          0};
}

bool ParkedResults::grow(ParkedResult& result, std::uint64_t bytes) {
  const std::string& owner = result.about().owner;
  for (;;) {
    std::string_view whose;
    {
      const std::scoped_lock lock(budget_->mutex);
      if (budget_->has_room(owner, bytes)) {
        budget_->used += bytes;
        budget_->callers[owner] += bytes;
        result.size_ += bytes;
        return true;
      }
      if (budget_->is_callers_fault(owner, bytes)) whose = owner;
    }
    if (!drop_one(whose)) return false;
  }
}

bool ParkedResults::drop_one(std::string_view owner) {
  std::shared_ptr<ParkedResult> dropped;  // whose end takes the budget's lock
  const std::scoped_lock lock(mutex_);
  auto oldest = kept_.end();
  for (auto it = kept_.begin(); it != kept_.end(); ++it) {
    if (!owner.empty() && it->second.result->about().owner != owner) continue;
    if (oldest == kept_.end() || it->second.expires < oldest->second.expires) oldest = it;
  }
  if (oldest == kept_.end()) return false;
  // One that is being read still takes its room: dropping it would not help.
  dropped = std::move(oldest->second.result);
  kept_.erase(oldest);
  return true;
}

void ParkedResults::keep(std::shared_ptr<ParkedResult> result, std::chrono::milliseconds ttl) {
  const std::scoped_lock lock(mutex_);
  const std::string id = result->id();
  kept_[id] = {std::move(result), Clock::now() + ttl};
}

std::shared_ptr<const ParkedResult> ParkedResults::find(std::string_view id,
                                                        std::string_view owner) const {
  const std::scoped_lock lock(mutex_);
  const auto found = kept_.find(id);
  if (found == kept_.end() || found->second.expires <= Clock::now() ||
      found->second.result->about().owner != owner)
    return nullptr;
  return found->second.result;
}

void ParkedResults::sweep(Clock::time_point now) {
  std::map<std::string, Kept, std::less<>> expired;
  const std::scoped_lock lock(mutex_);
  for (auto it = kept_.begin(); it != kept_.end();) {
    const auto next = std::next(it);
    if (it->second.expires <= now) expired.insert(kept_.extract(it));
    it = next;
  }
}

}  // namespace sluice::mcp
