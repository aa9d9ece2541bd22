#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#include <sluice/version.hpp>

#include "app/commands.hpp"
#include "base/simd.hpp"

namespace {

/// False, and said why, where SLUICE_SIMD asks for what this processor does not have.
bool is_simd_possible() {
  if (sluice::is_simd_choice_valid()) return true;
  std::string names;
  for (const sluice::Simd simd : sluice::supported_simd())
    names.append(names.empty() ? "" : ", ").append(sluice::name_of(simd));
  std::cerr << "SLUICE_SIMD is \"" << std::getenv("SLUICE_SIMD")
            << "\"; this processor can run: " << names << '\n';
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sluice::app;
  constexpr const char* kDefaultFile = "/etc/sluice/sluice.yaml";

  CLI::App app("sluice: serves MCP tools over Streamable HTTP, from one YAML file.", "sluice");
  app.set_version_flag("--version", std::string("sluice ") + sluice::kVersion);
  app.require_subcommand(1);

  std::string file = kDefaultFile;
  const auto add_file = [&file](CLI::App* command) {
    command->add_option("-c,--config", file, "The configuration file")->capture_default_str();
  };
  CLI::App* serve_command = app.add_subcommand("serve", "Serve the tools until SIGTERM or SIGINT");
  CLI::App* check_command =
      app.add_subcommand("check", "Say everything that is wrong with the file");
  CLI::App* tools_command = app.add_subcommand("tools", "List the tools");
  CLI::App* call_command = app.add_subcommand("call", "Call one tool and print its result");
  for (CLI::App* command : {serve_command, check_command, tools_command, call_command})
    add_file(command);
  CallOptions options;
  call_command->add_option("name", options.tool, "The tool")->required();
  call_command->add_option("arguments", options.arguments, "Its arguments, a JSON object")
      ->capture_default_str();
  call_command->add_flag("--json", options.json, "Print the whole result as JSON");
  call_command->add_flag("--explain", options.explain,
                         "Say what select, the limits and format took in and gave out");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  }
  if (!is_simd_possible()) return 1;
  if (*serve_command) return serve(file);
  if (*check_command) return check(file);
  if (*tools_command) return list_tools(file);
  options.file = file;
  return call(options);
}
