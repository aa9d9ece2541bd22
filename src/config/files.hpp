#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/field.hpp"

/// Files that the configuration names: relative paths begin at the configuration file's folder.
namespace sluice::config {

/// The whole file, or why not.
struct FileContent {
  std::optional<std::string> content;
  std::string error;
};
[[nodiscard]] FileContent slurp(const std::string& path);

[[nodiscard]] std::string resolve(const Context& context, std::string_view path);

/// The path, made absolute; complains where there is no file that can be read.
[[nodiscard]] std::optional<std::string> readable_file(const Field& field);
/// Likewise for a directory.
[[nodiscard]] std::optional<std::string> directory(const Field& field);
/// What the file holds.
[[nodiscard]] std::optional<std::string> read_file(const Field& field);

}  // namespace sluice::config
