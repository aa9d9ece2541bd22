#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "mcp/inner_call.hpp"
#include "tools/child_process.hpp"
#include "tools/command_line.hpp"
#include "tools/factory.hpp"
#include "tools/source_result.hpp"
#include "tools/template.hpp"

namespace sluice::tools {
namespace {

std::string start_failure(int error) {
  if (error == E2BIG) return "The arguments are too long for a command line.";
  return "The command could not be started: " + std::generic_category().message(error) + ".";
}

/// What to tell of a command that did not end well; empty where it did.
std::string exit_failure(const ExitStatus& status, const ChildProcess& child) {
  std::string text;
  if (!status.is_known) {
    text = "The command has ended; its exit status is not known.";
  } else if (status.signal != 0) {
    const char* name = ::strsignal(status.signal);
    text = "The command was ended by signal " + std::to_string(status.signal) + " (" +
           (name ? name : "unknown") + ").";
  } else if (status.code != 0) {
    text = "The command exited with status " + std::to_string(status.code) + ".";
  } else {
    return {};
  }
  std::string_view tail = child.error_tail();
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r')) tail.remove_suffix(1);
  if (tail.empty()) return text;
  text += child.is_tail_cut() ? "\nThe end of its stderr:\n" : "\nIts stderr:\n";
  return text.append(tail);
}

/// Runs a program and gives what it writes to stdout.
///
/// Ownership: borrows the configuration, which outlives it.
/// Threads:   immutable, any.
/// Bounds:    one frame while there is something to read, none while the command is silent.
/// Cancellation: the child's destructor kills the whole process group.
class CommandHandler final : public ToolHandler {
 public:
  CommandHandler(const Subject& subject, const config::CommandTool& source, std::string program,
                 std::vector<std::string> environment)
      : subject_(subject),
        config_(source),
        program_(std::move(program)),
        environment_(std::move(environment)) {}

  Awaitable<Result<>> run(Call& base, ResultWriter& out) override {
    mcp::InnerCall& call = mcp::inner(base);
    CommandLine line = make_command_line(config_.argv, call.arguments());
    if (!line.problem.empty()) {
      const auto failed = co_await out.not_found(line.problem);
      co_return failed;
    }
    std::optional<std::string_view> input;
    if (!config_.stdin_from.empty()) input = argument_text(call.arguments(), config_.stdin_from);

    SpawnOptions options;
    options.program = program_;
    options.arguments = std::move(line.arguments);
    options.environment = &environment_;
    options.directory = config_.directory;
    options.has_input = input.has_value();
    Spawned spawned;
    auto start = [&spawned, &options] { spawned = spawn(options); };
    co_await call.offload(start);
    if (spawned.error != 0) {
      const std::string problem = start_failure(spawned.error);
      const auto failed = co_await out.fail(problem);
      co_return failed;
    }
    ChildProcess child(call.executor(), std::move(spawned), input.value_or(std::string_view()),
                       static_cast<std::size_t>(config_.stderr_tail));
    const auto result = co_await relay(call, child, out);
    co_return result;
  }

 private:
  using Output = ChildProcess::Output;

  Awaitable<Result<>> relay(mcp::InnerCall& call, ChildProcess& child, ResultWriter& out) const {
    ResultShape shape;
    shape.kind = result_kind(config_.result, subject_.mime_type);
    shape.structured = config_.structured;
    shape.mime_type = config_.mime_type;
    shape.uri = "sluice://";
    shape.uri += subject_.name;
    SourceResult result(call, out, shape, config_.mime_type);
    for (Output last = Output::later; last != Output::end;) {
      co_await child.wait_output();
      const auto copied = co_await copy(call, child, result);
      if (!copied) co_return copied.error();
      last = *copied;
    }
    const ExitStatus status = co_await child.wait_exit();
    const std::string problem = exit_failure(status, child);
    if (!problem.empty()) {
      const auto failed = co_await result.fail(problem);
      co_return failed;
    }
    const auto finished = co_await result.finish();
    co_return finished;
  }

  /// What stdout holds now, and whether more may follow.
  static Awaitable<Result<Output>> copy(mcp::InnerCall& call, ChildProcess& child,
                                        SourceResult& result) {
    Frame frame = call.frames().take();
    if (!frame) co_return Errc::frames_exhausted;
    for (;;) {
      const auto read = child.read_output(std::span(frame.data(), kFrameBytes));
      if (read.output != Output::bytes) co_return read.output;
      const auto written = co_await result.write(std::string_view(frame.data(), read.bytes));
      if (!written) co_return written.error();
    }
  }

  const Subject subject_;
  const config::CommandTool& config_;
  const std::string program_;
  const std::vector<std::string> environment_;
};

/// 0, or errno.
int check_directory(const std::string& name) {
  struct stat status{};
  if (::stat(name.c_str(), &status) != 0) return errno;
  return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
}

}  // namespace

std::unique_ptr<ToolHandler> make_command(const Subject& subject, const config::CommandTool& source,
                                          std::string& problem) {
  const int directory_error = source.directory.empty() ? 0 : check_directory(source.directory);
  if (directory_error != 0) {
    problem = "cannot use the directory " + source.directory + ": " +
              std::generic_category().message(directory_error);
    return nullptr;
  }
  const auto name = source.argv.empty() ? std::nullopt : expand(source.argv.front(), Json());
  if (!name || name->empty()) {
    problem = "the first element of the command must name a program";
    return nullptr;
  }
  std::vector<std::string> environment = make_environment(source);
  std::string program = find_program(*name, source.directory, environment, problem);
  if (program.empty()) return nullptr;
  return std::make_unique<CommandHandler>(subject, source, std::move(program),
                                          std::move(environment));
}

}  // namespace sluice::tools
