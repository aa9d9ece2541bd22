#include "tools/shaped_writer.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/units.hpp"
#include "tools/media_type.hpp"
#include "tools/notice.hpp"
#include "tools/tables.hpp"

namespace sluice::tools {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

}  // namespace

ShapedWriter::ShapedWriter(mcp::InnerCall& call, ResultWriter& out, const config::Shaping& shaping,
                           const config::Limits& limits)
    : WriterInFront(out),
      call_(call),
      shaping_(shaping),
      limits_(limits),
      left_(shaping.max_bytes.value_or(json::TextLimiter::kNone)) {}

/// Sets up what the block goes through.
void ShapedWriter::open_shaped(const Block& block) {
  block_over_ = false;
  mark_ = 0;
  is_structured_ = block.kind == BlockKind::structured;
  is_resource_ = block.kind == BlockKind::resource_text;
  to_text_ = !is_structured_ || shaping_.structured_as_text;
  has_begun_ = false;
  uri_ = block.uri;
  mime_type_ = block.mime_type;
  meta_ = block.meta;
  annotations_.reset();
  if (block.annotations != nullptr) annotations_ = *block.annotations;
  const bool is_json =
      is_structured_ || shaping_.is_json || media_class(block.mime_type) == MediaClass::json;
  shaper_.reset();
  lines_.reset();
  if (is_json) {
    json::Shape shape;
    shape.select = shaping_.select;
    if (shaping_.max_bytes) shape.max_bytes = left_;
    shape.table = table_options(shaping_.format, shaping_.columns, limits_);
    shape.select_limits = {call_.max_nesting(), limits_.shaping_window};
    shape.limit_window = limits_.shaping_window;
    shape.limit_depth = call_.max_nesting();
    open_ = Open::json;
    if (!shape.is_nothing()) shaper_.emplace(std::move(shape));
  } else if (shaping_.max_bytes || shaping_.max_lines) {
    open_ = Open::text;
    lines_.emplace(json::TextLimiter::Limits{left_,
                                             shaping_.max_lines.value_or(json::TextLimiter::kNone),
                                             std::min<std::size_t>(limits_.shaping_window, 4_KiB)});
  } else {
    open_ = Open::text;
  }
  if (is_structured_) spool_.emplace(call_);
  if (shaping_.max_bytes && left_ == 0) leave_out();
}

/// Earlier blocks have taken all of max_bytes.
void ShapedWriter::leave_out() {
  open_ = Open::nothing;
  block_over_ = is_cut_ = true;
  spool_.reset();
  if (!std::exchange(has_left_out_, true))
    append_sentence(notice_, "What came behind is left out, since max_bytes (" +
                                 format_bytes(*shaping_.max_bytes) + ") was reached.");
}

Awaitable<Result<>> ShapedWriter::begin(Block block) {
  if (failed_) co_return Errc::result_too_large;
  const auto ended = co_await end();
  if (!ended) co_return ended;
  if (block.kind == BlockKind::text || block.kind == BlockKind::resource_text ||
      block.kind == BlockKind::structured) {
    open_shaped(block);
    co_return Result<>();
  }
  block_over_ = false;
  open_ = Open::passing;
  const auto begun = co_await out_.begin(block);
  co_return begun;
}

Awaitable<Result<>> ShapedWriter::write(std::string_view bytes) {
  if (open_ == Open::nothing && !block_over_ && !failed_) open_shaped({});
  // Told with the piece behind the last one that was needed: what came as a whole was good.
  if (failed_ || block_over_) {
    stopped_ = true;
    co_return Errc::result_too_large;
  }
  if (open_ == Open::passing) {
    const auto sent = co_await out_.write(bytes);
    co_return sent;
  }
  const auto passed = co_await pass(bytes);
  if (passed && failed_) {
    stopped_ = true;
    co_return Errc::result_too_large;
  }
  co_return passed;
}

Result<json::Step> ShapedWriter::step(std::string_view in) {
  const std::span<char> room(window_.data(), kFrameBytes);
  if (lines_) return lines_->step(in, room);
  return shaper_->step(in, room);
}

bool ShapedWriter::has_enough() const noexcept {
  return lines_ ? lines_->is_done() : shaper_ && shaper_->is_done();
}

/// Takes a piece through what is set up; `in` empty: what is left behind the last piece.
Awaitable<Result<>> ShapedWriter::pass(std::string_view in) {
  if (!lines_ && !shaper_) {
    const auto sent = co_await put(in);
    co_return sent;
  }
  if (!window_) window_ = call_.frames().take();
  if (!window_) co_return Errc::frames_exhausted;
  if (shaper_) skip_byte_order_mark(in);
  for (;;) {
    const auto done = step(in);
    if (!done) {
      const auto told = co_await refuse();
      co_return told;
    }
    in.remove_prefix(done->read);
    if (done->written > 0) {
      const auto sent = co_await put({window_.data(), done->written});
      if (!sent) co_return sent;
    }
    if (done->written == kFrameBytes) continue;
    if (in.empty()) break;
  }
  if (!has_enough()) co_return Result<>();
  const auto finished = co_await finish_open(true);
  block_over_ = true;
  co_return finished;
}

void ShapedWriter::skip_byte_order_mark(std::string_view& in) noexcept {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  while (!in.empty() && mark_ < kMark.size() && in.front() == kMark[mark_]) {
    in.remove_prefix(1);
    ++mark_;
  }
  if (!in.empty()) mark_ = kMark.size();
}

Awaitable<Result<>> ShapedWriter::put(std::string_view bytes) {
  if (bytes.empty()) co_return Result<>();
  if (is_structured_) {
    if (first_ == 0) {
      const auto at = bytes.find_first_not_of(kBlank);
      if (at != std::string_view::npos) first_ = bytes[at];
    }
    // Nothing of it has reached the result yet, which is what is bounded.
    if (out_.bytes() + spool_->bytes() + bytes.size() > call_.max_result()) {
      failed_ = true;
      spool_.reset();
      const auto told = co_await out_.fail("The structured result is larger than the limit of " +
                                           format_bytes(call_.max_result()) + " for a result.");
      co_return told;
    }
    co_await spool_->append(bytes);
  }
  if (!to_text_) co_return Result<>();
  if (!has_begun_) {
    has_begun_ = true;
    Block block;
    block.kind = is_resource_ ? BlockKind::resource_text : BlockKind::text;
    block.uri = uri_;
    const auto table = table_media_type(shaping_.format);
    block.mime_type = table.empty() ? std::string_view(mime_type_) : table;
    block.meta = meta_;
    if (annotations_) block.annotations = &*annotations_;
    const auto begun = co_await out_.begin(block);
    if (!begun) co_return begun;
  }
  const auto sent = co_await out_.write(bytes);
  co_return sent;
}

Awaitable<Result<>> ShapedWriter::finish_open(bool is_whole) {
  const bool was_shaped = open_ == Open::json || open_ == Open::text;
  open_ = Open::nothing;
  if (!was_shaped) co_return Result<>();
  // Half of a text is one, half of a JSON value is none.
  if (lines_ || (is_whole && shaper_)) {
    if (shaper_)
      shaper_->finish();
    else
      lines_->finish();
    // A round that has nothing to read and puts nothing out is the last one.
    if (!window_) window_ = call_.frames().take();
    if (!window_) co_return Errc::frames_exhausted;
    for (;;) {
      const auto done = step({});
      if (!done) {
        const auto told = co_await refuse();
        co_return told;
      }
      if (done->written == 0) break;
      const auto sent = co_await put({window_.data(), done->written});
      if (!sent) co_return sent;
      if (failed_) co_return Result<>();
      if (done->written < kFrameBytes && (lines_ || shaper_->is_over())) break;
    }
    note();
  }
  if (has_begun_) {
    const auto ended = co_await out_.end();
    if (!ended) co_return ended;
  }
  if (shaping_.max_bytes)
    left_ -=
        std::min(left_, lines_                                     ? lines_->written()
                        : shaper_ && shaper_->limiter() != nullptr ? shaper_->limiter()->written()
                                                                   : 0);
  if (is_structured_) spool_->finish();
  co_return Result<>();
}

/// The bytes are not what they should be.
Awaitable<Result<>> ShapedWriter::refuse() {
  if (left_ < shaping_.max_bytes && shaper_->limiter() != nullptr &&
      shaper_->limiter()->failure().code == Errc::result_too_large) {
    // Earlier blocks have left too little for this one.
    left_ = 0;
    leave_out();
    co_return Result<>();
  }
  open_ = Open::nothing;
  failed_ = true;
  spool_.reset();
  const auto told = co_await out_.fail(
      "The tool's result cannot be made smaller as it should: " + shaper_->problem() + '.');
  co_return told;
}

Awaitable<Result<>> ShapedWriter::end() {
  if (open_ == Open::passing) {
    open_ = Open::nothing;
    const auto ended = co_await out_.end();
    co_return ended;
  }
  const auto finished = co_await finish_open(true);
  co_return finished;
}

Awaitable<Result<>> ShapedWriter::break_off() {
  const auto left = co_await finish_open(false);
  spool_.reset();
  co_return left;
}

Awaitable<Result<>> ShapedWriter::close() {
  if (failed_) co_return Result<>();
  const auto ended = co_await end();
  if (!ended || failed_) co_return ended;
  if (spool_ && first_ != 0) {
    const std::string problem = spool_->why_not(out_);
    if (!problem.empty()) {
      const auto told = co_await out_.fail(problem);
      co_return told;
    }
  }
  // A result that was cut is not what the output schema says.
  const bool is_short = shaping_.has_schema && (is_cut_ || first_ == 0);
  const bool is_structured = spool_ && first_ != 0 && !is_short && out_.takes_structured(first_);
  if (spool_ && first_ != 0 && !is_structured && !shaping_.structured_as_text) {
    const auto sent = co_await replay({});
    if (!sent) co_return sent;
  }
  if (!notice_.empty()) {
    // Clients want structured content of a tool with an output schema, unless it failed.
    const bool is_missing = is_short && spool_ && out_.takes_structured('{');
    auto telling = is_missing ? out_.fail(notice_) : tell(out_, notice_);
    const auto told = co_await std::move(telling);
    if (!told) co_return told;
  }
  if (!is_structured) co_return Result<>();
  Block block;
  block.kind = BlockKind::structured;
  const auto sent = co_await replay(block);
  co_return sent;
}

Awaitable<Result<>> ShapedWriter::replay(Block block) {
  const auto begun = co_await out_.begin(block);
  if (!begun) co_return begun;
  const auto sent = co_await spool_->replay(out_);
  if (!sent) co_return sent;
  const auto ended = co_await out_.end();
  co_return ended;
}

/// Tells the log what each step took in and gave out.
void ShapedWriter::explain() const {
  if (!spdlog::should_log(spdlog::level::debug)) return;
  const auto tell = [&](std::string_view step, std::uint64_t in, std::uint64_t out) {
    spdlog::debug("tool {}: {}: {} bytes in, {} out", call_.tool(), step, in, out);
  };
  if (lines_) {
    tell("limit", lines_->read(), lines_->written());
    return;
  }
  if (const auto* const selector = shaper_->selector())
    tell("select", selector->read(), selector->written());
  if (const auto* const limiter = shaper_->limiter())
    tell("limit", limiter->read(), limiter->written());
  if (const auto* const table = shaper_->table()) tell("format", table->read(), table->written());
}

void ShapedWriter::note() {
  explain();
  if (lines_)
    note_text();
  else
    note_json();
}

std::string ShapedWriter::place_of_items() const {
  return shaping_.items_path == "$" ? std::string() : " of " + shaping_.items_path;
}

void ShapedWriter::note_text() {
  using Cut = json::TextLimiter::Cut;
  if (lines_->cut() == Cut::nothing) return;
  is_cut_ = true;
  const std::string which = lines_->cut() == Cut::lines
                                ? "max_lines (" + std::to_string(*shaping_.max_lines) + ')'
                                : "max_bytes (" + format_bytes(*shaping_.max_bytes) + ')';
  append_sentence(
      notice_,
      which + " was reached: the first " + counted(lines_->written(), "byte") +
          " of the text are above. How much more there is is not known; ask for less to see " +
          "the rest.");
}

void ShapedWriter::note_json() {
  if (!shaper_->has_match()) {
    append_sentence(notice_, "Nothing in the result matches " + shaping_.select_text + '.');
    return;
  }
  if (const auto* const selector = shaper_->selector();
      selector != nullptr && selector->is_items_limit_reached()) {
    is_cut_ = true;
    append_sentence(
        notice_,
        "max_items (" + std::to_string(*shaping_.max_items) +
            ") was reached: there are more items" + place_of_items() +
            " than those above, and how many is not known; ask for less to see the rest." +
            (shaping_.items_path == "$" ? "" : " What stands behind them is left out too."));
  }
  if (const auto* const limiter = shaper_->limiter();
      limiter != nullptr && limiter->cut() != json::JsonLimiter::Cut::nothing) {
    is_cut_ = true;
    const bool by_elements = limiter->cut() == json::JsonLimiter::Cut::elements;
    append_sentence(
        notice_,
        "max_bytes (" + format_bytes(*shaping_.max_bytes) + ") was reached: " +
            (by_elements ? "the first " + counted(limiter->elements(), "element") + " of its list"
                         : "the first " + counted(limiter->written(), "byte")) +
            " are above, and how much more there is is not known; ask for less to see the rest.");
  }
  if (shaper_->table() != nullptr) append_table_losses(notice_, *shaper_->table());
}

}  // namespace sluice::tools
