#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/load.hpp"

namespace sluice::config {

/// A place in the file that is being read. Lines and columns from 1; columns count characters, as
/// editors do.
struct Spot {
  int line = 0;
  int column = 0;
};

/// Collects what is wrong with one file, so that all of it is told at once.
class Complaints {
 public:
  explicit Complaints(std::string file) : file_(std::move(file)) {}

  void add(Spot spot, std::string text);
  [[nodiscard]] Place place(Spot spot) const { return {file_, spot.line, spot.column}; }
  [[nodiscard]] bool empty() const noexcept { return found_.empty(); }
  /// In the order of the file. What an alias made us see twice is told once.
  [[nodiscard]] std::vector<Complaint> take() &&;

 private:
  std::string file_;
  std::vector<Complaint> found_;
};

/// ` (did you mean "x"?)` for the key that is a slip of the finger away, else nothing.
[[nodiscard]] std::string did_you_mean(std::string_view key,
                                       std::span<const std::string_view> known);

/// The text in quotes, shortened, with controls made visible.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace sluice::config
