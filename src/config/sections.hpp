#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "config/config.hpp"
#include "config/field.hpp"

/// One function for each part of the file; each fills its structs and complains about the rest.
namespace sluice::config {

inline constexpr std::pair<std::string_view, Tool::Framing> kFramings[] = {
    {"auto", Tool::Framing::automatic}, {"sse", Tool::Framing::sse}, {"json", Tool::Framing::json}};
inline constexpr std::pair<std::string_view, Tool::Compression> kCompressions[] = {
    {"off", Tool::Compression::off}, {"auto", Tool::Compression::automatic}};
inline constexpr std::pair<std::string_view, Tool::Task> kTasks[] = {
    {"off", Tool::Task::off},
    {"auto", Tool::Task::automatic},
    {"always", Tool::Task::always},
    {"required", Tool::Task::required}};

void read_server(const Field& field, Server& out);
void read_limits(const Field& field, Limits& out);
void read_timeouts(const Field& field, Timeouts& out);
void read_tasks(const Field& field, Tasks& out);
/// Complains where `task` of a tool or of `defaults` asks for what there is no place for.
void require_spool(const Section& tool, std::optional<Tool::Task> task, const Tasks& tasks);
void read_parking(const Field& field, ParkingLot& out);
void read_log(const Field& field, Log& out);
void read_sources(const Field& field, std::vector<HttpSource>& out);
void read_plugins(const Field& field, std::vector<Plugin>& out);
void read_groups(const Field& field, std::vector<Group>& out);

/// The keys that `defaults` and everything that has a handler share.
template <class Bounds>
void read_tool_bounds(const Section& section, Bounds& out) {
  section.choice("framing", out.framing, kFramings);
  section.choice("compression", out.compression, kCompressions);
  section.duration("timeout", out.timeout);
  section.integer("concurrency", out.concurrency);
  section.bytes("max_result", out.max_result);
}
/// Those that `defaults` and every tool share besides.
template <class Bounds>
void read_task_bounds(const Section& section, Bounds& out) {
  section.choice("task", out.task, kTasks);
  section.duration("task_after", out.task_after, 0ms);
}
/// All of them; `config.http_sources` is complete by then.
void read_tools(const Field& field, Config& out);
void read_resources(const Field& field, Config& out);

/// Names of sources that the file has, also of those with faults.
void read_http_tool(const Section& tool, std::span<const std::string_view> sources,
                    std::span<const Parameter> parameters, HttpTool& out);
void read_file_tool(const Section& tool, std::span<const Parameter> parameters, FileTool& out);
void read_command_tool(const Section& tool, std::span<const Parameter> parameters,
                       CommandTool& out);
void read_inline_tool(const Section& tool, InlineTool& out);
/// The parts of an HTTP tool that make its request, but for the body.
void read_http_request(const Section& section, std::span<const std::string_view> sources,
                       std::span<const Parameter> parameters, HttpTool& out);

/// All prompts; `config.http_sources` is complete by then.
void read_prompts(const Field& field, Config& out);
/// `complete`: the slots of an HTTP request name `parameters`.
[[nodiscard]] std::optional<Completion> read_completion(const Field& field,
                                                        std::span<const std::string_view> sources,
                                                        std::span<const Parameter> parameters);
/// A content block. In a message its type may be left out where it is text, and its texts may hold
/// slots.
enum class BlockUse : std::uint8_t { content, message };
[[nodiscard]] InlineBlock read_block(const Section& section, BlockUse use);

/// Whatever `parameters` holds.
void read_parameters(const Field& field, std::vector<Parameter>& out);
/// The JSON Schema of an object that has them as its members.
[[nodiscard]] std::string build_schema(std::span<const Parameter> parameters);
/// `parameters` or `input_schema` into Tool::parameters and Tool::input_schema.
void read_arguments(const Section& tool, Tool& out);
/// Complains about `in`, which sends a parameter with a request: nothing else has places for that.
void refuse_places(const Section& section, std::span<const Parameter> parameters);

/// The fields of a block or resource that say whom it is for.
void read_block_annotations(const Field& field, InlineAnnotations& out);
/// Base64, which may be broken into lines.
[[nodiscard]] std::optional<std::string> read_base64(const Field& field);

/// What is made of the results of a plug-in's tool (README, Smaller results).
[[nodiscard]] Plugin::Results read_results(const std::string& tool, const Section& section);
/// What holds for all tools.
[[nodiscard]] std::optional<Shaping> read_default_limits(const Section& defaults);
[[nodiscard]] std::optional<Parking> read_default_parking(const Section& defaults);
/// The same of a tool of the file, whose source has been read.
void read_results(const Section& tool, const Defaults& defaults, Tool& out);

/// `icons`.
void read_icons(const Section& section, std::vector<Icon>& out);

/// `structured` only where the section has it.
void read_result(const Section& tool, ResultKind& result, Structured& structured);

}  // namespace sluice::config
