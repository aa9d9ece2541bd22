#include "mcp/contents_writer.hpp"

#include <utility>

#include "json/document.hpp"
#include "mcp/json_members.hpp"

namespace sluice::mcp {

Failure resource_not_found(const Revision& revision, std::string_view uri,
                           std::string_view message) {
  Failure failure;
  failure.code = revision.is_modern ? rpc::kInvalidParams : rpc::kResourceNotFound;
  failure.message = message;
  failure.data = R"({"uri":)";
  json::append_string(failure.data, uri);
  failure.data += '}';
  return failure;
}

ContentsWriter::ContentsWriter(BodySink& sink, const Options& options)
    : sink_(sink), options_(options), stream_(sink, 0) {}

std::string ContentsWriter::head(const Block& block, bool is_text) const {
  const bool names_itself = !block.uri.empty();
  std::string out = "{";
  append_text(out, "uri", names_itself ? block.uri : options_.uri);
  const bool is_declared =
      !options_.mime_type.empty() && (!names_itself || block.uri == options_.uri);
  if (is_declared)
    append_text(out, "mimeType", options_.mime_type);
  else if (block.kind == BlockKind::structured && block.mime_type.empty())
    append_text(out, "mimeType", "application/json");
  else
    append_text(out, "mimeType", block.mime_type);
  std::string meta(block.meta.empty() ? options_.meta : block.meta);
  if (!meta.empty()) {
    make_one_line(meta);
    append_member(out, "_meta", meta);
  }
  return out + (is_text ? R"(,"text":")" : R"(,"blob":")");
}

Awaitable<Result<>> ContentsWriter::begin(Block block) {
  if (over_limit_) co_return Errc::result_too_large;
  if (failure_ || broken_ || closed_) co_return Errc::misuse;
  const auto ended = co_await end();
  if (!ended) co_return ended;
  const auto ready = co_await stream_.drain();
  if (!ready) co_return ready;
  if (!opened_) {
    start_ = sink_.mark();
    opened_ = true;
    stream_.add(options_.envelope);
  }
  if (has_element_) {
    sink_.put(",");
    stream_.break_long_line();
  }
  has_element_ = true;
  const bool is_text = block.kind == BlockKind::text || block.kind == BlockKind::resource_text ||
                       block.kind == BlockKind::structured;
  stream_.add(head(block, is_text));
  stream_.open(is_text ? JsonStream::Coding::escape : JsonStream::Coding::base64, "\"}");
  const auto done = co_await stream_.drain();
  co_return done;
}

Awaitable<Result<>> ContentsWriter::write(std::string_view bytes) {
  if (over_limit_) co_return Errc::result_too_large;
  if (failure_ || broken_ || closed_) co_return Errc::misuse;
  stream_.grow_line(bytes.size());
  if (!stream_.is_open()) {
    const auto begun = co_await begin({});
    if (!begun) co_return begun;
  }
  if (bytes.size() <= options_.max_bytes - this->bytes()) {
    const auto done = co_await stream_.encode(bytes);
    co_return done;
  }
  over_limit_ = true;
  const std::string text =
      "The resource is larger than " + std::string(options_.limit_name) + " allows.";
  const auto told = co_await fail(text);
  static_cast<void>(told);  // close() says so again
  co_return Errc::result_too_large;
}

Awaitable<Result<>> ContentsWriter::end() {
  if (!stream_.is_open()) co_return Result<>{};
  const auto closed = co_await stream_.close();
  co_return closed;
}

Awaitable<Result<>> ContentsWriter::link(ResourceLink) { co_return Errc::misuse; }

Awaitable<Result<>> ContentsWriter::raw_block(std::string_view) { co_return Errc::misuse; }

Result<> ContentsWriter::take_back(Failure failure) {
  if (closed_) return Errc::misuse;
  if (failure_) return {};
  broken_ = broken_ || (opened_ && !sink_.rollback(start_));
  if (broken_) return Errc::source_failed;
  stream_.drop();
  failure_ = std::move(failure);
  return {};
}

Awaitable<Result<>> ContentsWriter::fail(std::string_view message) {
  Failure failure;
  failure.message = message;
  co_return take_back(std::move(failure));
}

Awaitable<Result<>> ContentsWriter::not_found(std::string_view message) {
  co_return take_back(resource_not_found(*options_.revision, options_.uri, message));
}

Awaitable<Result<>> ContentsWriter::close() {
  if (broken_) co_return Errc::source_failed;
  if (!closed_ && !failure_) {
    if (!has_element_) {
      const auto begun = co_await begin({});
      if (!begun) co_return begun;
    }
    const auto ended = co_await end();
    if (!ended) co_return ended;
  }
  if (!closed_) stream_.add(failure_ ? render(*failure_, options_.id) : "]}}");
  closed_ = true;
  const auto done = co_await stream_.drain();
  co_return done;
}

}  // namespace sluice::mcp
