#include "schema/equality.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "schema/number.hpp"

namespace sluice::schema {
namespace {

constexpr int kMaxDepth = 512;
constexpr std::size_t kPairwise = 16;

bool equal_at(Json a, Json b, Budget& budget, int depth) noexcept;

bool has_all(Json a, Json b, Budget& budget, int depth) noexcept {
  for (const auto& member : a.members()) {
    if (!budget.spend(1 + b.size())) return false;
    const Json other = b.find(member.name);
    if (!other || !equal_at(a.find(member.name), other, budget, depth)) return false;
  }
  return true;
}

bool equal_objects(Json a, Json b, Budget& budget, int depth) noexcept {
  // Most often the order is the same as well.
  auto left = a.members().begin();
  auto right = b.members().begin();
  std::size_t same = 0;
  for (; same < a.size() && (*left).name == (*right).name; ++same, ++left, ++right) {
    if (!equal_at((*left).value, (*right).value, budget, depth)) return false;
  }
  if (same == a.size()) return true;
  if (!has_all(a, b, budget, depth)) return false;
  for (const auto& member : b.members()) {
    if (!budget.spend(1 + a.size()) || !a.find(member.name)) return false;
  }
  return true;
}

bool equal_at(Json a, Json b, Budget& budget, int depth) noexcept {
  if (a.kind() != b.kind() || !budget.spend(1)) return false;
  if (depth > kMaxDepth) {
    budget.exhaust();
    return false;
  }
  switch (a.kind()) {
    case JsonKind::null:
      return true;
    case JsonKind::boolean:
      return a.node()->truth == b.node()->truth;
    case JsonKind::number:
      if (!budget.spend(std::min(a.raw().size(), b.raw().size()) / 64)) return false;
      return a.raw() == b.raw() || compare(Decimal(a.raw()), Decimal(b.raw())) == 0;
    case JsonKind::string:
      return a.node()->string.size() == b.node()->string.size() &&
             budget.spend(a.raw().size() / 64) && a.node()->string == b.node()->string;
    case JsonKind::array: {
      if (a.size() != b.size()) return false;
      auto right = b.begin();
      for (const Json left : a) {
        if (!equal_at(left, *right, budget, depth + 1)) return false;
        ++right;
      }
      return true;
    }
    case JsonKind::object:
      return a.size() == b.size() && equal_objects(a, b, budget, depth + 1);
  }
  return false;
}

std::uint64_t mix(std::uint64_t h) noexcept {
  h = (h ^ (h >> 31)) * 0x7fb5d329728ea185u;
  h = (h ^ (h >> 27)) * 0x81dadef4bc2dd44du;
  return h ^ (h >> 33);
}

/// The same for equal values; members are summed, so that their order does not matter.
std::uint64_t hash(Json value, Budget& budget, int depth) noexcept {
  if (depth > kMaxDepth) budget.exhaust();
  if (!budget.spend(1 + (value.size() == 0 ? value.raw().size() / 64 : 0))) return 0;
  const auto kind = static_cast<std::uint64_t>(value.kind()) + 1;
  switch (value.kind()) {
    case JsonKind::null:
      return mix(kind);
    case JsonKind::boolean:
      return mix(kind * 31 + (value.node()->truth ? 1u : 0u));
    case JsonKind::number:
      return mix(Decimal(value.raw()).hash());
    case JsonKind::string:
      return mix(std::hash<std::string_view>{}(value.node()->string) + kind);
    case JsonKind::array: {
      std::uint64_t h = kind;
      for (const Json element : value) h = mix(h * 31 + hash(element, budget, depth + 1));
      return h;
    }
    case JsonKind::object: {
      std::uint64_t h = kind;
      for (const auto& member : value.members()) {
        const auto name = std::hash<std::string_view>{}(member.name);
        h += mix(mix(name) + hash(member.value, budget, depth + 1));
      }
      return mix(h);
    }
  }
  return 0;
}

using Pair = std::pair<std::size_t, std::size_t>;

std::optional<Pair> find_in_short(Json array, Budget& budget) noexcept {
  std::array<Json, kPairwise> seen;
  std::size_t count = 0;
  for (const Json element : array) {
    for (std::size_t i = 0; i < count; ++i) {
      if (equal(seen[i], element, budget)) return Pair(i, count);
    }
    seen[count++] = element;
  }
  return std::nullopt;
}

struct Entry {
  std::uint64_t hash;
  std::size_t index;
  Json value;
};

}  // namespace

bool equal(Json a, Json b, Budget& budget) noexcept { return equal_at(a, b, budget, 0); }

std::optional<Pair> find_repeated(Json array, Budget& budget) {
  if (array.size() <= kPairwise) return find_in_short(array, budget);
  if (!budget.spend(array.size())) return std::nullopt;
  std::vector<Entry> entries;
  entries.reserve(array.size());
  for (const Json element : array) {
    entries.push_back({hash(element, budget, 0), entries.size(), element});
    if (budget.is_exhausted()) return std::nullopt;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.index < b.index;
  });
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = i + 1; j < entries.size() && entries[j].hash == entries[i].hash; ++j) {
      if (equal(entries[i].value, entries[j].value, budget))
        return Pair(entries[i].index, entries[j].index);
      if (budget.is_exhausted()) return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace sluice::schema
