#pragma once

#include <sluice/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "config/config.hpp"

namespace sluice::tools {

/// The argument vector of one call, or what the caller has to be told.
struct CommandLine {
  std::vector<std::string> arguments;
  std::string problem;
};

/// Each template becomes one argument, whatever the values hold: no shell reads them. An argument
/// whose slot has no value is left out. A value that begins with '-' stays as it is, so an operator
/// who passes free text puts `--` before it.
[[nodiscard]] CommandLine make_command_line(const std::vector<config::Template>& argv,
                                            Json arguments);

/// What the command gets of the environment: "NAME=value", allowed names first, then what the
/// configuration sets.
[[nodiscard]] std::vector<std::string> make_environment(const config::CommandTool& tool);

/// Where the program is: `name` itself where it holds a slash, else found in PATH of `environment`.
/// Empty where there is no such program, and `problem` says so. A relative name counts from
/// `directory`.
[[nodiscard]] std::string find_program(const std::string& name, const std::string& directory,
                                       const std::vector<std::string>& environment,
                                       std::string& problem);

}  // namespace sluice::tools
