#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"

namespace sluice::config {

/// One complaint: where, and what was expected. `str()` is "file:line:column: text",
/// without a file just the text.
struct Complaint {
  Place place;
  std::string text;
  [[nodiscard]] std::string str() const;
};

struct Loaded {
  /// To be served only where `complaints` is empty. Else its sources, plug-ins and tools are those
  /// that hold no fault, so that they can be looked at further and all mistakes be told in one
  /// round.
  Config config;
  std::vector<Complaint> complaints;  ///< Everything that is wrong, in the order of the file.
};

/// Reads a configuration file. Environment variables are those of the process.
/// Unknown keys, wrong types, repeated keys, duplicate names, unset variables and slots without a
/// parameter are complaints; schemas are checked for being JSON only (what they mean is the
/// catalogue's business).
[[nodiscard]] Loaded load_file(const std::string& path);
/// The same for text that is at hand; `path` names it in complaints and is the base of relative
/// paths.
[[nodiscard]] Loaded load_text(const std::string& text, const std::string& path);

}  // namespace sluice::config
