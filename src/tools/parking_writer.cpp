#include "tools/parking_writer.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <span>
#include <system_error>
#include <utility>

#include "base/file_io.hpp"
#include "base/units.hpp"
#include "json/limit.hpp"
#include "json/text_limit.hpp"
#include "tools/media_type.hpp"
#include "tools/notice.hpp"
#include "tools/pages.hpp"
#include "tools/part_reader.hpp"

namespace sluice::tools {
namespace {

using Form = mcp::ParkedResult::About::Form;

/// Images and sounds are looked at where they are.
bool is_kept(BlockKind kind) noexcept {
  return kind != BlockKind::image && kind != BlockKind::audio;
}

}  // namespace

ParkingWriter::ParkingWriter(mcp::InnerCall& call, ResultWriter& out,
                             const config::Keeping& keeping, const config::Limits& limits)
    : WriterInFront(out), call_(call), keeping_(keeping), limits_(limits) {}

void ParkingWriter::hold(const Block& block) {
  open_ = Open::held;
  kind_ = block.kind;
  uri_ = block.uri;
  mime_type_ = block.mime_type;
  meta_ = block.meta;
  annotations_.reset();
  if (block.annotations != nullptr) annotations_ = *block.annotations;
  parked_.reset();
  used_ = 0;
  in_file_ = held_ = uncounted_ = 0;
  first_ = 0;
  disk_error_ = 0;
  is_full_ = false;
  is_whole_ = true;
}

bool ParkingWriter::is_text() const noexcept {
  return kind_ == BlockKind::text || kind_ == BlockKind::structured;
}

std::uint64_t ParkingWriter::uncounted_limit() const noexcept {
  return keeping_.parking ? keeping_.parking->over : config::Parking().over;
}

void ParkingWriter::keep_no_more(std::string_view why) {
  no_more_ = why;
  is_full_ = true;
}

Block ParkingWriter::held_block(BlockKind kind) const noexcept {
  Block block;
  block.kind = kind;
  block.uri = uri_;
  block.mime_type = mime_type_;
  block.meta = meta_;
  if (annotations_) block.annotations = &*annotations_;
  return block;
}

KeptBytes ParkingWriter::kept() const noexcept {
  return {parked_ ? parked_->fd() : -1, in_file_, {used_ > 0 ? frame_.data() : "", used_}};
}

bool ParkingWriter::is_json() const noexcept {
  if (kind_ == BlockKind::structured || keeping_.is_json) return true;
  return !mime_type_.empty() && media_class(mime_type_) == MediaClass::json;
}

Awaitable<Result<>> ParkingWriter::begin(Block block) {
  if (failed_) co_return Errc::result_too_large;
  const auto ended = co_await end();
  if (!ended) co_return ended;
  if (is_kept(block.kind)) {
    hold(block);
    co_return Result<>();
  }
  open_ = Open::passing;
  const auto begun = co_await out_.begin(block);
  co_return begun;
}

Awaitable<Result<>> ParkingWriter::write(std::string_view bytes) {
  if (open_ == Open::nothing && !failed_) hold({});
  if (failed_ || is_full_) {
    stopped_ = true;
    co_return Errc::result_too_large;
  }
  if (open_ == Open::passing) {
    const auto sent = co_await out_.write(bytes);
    co_return sent;
  }
  if (first_ == 0)
    if (const auto at = bytes.find_first_not_of(" \t\r\n"); at != std::string_view::npos)
      first_ = bytes[at];
  if (!frame_) frame_ = call_.frames().take();
  if (!frame_) co_return Errc::frames_exhausted;
  while (!bytes.empty()) {
    if (used_ == kFrameBytes) {
      co_await flush();
      if (is_full_) {
        stopped_ = true;
        co_return Errc::result_too_large;
      }
    }
    const std::size_t n = std::min(bytes.size(), kFrameBytes - used_);
    bytes.copy(frame_.data() + used_, n);
    used_ += n;
    held_ += n;
    bytes.remove_prefix(n);
  }
  co_return Result<>();
}

Awaitable<void> ParkingWriter::flush() {
  mcp::ParkedResults& store = *call_.parked();
  const std::string caller = call_.caller();
  int error = 0;
  bool has_room = true;
  const auto work = [&] {
    if (!parked_) {
      const bool is_binary = kind_ == BlockKind::resource_blob;
      mcp::ParkedResult::About about{caller, std::string(call_.tool()), mime_type_};
      about.form = is_binary ? Form::binary : is_json() ? Form::json : Form::text;
      about.items = keeping_.paging ? keeping_.paging->items : keeping_.parking->items;
      if (about.mime_type.empty())
        about.mime_type = about.form == Form::json ? "application/json" : "text/plain";
      auto begun = store.begin(std::move(about));
      parked_ = std::move(begun.result);
      error = begun.error;
    }
    if (!parked_) return;
    // What is small passes in the end, and pushes nobody's results out meanwhile.
    uncounted_ += used_;
    if (in_file_ + used_ > uncounted_limit()) {
      has_room = store.grow(*parked_, uncounted_);
      uncounted_ = 0;
    }
    if (has_room) error = write_all(parked_->fd(), {frame_.data(), used_}, in_file_);
    if (!has_room || error != 0) return;
    in_file_ += used_;
    used_ = 0;
  };
  co_await call_.offload(work);
  disk_error_ = error;
  is_full_ = error != 0 || !has_room;
  if (error != 0)
    spdlog::warn("tool {}: a result cannot be parked: {}", call_.tool(),
                 std::generic_category().message(error));
}

Awaitable<Result<>> ParkingWriter::end() {
  const auto ended = co_await end_open(true);
  co_return ended;
}

Awaitable<Result<>> ParkingWriter::break_off() {
  const auto ended = co_await end_open(false);
  co_return ended;
}

Awaitable<Result<>> ParkingWriter::end_open(bool is_whole) {
  const Open was = std::exchange(open_, Open::nothing);
  if (was == Open::passing) {
    const auto ended = co_await out_.end();
    co_return ended;
  }
  if (was == Open::nothing) co_return Result<>();
  is_whole_ = is_whole && !is_full_;
  // Half a value is text.
  if (!is_whole_ && kind_ == BlockKind::structured) kind_ = BlockKind::text;
  const auto given = co_await give_held();
  frame_.reset();
  held_ = 0;
  if (parked_ && parked_.use_count() == 1) {
    const auto work = [&] { parked_.reset(); };
    co_await call_.offload(work);
  }
  parked_.reset();
  co_return given;
}

Awaitable<Result<>> ParkingWriter::give_held() {
  // What is no array or object has no items.
  const bool has_pages =
      keeping_.paging && is_text() &&
      (keeping_.paging->by != config::Paging::By::items || first_ == '[' || first_ == '{');
  if (keeping_.paging ? has_pages : held_ > keeping_.parking->over || is_full_) {
    // The same, which has been given as text.
    if (kind_ == BlockKind::structured && held_ == parked_text_) co_return Result<>();
    auto giving = has_pages ? give_page() : park();
    const auto given = co_await std::move(giving);
    co_return given;
  }
  const auto passed = co_await pass();
  if (!passed || !is_full_) co_return passed;
  const std::string notice = "The rest of it is lost, since " + why_not_kept() + '.';
  auto telling = is_text() ? tell(out_, notice) : out_.fail(notice);
  const auto told = co_await std::move(telling);
  co_return told;
}

Awaitable<Result<>> ParkingWriter::pass() {
  const auto begun = co_await out_.begin(held_block(kind_));
  if (!begun) co_return begun;
  KeptReader reader(call_, kept(), 0);
  while (!reader.is_over()) {
    const auto piece = co_await reader.next();
    if (!piece) co_return piece.error();
    const auto sent = co_await out_.write(*piece);
    if (!sent) co_return sent;
  }
  const auto ended = co_await out_.end();
  co_return ended;
}

std::string ParkingWriter::why_not_kept() const {
  if (!no_more_.empty()) return no_more_;
  if (disk_error_ != 0)
    return "it cannot be written to disk (" + std::generic_category().message(disk_error_) + ")";
  return "there is no room for it (parking.per_caller, parking.max_bytes, parking.max_results)";
}

Awaitable<bool> ParkingWriter::keep(std::chrono::milliseconds ttl) {
  if (!is_full_ && used_ > 0) {
    co_await flush();
  }
  if (is_full_) co_return false;
  bool is_kept = false;
  const auto work = [&] {
    mcp::ParkedResults& store = *call_.parked();
    is_kept = store.grow(*parked_, std::exchange(uncounted_, 0)) && store.keep(parked_, ttl);
  };
  co_await call_.offload(work);
  if (is_kept && is_text()) parked_text_ = held_;
  is_full_ = !is_kept;
  co_return is_kept;
}

template <class Limiter>
Awaitable<Result<>> ParkingWriter::limited(Limiter limiter, bool& has_given) {
  Frame room = call_.frames().take();
  if (!room) co_return Errc::frames_exhausted;
  KeptReader reader(call_, kept(), 0);
  bool is_over = false;
  while (!is_over) {
    std::string_view in;
    if (limiter.is_done() || reader.is_over()) {
      is_over = true;
      static_cast<void>(limiter.finish());
    } else {
      const auto piece = co_await reader.next();
      if (!piece) co_return piece.error();
      in = *piece;
    }
    for (;;) {
      const auto step = Result<json::Step>(limiter.step(in, {room.data(), kFrameBytes}));
      if (!step) co_return Result<>();
      in.remove_prefix(step->read);
      has_given |= step->written > 0;
      if (step->written > 0) {
        const auto sent = co_await out_.write({room.data(), step->written});
        if (!sent) co_return sent;
      }
      if (step->written < kFrameBytes && in.empty()) break;
    }
  }
  co_return Result<>();
}

Awaitable<Result<>> ParkingWriter::preview(std::uint64_t most) {
  bool has_given = false;
  if (is_json()) {
    // What is not whole is cut as if there were more of it.
    if (!is_whole_) most = std::min(most, std::max<std::uint64_t>(held_, 1) - 1);
    auto limiting = limited(json::JsonLimiter({most, call_.max_nesting()}), has_given);
    const auto given = co_await std::move(limiting);
    if (!given || has_given) co_return given;
  }
  json::TextLimiter::Limits limits;
  limits.max_bytes = most;
  auto limiting = limited(json::TextLimiter(limits), has_given);
  const auto given = co_await std::move(limiting);
  co_return given;
}

Awaitable<Result<>> ParkingWriter::park() {
  const config::Parking& parking = *keeping_.parking;
  if (kind_ != BlockKind::resource_blob) {
    const auto begun = co_await out_.begin(held_block(BlockKind::text));
    if (!begun) co_return begun;
    const auto shown = co_await preview(parking.preview);
    if (!shown) co_return shown;
    const auto ended = co_await out_.end();
    if (!ended) co_return ended;
  }
  const bool is_kept = co_await keep(parking.ttl);
  spdlog::debug("tool {}: park: {} bytes in, {} kept", call_.tool(), held_, is_kept ? held_ : 0);
  if (!is_kept) {
    const std::string notice =
        "No more than the beginning of the result is given: the rest is lost, since " +
        why_not_kept() + ". Ask for less.";
    auto telling = kind_ == BlockKind::resource_blob ? out_.fail(notice) : tell(out_, notice);
    const auto told = co_await std::move(telling);
    co_return told;
  }
  std::string notice = is_whole_ ? "The result has " : "What came of the result has ";
  notice += std::to_string(held_) + " bytes";
  notice += kind_ == BlockKind::resource_blob ? "." : ", and its beginning is above.";
  append_sentence(notice, how_to_read(*parked_, parking.ttl));
  const auto told = co_await tell(out_, notice);
  if (!told) co_return told;
  const auto linked = co_await link_to_parked();
  co_return linked;
}

Awaitable<Result<>> ParkingWriter::link_to_parked() {
  const std::string uri = uri_of(*parked_);
  ResourceLink to;
  to.uri = uri;
  to.name = call_.tool();
  to.mime_type = parked_->about().mime_type;
  to.size = parked_->size();
  const auto linked = co_await out_.link(to);
  co_return linked;
}

Awaitable<Result<>> ParkingWriter::give_page() {
  const config::Paging& paging = *keeping_.paging;
  const auto table = page_table(paging, limits_);
  Part page = first_page(paging, table);
  // What is not whole is cut as if there were more of it.
  if (!is_whole_ && page.by == config::Paging::By::items && held_ > 0) page.max_bytes = held_ - 1;
  PartReader reader(call_, kept(), page, limits_);
  const auto given = co_await reader.give_block(held_block(BlockKind::text), out_);
  if (!given || reader.has_failed()) co_return given;
  const bool is_all = is_whole_ && reader.is_last();
  bool is_kept = false;
  if (!is_all) {
    const bool kept = co_await keep(paging.ttl);
    is_kept = kept;
  }
  spdlog::debug("tool {}: page: {} bytes in, {} kept", call_.tool(), held_, is_kept ? held_ : 0);
  if (!is_all && !is_kept) {
    const std::string notice = "This is the first page, and there are no more, since " +
                               why_not_kept() + ". Ask for less.";
    const auto told = co_await tell(out_, notice);
    co_return told;
  }
  std::string notice = reader.losses();
  if (is_kept) append_sentence(notice, what_follows(call_, *parked_, paging, reader));
  if (!notice.empty()) {
    const auto told = co_await tell(out_, notice);
    if (!told) co_return told;
  }
  if (!is_kept) co_return Result<>();
  const auto linked = co_await link_to_parked();
  co_return linked;
}

}  // namespace sluice::tools
