#include "config/keys.hpp"

#include <array>

namespace sluice::config {
namespace {

using Key = std::string_view;

constexpr std::array kTop{Key("version"), Key("server"),  Key("limits"),    Key("timeouts"),
                          Key("log"),     Key("sources"), Key("defaults"),  Key("plugins"),
                          Key("tools"),   Key("prompts"), Key("resources"), Key("groups"),
                          Key("tasks"),   Key("parking")};
constexpr std::array kServer{Key("name"),
                             Key("title"),
                             Key("version"),
                             Key("instructions"),
                             Key("listen"),
                             Key("path"),
                             Key("allowed_hosts"),
                             Key("allowed_origins"),
                             Key("loops"),
                             Key("workers"),
                             Key("framing"),
                             Key("compression"),
                             Key("compression_min"),
                             Key("list_ttl"),
                             Key("list_page"),
                             Key("progress_interval"),
                             Key("change_interval"),
                             Key("watch_interval"),
                             Key("retry"),
                             Key("spool"),
                             Key("keys")};
constexpr std::array kLimits{Key("request_head"),
                             Key("request_body"),
                             Key("request_bodies"),
                             Key("nesting"),
                             Key("values"),
                             Key("result"),
                             Key("calls_in_flight"),
                             Key("connections"),
                             Key("sessions"),
                             Key("streams_per_session"),
                             Key("batch"),
                             Key("frames"),
                             Key("schema_steps"),
                             Key("send_buffer"),
                             Key("prompt"),
                             Key("completion"),
                             Key("receive_buffer"),
                             Key("listeners"),
                             Key("subscriptions"),
                             Key("watched_uris"),
                             Key("watches"),
                             Key("replay"),
                             Key("shaping_window"),
                             Key("table_row"),
                             Key("table_columns"),
                             Key("replays"),
                             Key("deleted_sessions"),
                             Key("questions"),
                             Key("asking"),
                             Key("request_state")};
constexpr std::array kTimeouts{Key("header"), Key("body"),         Key("idle"),    Key("stall"),
                               Key("call"),   Key("completion"),   Key("session"), Key("heartbeat"),
                               Key("grace"),  Key("session_life"), Key("replay"),  Key("ask")};
constexpr std::array kTasks{Key("spool"),        Key("max_bytes"),    Key("max_tasks"),
                            Key("caller_bytes"), Key("caller_tasks"), Key("ttl"),
                            Key("poll_interval")};
constexpr std::array kParking{Key("directory"),   Key("max_bytes"), Key("per_caller"),
                              Key("max_results"), Key("part"),      Key("keep")};
constexpr std::array kLog{Key("level"), Key("json")};
constexpr std::array kDefaults{
    Key("framing"), Key("compression"), Key("timeout"),   Key("concurrency"), Key("max_result"),
    Key("task"),    Key("task_after"),  Key("max_bytes"), Key("max_lines"),   Key("park")};
constexpr std::array kSource{Key("type"),        Key("base_url"),        Key("headers"),
                             Key("timeout"),     Key("connect_timeout"), Key("idle_timeout"),
                             Key("connections"), Key("redirects"),       Key("error_body"),
                             Key("tls")};
constexpr std::array kTls{Key("verify"), Key("ca_file"), Key("cert_file"), Key("key_file")};
constexpr std::array kAnnotations{Key("title"), Key("read_only"), Key("destructive"),
                                  Key("idempotent"), Key("open_world")};
constexpr std::array kParameter{Key("in"), Key("as"), Key("required"), Key("x-mcp-header")};
constexpr std::array kFile{Key("root"), Key("path")};
constexpr std::array kBlock{Key("type"),      Key("text"), Key("data"),       Key("file"),
                            Key("uri"),       Key("name"), Key("title"),      Key("description"),
                            Key("mime_type"), Key("size"), Key("annotations")};
constexpr std::array kBlockAnnotations{Key("audience"), Key("priority"), Key("last_modified")};
constexpr std::array kCache{Key("ttl"), Key("max_bytes"), Key("scope")};
constexpr std::array kMaxItems{Key("path"), Key("max")};
constexpr std::array kPark{Key("over"), Key("preview"), Key("ttl"), Key("items")};
constexpr std::array kPage{Key("by"),  Key("size"), Key("items"),
                           Key("ttl"), Key("next"), Key("parameter")};
constexpr std::array kPlugin{Key("path"), Key("settings"), Key("results")};
constexpr std::array kShaping{Key("select"),    Key("drop"),      Key("max_items"),
                              Key("max_bytes"), Key("max_lines"), Key("format"),
                              Key("columns"),   Key("park"),      Key("page")};
constexpr std::array kGroup{Key("instructions"), Key("tools"), Key("prompts"), Key("resources")};
constexpr std::array kSecret{Key("file")};

constexpr std::array kIcon{Key("src"), Key("mime_type"), Key("sizes"), Key("theme")};

constexpr std::array kPrompt{Key("title"), Key("description"), Key("icons"),
                             Key("meta"),  Key("arguments"),   Key("messages")};
constexpr std::array kPromptArgument{Key("title"), Key("description"), Key("required"), Key("enum"),
                                     Key("complete")};
constexpr std::array kMessage{Key("role"),       Key("when"),        Key("type"),      Key("text"),
                              Key("data"),       Key("file"),        Key("uri"),       Key("name"),
                              Key("title"),      Key("description"), Key("mime_type"), Key("size"),
                              Key("annotations")};
constexpr std::array kCompletion{Key("list"), Key("files"), Key("http")};
constexpr std::array kCompletionFiles{Key("root"), Key("pattern")};
constexpr std::array kCompletionHttp{Key("source"), Key("request"), Key("query"), Key("headers"),
                                     Key("pointer")};

constexpr std::array kCommon{Key("title"),        Key("description"),   Key("parameters"),
                             Key("input_schema"), Key("output_schema"), Key("annotations"),
                             Key("meta"),         Key("framing"),       Key("compression"),
                             Key("timeout"),      Key("concurrency"),   Key("max_result"),
                             Key("icons"),        Key("confirm"),       Key("confirm_fallback"),
                             Key("select"),       Key("drop"),          Key("max_items"),
                             Key("max_bytes"),    Key("max_lines"),     Key("format"),
                             Key("columns"),      Key("park"),          Key("page")};
constexpr std::array kHttpTool{
    Key("source"),    Key("request"),      Key("query"),     Key("headers"),    Key("body"),
    Key("body_text"), Key("content_type"), Key("result"),    Key("structured"), Key("mime_type"),
    Key("cache"),     Key("task"),         Key("task_after")};
constexpr std::array kFileTool{Key("file"),  Key("result"), Key("structured"), Key("mime_type"),
                               Key("cache"), Key("task"),   Key("task_after")};
constexpr std::array kCommandTool{Key("command"), Key("directory"),  Key("env_allow"),
                                  Key("env"),     Key("stdin"),      Key("stderr_tail"),
                                  Key("result"),  Key("structured"), Key("mime_type"),
                                  Key("cache"),   Key("task"),       Key("task_after")};
constexpr std::array kInlineTool{Key("text"), Key("content"), Key("structured")};
constexpr std::array kTool{Key("title"),
                           Key("description"),
                           Key("parameters"),
                           Key("input_schema"),
                           Key("output_schema"),
                           Key("annotations"),
                           Key("meta"),
                           Key("framing"),
                           Key("compression"),
                           Key("timeout"),
                           Key("concurrency"),
                           Key("max_result"),
                           Key("source"),
                           Key("request"),
                           Key("query"),
                           Key("headers"),
                           Key("body"),
                           Key("body_text"),
                           Key("content_type"),
                           Key("result"),
                           Key("structured"),
                           Key("mime_type"),
                           Key("file"),
                           Key("command"),
                           Key("directory"),
                           Key("env_allow"),
                           Key("env"),
                           Key("stdin"),
                           Key("stderr_tail"),
                           Key("text"),
                           Key("content"),
                           Key("cache"),
                           Key("icons"),
                           Key("task"),
                           Key("task_after"),
                           Key("confirm"),
                           Key("confirm_fallback"),
                           Key("select"),
                           Key("drop"),
                           Key("max_items"),
                           Key("max_bytes"),
                           Key("max_lines"),
                           Key("format"),
                           Key("columns"),
                           Key("park"),
                           Key("page")};

constexpr std::array kResourceCommon{
    Key("uri"),         Key("uri_template"), Key("title"),   Key("description"), Key("mime_type"),
    Key("annotations"), Key("size"),         Key("icons"),   Key("meta"),        Key("parameters"),
    Key("ttl"),         Key("cache_scope"),  Key("framing"), Key("compression"), Key("timeout"),
    Key("concurrency"), Key("max_result"),   Key("complete")};
constexpr std::array kHttpResource{Key("source"),       Key("request"), Key("query"),
                                   Key("headers"),      Key("body"),    Key("body_text"),
                                   Key("content_type"), Key("result")};
constexpr std::array kFileResource{Key("file"), Key("result"), Key("watch")};
constexpr std::array kTreeResource{Key("directory"), Key("result"), Key("watch")};
constexpr std::array kCommandResource{Key("command"), Key("directory"), Key("env_allow"),
                                      Key("env"),     Key("stdin"),     Key("stderr_tail"),
                                      Key("result")};
constexpr std::array kInlineResource{Key("text"), Key("data"), Key("file")};
constexpr std::array kResource{
    Key("uri"),         Key("uri_template"), Key("title"),     Key("description"),
    Key("mime_type"),   Key("annotations"),  Key("size"),      Key("icons"),
    Key("meta"),        Key("parameters"),   Key("ttl"),       Key("cache_scope"),
    Key("framing"),     Key("compression"),  Key("timeout"),   Key("concurrency"),
    Key("max_result"),  Key("source"),       Key("request"),   Key("query"),
    Key("headers"),     Key("body"),         Key("body_text"), Key("content_type"),
    Key("result"),      Key("file"),         Key("watch"),     Key("directory"),
    Key("command"),     Key("env_allow"),    Key("env"),       Key("stdin"),
    Key("stderr_tail"), Key("text"),         Key("data"),      Key("complete")};
constexpr std::array kTree{Key("root"), Key("uri"), Key("include"), Key("exclude"),
                           Key("max_files")};

}  // namespace

namespace keys {
const KeyTable top{"top", kTop};
const KeyTable server{"server", kServer};
const KeyTable limits{"limits", kLimits};
const KeyTable timeouts{"timeouts", kTimeouts};
const KeyTable tasks{"tasks", kTasks};
const KeyTable parking{"parking", kParking};
const KeyTable log{"log", kLog};
const KeyTable defaults{"defaults", kDefaults};
const KeyTable source{"source", kSource};
const KeyTable tls{"tls", kTls};
const KeyTable tool{"tool", kTool};
const KeyTable annotations{"annotations", kAnnotations};
const KeyTable parameter{"parameter", kParameter, true};
const KeyTable file{"file", kFile};
const KeyTable block{"block", kBlock};
const KeyTable block_annotations{"block_annotations", kBlockAnnotations};
const KeyTable cache{"cache", kCache};
const KeyTable max_items{"max_items", kMaxItems};
const KeyTable park{"park", kPark};
const KeyTable page{"page", kPage};
const KeyTable plugin{"plugin", kPlugin};
const KeyTable shaping{"shaping", kShaping};
const KeyTable secret{"secret", kSecret};
const KeyTable icon{"icon", kIcon};
const KeyTable group{"group", kGroup};
const KeyTable prompt{"prompt", kPrompt};
const KeyTable prompt_argument{"prompt_argument", kPromptArgument};
const KeyTable message{"message", kMessage};
const KeyTable completion{"completion", kCompletion};
const KeyTable completion_files{"completion_files", kCompletionFiles};
const KeyTable completion_http{"completion_http", kCompletionHttp};
const KeyTable resource{"resource", kResource};
const KeyTable tree{"tree", kTree};

const std::span<const std::string_view> tool_common{kCommon};
const std::span<const std::string_view> tool_http{kHttpTool};
const std::span<const std::string_view> tool_file{kFileTool};
const std::span<const std::string_view> tool_command{kCommandTool};
const std::span<const std::string_view> tool_inline{kInlineTool};

const std::span<const std::string_view> resource_common{kResourceCommon};
const std::span<const std::string_view> resource_http{kHttpResource};
const std::span<const std::string_view> resource_file{kFileResource};
const std::span<const std::string_view> resource_tree{kTreeResource};
const std::span<const std::string_view> resource_command{kCommandResource};
const std::span<const std::string_view> resource_inline{kInlineResource};
}  // namespace keys

std::span<const KeyTable* const> key_tables() {
  static constexpr std::array kAll{&keys::top,
                                   &keys::server,
                                   &keys::limits,
                                   &keys::timeouts,
                                   &keys::tasks,
                                   &keys::parking,
                                   &keys::log,
                                   &keys::defaults,
                                   &keys::source,
                                   &keys::tls,
                                   &keys::tool,
                                   &keys::annotations,
                                   &keys::parameter,
                                   &keys::file,
                                   &keys::block,
                                   &keys::block_annotations,
                                   &keys::cache,
                                   &keys::max_items,
                                   &keys::park,
                                   &keys::page,
                                   &keys::shaping,
                                   &keys::plugin,
                                   &keys::secret,
                                   &keys::icon,
                                   &keys::group,
                                   &keys::prompt,
                                   &keys::prompt_argument,
                                   &keys::message,
                                   &keys::completion,
                                   &keys::completion_files,
                                   &keys::completion_http,
                                   &keys::resource,
                                   &keys::tree};
  return kAll;
}

}  // namespace sluice::config
