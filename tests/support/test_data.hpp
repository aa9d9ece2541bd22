#pragma once

#include <cstdlib>
#include <filesystem>

namespace sluice::testing {

/// Public test data that is kept beside the project: $SLUICE_TEST_DATA, else ../shared/data of the
/// source folder. A test whose folder is not there says so and skips.
[[nodiscard]] inline std::filesystem::path test_data(const char* folder) {
  const char* root = std::getenv("SLUICE_TEST_DATA");
  return std::filesystem::path(root != nullptr ? root : SLUICE_SOURCE_DIR "/../shared/data") /
         folder;
}

}  // namespace sluice::testing
