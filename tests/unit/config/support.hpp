#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "config/load.hpp"

namespace sluice::config {

/// The complaints about a text as "line:column: text".
inline std::vector<std::string> complaints_of(const Loaded& loaded) {
  std::vector<std::string> out;
  for (const auto& c : loaded.complaints)
    out.push_back(std::to_string(c.place.line) + ":" + std::to_string(c.place.column) + ": " +
                  c.text);
  return out;
}
inline std::vector<std::string> complaints(const std::string& text) {
  return complaints_of(load_text(text, "test.yaml"));
}

using Lines = std::vector<std::string>;

/// Loads what must be right.
inline Config good(const std::string& text) {
  auto loaded = load_text(text, "test.yaml");
  EXPECT_EQ(complaints_of(loaded), Lines{}) << text;
  return std::move(loaded.config);
}

/// The only complaint about `text`, or all of them in one line.
inline std::string complaint(const std::string& text) {
  std::string out;
  for (const auto& line : complaints(text)) out += (out.empty() ? "" : " | ") + line;
  return out;
}

/// An environment variable for the time of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

/// A directory that is gone when the test ends.
class Folder {
 public:
  Folder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "sluice-config-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string put(const std::string& name, const std::string& content) const {
    const auto path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }
  [[nodiscard]] std::string path(const std::string& name = {}) const {
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace sluice::config
