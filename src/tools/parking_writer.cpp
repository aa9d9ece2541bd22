#include "tools/parking_writer.hpp"

#include <algorithm>
#include <span>
#include <system_error>
#include <utility>

#include "base/file_io.hpp"
#include "base/units.hpp"
#include "json/limit.hpp"
#include "json/text_limit.hpp"
#include "tools/media_type.hpp"
#include "tools/part_reader.hpp"

namespace sluice::tools {

ParkingWriter::ParkingWriter(mcp::InnerCall& call, ResultWriter& out,
                             const config::Parking& parking, std::string_view items_path,
                             bool is_json)
    : call_(call), out_(out), parking_(parking), items_path_(items_path), is_json_(is_json) {}

Awaitable<Result<>> ParkingWriter::begin(Block block) {
  if (failed_) co_return Errc::result_too_large;
  const auto ended = co_await end();
  if (!ended) co_return ended;
  if (block.kind != BlockKind::text && block.kind != BlockKind::structured) {
    open_ = Open::passing;
    const auto begun = co_await out_.begin(block);
    co_return begun;
  }
  open_ = Open::held;
  kind_ = block.kind;
  uri_ = block.uri;
  mime_type_ = block.mime_type;
  meta_ = block.meta;
  annotations_.reset();
  if (block.annotations != nullptr) annotations_ = *block.annotations;
  parked_.reset();
  used_ = 0;
  in_file_ = held_ = 0;
  co_return Result<>();
}

Awaitable<Result<>> ParkingWriter::write(std::string_view bytes) {
  if (open_ == Open::nothing && !failed_) {
    const auto begun = co_await begin({});
    if (!begun) co_return begun;
  }
  if (failed_ || is_full_) {
    stopped_ = true;
    co_return Errc::result_too_large;
  }
  if (open_ == Open::passing) {
    const auto sent = co_await out_.write(bytes);
    co_return sent;
  }
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
  auto* const store = call_.parked();
  int error = 0;
  const auto work = [&] {
    if (!parked_) {
      auto begun = store->begin({std::string(call_.caller()), std::string(call_.tool()),
                                 is_json_ ? "application/json" : mime_type_,
                                 is_json_ ? items_path_ : std::string()});
      parked_ = std::move(begun.result);
      error = begun.error;
    }
    if (parked_ && !store->grow(*parked_, used_)) {
      is_full_ = true;
      return;
    }
    if (parked_) error = write_all(parked_->fd(), {frame_.data(), used_}, in_file_);
  };
  co_await call_.offload(work);
  if (error != 0) {
    disk_error_ = error;
    is_full_ = true;
  }
  if (is_full_) co_return;
  in_file_ += used_;
  used_ = 0;
}

Awaitable<Result<>> ParkingWriter::end() {
  const Open was = std::exchange(open_, Open::nothing);
  if (was == Open::passing) {
    const auto ended = co_await out_.end();
    co_return ended;
  }
  if (was == Open::nothing) co_return Result<>();
  if (held_ <= parking_.over && !is_full_) {
    const auto sent = co_await replay();
    co_return sent;
  }
  if (!is_full_ && used_ > 0) {
    co_await flush();
  }
  const auto sent = co_await park();
  co_return sent;
}

Awaitable<Result<>> ParkingWriter::replay() {
  Block block;
  block.kind = kind_;
  block.uri = uri_;
  block.mime_type = mime_type_;
  block.meta = meta_;
  if (annotations_) block.annotations = &*annotations_;
  const auto begun = co_await out_.begin(block);
  if (!begun) co_return begun;
  if (in_file_ > 0) {
    Part all;
    all.count = in_file_;
    const auto given = co_await give_part(call_, *parked_, all, 0, out_);
    if (!given) co_return given.error();
    parked_.reset();
  }
  const auto sent = co_await out_.write({frame_.data(), used_});
  if (!sent) co_return sent;
  const auto ended = co_await out_.end();
  co_return ended;
}

std::string ParkingWriter::why_not_kept() const {
  return disk_error_ != 0
             ? "it could not be written to disk (" +
                   std::generic_category().message(disk_error_) + ")"
             : "there is no more room for it (parking.per_caller, parking.max_bytes)";
}

/// Lets a piece through a limiter.
template <class Limiter>
Awaitable<Result<>> ParkingWriter::preview_piece(Limiter& limiter, std::string_view in, Frame& room) {
  for (;;) {
    const auto step = Result<json::Step>(limiter.step(in, {room.data(), kFrameBytes}));
    if (!step) co_return step.error();
    in.remove_prefix(step->read);
    if (step->written > 0) {
      const auto sent = co_await out_.write({room.data(), step->written});
      if (!sent) co_return sent;
    }
    if (in.empty() && step->written < kFrameBytes) co_return Result<>();
  }
}

template <class Limiter>
Awaitable<Result<>> ParkingWriter::preview(Limiter limiter) {
  Frame room = call_.frames().take();
  if (!room) co_return Errc::frames_exhausted;
  if (parked_ && in_file_ > 0) {
    ParkedPieces pieces(call_, *parked_, 0);
    while (!pieces.is_over() && !limiter.is_done()) {
      const auto piece = co_await pieces.next();
      if (!piece) co_return piece.error();
      const auto sent = co_await preview_piece(limiter, *piece, room);
      if (!sent) co_return sent;
    }
  }
  if (!limiter.is_done() && used_ > 0) {
    const auto sent = co_await preview_piece(limiter, {frame_.data(), used_}, room);
    if (!sent) co_return sent;
  }
  co_return Result<>();
}

Awaitable<Result<>> ParkingWriter::park() {
  Block block;
  block.meta = meta_;
  if (annotations_) block.annotations = &*annotations_;
  const auto begun = co_await out_.begin(block);
  if (!begun) co_return begun;
  Result<> shown;
  if (is_json_) {
    auto showing = preview(json::JsonLimiter({parking_.preview, call_.max_nesting()}));
    const auto done = co_await std::move(showing);
    shown = done;
  } else {
    json::TextLimiter::Limits limits;
    limits.max_bytes = parking_.preview;
    auto showing = preview(json::TextLimiter(limits));
    const auto done = co_await std::move(showing);
    shown = done;
  }
  if (!shown) co_return shown;
  const auto ended = co_await out_.end();
  if (!ended) co_return ended;
  frame_.reset();
  if (is_full_) {
    const auto told = co_await out_.text("The result is larger than " +
                                         format_bytes(parking_.over) +
                                         ", and what is above is its beginning: the rest is lost, since " +
                                         why_not_kept() + '.');
    co_return told;
  }
  const std::string uri = "sluice://result/" + parked_->id();
  const auto told = co_await out_.text(
      "The result has " + std::to_string(held_) + " bytes, and what is above is its beginning. All of it is kept for " +
      format_duration(parking_.ttl) + " at " + uri + ": read that resource, or a part of it by ?offset=&limit= (bytes)" +
      (is_json_ ? ", ?items=0-99" : ", ?lines=0-99") + "; or call the tool read_result.");
  if (!told) co_return told;
  ResourceLink to;
  to.uri = uri;
  to.name = call_.tool();
  to.mime_type = parked_->about().mime_type;
  to.size = held_;
  call_.parked()->keep(parked_, parking_.ttl);
  const auto linked = co_await out_.link(to);
  co_return linked;
}

Awaitable<Result<>> ParkingWriter::link(ResourceLink link) {
  const auto ended = co_await end();
  if (!ended) co_return ended;
  const auto sent = co_await out_.link(link);
  co_return sent;
}

Awaitable<Result<>> ParkingWriter::raw_block(std::string_view json) {
  const auto ended = co_await end();
  if (!ended) co_return ended;
  const auto sent = co_await out_.raw_block(json);
  co_return sent;
}

Awaitable<Result<>> ParkingWriter::fail(std::string_view message) {
  if (failed_) co_return Result<>();
  // What was written stays.
  const auto ended = co_await end();
  if (!ended) co_return ended;
  failed_ = true;
  const auto told = co_await out_.fail(message);
  co_return told;
}

Awaitable<Result<>> ParkingWriter::not_found(std::string_view message) {
  const auto ended = co_await end();
  if (!ended) co_return ended;
  failed_ = true;
  const auto told = co_await out_.not_found(message);
  co_return told;
}

}  // namespace sluice::tools
