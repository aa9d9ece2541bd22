#include "tools/command_line.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "tools/template.hpp"

namespace sluice::tools {
namespace {

// Where a shell looks when nobody says.
constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

/// Name of a parameter that cannot be put into an argument; empty where all can.
std::string_view slot_with_nul(const config::Template& text, Json arguments) {
  for (const auto& part : text.parts) {
    if (!part.is_slot) continue;
    const auto value = argument_text(arguments, part.text);
    if (value && value->find('\0') != std::string_view::npos) return part.text;
  }
  return {};
}

/// 0, or errno.
int check_program(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EACCES;
  return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

std::string_view path_of(const std::vector<std::string>& environment) {
  for (const std::string_view entry : environment) {
    if (entry.substr(0, 5) == "PATH=") return entry.substr(5);
  }
  return kDefaultPath;
}

}  // namespace

CommandLine make_command_line(const std::vector<config::Template>& argv, Json arguments) {
  CommandLine line;
  line.arguments.reserve(argv.size());
  for (const auto& element : argv) {
    const std::string_view name = slot_with_nul(element, arguments);
    if (!name.empty()) {
      line.problem.append("The parameter \"")
          .append(name)
          .append("\" holds a NUL character, which no command line can carry.");
      return line;
    }
    auto argument = expand(element, arguments);
    if (argument) line.arguments.push_back(std::move(*argument));
  }
  return line;
}

std::vector<std::string> make_environment(const config::CommandTool& tool) {
  std::vector<std::string> environment;
  const auto is_set = [&tool](const std::string& name) {
    return std::any_of(tool.env.begin(), tool.env.end(),
                       [&name](const auto& entry) { return entry.first == name; });
  };
  for (const std::string& name : tool.env_allow) {
    const char* value = std::getenv(name.c_str());
    if (value && !is_set(name)) environment.push_back(name + "=" + value);
  }
  for (const auto& [name, value] : tool.env) environment.push_back(name + "=" + value);
  return environment;
}

std::string find_program(const std::string& name, const std::string& directory,
                         const std::vector<std::string>& environment, std::string& problem) {
  if (name.find('/') != std::string::npos) {
    // Started after the change of directory, so that is where a relative name begins.
    const bool is_relative = name.front() != '/' && !directory.empty();
    const int error = check_program(is_relative ? directory + "/" + name : name);
    if (error == 0) return name;
    problem = "cannot run " + name + ": " + std::generic_category().message(error);
    return {};
  }
  int refused = 0;
  std::string_view rest = path_of(environment);
  while (!name.empty() && !rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    const std::string_view folder = rest.substr(0, colon);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    // An empty or relative entry would mean a different program in every directory.
    if (folder.empty() || folder.front() != '/') continue;
    std::string path = std::string(folder) + "/" + name;
    const int error = check_program(path);
    if (error == 0) return path;
    if (error == EACCES) refused = error;
  }
  problem = refused != 0 ? "the program " + name + " in PATH may not be executed"
                         : "there is no program " + name + " in PATH";
  return {};
}

}  // namespace sluice::tools
