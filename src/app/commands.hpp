#pragma once

#include <string>

/// What the command line does; each gives the exit status.
namespace sluice::app {

/// 0 after an orderly stop, 1 where it could not start.
[[nodiscard]] int serve(const std::string& file);
/// 0 where the file is good, 1 where it is not; every complaint on stderr.
[[nodiscard]] int check(const std::string& file);
/// One line a tool: name, type, description.
[[nodiscard]] int list_tools(const std::string& file);

struct CallOptions {
  std::string file;
  std::string tool;
  std::string arguments = "{}";
  bool json = false;     ///< Print the whole result, as it came.
  bool explain = false;  ///< Say on stderr what each step made of the result.
};
/// 0 for a result, 1 for one that is an error, 2 where there was none.
[[nodiscard]] int call(const CallOptions& options);

}  // namespace sluice::app
