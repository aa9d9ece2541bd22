#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "json/document.hpp"
#include "tools/factory.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::size_t open_descriptors() {
  std::size_t n = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    static_cast<void>(entry);
    ++n;
  }
  return n;
}

/// A zombie or a running child of ours.
bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

bool is_alive(pid_t pid) {
  if (::kill(pid, 0) != 0) return false;
  // A zombie that its new parent has not yet reaped is as good as gone.
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  const auto paren = text.rfind(')');
  return paren != std::string::npos && text.size() > paren + 2 && text[paren + 2] != 'Z';
}

config::Tool command_tool(const std::vector<std::string>& argv) {
  config::Tool tool;
  tool.name = "cmd";
  config::CommandTool command;
  for (const auto& element : argv) command.argv.push_back(text_template(element));
  command.env_allow = {"PATH"};
  tool.source = command;
  return tool;
}

/// A tool that runs a script; the script has no slots, and may hold braces.
config::Tool shell_tool(const std::string& script) {
  config::Tool tool = command_tool({"sh", "-c"});
  auto& command = std::get<config::CommandTool>(tool.source);
  command.argv.push_back({{{script, false}}, {}});
  return tool;
}

config::CommandTool& command_of(config::Tool& tool) {
  return std::get<config::CommandTool>(tool.source);
}

std::unique_ptr<ToolHandler> make(const config::Tool& tool) {
  std::string problem;
  auto handler = make_command_tool(tool, problem);
  EXPECT_TRUE(handler) << problem;
  return handler;
}

/// Counts descriptors and children around every test.
class CommandToolTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(has_children());
    before_ = open_descriptors();
  }
  void TearDown() override {
    EXPECT_FALSE(has_children());
    EXPECT_EQ(open_descriptors(), before_);
  }

  static void run(Bench& bench, const config::Tool& tool) {
    const auto handler = make(tool);
    bench.run(*handler);
    ASSERT_TRUE(bench.is_done && !bench.was_cancelled);
    EXPECT_EQ(bench.call.frames().in_use(), 0u);
  }
  static std::string output(const config::Tool& tool, std::string_view arguments = "{}") {
    Bench bench(arguments);
    run(bench, tool);
    EXPECT_FALSE(bench.out.is_error) << bench.out.failure();
    return bench.out.all();
  }
  static std::string failure(const config::Tool& tool, std::string_view arguments = "{}") {
    Bench bench(arguments);
    run(bench, tool);
    EXPECT_TRUE(bench.result.has_value());
    EXPECT_TRUE(bench.out.is_error);
    return bench.out.failure();
  }

 private:
  std::size_t before_ = 0;
};

TEST_F(CommandToolTest, GivesWhatTheCommandPrints) {
  EXPECT_EQ(output(command_tool({"echo", "hello"})), "hello\n");
}

TEST_F(CommandToolTest, GivesNothingForACommandThatPrintsNothing) {
  Bench bench;
  run(bench, command_tool({"true"}));
  EXPECT_TRUE(bench.out.blocks.empty());
  EXPECT_FALSE(bench.out.is_error);
}

TEST_F(CommandToolTest, PutsEachArgumentIntoOneElementWhateverItHolds) {
  const config::Tool tool = command_tool({"printf", "%s|", "{a}", "--b={b}", "x"});
  EXPECT_EQ(output(tool, R"({"a":"$(id); 'q' \"w\" *\n","b":"-rf"})"),
            "$(id); 'q' \"w\" *\n|--b=-rf|x|");
  EXPECT_EQ(output(tool, R"({"a":"-n","b":12345678901234567890})"),
            "-n|--b=12345678901234567890|x|");
}

TEST_F(CommandToolTest, LeavesOutArgumentsWithoutAValue) {
  const config::Tool tool =
      command_tool({"printf", "%s|", "{limit}", "--lang={lang}", "{flag}", "{empty}"});
  EXPECT_EQ(output(tool, R"({"limit":100,"flag":false,"empty":""})"), "100|false||");
  EXPECT_EQ(output(tool, R"({"limit":0,"lang":null,"flag":false})"), "0|false|");
}

TEST_F(CommandToolTest, RefusesANulAndNamesTheParameter) {
  const std::string text = failure(command_tool({"echo", "a{name}"}), R"({"name":"x\u0000y"})");
  EXPECT_EQ(text, "The parameter \"name\" holds a NUL character, which no command line can carry.");
}

TEST_F(CommandToolTest, SaysThatArgumentsAreTooLong) {
  const std::string arguments = R"({"a":")" + std::string(300'000, 'x') + "\"}";
  EXPECT_EQ(failure(command_tool({"echo", "{a}"}), arguments),
            "The arguments are too long for a command line.");
}

TEST_F(CommandToolTest, GivesTheCommandAnEmptyStdinWhereNoneIsSet) {
  EXPECT_EQ(output(shell_tool("cat; readlink /proc/self/fd/0")), "/dev/null\n");
}

TEST_F(CommandToolTest, FeedsAParameterToStdin) {
  config::Tool tool = command_tool({"cat"});
  command_of(tool).stdin_from = "text";
  EXPECT_EQ(output(tool, R"({"text":"a\u0000b\n"})"), std::string("a\0b\n", 4));
  EXPECT_EQ(output(tool, R"({"text":{"k": 1.10}})"), R"({"k": 1.10})");
  EXPECT_EQ(output(tool, R"({"text":""})"), "");
  EXPECT_EQ(output(tool), "");
}

TEST_F(CommandToolTest, FeedsStdinWhileTheCommandWrites) {
  // First it writes 200 KB itself, to both, and only then reads.
  config::Tool tool = shell_tool(
      "head -c 200000 /dev/zero | tr '\\0' e >&2; head -c 200000 /dev/zero | tr '\\0' a; exec cat");
  command_of(tool).stdin_from = "text";
  const std::string text(200'000, 'b');
  EXPECT_TRUE(output(tool, R"({"text":")" + text + "\"}") == std::string(200'000, 'a') + text);
}

TEST_F(CommandToolTest, LivesOnWhenTheCommandDoesNotReadItsStdin) {
  ASSERT_NE(::signal(SIGPIPE, SIG_DFL), SIG_ERR);
  config::Tool tool = shell_tool("exec 0<&-; echo early; sleep 0.05");
  command_of(tool).stdin_from = "text";
  EXPECT_EQ(output(tool, R"({"text":")" + std::string(500'000, 'b') + "\"}"), "early\n");
  config::Tool quick = command_tool({"true"});
  command_of(quick).stdin_from = "text";
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(output(quick, R"({"text":")" + std::string(500'000, 'b') + "\"}"), "");
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

TEST_F(CommandToolTest, WorksWhereOurOwnStdinAndStdoutAreClosed) {
  config::Tool tool = shell_tool("cat; echo e >&2; exit 1");
  command_of(tool).stdin_from = "text";
  const auto handler = make(tool);
  const int in = ::dup(0);
  const int out = ::dup(1);
  ::close(0);
  ::close(1);
  std::string text;
  std::string failed;
  {
    // Gone before the two numbers are given back: some of its own descriptors have them.
    Bench bench(R"({"text":"abc"})");
    bench.run(*handler);
    text = bench.out.all();
    failed = bench.out.failure();
  }
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::close(in);
  ::close(out);
  EXPECT_EQ(text, "abc");
  EXPECT_EQ(failed, "The command exited with status 1.\nIts stderr:\ne");
}

TEST_F(CommandToolTest, DrainsStderrBeforeStdoutComes) {
  EXPECT_EQ(output(shell_tool("head -c 262144 /dev/zero >&2; echo out")), "out\n");
}

TEST_F(CommandToolTest, GivesALargeOutputInFrames) {
  Bench bench;
  run(bench, shell_tool("head -c 3000000 /dev/zero | tr '\\0' x"));
  EXPECT_TRUE(bench.out.all() == std::string(3'000'000, 'x'));
  EXPECT_LE(bench.out.largest_write, kFrameBytes);
}

TEST_F(CommandToolTest, KeepsWhatWasPrintedBeforeTheCommandFailed) {
  Bench bench;
  run(bench, shell_tool("echo partial; echo why >&2; exit 3"));
  EXPECT_EQ(bench.out.all(), "partial\n");
  EXPECT_EQ(bench.out.failure(), "The command exited with status 3.\nIts stderr:\nwhy");
  EXPECT_EQ(failure(command_tool({"false"})), "The command exited with status 1.");
}

TEST_F(CommandToolTest, NamesTheSignalThatEndedTheCommand) {
  EXPECT_EQ(failure(shell_tool("kill -9 $$")), "The command was ended by signal 9 (Killed).");
}

TEST_F(CommandToolTest, KeepsTheTailOfStderr) {
  config::Tool tool =
      shell_tool("i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1");
  command_of(tool).stderr_tail = 32;
  EXPECT_EQ(failure(tool),
            "The command exited with status 1.\nThe end of its stderr:\n6\nline 1997\nline "
            "1998\nline 1999");
  command_of(tool).stderr_tail = 0;
  EXPECT_EQ(failure(tool), "The command exited with status 1.");
}

TEST_F(CommandToolTest, CutsTheTailOfStderrBetweenCharacters) {
  config::Tool tool = shell_tool("printf 'aaa\\303\\251\\303\\251' >&2; exit 1");
  command_of(tool).stderr_tail = 3;
  EXPECT_TRUE(failure(tool).ends_with("\n\xC3\xA9"));
}

TEST_F(CommandToolTest, HandsBytesThatAreNoUtf8ToTheWriterAsTheyAre) {
  EXPECT_EQ(output(command_tool({"printf", "\\377\\376caf\\351 \\000 end"})),
            std::string("\xFF\xFE"
                        "caf\xE9 \0 end",
                        12));
  EXPECT_TRUE(failure(shell_tool("printf 'caf\\351' >&2; exit 1")).ends_with("caf\xE9"));
}

TEST_F(CommandToolTest, GivesTheCommandTheEnvironmentOfTheConfigurationOnly) {
  ::setenv("SLUICE_TEST_SECRET", "s3cret", 1);
  ::setenv("SLUICE_TEST_SHOWN", "shown", 1);
  config::Tool tool = command_tool({"/usr/bin/env"});
  command_of(tool).env_allow = {"SLUICE_TEST_SHOWN", "SLUICE_TEST_UNSET"};
  command_of(tool).env = {{"OWN", "a=b c"}};
  EXPECT_EQ(output(tool), "SLUICE_TEST_SHOWN=shown\nOWN=a=b c\n");
  command_of(tool).env = {{"SLUICE_TEST_SHOWN", "other"}};
  EXPECT_EQ(output(tool), "SLUICE_TEST_SHOWN=other\n");
}

TEST_F(CommandToolTest, RunsInItsDirectory) {
  config::Tool tool = command_tool({"pwd"});
  command_of(tool).directory = "/usr";
  EXPECT_EQ(output(tool), "/usr\n");
  config::Tool relative = command_tool({"./bin/pwd"});
  command_of(relative).directory = "/usr";
  EXPECT_EQ(output(relative), "/usr\n");
}

TEST_F(CommandToolTest, PassesNoDescriptorsOn) {
  const int open = ::open("/etc/passwd", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GT(open, 2);
  EXPECT_EQ(output(shell_tool(
                "n=0; while [ $n -lt 40 ]; do [ -e /proc/$$/fd/$n ] && echo $n; n=$((n+1)); done")),
            "0\n1\n2\n");
  ::close(open);
}

TEST_F(CommandToolTest, StartsTheCommandWithOrdinarySignals) {
  sigset_t usr1;
  sigset_t before;
  ::sigemptyset(&usr1);
  ::sigaddset(&usr1, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &usr1, &before);
  ::signal(SIGPIPE, SIG_IGN);
  const std::string text =
      output(command_tool({"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"}));
  ::signal(SIGPIPE, SIG_DFL);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const auto mask_of = [&text](const char* name) {
    return std::stoull(text.substr(text.find(name) + 8), nullptr, 16);
  };
  EXPECT_EQ(mask_of("SigBlk:"), 0u) << text;
  // The C library keeps two numbers above the named signals to itself, and has them ignored.
  EXPECT_EQ(mask_of("SigIgn:") & 0x7FFF'FFFF, 0u) << text;
}

TEST_F(CommandToolTest, EndsWhenTheCommandHasEndedThoughAGrandchildHoldsStdout) {
  Bench bench;
  const auto start = std::chrono::steady_clock::now();
  run(bench, shell_tool("sleep 60 & echo $!; exit 0"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
  EXPECT_FALSE(bench.out.is_error) << bench.out.failure();
  const auto grandchild = static_cast<pid_t>(std::stol(bench.out.all()));
  EXPECT_GT(grandchild, 0);
  // Killed before we went on; only its new parent has to notice.
  while (is_alive(grandchild)) ::usleep(1000);
}

TEST_F(CommandToolTest, WaitsForACommandThatClosesItsStdout) {
  EXPECT_EQ(failure(shell_tool("echo x; exec >&-; sleep 0.05; exit 4")),
            "The command exited with status 4.");
}

TEST_F(CommandToolTest, KillsACommandWhoseResultIsTooLarge) {
  Bench bench;
  bench.out.limit = 300'000;
  run(bench, command_tool({"yes"}));
  EXPECT_EQ(bench.result.error(), Errc::result_too_large);
}

TEST_F(CommandToolTest, KillsTheWholeGroupWhenTheCallIsCancelled) {
  Bench bench;
  const config::Tool tool = shell_tool("sleep 600 & echo $!; wait");
  const auto handler = make(tool);
  bench.start(*handler);
  while (bench.out.all().find('\n') == std::string::npos) bench.loop.run_one();
  const auto grandchild = static_cast<pid_t>(std::stol(bench.out.all()));
  EXPECT_TRUE(is_alive(grandchild));
  bench.cancel.emit(boost::asio::cancellation_type::terminal);
  bench.finish();
  EXPECT_TRUE(bench.is_done && bench.was_cancelled);
  while (is_alive(grandchild)) ::usleep(1000);
}

TEST_F(CommandToolTest, KillsACommandThatIgnoresTheFirstSignal) {
  Bench bench;
  const config::Tool tool = shell_tool("trap '' TERM; echo ready; while :; do sleep 1; done");
  const auto handler = make(tool);
  bench.start(*handler);
  while (bench.out.all().empty()) bench.loop.run_one();
  bench.cancel.emit(boost::asio::cancellation_type::terminal);
  bench.finish();
  EXPECT_TRUE(bench.was_cancelled);
}

TEST_F(CommandToolTest, StopsAHundredCallsAndLeavesNothing) {
  const config::Tool tool = shell_tool("echo ready; exec sleep 600");
  const auto handler = make(tool);
  for (int i = 0; i < 100; ++i) {
    Bench bench;
    bench.start(*handler);
    // Some before the program has started, some while it runs.
    while (i % 2 == 1 && bench.out.all().empty()) bench.loop.run_one();
    bench.cancel.emit(boost::asio::cancellation_type::terminal);
    bench.finish();
    ASSERT_TRUE(bench.is_done);
    EXPECT_EQ(bench.call.frames().in_use(), 0u);
  }
}

TEST_F(CommandToolTest, KillsWhenAWaitingWriteIsCancelled) {
  Bench bench;
  bench.out.hold = true;
  const config::Tool tool = command_tool({"yes"});
  const auto handler = make(tool);
  bench.start(*handler);
  while (bench.out.writes == 0) bench.loop.run_one();
  bench.cancel.emit(boost::asio::cancellation_type::terminal);
  bench.finish();
  EXPECT_TRUE(bench.is_done);
}

TEST_F(CommandToolTest, LeavesNothingWhenTheLoopIsDestroyedUnderIt) {
  const config::Tool tool = shell_tool("echo ready; exec sleep 600");
  const auto handler = make(tool);
  Bench bench;
  bench.start(*handler);
  while (bench.out.all().empty()) bench.loop.run_one();
}

TEST_F(CommandToolTest, ComplainsAtTheStartAboutAProgramThatIsNotThere) {
  std::string problem;
  EXPECT_FALSE(make_command_tool(command_tool({"no-such-program-here"}), problem));
  EXPECT_EQ(problem, "there is no program no-such-program-here in PATH");
  EXPECT_FALSE(make_command_tool(command_tool({"/etc/passwd"}), problem));
  EXPECT_EQ(problem, "cannot run /etc/passwd: Permission denied");
  config::Tool tool = command_tool({"true"});
  command_of(tool).directory = "/no/such/place";
  EXPECT_FALSE(make_command_tool(tool, problem));
  EXPECT_EQ(problem, "cannot use the directory /no/such/place: No such file or directory");
}

TEST_F(CommandToolTest, SaysWhenTheProgramHasGone) {
  const std::string program = ::testing::TempDir() + "sluice-vanishing-program";
  fs::copy_file("/bin/true", program, fs::copy_options::overwrite_existing);
  const config::Tool tool = command_tool({program});
  const auto handler = make(tool);
  fs::remove(program);
  Bench bench;
  bench.run(*handler);
  EXPECT_EQ(bench.out.failure(), "The command could not be started: No such file or directory.");
}

TEST_F(CommandToolTest, SendsItsOutputAsStructuredContent) {
  config::Tool tool = command_tool({"echo", "{json}"});
  command_of(tool).result = config::ResultKind::json;
  command_of(tool).structured = config::Structured::both;
  Bench bench(R"({"json":"{\"n\":1.10}"})");
  run(bench, tool);
  EXPECT_EQ(bench.out.all(), "{\"n\":1.10}\n");
  EXPECT_EQ(bench.out.all(BlockKind::structured), "{\"n\":1.10} ");
}

TEST_F(CommandToolTest, ReportsThatNoFrameIsLeft) {
  Bench bench;
  std::vector<Frame> all;
  while (Frame frame = bench.call.frames().take()) all.push_back(std::move(frame));
  const config::Tool tool = command_tool({"yes"});
  const auto handler = make(tool);
  bench.run(*handler);
  EXPECT_EQ(bench.result.error(), Errc::frames_exhausted);
}

}  // namespace
}  // namespace sluice::tools
