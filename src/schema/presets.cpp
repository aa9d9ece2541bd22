#include "schema/presets.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::schema {

std::vector<Insertion> to_insertions(const std::vector<Preset>& presets, Json root) {
  // By the offset of the closing brace: inner objects close first.
  std::map<std::size_t, std::vector<const Preset*>> by_closing;
  for (const Preset& preset : presets) {
    const std::string_view raw = preset.object->raw;
    by_closing[static_cast<std::size_t>(raw.data() + raw.size() - 1 - root.raw().data())].push_back(
        &preset);
  }
  std::vector<Insertion> insertions;
  for (const auto& [offset, missing] : by_closing) {
    std::set<std::string_view> given;
    for (const Preset* preset : missing) {
      const bool is_first = preset->object->count == 0 && given.empty();
      if (!given.insert(preset->name->string).second) continue;
      std::string text = is_first ? "" : ",";
      text.append(preset->name->raw).append(":").append(preset->value.raw());
      insertions.push_back({offset, std::move(text)});
    }
  }
  return insertions;
}

std::string apply(std::string_view text, const std::vector<Insertion>& insertions) {
  std::size_t size = text.size();
  for (const Insertion& insertion : insertions) size += insertion.text.size();
  std::string out;
  out.reserve(size);
  std::size_t done = 0;
  for (const Insertion& insertion : insertions) {
    const auto offset = std::clamp(insertion.offset, done, text.size());
    out.append(text.substr(done, offset - done)).append(insertion.text);
    done = offset;
  }
  return out.append(text.substr(done));
}

}  // namespace sluice::schema
