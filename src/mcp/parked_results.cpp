#include "mcp/parked_results.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/file_io.hpp"
#include "base/random_id.hpp"
#include "json/document.hpp"

namespace sluice::mcp {
namespace {

constexpr std::string_view kEnding = ".parked";

constexpr std::array<std::string_view, 3> kForms{"text", "json", "binary"};

std::string file_name(std::string_view id) { return std::string(id).append(kEnding); }

void append_member(std::string& out, std::string_view name, std::string_view text) {
  json::append_string(out, name);
  out += ':';
  json::append_string(out, text);
  out += ',';
}

/// The trailer; empty where it is too long, which what is in it makes impossible.
std::string trailer_of(const ParkedResult& result, ParkedResults::Time expires) {
  const auto& about = result.about();
  std::string out = R"({"format":"sluice-parked-1",)";
  append_member(out, "id", result.id());
  append_member(out, "owner", about.owner);
  append_member(out, "tool", about.tool);
  append_member(out, "mime_type", about.mime_type);
  append_member(out, "items", about.items);
  append_member(out, "form", kForms[static_cast<std::size_t>(about.form)]);
  out += R"("expires":)" + std::to_string(expires.time_since_epoch().count()) + '}';
  if (out.size() >= ParkedResults::kTrailerBytes) return {};
  out.resize(ParkedResults::kTrailerBytes - 1, ' ');
  return out + '\n';
}

std::string text_of(Json value) { return std::string(value.as_string().value_or("")); }

}  // namespace

/// What all results take. Outlives the store where somebody still reads.
struct ParkedResult::Budget {
  explicit Budget(const config::ParkingLot& of)
      : max_bytes(of.max_bytes), per_caller(of.per_caller) {}

  [[nodiscard]] std::uint64_t of_caller(std::string_view owner) const {
    const auto found = callers.find(owner);
    return found == callers.end() ? 0 : found->second;
  }

  const std::uint64_t max_bytes;
  const std::uint64_t per_caller;
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

ParkedResults::ParkedResults(const config::ParkingLot& config, const std::string& temporary)
    : config_(config),
      directory_(config.directory.empty() ? temporary : config.directory),
      budget_(std::make_shared<ParkedResult::Budget>(config)) {}

ParkedResults::~ParkedResults() = default;

bool ParkedResults::open(std::string& problem) {
  if (config_.directory.empty()) return true;
  if (!folder_.open(directory_, problem)) return false;
  if (!config_.keep) return true;
  folder_.for_each([this, at = now()](const std::string& name) {
    if (name.ends_with(kEnding)) adopt(name, at);
  });
  return true;
}

void ParkedResults::adopt(const std::string& name, Time now) {
  const std::string id = name.substr(0, name.size() - kEnding.size());
  if (!is_random_id(id)) return;
  Descriptor file = folder_.open_file(name, O_RDONLY);
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0) return;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::string trailer(kTrailerBytes, '\0');
  json::Document document;
  const auto refuse = [&](std::string_view why) {
    spdlog::warn("parking.directory: {} {} and was removed", name, why);
    folder_.remove(name);
  };
  if (size < kTrailerBytes) return refuse("is torn");
  if (read_all(file.get(), trailer, size - kTrailerBytes) != 0) return;
  const auto said = document.parse_copy(trailer);
  if (!said || said->find("format").as_string() != "sluice-parked-1" ||
      said->find("id").as_string() != id)
    return refuse("is torn");
  const auto expires = Time(std::chrono::milliseconds(said->find("expires").as_int().value_or(0)));
  if (expires <= now) return folder_.remove(name);
  const auto* const form = std::ranges::find(kForms, text_of(said->find("form")));
  if (form == kForms.end()) return refuse("is torn");
  ParkedResult::About about{
      text_of(said->find("owner")), text_of(said->find("tool")), text_of(said->find("mime_type")),
      static_cast<ParkedResult::About::Form>(form - kForms.begin()), text_of(said->find("items"))};
  std::shared_ptr<ParkedResult> result(
      new ParkedResult(budget_, std::move(about), id, std::move(file)));
  if (!grow(*result, size - kTrailerBytes)) return refuse("has no room (parking.max_bytes)");
  const std::scoped_lock lock(mutex_);
  kept_[id] = {std::move(result), expires};
}

ParkedResults::Begun ParkedResults::begin(ParkedResult::About about) const {
  Descriptor file(open_unnamed(directory_));
  if (!file) return {nullptr, errno};
  return {std::shared_ptr<ParkedResult>(
              new ParkedResult(budget_, std::move(about), random_id(), std::move(file))),
          0};
}

bool ParkedResults::grow(ParkedResult& result, std::uint64_t bytes) {
  const std::string& owner = result.about().owner;
  for (;;) {
    bool is_share_used_up = false;
    {
      const std::scoped_lock lock(budget_->mutex);
      is_share_used_up = budget_->of_caller(owner) + bytes > budget_->per_caller;
      if (!is_share_used_up && budget_->used + bytes <= budget_->max_bytes) {
        budget_->used += bytes;
        budget_->callers[owner] += bytes;
        result.size_ += bytes;
        return true;
      }
    }
    const bool has_dropped = is_share_used_up ? drop_one(owner) : drop_any(owner);
    if (!has_dropped) return false;
  }
}

bool ParkedResults::drop_one(std::string_view owner) {
  Kept dropped;  // whose end takes the budget's lock
  const std::scoped_lock lock(mutex_);
  auto oldest = kept_.end();
  for (auto it = kept_.begin(); it != kept_.end(); ++it) {
    const auto& [result, expires] = it->second;
    if (!owner.empty() && result->about().owner != owner) continue;
    // One that is being read would go on to take its room.
    if (result.use_count() > 1) continue;
    if (oldest == kept_.end() || expires < oldest->second.expires) oldest = it;
  }
  if (oldest == kept_.end()) return false;
  forget(oldest->first);
  dropped = std::move(oldest->second);
  kept_.erase(oldest);
  return true;
}

void ParkedResults::forget(const std::string& id) const noexcept {
  if (config_.keep) folder_.remove(file_name(id));
}

int ParkedResults::name(const ParkedResult& result, Time expires) const {
  const std::string trailer = trailer_of(result, expires);
  if (trailer.empty()) return ENAMETOOLONG;
  if (const int error = write_all(result.fd(), trailer, result.size())) return error;
  const std::string unnamed = "/proc/self/fd/" + std::to_string(result.fd());
  const std::string to = file_name(result.id());
  return ::linkat(AT_FDCWD, unnamed.c_str(), folder_.get(), to.c_str(), AT_SYMLINK_FOLLOW) == 0
             ? 0
             : errno;
}

bool ParkedResults::keep(std::shared_ptr<ParkedResult> result, std::chrono::milliseconds ttl) {
  const Time expires = now() + ttl;
  if (config_.keep)
    if (const int error = name(*result, expires))
      spdlog::warn("parking.keep: a result of tool {} will not outlive this process: {}",
                   result->about().tool, std::generic_category().message(error));
  const std::string id = result->id();
  for (;;) {
    {
      const std::scoped_lock lock(mutex_);
      if (kept_.size() < config_.max_results) {
        kept_[id] = {std::move(result), expires};
        return true;
      }
    }
    if (!drop_any(result->about().owner)) break;
  }
  forget(id);
  return false;
}

std::shared_ptr<const ParkedResult> ParkedResults::find(std::string_view id,
                                                        std::string_view owner) const {
  const std::scoped_lock lock(mutex_);
  const auto found = kept_.find(id);
  if (found == kept_.end() || found->second.expires <= now() ||
      found->second.result->about().owner != owner)
    return nullptr;
  return found->second.result;
}

void ParkedResults::sweep(Time now) {
  KeptById expired;
  {
    const std::scoped_lock lock(mutex_);
    for (auto it = kept_.begin(); it != kept_.end();) {
      const auto next = std::next(it);
      if (it->second.expires <= now) expired.insert(kept_.extract(it));
      it = next;
    }
  }
  for (const auto& [id, kept] : expired) forget(id);
}

}  // namespace sluice::mcp
