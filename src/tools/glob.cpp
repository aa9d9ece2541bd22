#include "tools/glob.hpp"

#include <algorithm>
#include <utility>

namespace sluice::tools {
namespace {

enum class Dots : bool { are_special, are_plain };

/// What stands behind the set that `pattern` begins with, and whether `c` is in it. A set that is
/// not closed is a plain bracket.
std::pair<std::string_view, bool> match_set(std::string_view pattern, char c) noexcept {
  std::size_t i = 1;
  const bool is_negative = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (is_negative) ++i;
  bool found = false;
  for (const std::size_t first = i; i < pattern.size(); ++i) {
    if (pattern[i] == ']' && i > first) return {pattern.substr(i + 1), found != is_negative};
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      const auto in = [](char x) { return static_cast<unsigned char>(x); };
      found |= in(pattern[i]) <= in(c) && in(c) <= in(pattern[i + 2]);
      i += 2;
    } else {
      found |= pattern[i] == c;
    }
  }
  return {pattern.substr(1), c == '['};
}

/// One segment against one. The last `*` alone is tried again, which is enough: what stands before
/// it has been matched in the shortest way.
bool matches_segment(std::string_view pattern, std::string_view text, Dots dots) noexcept {
  if (dots == Dots::are_special && text.starts_with('.') && !pattern.starts_with('.')) return false;
  std::string_view after_star;
  std::string_view retry;
  bool has_star = false;
  while (true) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      after_star = pattern;
      retry = text;
      has_star = true;
      continue;
    }
    bool fits = pattern.empty() && text.empty();
    if (fits) return true;
    if (!pattern.empty() && !text.empty()) {
      auto rest = pattern.substr(1);
      if (pattern[0] == '[')
        std::tie(rest, fits) = match_set(pattern, text[0]);
      else
        fits = pattern[0] == '?' || pattern[0] == text[0];
      if (fits) {
        pattern = rest;
        text.remove_prefix(1);
        continue;
      }
    }
    if (!has_star || retry.empty()) return false;
    retry.remove_prefix(1);
    text = retry;
    pattern = after_star;
  }
}

std::string_view take_segment(std::string_view& path) noexcept {
  const auto slash = path.find('/');
  const auto segment = path.substr(0, slash);
  path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  return segment;
}

/// Likewise for `**`: the last one alone is tried again.
bool matches_path(std::string_view pattern, std::string_view path, Dots dots) noexcept {
  std::string_view after_stars;
  std::string_view retry;
  bool has_stars = false;
  while (true) {
    if (pattern.empty() && path.empty()) return true;
    auto next_pattern = pattern;
    auto next_path = path;
    const auto wanted = take_segment(next_pattern);
    if (!pattern.empty() && wanted == "**") {
      pattern = next_pattern;
      after_stars = pattern;
      retry = path;
      has_stars = true;
      // At the end of the pattern it stands for all that is left, which has to be something.
      if (!pattern.empty()) continue;
      if (path.empty()) return false;
      while (!path.empty())
        if (const auto segment = take_segment(path);
            dots == Dots::are_special && segment.starts_with('.'))
          return false;
      return true;
    }
    if (!pattern.empty() && !path.empty() &&
        matches_segment(wanted, take_segment(next_path), dots)) {
      pattern = next_pattern;
      path = next_path;
      continue;
    }
    if (!has_stars || retry.empty()) return false;
    const auto skipped = take_segment(retry);
    if (dots == Dots::are_special && skipped.starts_with('.')) return false;
    path = retry;
    pattern = after_stars;
  }
}

bool matches(std::string_view pattern, std::string_view path, Dots dots) noexcept {
  if (pattern.find('/') == std::string_view::npos && pattern != "**") {
    const auto slash = path.rfind('/');
    if (dots == Dots::are_special && slash != std::string_view::npos) {
      // No hidden directory on the way either.
      auto way = path.substr(0, slash);
      while (!way.empty())
        if (take_segment(way).starts_with('.')) return false;
    }
    return matches_segment(pattern, path.substr(slash == std::string_view::npos ? 0 : slash + 1),
                           dots);
  }
  return matches_path(pattern, path, dots);
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) noexcept {
  return matches(pattern, path, Dots::are_special);
}

PathFilter::PathFilter(std::vector<std::string> include, std::vector<std::string> exclude)
    : include_(std::move(include)), exclude_(std::move(exclude)) {
  if (include_.empty()) include_.emplace_back("**");
  enters_hidden_ = std::ranges::any_of(include_, [](const std::string& pattern) {
    return pattern.starts_with('.') || pattern.find("/.") != std::string::npos;
  });
}

bool PathFilter::excludes(std::string_view path) const noexcept {
  return std::ranges::any_of(exclude_, [&](const std::string& pattern) {
    for (auto slash = path.find('/');; slash = path.find('/', slash + 1)) {
      if (matches(pattern, path.substr(0, slash), Dots::are_plain)) return true;
      if (slash == std::string_view::npos) return false;
    }
  });
}

bool PathFilter::takes(std::string_view path) const noexcept {
  const auto fits = [&](const std::string& pattern) { return glob_matches(pattern, path); };
  return std::ranges::any_of(include_, fits) && !excludes(path);
}

bool PathFilter::enters(std::string_view directory) const noexcept {
  const auto slash = directory.rfind('/');
  const auto name = directory.substr(slash == std::string_view::npos ? 0 : slash + 1);
  return (enters_hidden_ || !name.starts_with('.')) && !excludes(directory);
}

}  // namespace sluice::tools
