#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

TEST(ConfigFileTools, ServeADirectoryBesideTheConfiguration) {
  const Folder folder;
  folder.put("notes/a.md", "");
  const auto loaded = load_text(
      "version: 1\ntools:\n  a:\n    parameters: {name: {required: true}}\n    file: {root: notes, "
      "path: '{name}.md'}\n"
      "    mime_type: text/plain\n    result: blob\n",
      folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  const auto& tool = std::get<FileTool>(loaded.config.tools.at(0).source);
  EXPECT_EQ(tool.root, folder.path("notes"));
  EXPECT_EQ(tool.path.parts.size(), 2u);
  EXPECT_EQ(tool.mime_type, "text/plain");
  EXPECT_EQ(tool.result, ResultKind::blob);
}

TEST(ConfigFileTools, NeedARootThatIsThere) {
  const auto file = [](const std::string& value) {
    return complaint("version: 1\ntools: {a: {parameters: {p: {}}, file: " + value + "}}\n");
  };
  EXPECT_NE(file("{root: /no/such, path: x}").find("No such file or directory"), std::string::npos);
  EXPECT_NE(file("{root: /dev/null, path: x}").find("not a directory"), std::string::npos);
  EXPECT_NE(file("{path: x}").find("root is missing"), std::string::npos);
  EXPECT_NE(file("{root: /}").find("path is missing"), std::string::npos);
  EXPECT_NE(file("{root: /, path: '{p}'}").find("make the parameter required"), std::string::npos);
  EXPECT_NE(file("/etc/hosts").find("expected { root: directory, path: text }"), std::string::npos);
}

TEST(ConfigCommandTools, ReadEveryKey) {
  const Folder folder;
  folder.put("secret", "s\n");
  folder.put("run/x", "");
  const auto loaded = load_text(R"(version: 1
tools:
  a:
    parameters: {p: {}, q: {}}
    command: [grep, -n, 5, "--x={p}"]
    directory: run
    env_allow: [A]
    env: {B: c, D: {file: secret}}
    stdin: q
    stderr_tail: 1KiB
    result: json
    structured: on
    mime_type: x/y
  b: {command: [./run/x]}
)",
                                folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  const auto& tool = std::get<CommandTool>(loaded.config.tools.at(0).source);
  ASSERT_EQ(tool.argv.size(), 4u);
  EXPECT_EQ(tool.argv[2].parts.at(0).text, "5");
  EXPECT_TRUE(tool.argv[3].parts.at(1).is_slot);
  EXPECT_EQ(tool.directory, folder.path("run"));
  EXPECT_EQ(tool.env_allow, Lines{"A"});
  EXPECT_EQ(tool.env, (std::vector<std::pair<std::string, std::string>>{{"B", "c"}, {"D", "s"}}));
  EXPECT_EQ(tool.stdin_from, "q");
  EXPECT_EQ(tool.stderr_tail, 1_KiB);
  EXPECT_EQ(tool.structured, Structured::on);
  EXPECT_EQ(std::get<CommandTool>(loaded.config.tools.at(1).source).argv[0].parts[0].text,
            folder.path("run/x"));
}

TEST(ConfigCommandTools, TheProgramIsFixed) {
  const auto fault = [](const std::string& keys) {
    return complaint("version: 1\ntools: {a: {parameters: {p: {}}, " + keys + "}}\n");
  };
  EXPECT_NE(fault("command: ['{p}']").find("cannot come from a parameter"), std::string::npos);
  EXPECT_NE(fault("command: []").find("expected a list"), std::string::npos);
  EXPECT_NE(fault("command: ls -l").find("expected a list"), std::string::npos);
  EXPECT_NE(fault("command: [ls], stdin: x").find("no parameter \"x\""), std::string::npos);
  EXPECT_NE(fault("command: [ls], env: {A=B: x}").find("not the name"), std::string::npos);
  EXPECT_NE(fault("command: [ls], directory: /no/such").find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace sluice::config
