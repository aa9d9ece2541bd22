#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sluice::json {

/// The columns of a table by name, found in the order in which they stand where rows do so too.
class TableColumns {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// `raw`: the inside of the name's JSON string. Nothing where there is one of that name.
  void add(std::string_view raw);
  void add_text(std::string_view name);

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  /// Escapes undone.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

  /// The column of that name, or kNone. `expected`: where it most likely is.
  [[nodiscard]] std::uint32_t find(std::string_view raw, std::uint32_t expected);

 private:
  std::vector<std::string> names_;
  std::vector<std::string> raws_;  ///< As written where they were first seen.
  std::unordered_map<std::string, std::uint32_t> index_;
  std::string scratch_;
};

}  // namespace sluice::json
