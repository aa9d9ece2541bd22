#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <sluice/icon.hpp>

#include "base/sealing_key.hpp"
#include "base/units.hpp"

namespace sluice::json {
class SelectPlan;
}

/// The configuration file as plain structs: what config/load.hpp gives and everything else reads.
/// Strings hold what the operator wrote after `${...}` has been replaced. Secrets among them are
/// never printed.
namespace sluice::config {

using std::chrono::milliseconds;
using namespace std::chrono_literals;
using namespace sluice::literals;

/// Where in the file something stands, for messages that come later than parsing. Lines and columns
/// from 1.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// Text with `{parameter}` slots; `{{` and `}}` stand for braces.
struct Template {
  struct Part {
    std::string text;  ///< Literal text, or the parameter's name.
    bool is_slot = false;
  };
  std::vector<Part> parts;
  Place place;

  [[nodiscard]] bool is_one_slot() const noexcept { return parts.size() == 1 && parts[0].is_slot; }
};

/// A JSON structure with slots in its strings: a string that is exactly one slot takes the argument
/// with its JSON type; a member or element whose slot has no value is left out.
struct JsonTemplate {
  struct Member;
  enum class Kind : std::uint8_t { literal, string, array, object };
  Kind kind = Kind::literal;
  std::string literal;                 ///< literal: JSON text of a scalar.
  Template string;                     ///< string
  std::vector<JsonTemplate> elements;  ///< array
  std::vector<Member> members;         ///< object
};
struct JsonTemplate::Member {
  std::string name;
  JsonTemplate value;
};

struct Tls {
  bool verify = true;     ///< Certificate and host name.
  std::string ca_file;    ///< Empty: the system's store.
  std::string cert_file;  ///< Client certificate, PEM; empty: none.
  std::string key_file;
  bool operator==(const Tls&) const = default;
};

/// An upstream that several tools may share.
struct HttpSource {
  std::string name;
  std::string
      base_url;  ///< http or https, host, optional port and path prefix; no query, no user info.
  std::vector<std::pair<std::string, std::string>> headers;
  milliseconds timeout = 30s;  ///< Whole request; a tool's own timeout may be shorter.
  milliseconds connect_timeout = 5s;
  milliseconds idle_timeout = 30s;   ///< How long a connection is kept for reuse.
  std::uint32_t connections = 64;    ///< At most this many at once, per loop.
  std::uint32_t redirects = 3;       ///< Hops followed inside the origin.
  std::uint64_t error_body = 4_KiB;  ///< How much of the body of a failed response is shown.
  Tls tls;
  std::uint64_t send_buffer = 144_KiB;    ///< limits.send_buffer
  std::uint64_t receive_buffer = 88_KiB;  ///< limits.receive_buffer
  Place place;
};

enum class ParameterIn : std::uint8_t { none, path, query, header, body };

struct Parameter {
  std::string name;
  std::string schema;  ///< JSON text, without `in`, `required` and `as`.
  ParameterIn in = ParameterIn::none;
  std::string as;  ///< Its name in query or header; the parameter's own where not given.
  bool required = false;
  bool is_string = false;  ///< `type` is string.
  bool is_array = false;   ///< `type` is array.
  bool has_default = false;
  Place place;
};

enum class ResultKind : std::uint8_t { text, json, image, audio, blob, automatic };
enum class Structured : std::uint8_t { off, on, both };

/// How an upstream that gives its results in pages is asked for the next one.
struct UpstreamPaging {
  std::string next;       ///< JSONPath of what names it in the body; empty: the Link header does.
  std::string parameter;  ///< Of the query, that takes it; empty: it is a URL.
  milliseconds ttl = 1h;
};

struct HttpTool {
  std::string source;  ///< Name in Config::http_sources.
  std::string method;
  Template path;  ///< Begins with '/'; may hold a query: what follows the first '?'.
  std::vector<std::pair<std::string, Template>> query;
  std::vector<std::pair<std::string, Template>> headers;
  std::optional<JsonTemplate> body;   ///< Sent as application/json.
  std::optional<Template> body_text;  ///< Or as it is, with `content_type`.
  std::string content_type;
  ResultKind result = ResultKind::automatic;
  Structured structured = Structured::off;
  std::string mime_type;  ///< For image, audio and blob, where the upstream's is not to be used.
  std::optional<UpstreamPaging> paging;
};

struct FileTool {
  std::string root;                      ///< A directory; opened at start.
  Template path;                         ///< Below the root.
  std::optional<std::string> mime_type;  ///< Else by the name's ending.
  ResultKind result = ResultKind::automatic;
  Structured structured = Structured::off;
};

struct CommandTool {
  std::vector<Template>
      argv;  ///< argv[0] holds no slot. An element whose only slot has no value is left out.
  std::string directory;  ///< Empty: that of the process.
  /// Names passed on from the environment of the process.
  std::vector<std::string> env_allow{"PATH", "LANG", "LC_ALL", "HOME", "TZ", "TMPDIR"};
  std::vector<std::pair<std::string, std::string>> env;
  std::string
      stdin_from;  ///< Name of the parameter whose text (or JSON) is stdin; empty: /dev/null.
  std::uint64_t stderr_tail = 4_KiB;
  ResultKind result = ResultKind::text;
  Structured structured = Structured::off;
  std::string mime_type;
};

struct InlineAnnotations {
  std::vector<std::string> audience;
  std::optional<double> priority;
  std::string last_modified;
};

/// One content block of an inline tool. The bytes come from `text`, `data` (base64 in the file) or
/// `file`.
struct InlineBlock {
  enum class Kind : std::uint8_t { text, image, audio, resource_link, resource };
  Kind kind = Kind::text;
  std::string text;
  std::string data;        ///< Decoded.
  bool is_binary = false;  ///< `data` or a file that is to be sent as base64.
  std::string file;        ///< Read at start; relative to the configuration file.
  std::string uri;
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type;
  std::optional<std::uint64_t> size;
  InlineAnnotations annotations;
  Place place;
};

struct InlineTool {
  std::vector<InlineBlock> blocks;
  std::string structured;  ///< JSON text; empty: none.
};

/// Where the values come from that are offered while somebody types an argument.
struct Completion {
  struct Files {
    std::string root;            ///< A directory; opened at start.
    std::string pattern = "**";  ///< For paths below it.
  };
  struct Upstream {
    HttpTool request;     ///< Its slots are arguments; the one completed is what has been typed.
    std::string pointer;  ///< JSON Pointer to an array of strings; empty: the whole answer.
  };
  std::variant<std::vector<std::string>, Files, Upstream> from;
  Place place;
};

struct PromptArgument {
  std::string name;
  std::string title;
  std::string description;
  bool required = false;
  std::vector<std::string> allowed;  ///< `enum`; empty: any text.
  std::optional<Completion> completion;
  Place place;
};

/// A message of a prompt: a content block whose texts are templates.
struct PromptMessage {
  enum class Role : std::uint8_t { user, assistant } role = Role::user;
  std::string when;   ///< The argument that has to have a value; empty: none.
  InlineBlock block;  ///< Its `text`, `uri`, `name`, `title` and `description` are these:
  Template text, uri, name, title, description;
};

struct Prompt {
  std::string name;
  std::string title;
  std::string description;
  std::vector<Icon> icons;
  std::string meta;  ///< JSON object; empty: none.
  std::vector<PromptArgument> arguments;
  std::vector<PromptMessage> messages;
  Place place;
};

/// Results that are kept for equal calls.
struct Cache {
  milliseconds ttl = 60s;
  std::uint64_t max_bytes = 64_MiB;  ///< Memory for all results of the tool.
  enum class Scope : std::uint8_t { caller, shared } scope = Scope::caller;
};

/// What is made of a tool's result on its way, in this order: select, limit, format.
struct Shaping {
  enum class Format : std::uint8_t { as_is, csv, markdown, lines, json };
  std::shared_ptr<const json::SelectPlan> select;  ///< `select`, `drop`, `max_items`; null: all.
  std::string select_text;                         ///< `select`, for messages.
  std::string items_path;                          ///< Of the array that `max_items` is about.
  std::optional<std::uint64_t> max_items;
  std::optional<std::uint64_t> max_bytes;
  std::optional<std::uint64_t> max_lines;
  Format format = Format::as_is;
  std::vector<std::string> columns;  ///< Of a table; empty: all.
  // What the tool says elsewhere:
  bool is_json = false;             ///< Its text is JSON.
  bool structured_as_text = false;  ///< Structured content is a text block too.
  bool has_schema = false;          ///< Of structured content.
};

/// When a result is kept on disk, and its beginning given in its place.
struct Parking {
  std::uint64_t over = 256_KiB;    ///< What is no larger passes as it is.
  std::uint64_t preview = 16_KiB;  ///< The beginning that is given.
  milliseconds ttl = 1h;
  std::string items = "$";  ///< JSONPath of the array whose elements count as items.
};

/// A result in pages: the first one is given, the rest kept on disk.
struct Paging {
  enum class By : std::uint8_t { items, lines, bytes };
  By by = By::items;
  std::uint64_t size = 200;  ///< Of one page.
  milliseconds ttl = 1h;
  std::string items = "$";  ///< As in Parking.
  // by items: what is made of a page.
  Shaping::Format format = Shaping::Format::as_is;
  std::vector<std::string> columns = {};
};

/// What is kept of a result, in the one way or in the other.
struct Keeping {
  std::optional<Parking> parking;
  std::optional<Paging> paging;
  bool is_json = false;  ///< What is kept is, whatever its source says.
  bool is_off = false;   ///< Nothing is, whatever `defaults` say.
  [[nodiscard]] bool is_nothing() const noexcept { return !parking && !paging; }
};

/// What is kept, and what is made of a page, follow from what is made of the result: to be called
/// when both are known.
void settle(Keeping& keeping, std::optional<Shaping>& shaping);

/// What the user is asked before a tool runs.
struct Confirm {
  Template question;
  bool allows_unasked = false;  ///< Runs for clients that cannot be asked.
};

struct Tool {
  std::string name;
  std::string title;
  std::string description;
  std::vector<Parameter> parameters;
  std::string input_schema;      ///< Built from the parameters, or `input_schema` as written.
  std::string output_schema;     ///< JSON text; empty: none.
  std::string meta;              ///< JSON object; empty: none.
  std::string annotation_title;  ///< `annotations.title`; empty: none.
  std::vector<Icon> icons;
  std::optional<bool> read_only, destructive, idempotent, open_world;
  enum class Framing : std::uint8_t { automatic, sse, json };
  std::optional<Framing> framing;
  enum class Compression : std::uint8_t { off, automatic };
  std::optional<Compression> compression;
  std::optional<milliseconds> timeout;
  std::optional<std::uint32_t> concurrency;
  std::optional<std::uint64_t> max_result;
  enum class Task : std::uint8_t { off, automatic, always, required };
  std::optional<Task> task;
  std::optional<milliseconds> task_after;
  std::optional<Cache> cache;
  std::optional<Confirm> confirm;
  std::optional<Shaping> shaping;
  Keeping keeping;
  std::variant<InlineTool, HttpTool, FileTool, CommandTool> source;
  Place place;
};

/// Text of a resource template; its slots take the variables of the URI.
struct TextTemplate {
  Template text;
};

/// A directory, each file of which is a resource.
struct FileTree {
  std::string root;
  std::string uri;  ///< Begins the URI of each file; ends with a slash.
  /// Patterns for paths below the root (tools/glob.hpp); empty: everything that is not hidden.
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::uint32_t max_files = 10'000;  ///< As many are listed.
};

struct Resource {
  std::string name;
  std::string uri;           ///< Of one resource; empty for a template and a tree.
  std::string uri_template;  ///< RFC 6570; can be taken apart (base/uri_matcher.hpp).
  std::string title;
  std::string description;
  std::string mime_type;  ///< Empty: as the source says.
  InlineAnnotations annotations;
  std::optional<std::uint64_t> size;
  std::vector<Icon> icons;
  std::string meta;                   ///< JSON object; empty: none.
  std::vector<Parameter> parameters;  ///< Variables of the template, all of them.
  std::string parameters_schema;
  std::vector<std::pair<std::string, Completion>> completions;  ///< By the variable's name.
  milliseconds ttl = 0s;                                        ///< `ttlMs`
  bool is_public = false;                                       ///< `cacheScope`
  bool watch = true;  ///< Files: clients are told of changes.
  std::optional<Tool::Framing> framing;
  std::optional<Tool::Compression> compression;
  std::optional<milliseconds> timeout;
  std::optional<std::uint32_t> concurrency;
  std::optional<std::uint64_t> max_result;
  std::variant<InlineTool, TextTemplate, FileTree, HttpTool, FileTool, CommandTool> source;
  Place place;
};

/// What a tool or resource that says nothing of it has, wherever it comes from: the file, a plug-in
/// or the host program.
struct Defaults {
  std::optional<Tool::Framing> framing;
  std::optional<milliseconds> timeout;
  std::optional<std::uint32_t> concurrency;
  std::optional<std::uint64_t> max_result;
  std::optional<Tool::Compression> compression;
  std::optional<Tool::Task> task;
  std::optional<milliseconds> task_after;
  std::optional<Shaping> shaping;  ///< `max_bytes` and `max_lines` alone.
  std::optional<Parking> parking;
};

struct Plugin {
  std::string path;
  std::string settings = "{}";  ///< JSON text.
  struct Results {
    std::string tool;
    std::optional<Shaping> shaping;
    Keeping keeping;
  };
  std::vector<Results> results;
  Place place;
};

/// A part of what is offered, at a path of its own below the server's. Patterns are those of
/// fnmatch(3): "read_*".
struct Group {
  std::string name;          ///< The last segment of the path.
  std::string instructions;  ///< Empty: those of the server.
  std::vector<std::string> tools, prompts, resources;
  Place place;
};

struct Endpoint {
  std::string host;
  std::uint16_t port = 0;  ///< 0: any free one.
  bool operator==(const Endpoint&) const = default;
};

struct Server {
  std::string name = "sluice";
  std::string title;
  std::string version;  ///< Empty: the program's own.
  std::string instructions;
  std::vector<Endpoint> listen{{"127.0.0.1", 8808}};
  std::string path = "/mcp";
  /// Host names served besides loopback names and the addresses listened on; "*" for any (behind a
  /// proxy that checks).
  std::vector<std::string> allowed_hosts;
  /// Whole origins served besides the loopback ones.
  std::vector<std::string> allowed_origins;
  std::uint32_t loops = 0;    ///< 0: one per core.
  std::uint32_t workers = 4;  ///< Threads for code that blocks.
  Tool::Framing framing = Tool::Framing::automatic;
  Tool::Compression compression = Tool::Compression::off;
  std::uint64_t compression_min = 1_KiB;  ///< A shorter response is not compressed.
  milliseconds list_ttl = 5min;           ///< `ttlMs` of tools/list and server/discover.
  std::uint32_t list_page = 100;          ///< Tools per page of tools/list.
  milliseconds progress_interval = 100ms;
  milliseconds change_interval = 100ms;  ///< Between two turns of telling one stream of changes.
  milliseconds watch_interval = 100ms;   ///< Between two looks at what has changed on disk.
  milliseconds retry = 1s;  ///< How long a client that lost a stream waits before it comes back.
  std::string spool;        ///< Directory for temporary files; empty: $TMPDIR, else /tmp.
  std::vector<SealingKey> keys;  ///< The first seals, all open; empty: one is made at start.
  bool operator==(const Server&) const = default;
};

struct Limits {
  std::uint64_t request_head = 16_KiB;
  std::uint64_t request_body = 4_MiB;
  std::uint64_t request_bodies = 256_MiB;  ///< Of all requests together.
  std::uint32_t nesting = 128;             ///< JSON depth of requests and of structured results.
  std::uint32_t values =
      100'000;  ///< JSON values in one request: each takes 48 bytes while it is read.
  std::uint64_t result = 64_MiB;
  std::uint32_t calls_in_flight = 256;
  std::uint32_t connections = 16384;
  std::uint32_t sessions = 10000;
  std::uint32_t deleted_sessions = 100'000;  ///< Ids that are remembered as deleted.
  std::uint32_t streams_per_session = 8;     ///< GET streams.
  std::uint32_t listeners = 12000;           ///< Streams of subscriptions/listen.
  std::uint32_t subscriptions = 1000;        ///< Resources that one listener or session watches.
  std::uint64_t watched_uris = 64_MiB;       ///< Memory for what all of them watch.
  std::uint64_t replay = 256_KiB;            ///< Kept of a session's answers for who comes back.
  std::uint64_t replays = 64_MiB;            ///< The same of all sessions.
  std::uint32_t batch = 100;                 ///< Messages in a 2025-03-26 batch.
  std::uint32_t questions = 16;              ///< That a call may ask at once.
  std::uint32_t asking = 1024;               ///< Calls that wait for an answer of the user.
  std::uint64_t request_state = 64_KiB;      ///< Sealed answers of earlier rounds.
  std::uint64_t frames = 256_MiB;
  // What the kernel keeps for a connection in either direction; it takes twice as much for its own
  // needs.
  std::uint64_t send_buffer = 144_KiB;
  std::uint64_t receive_buffer = 88_KiB;
  std::uint64_t prompt = 1_MiB;            ///< JSON of the messages of one prompt.
  std::uint64_t completion = 256_KiB;      ///< An upstream's answer to what somebody types.
  std::uint64_t schema_steps = 1'000'000;  ///< Work of one argument check.
  std::uint32_t watches = 8192;            ///< Directories that are watched for changes.
  // What is held of a result while it is selected from, cut or made a table.
  std::uint64_t shaping_window = 64_KiB;  ///< Of it as a whole.
  std::uint64_t table_row = 1_MiB;        ///< Of one row.
  std::uint32_t table_columns = 1024;
  bool operator==(const Limits&) const = default;
};

struct Timeouts {
  milliseconds header = 10s;     ///< From the first byte of a request to the end of its head.
  milliseconds body = 30s;       ///< From there to the end of its body.
  milliseconds idle = 75s;       ///< Between requests.
  milliseconds stall = 30s;      ///< A client that takes nothing.
  milliseconds call = 60s;       ///< A tool without a timeout of its own.
  milliseconds completion = 5s;  ///< Values for what somebody types.
  milliseconds session = 30min;  ///< A session without a request.
  milliseconds replay = 5min;    ///< A complete answer, for a client that comes back.
  milliseconds session_life = 7 * 24h;  ///< From initialize to the end of a session id.
  milliseconds ask = 10min;             ///< For an answer of the user.
  milliseconds heartbeat = 15s;         ///< Between keep-alive comments on a silent stream.
  milliseconds grace = 8s;              ///< For calls in flight after SIGTERM.
  bool operator==(const Timeouts&) const = default;
};

/// Tasks and the results that they keep on disk.
struct Tasks {
  std::string spool;                     ///< Directory; empty: there are no tasks.
  std::uint64_t max_bytes = 1_GiB;       ///< On disk, in all.
  std::uint32_t max_tasks = 1000;        ///< Kept at once, those that are over included.
  std::uint64_t caller_bytes = 256_MiB;  ///< Of one caller.
  std::uint32_t caller_tasks = 100;      ///< Likewise.
  milliseconds ttl = 15min;              ///< Kept for longer than its tool may take by this.
  milliseconds poll_interval = 1s;       ///< What clients are told to leave between two looks.
  bool operator==(const Tasks&) const = default;
};

/// The results that are kept on disk for those whose calls made them.
struct ParkingLot {
  std::string directory = {};          ///< Empty: where temporary files go.
  std::uint64_t max_bytes = 1_GiB;     ///< On disk, in all.
  std::uint64_t per_caller = 256_MiB;  ///< Of one caller.
  std::uint32_t max_results = 1000;    ///< At once; each takes a file descriptor.
  std::uint64_t part = 64_KiB;         ///< What read_result gives at once.
  bool keep = false;                   ///< They outlive the process.
  bool operator==(const ParkingLot&) const = default;
};

struct Log {
  std::string level = "info";  ///< trace, debug, info, warn, error, off
  bool json = false;
  bool operator==(const Log&) const = default;
};

struct Config {
  std::string file;
  Server server;
  Limits limits;
  Timeouts timeouts;
  Tasks tasks;
  ParkingLot parking;
  Log log;
  Defaults defaults;  ///< Not in `tools` yet; the catalogue applies them.
  std::vector<HttpSource> http_sources;
  std::vector<Tool> tools;          ///< In the order of the file.
  std::vector<Prompt> prompts;      ///< Likewise.
  std::vector<Resource> resources;  ///< Likewise.
  std::vector<Plugin> plugins;
  std::vector<Group> groups;
};

}  // namespace sluice::config
