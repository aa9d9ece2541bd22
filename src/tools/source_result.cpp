#include "tools/source_result.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "tools/media_type.hpp"
#include "tools/spool.hpp"

namespace sluice::tools {
namespace {

constexpr std::string_view kUnknownType = "application/octet-stream";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlank = " \t\r\n";

// White space ahead of a value that is kept, should the value turn out to be text for this client.
constexpr std::size_t kMaxLead = 4096;

BlockKind block_kind(config::ResultKind kind, MediaClass media) noexcept {
  switch (kind) {
    case config::ResultKind::text:
    case config::ResultKind::json:
      return BlockKind::text;
    case config::ResultKind::image:
      return BlockKind::image;
    case config::ResultKind::audio:
      return BlockKind::audio;
    case config::ResultKind::blob:
      return BlockKind::resource_blob;
    case config::ResultKind::automatic:
      break;
  }
  switch (media) {
    case MediaClass::text:
    case MediaClass::json:
      return BlockKind::text;
    case MediaClass::image:
      return BlockKind::image;
    case MediaClass::audio:
      return BlockKind::audio;
    case MediaClass::other:
      break;
  }
  return BlockKind::resource_blob;
}

}  // namespace

config::ResultKind result_kind(config::ResultKind kind, std::string_view declared_type) noexcept {
  if (kind != config::ResultKind::automatic || declared_type.empty()) return kind;
  const MediaClass media = media_class(declared_type);
  const bool is_text = media == MediaClass::text || media == MediaClass::json;
  return is_text ? config::ResultKind::text : config::ResultKind::blob;
}

struct SourceResult::Impl {
  Impl(mcp::InnerCall& c, ResultWriter& w, const ResultShape& shape, std::string_view media_type)
      : call(c),
        out(w),
        is_resource(!c.uri().empty()),
        uri(is_resource ? c.uri() : shape.uri),
        counts(c.wants_progress()) {
    const MediaClass media = media_class(media_type);
    kind = block_kind(shape.kind, media);
    if (kind != BlockKind::text || is_resource) {
      mime_type = shape.mime_type.empty() ? media_essence(media_type) : shape.mime_type;
      if (mime_type.empty() && kind != BlockKind::text) mime_type = kUnknownType;
    }
    is_json = shape.kind == config::ResultKind::json ||
              (shape.kind == config::ResultKind::automatic && media == MediaClass::json);
    // A client that takes no object takes nothing: the value is text from its first byte.
    if (is_json && shape.structured != config::Structured::off && out.takes_structured('{')) {
      structured = shape.structured;
    }
  }

  /// Opens the block at the first byte, so that a source that gives none leaves none.
  Awaitable<Result<>> open() {
    is_open = true;
    Block block;
    block.kind = kind;
    block.mime_type = mime_type;
    // A text block does not say what it is; what makes it smaller wants to know.
    if (is_json && mime_type.empty()) block.mime_type = "application/json";
    if (kind == BlockKind::resource_blob) block.uri = uri;
    const auto begun = co_await out.begin(block);
    co_return begun;
  }

  /// Keeps what stands before the value; true once its first byte is there, and `piece` then begins
  /// with it.
  bool skip_lead(std::string_view& piece) {
    while (!piece.empty() && mark < kByteOrderMark.size() && lead.empty() &&
           piece[0] == kByteOrderMark[mark]) {
      piece.remove_prefix(1);
      ++mark;
    }
    const std::size_t blanks = std::min(piece.find_first_not_of(kBlank), piece.size());
    if (lead.size() + blanks <= kMaxLead) lead += piece.substr(0, blanks);
    piece.remove_prefix(blanks);
    return !piece.empty();
  }

  /// The first byte of a value that may be structured.
  Awaitable<Result<>> decide(char first) {
    decided = true;
    const bool takes = out.takes_structured(first);
    if (!takes) structured = config::Structured::off;
    if (structured == config::Structured::on) kind = BlockKind::structured;
    if (structured == config::Structured::both) spool.emplace(call);
    const auto opened = co_await open();
    if (!opened) co_return opened;
    if (structured == config::Structured::off && !lead.empty()) {
      const auto sent = co_await out.write(lead);
      co_return sent;
    }
    co_return Result<>{};
  }

  Awaitable<Result<>> write(std::string_view piece) {
    if (structured != config::Structured::off && !decided) {
      if (!skip_lead(piece)) co_return Result<>{};
      const auto begun = co_await decide(piece[0]);
      if (!begun) co_return begun;
    } else if (!is_open) {
      if (piece.empty()) co_return Result<>{};
      const auto opened = co_await open();
      if (!opened) co_return opened;
    }
    const auto sent = co_await out.write(piece);
    if (!sent) co_return sent;
    if (spool) {
      co_await spool->append(piece);
    }
    co_return Result<>{};
  }

  void count(std::size_t bytes) {
    source_bytes += bytes;
    call.tell_bytes(source_bytes, total);
  }

  Awaitable<Result<>> finish() {
    if (structured != config::Structured::off && !decided) {
      const auto failed =
          co_await out.fail("The tool gave nothing where one JSON value was expected.");
      co_return failed;
    }
    if (!is_open) {
      // An empty document is a document; an image of no bytes is none. A resource is there or not.
      if (kind != BlockKind::resource_blob && !is_resource) co_return Result<>{};
      const auto opened = co_await open();
      if (!opened) co_return opened;
    }
    const auto ended = co_await out.end();
    if (!ended || !spool) co_return ended;
    const auto sent = co_await send_copy();
    co_return sent;
  }

  /// The second half of `both`.
  Awaitable<Result<>> send_copy() {
    spool->finish();
    const std::string problem = spool->why_not(out);
    if (!problem.empty()) {
      const auto failed = co_await out.fail(problem);
      co_return failed;
    }
    Block block;
    block.kind = BlockKind::structured;
    const auto begun = co_await out.begin(block);
    if (!begun) co_return begun;
    const auto sent = co_await spool->replay(out);
    if (!sent) co_return sent;
    const auto ended = co_await out.end();
    co_return ended;
  }

  mcp::InnerCall& call;
  ResultWriter& out;
  const bool is_resource;
  const std::string uri;
  std::string mime_type;
  BlockKind kind = BlockKind::text;
  config::Structured structured = config::Structured::off;
  bool is_json = false;
  bool is_open = false;
  bool decided = false;  // whether the value is structured; asked only where it may be
  std::size_t mark = 0;  // bytes of a byte order mark seen
  std::string lead;
  std::optional<Spool> spool;
  const bool counts;  // the caller asked for progress
  std::uint64_t source_bytes = 0;
  std::optional<std::uint64_t> total;
};

SourceResult::SourceResult(mcp::InnerCall& call, ResultWriter& out, const ResultShape& shape,
                           std::string_view media_type)
    : impl_(std::make_unique<Impl>(call, out, shape, media_type)) {}

SourceResult::~SourceResult() = default;

bool SourceResult::is_text() const noexcept {
  return impl_->kind == BlockKind::text || impl_->kind == BlockKind::structured;
}

void SourceResult::expect(std::uint64_t total) noexcept { impl_->total = total; }

Awaitable<Result<>> SourceResult::write(std::string_view piece) {
  if (impl_->counts) impl_->count(piece.size());
  // The usual case needs no coroutine of its own.
  if (impl_->is_open && !impl_->spool) return impl_->out.write(piece);
  return impl_->write(piece);
}

Awaitable<Result<>> SourceResult::finish() { return impl_->finish(); }

Awaitable<Result<>> SourceResult::fail(std::string_view message) {
  return impl_->out.fail(message);
}

}  // namespace sluice::tools
