#include "mcp/json_result_writer.hpp"

#include <algorithm>

#include <spdlog/spdlog.h>

#include "json/document.hpp"
#include "mcp/json_members.hpp"
#include "mcp/violations.hpp"

namespace sluice::mcp {
namespace {

bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string result_envelope(std::string_view id, const Revision& revision,
                            std::string_view server_info) {
  std::string out;
  out.reserve(160 + id.size() + server_info.size());
  out += R"({"jsonrpc":"2.0",)";
  if (!id.empty()) {
    out += R"("id":)";
    out += id;
    out += ',';
  }
  out += R"("result":{)";
  if (revision.has_result_type) {
    out += R"("resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":)";
    out += server_info;
    out += "},";
  }
  out += R"("content":[)";
  return out;
}

JsonResultWriter::JsonResultWriter(BodySink& sink, const Options& options)
    : sink_(sink), options_(options), stream_(sink, options.max_nesting) {}

void JsonResultWriter::queue_envelope() {
  if (opened_) return;
  opened_ = true;
  stream_.add(options_.envelope);
}

Awaitable<Result<>> JsonResultWriter::add_block(std::string_view head, Coding coding,
                                                std::string_view end) {
  if (content_closed_ || closed_) co_return Errc::misuse;
  queue_envelope();
  const auto ended = co_await this->end();
  if (!ended) co_return ended;
  const auto ready = co_await stream_.drain();
  if (!ready) co_return ready;
  if (has_block_) {
    sink_.put(",");
    stream_.break_long_line();
  }
  has_block_ = true;
  stream_.add(head);
  stream_.open(coding, end);
  co_return Result<>{};
}

Awaitable<Result<>> JsonResultWriter::begin(Block block) {
  if (over_limit_) co_return Errc::result_too_large;
  if (block.kind == BlockKind::structured) {
    if (content_closed_ || closed_) co_return Errc::misuse;
    queue_envelope();
    const auto ended = co_await end();
    if (!ended) co_return ended;
    const auto ready = co_await stream_.drain();
    if (!ready) co_return ready;
    before_structured_ = sink_.mark();
    sink_.put("],");
    stream_.break_long_line();
    sink_.put(R"("structuredContent":)");
    structured_ = sink_.mark();
    content_closed_ = true;
    stream_.open(Coding::raw, {});
    co_return Result<>{};
  }

  const bool is_text = block.kind == BlockKind::text || block.kind == BlockKind::resource_text;
  // Annotations and _meta belong to the block, in front, so that what streams comes last.
  std::string extras;
  append_annotations(extras, block.annotations);
  if (!block.meta.empty()) {
    std::string meta(block.meta);
    make_one_line(meta);
    append_member(extras, "_meta", meta);
  }
  std::string head;
  std::string_view tail = "\"}";
  if (block.kind == BlockKind::resource_text || block.kind == BlockKind::resource_blob) {
    head = R"({"type":"resource")" + extras + R"(,"resource":{"uri":)";
    json::append_string(head, block.uri);
    append_text(head, "mimeType", block.mime_type);
    head += is_text ? R"(,"text":")" : R"(,"blob":")";
    tail = "\"}}";
  } else {
    head = R"({"type":")";
    head += is_text ? "text" : block.kind == BlockKind::image ? "image" : "audio";
    head += '"' + extras;
    if (!is_text) append_text(head, "mimeType", block.mime_type);
    head += is_text ? R"(,"text":")" : R"(,"data":")";
  }
  const auto added = co_await add_block(head, is_text ? Coding::escape : Coding::base64, tail);
  if (!added) co_return added;
  const auto done = co_await stream_.drain();
  co_return done;
}

Awaitable<Result<>> JsonResultWriter::write(std::string_view bytes) {
  if (over_limit_) co_return Errc::result_too_large;
  stream_.grow_line(bytes.size());
  if (!stream_.is_open()) {
    const auto begun = co_await begin({});
    if (!begun) co_return begun;
  }
  if (stream_.bytes() + bytes.size() <= options_.max_bytes) {
    const auto done = co_await stream_.encode(bytes);
    co_return done;
  }
  if (stream_.coding() != Coding::raw) {
    std::size_t cut = static_cast<std::size_t>(options_.max_bytes - stream_.bytes());
    if (stream_.coding() == Coding::escape)
      for (int i = 0; i < 3 && cut > 0 && is_continuation(bytes[cut]); ++i) --cut;
    const auto done = co_await stream_.encode(bytes.substr(0, cut));
    if (!done) co_return done;
    stream_.cut();
  }
  const auto stopped = co_await stop_at_limit();
  if (!stopped) co_return stopped;
  co_return Errc::result_too_large;
}

Awaitable<Result<>> JsonResultWriter::stop_at_limit() {
  const std::string text =
      "The result was stopped by " + std::string(options_.limit_name) + " after " +
      std::to_string(bytes()) +
      " bytes; what is above is its beginning, and how much more there is is not known.";
  const auto told = co_await fail(text);
  over_limit_ = true;
  co_return told;
}

Awaitable<Result<>> JsonResultWriter::end() {
  if (!stream_.is_open()) co_return Result<>{};
  if (stream_.coding() == Coding::raw) {
    // Where the value is not complete it stays open, so that fail() knows what to take back.
    const auto whole = stream_.close_raw();
    if (!whole) co_return whole;
    const std::string problem = check_structured();
    if (problem.empty()) co_return Result<>{};
    const auto told = co_await fail(problem);
    co_return told;
  }
  const auto closed = co_await stream_.close();
  co_return closed;
}

/// What is wrong with structured content that is complete; empty: nothing, or it is too late to
/// ask.
std::string JsonResultWriter::check_structured() {
  if (options_.output_schema == nullptr) return {};
  const auto text = sink_.copy_since(structured_);
  if (!text) {
    if (options_.told_unchecked != nullptr && !options_.told_unchecked->exchange(true))
      spdlog::warn(
          "tool {}: a structured result began to leave before its end was known, and was not held "
          "against the output schema (told once)",
          options_.tool);
    return {};
  }
  json::Document document;
  const auto value = document.parse_copy(*text, options_.max_nesting);
  if (!value) return "The structured result is not one complete JSON value.";
  const auto verdict = options_.output_schema->validate(*value, options_.max_schema_steps);
  if (verdict.out_of_steps)
    return "Checking the structured result took more than limits.schema_steps allows.";
  return verdict.violations.empty()
             ? std::string()
             : describe("The structured result does not fit the tool's output schema:",
                        verdict.violations);
}

Awaitable<Result<>> JsonResultWriter::raw_block(std::string_view json) {
  if (over_limit_) co_return Errc::result_too_large;
  if (bytes() + json.size() > options_.max_bytes) {
    const auto stopped = co_await stop_at_limit();
    if (!stopped) co_return stopped;
    co_return Errc::result_too_large;
  }
  stream_.grow_line(json.size());
  std::string checked(json.size(), '\0');
  json::RawJson checker(options_.max_nesting);
  const auto step = checker.step(json, checked);
  if (!step) co_return step.error();
  const auto whole = checker.finish();
  if (!whole) co_return whole;
  const auto added = co_await add_block(checked, Coding::none, {});
  if (!added) co_return added;
  stream_.set_bytes(bytes() + json.size());
  const auto done = co_await stream_.drain();
  co_return done;
}

Awaitable<Result<>> JsonResultWriter::link(ResourceLink link) {
  // Revisions without structured content have no such block either.
  if (options_.structured == Revision::Structured::none) {
    std::string text(link.title.empty() ? link.name : link.title);
    text.append(": ").append(link.uri);
    std::string block = R"({"type":"text","text":)";
    json::append_string(block, text);
    append_annotations(block, link.annotations);
    const auto done = co_await raw_block(block + '}');
    co_return done;
  }
  std::string block = R"({"type":"resource_link","uri":)";
  json::append_string(block, link.uri);
  block += R"(,"name":)";
  json::append_string(block, link.name);
  append_text(block, "title", link.title);
  append_text(block, "description", link.description);
  append_text(block, "mimeType", link.mime_type);
  if (link.size) block += R"(,"size":)" + std::to_string(*link.size);
  append_annotations(block, link.annotations);
  block += '}';
  const auto done = co_await raw_block(block);
  co_return done;
}

Awaitable<Result<>> JsonResultWriter::notice(std::string_view text) {
  const auto begun = co_await begin({});
  if (!begun) co_return begun;
  const auto payload = bytes();
  const auto written = co_await stream_.encode(text);
  stream_.set_bytes(payload);  // what we say ourselves is none
  if (!written) co_return written;
  const auto ended = co_await end();
  co_return ended;
}

Awaitable<Result<>> JsonResultWriter::fail(std::string_view message) {
  if (closed_ || broken_) co_return Errc::misuse;
  is_error_ = true;
  if (over_limit_) co_return Result<>{};  // the notice has been written
  if (content_closed_) {
    // Half a JSON value, or one after which content cannot go on. It can be taken back while
    // nothing has left.
    if (!sink_.rollback(before_structured_)) {
      if (stream_.coding() == Coding::raw) {
        broken_ = true;
        co_return Errc::not_json;
      }
      co_return Result<>{};
    }
    content_closed_ = false;
    stream_.drop();
  }
  const auto written = co_await notice(message);
  co_return written;
}

bool JsonResultWriter::takes_structured(char first_byte) const noexcept {
  switch (options_.structured) {
    case Revision::Structured::none:
      return false;
    case Revision::Structured::objects:
      return first_byte == '{';
    case Revision::Structured::any:
      return true;
  }
  return false;
}

Awaitable<Result<>> JsonResultWriter::close() {
  if (closed_) co_return Result<>{};
  if (broken_) co_return Errc::not_json;
  queue_envelope();
  auto ended = co_await end();
  if (!ended && content_closed_) {
    const auto told = co_await fail("The structured result is not one complete JSON value.");
    if (!told) co_return told;
    ended = co_await end();
  }
  if (!ended) co_return ended;
  if (options_.needs_structured && !content_closed_ && !is_error_) {
    const auto told =
        co_await fail("The tool gave no structured result, though it has an output schema.");
    if (!told) co_return told;
  }
  const auto ready = co_await stream_.drain();
  if (!ready) co_return ready;
  closed_ = true;
  if (!content_closed_) sink_.put("]");
  sink_.put(is_error_ ? R"(,"isError":true}})" : "}}");
  co_return Result<>{};
}

}  // namespace sluice::mcp
