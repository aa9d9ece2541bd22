// Bytes that many responses share: sent from where they lie, or copied where that cannot be.

#include <algorithm>
#include <utility>

#include "buffer/frame_writer.hpp"

namespace sluice {

std::string_view FrameWriter::shared_part(std::size_t i) const noexcept {
  // Two for each piece, the first of them empty where no line is broken; one behind them.
  if (i == 2 * shared_.size()) return form_ == BodyForm::event_stream ? kEventEnd : "";
  const BodyPiece& piece = shared_[i / 2];
  if (i % 2 != 0) return piece.bytes;
  return piece.breaks_line && form_ == BodyForm::event_stream ? kLineBreak : "";
}

Awaitable<Result<>> FrameWriter::put_pieces(std::span<const BodyPiece> pieces) {
  for (const BodyPiece& piece : pieces) {
    bool breaks_line = piece.breaks_line;
    for (auto bytes = piece.bytes; !bytes.empty();) {
      const auto free = room();
      if (free.empty()) {
        const auto waited = co_await wait_room();
        if (!waited) co_return waited;
        continue;
      }
      if (std::exchange(breaks_line, false)) {
        line_break();
        continue;
      }
      const std::size_t n = std::min(bytes.size(), free.size());
      put(bytes.substr(0, n));
      bytes.remove_prefix(n);
    }
  }
  co_return Result<>{};
}

Awaitable<Result<>> FrameWriter::finish_with(std::span<const BodyPiece> pieces) {
  affinity_.check();
  const bool is_encoded = options_.coding != ContentCoding::identity;
  if (discarding_ && !logs_) {
    // nobody reads it
  } else if (is_committed() || error_ || count_ != 1 || is_encoded) {
    const auto copied = co_await put_pieces(pieces);
    if (!copied) co_return copied;
  } else {
    std::uint64_t size = body_bytes();
    std::uint64_t breaks = 0;
    for (const BodyPiece& piece : pieces) {
      size += piece.bytes.size();
      breaks += piece.breaks_line ? 1 : 0;
    }
    commit_form(form_for(size));
    if (form_ == BodyForm::event_stream)
      size += kEventStart.size() + breaks * kLineBreak.size() + kEventEnd.size();
    length_ = size;
    shared_ = pieces;
    shared_parts_ = 2 * pieces.size() + 1;
  }
  const auto finished = co_await finish();
  co_return finished;
}

Awaitable<Result<>> FrameWriter::finish_encoded(std::span<const BodyPiece> pieces, BodyForm form,
                                                ContentCoding coding) {
  affinity_.check();
  SLUICE_CHECK(!begun_ && count_ == 0);
  if (!discarding_ && !error_ && open_frame(kWindow)) {
    commit_form(form);
    coding_ = coding;
    length_ = 0;
    for (const BodyPiece& piece : pieces) *length_ += piece.bytes.size();
    shared_ = pieces;
    shared_parts_ = 2 * pieces.size();  // the event's end is among the pieces
  }
  const auto finished = co_await finish();
  co_return finished;
}

}  // namespace sluice
