// The folders of src are layers: every #include points down.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

/// What each folder may include besides itself and include/sluice.
const std::map<std::string, std::set<std::string>> kBelow{
    {"base", {}},
    {"buffer", {"base"}},
    {"json", {"buffer", "base"}},
    {"schema", {"json", "buffer", "base"}},
    {"auth", {"json", "buffer", "base"}},
    {"config", {"json", "base"}},
    {"observe", {"mcp", "config", "json", "buffer", "base"}},
    {"mcp", {"auth", "schema", "config", "json", "buffer", "base"}},
    {"http", {"mcp", "auth", "config", "json", "buffer", "base"}},
    {"tools", {"http", "mcp", "auth", "schema", "config", "json", "buffer", "base"}},
    {"app",
     {"tools", "http", "observe", "mcp", "auth", "schema", "config", "json", "buffer", "base"}},
};

/// The files that `file` includes in quotes or as <sluice/...>.
std::vector<std::string> includes_of(const fs::path& file) {
  std::vector<std::string> found;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line.compare(hash, 8, "#include") != 0) continue;
    const auto open = line.find_first_of("\"<", hash);
    const auto close = line.find_first_of("\">", open + 1);
    if (open == std::string::npos || close == std::string::npos) continue;
    const std::string name = line.substr(open + 1, close - open - 1);
    if (line[open] == '"' || name.starts_with("sluice/")) found.push_back(name);
  }
  return found;
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto ending = entry.path().extension();
    if (entry.is_regular_file() && (ending == ".hpp" || ending == ".cpp"))
      found.push_back(entry.path());
  }
  return found;
}

TEST(Layers, IncludeOnlyWhatIsBelowThem) {
  const fs::path src = fs::path(SLUICE_SOURCE_DIR) / "src";
  std::size_t checked = 0;
  for (const auto& [folder, below] : kBelow) {
    if (!fs::exists(src / folder)) continue;
    for (const auto& file : sources_below(src / folder))
      for (const auto& name : includes_of(file)) {
        ++checked;
        const auto target = name.substr(0, name.find('/'));
        const bool allowed = target == "sluice" || target == folder || below.contains(target);
        EXPECT_TRUE(allowed) << file << " includes " << name;
        EXPECT_TRUE(target == "sluice" || fs::exists(src / name))
            << file << " includes " << name << ", not by its full name";
      }
  }
  EXPECT_GT(checked, 200U);
}

TEST(Layers, AreAllNamedHere) {
  for (const auto& entry : fs::directory_iterator(fs::path(SLUICE_SOURCE_DIR) / "src")) {
    if (!entry.is_directory() || sources_below(entry.path()).empty() ||
        entry.path().filename() == "cmake")
      continue;
    EXPECT_TRUE(kBelow.contains(entry.path().filename())) << entry.path();
  }
}

TEST(Layers, HaveAContractThatStandsAlone) {
  for (const auto& file : sources_below(fs::path(SLUICE_SOURCE_DIR) / "include"))
    for (const auto& name : includes_of(file))
      EXPECT_TRUE(name.starts_with("sluice/")) << file << " includes " << name;
}

}  // namespace
