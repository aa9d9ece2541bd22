#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/complaints.hpp"
#include "config/variables.hpp"

/// The file as a tree, with the place of everything in it. yaml-cpp reads the syntax; its own tree
/// is not used, since that forgets the places of keys and is silent about repeated ones.
namespace sluice::config::yaml {

struct Node;
/// Shared where aliases make one value stand in several places.
using NodePtr = std::shared_ptr<const Node>;

struct Entry {
  std::string key;
  Spot spot;  ///< Of the key.
  NodePtr value;
};

struct Node {
  enum class Kind : std::uint8_t { null, scalar, sequence, mapping };
  Kind kind = Kind::null;
  Spot spot;

  bool is_plain = false;  ///< scalar: without quotes and not a block.
  std::string written;    ///< scalar: before variables were put in; what complaints may show.
  std::string value;      ///< scalar: after.
  std::vector<Segment> segments;  ///< scalar: the value in pieces.
  std::vector<NodePtr> elements;  ///< sequence
  std::vector<Entry>
      entries;  ///< mapping, in the order of the file; merge keys (<<) are already resolved.
  std::size_t weight = 1;  ///< About the bytes that it stands for, with aliases written out.

  [[nodiscard]] bool is(Kind k) const noexcept { return kind == k; }
  [[nodiscard]] bool has_variables() const noexcept;
  [[nodiscard]] const Entry* find(std::string_view key) const noexcept;
};

/// Reads one document. Complains about syntax, tabs, repeated keys, tags, keys that are no text,
/// unset variables.
/// Bounds:    what aliases repeat comes to 4 MiB at most, so the tree may be walked as if it had
///            none. Null where there is no document or its syntax is broken.
[[nodiscard]] NodePtr parse(const std::string& text, Complaints& complaints);

}  // namespace sluice::config::yaml
