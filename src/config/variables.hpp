#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

/// A piece of a scalar: as the operator wrote it, or put in for a variable. What was put in is
/// never read again: neither for `${...}` nor for `{slot}`.
struct Segment {
  std::string text;
  bool inserted = false;
};

struct Expanded {
  std::vector<Segment> segments;
  std::vector<std::string> faults;  ///< Sentences that name variables, never values.
};

/// Replaces `${VAR}`, `${VAR:-default}` and `${VAR:?message}` by the process's environment, byte
/// for byte and once. As in a shell, `:-` and `:?` take an empty variable for an unset one. `$1`,
/// `$NAME` and `$$` stay as written.
[[nodiscard]] Expanded expand(std::string_view written);

}  // namespace sluice::config
