#include "mcp/completion_match.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"

namespace sluice {
namespace mcp {
namespace {

bool same_letter(char a, char b) noexcept { return ascii::lower(a) == ascii::lower(b); }

bool begins_with(std::string_view value, std::string_view typed) noexcept {
  return value.size() >= typed.size() && ascii::iequals(value.substr(0, typed.size()), typed);
}

bool holds(std::string_view value, std::string_view typed) noexcept {
  return std::ranges::search(value, typed, same_letter).begin() != value.end();
}

}  // namespace

Completions matching(std::span<const std::string> values, std::string_view typed) {
  Completions out;
  std::uint64_t total = 0;
  const auto take = [&](const std::string& value) {
    if (++total <= kMaxCompletions) out.values.push_back(value);
  };
  for (const auto& value : values)
    if (begins_with(value, typed)) take(value);
  for (const auto& value : values)
    if (!begins_with(value, typed) && holds(value, typed)) take(value);
  out.total = total;
  return out;
}

}  // namespace mcp

std::shared_ptr<Completer> complete_from(std::vector<std::string> values) {
  class ListCompleter final : public Completer {
   public:
    explicit ListCompleter(std::vector<std::string> values) : values_(std::move(values)) {}
    Awaitable<Result<Completions>> complete(Call&, std::string_view value) override {
      co_return mcp::matching(values_, value);
    }

   private:
    const std::vector<std::string> values_;
  };
  return std::make_shared<ListCompleter>(std::move(values));
}

}  // namespace sluice
