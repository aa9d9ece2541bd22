#include "json/path.hpp"

#include <algorithm>

#include "json/path_reader.hpp"

namespace sluice::json {

bool Path::Segment::is_definite() const noexcept {
  return !is_descendant && selectors.size() == 1 &&
         (selectors[0].kind == Selector::Kind::name || selectors[0].is_index);
}

std::optional<Path> Path::parse(std::string_view text, Problem& problem) {
  Path path;
  if (!PathReader(text, problem).read(path.segments_)) return std::nullopt;
  path.text_ = text;
  return path;
}

bool Path::is_definite() const noexcept { return definite_segments() == segments_.size(); }

std::size_t Path::definite_segments() const noexcept {
  const auto end = std::find_if(segments_.begin(), segments_.end(),
                                [](const Segment& segment) { return !segment.is_definite(); });
  return static_cast<std::size_t>(end - segments_.begin());
}

bool operator==(const Path::Selector& a, const Path::Selector& b) noexcept {
  return a.kind == b.kind && a.name == b.name && a.from == b.from && a.to == b.to &&
         a.step == b.step;
}

bool operator==(const Path::Segment& a, const Path::Segment& b) noexcept {
  return a.is_descendant == b.is_descendant && a.selectors == b.selectors;
}

}  // namespace sluice::json
