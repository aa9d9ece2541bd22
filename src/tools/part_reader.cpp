#include "tools/part_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/file_io.hpp"
#include "json/path.hpp"
#include "json/select.hpp"

namespace sluice::tools {

Awaitable<Result<std::string_view>> ParkedPieces::next(std::uint64_t most) {
  if (!frame_) frame_ = call_.frames().take();
  if (!frame_) co_return Errc::frames_exhausted;
  const auto size = static_cast<std::size_t>(
      std::min({most, std::uint64_t{kFrameBytes}, parked_.size() - at_}));
  const std::span<char> to(frame_.data(), size);
  int error = size == 0 ? 0 : read_cached(parked_.fd(), to, at_);
  if (error != 0) {
    auto read = [&] { error = read_all(parked_.fd(), to, at_); };
    co_await call_.offload(read);
  }
  if (error != 0) co_return Errc::source_failed;
  at_ += size;
  co_return std::string_view(to.data(), size);
}

namespace {

bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// How many bytes at the end of `text` are the beginning of a character that is not complete.
std::size_t open_tail(std::string_view text) noexcept {
  for (std::size_t n = 1; n <= 3 && n <= text.size(); ++n) {
    const auto c = static_cast<unsigned char>(text[text.size() - n]);
    if ((c & 0xC0) == 0x80) continue;
    const std::size_t size = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    return size > n ? n : 0;
  }
  return 0;
}

Awaitable<Result<PartGiven>> give_bytes(ParkedPieces& pieces, std::uint64_t count, ResultWriter& out) {
  bool is_first = true;
  while (count > 0 && !pieces.is_over()) {
    auto piece = co_await pieces.next(count);
    if (!piece) co_return piece.error();
    std::string_view text = *piece;
    const std::uint64_t read = text.size();
    if (std::exchange(is_first, false))
      for (int i = 0; i < 3 && !text.empty() && is_continuation(text.front()); ++i)
        text.remove_prefix(1);
    // The last character comes with the next part, unless that would be all of this one.
    if (read == count && !pieces.is_over()) {
      const std::size_t tail = open_tail(text);
      if (tail > 0 && tail < text.size()) {
        text.remove_suffix(tail);
        pieces.give_back(tail);
      }
    }
    count -= read;
    const auto sent = co_await out.write(text);
    if (!sent) co_return sent.error();
  }
  co_return PartGiven{pieces.at(), pieces.is_over()};
}

Awaitable<Result<PartGiven>> give_lines(ParkedPieces& pieces, std::uint64_t from, std::uint64_t count,
                                        ResultWriter& out) {
  std::uint64_t line = 0;
  const std::uint64_t end = count > Part::kAll - from ? Part::kAll : from + count;
  while (line < end && !pieces.is_over()) {
    auto piece = co_await pieces.next(kFrameBytes);
    if (!piece) co_return piece.error();
    const std::string_view text = *piece;
    std::size_t begin = 0;
    std::size_t at = 0;
    while (at < text.size() && line < end) {
      const auto found = text.find('\n', at);
      at = found == std::string_view::npos ? text.size() : found + 1;
      if (found != std::string_view::npos) ++line;
      if (line <= from && found != std::string_view::npos) begin = at;
      if (line < from) begin = at;
    }
    pieces.give_back(text.size() - at);
    if (at > begin) {
      const auto sent = co_await out.write(text.substr(begin, at - begin));
      if (!sent) co_return sent.error();
    }
  }
  co_return PartGiven{line, pieces.is_over()};
}

Awaitable<Result<PartGiven>> give_items(mcp::InnerCall& call, ParkedPieces& pieces, const Part& part,
                                        std::string_view path, std::size_t window,
                                        ResultWriter& out) {
  json::Path::Problem problem;
  auto array = json::Path::parse(path, problem);
  if (!array) co_return Errc::source_failed;
  json::Selection selection;
  selection.select.push_back(*array);
  selection.items = json::Selection::Items{};
  selection.items->path = *std::move(array);
  selection.items->skip = part.from;
  selection.items->max = part.count;
  std::string text;
  auto plan = json::SelectPlan::make(selection, text);
  if (!plan) co_return Errc::source_failed;
  json::Selector selector(std::make_shared<const json::SelectPlan>(*std::move(plan)),
                          {call.max_nesting(), window});
  Frame room = call.frames().take();
  if (!room) co_return Errc::frames_exhausted;
  const std::span<char> to(room.data(), kFrameBytes);
  while (!selector.is_done() && !pieces.is_over()) {
    auto piece = co_await pieces.next(kFrameBytes);
    if (!piece) co_return piece.error();
    std::string_view in = *piece;
    for (;;) {
      const auto step = selector.step(in, to);
      if (!step) co_return Errc::source_failed;
      in.remove_prefix(step->read);
      if (step->written > 0) {
        const auto sent = co_await out.write({to.data(), step->written});
        if (!sent) co_return sent.error();
      }
      if (in.empty() && step->written < to.size()) break;
    }
  }
  if (!selector.is_done() && !selector.finish()) co_return Errc::source_failed;
  const std::uint64_t given = selector.items() > part.from ? selector.items() - part.from : 0;
  co_return PartGiven{part.from + std::min(part.count, given), !selector.is_items_limit_reached()};
}

}  // namespace

Awaitable<Result<PartGiven>> give_part(mcp::InnerCall& call, const mcp::ParkedResult& parked,
                                       const Part& part, std::size_t window, ResultWriter& out) {
  const bool by_bytes = part.by == Part::By::bytes;
  ParkedPieces pieces(call, parked, by_bytes ? part.from : 0);
  if (by_bytes) {
    auto given = co_await give_bytes(pieces, part.count, out);
    co_return given;
  }
  if (part.by == Part::By::lines) {
    auto given = co_await give_lines(pieces, part.from, part.count, out);
    co_return given;
  }
  auto given =
      co_await give_items(call, pieces, part, parked.about().items_path, window, out);
  co_return given;
}

}  // namespace sluice::tools
