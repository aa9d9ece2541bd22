#include "config/complaints.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>

namespace sluice::config {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// Case and the choice between `-` and `_` are no difference worth a point.
std::string folded(std::string_view key) {
  std::string out(key);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return out;
}

}  // namespace

std::string Complaint::str() const {
  if (place.file.empty()) return text;
  if (place.line == 0) return place.file + ": " + text;
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
         text;
}

void Complaints::add(Spot spot, std::string text) {
  found_.push_back({place(spot), std::move(text)});
}

std::vector<Complaint> Complaints::take() && {
  const auto where = [](const Complaint& c) { return std::tuple(c.place.line, c.place.column); };
  std::map<std::tuple<int, int>, std::vector<Complaint>> by_place;
  for (auto& c : found_) {
    auto& here = by_place[where(c)];
    if (std::ranges::find(here, c.text, &Complaint::text) == here.end())
      here.push_back(std::move(c));
  }
  std::vector<Complaint> out;
  for (auto& [place, here] : by_place) std::ranges::move(here, std::back_inserter(out));
  return out;
}

std::string did_you_mean(std::string_view key, std::span<const std::string_view> known) {
  constexpr std::size_t kLongestKey = 64;  // The table of distances is a product of lengths.
  if (key.size() > kLongestKey) return {};
  const std::string wanted = folded(key);
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, std::min<std::size_t>(3, key.size() / 3)) + 1;
  for (const auto candidate : known) {
    if (candidate.size() > kLongestKey) continue;
    const std::size_t d = distance(wanted, folded(candidate));
    if (d < least) {
      least = d;
      best = candidate;
    }
  }
  return best.empty() ? std::string{} : " (did you mean \"" + std::string(best) + "\"?)";
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 60;
  std::string out = "\"";
  std::size_t n = std::min(text.size(), kShown);
  // Not in the middle of a character.
  while (n < text.size() && n > 0 && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) --n;
  for (const char c : text.substr(0, n)) {
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += '?';
    else
      out += c;
  }
  return out + (n < text.size() ? "...\"" : "\"");
}

}  // namespace sluice::config
