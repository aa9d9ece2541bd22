#include "tools/part_reader.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "base/units.hpp"
#include "json/path.hpp"
#include "json/shaper.hpp"
#include "tools/tables.hpp"

namespace sluice::tools {
namespace {

using By = config::Paging::By;

bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::size_t size_of_character(char first) noexcept {
  const auto c = static_cast<unsigned char>(first);
  return c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
}

}  // namespace

PartReader::PartReader(mcp::InnerCall& call, const KeptBytes& bytes, const Part& part,
                       const config::Limits& limits)
    : call_(call), bytes_(bytes), part_(part), limits_(limits) {}

boost::system::error_code PartReader::fail(std::string problem) {
  problem_ = std::move(problem);
  return Errc::source_failed;
}

Awaitable<Result<>> PartReader::give(ResultWriter& out) {
  problem_ = "What was kept of the result cannot be read.";
  auto giving = part_.by == By::bytes   ? give_bytes(out)
                : part_.by == By::lines ? give_lines(out)
                                        : give_items(out);
  const auto given = co_await std::move(giving);
  co_return given;
}

Awaitable<Result<>> PartReader::give_block(Block block, ResultWriter& out) {
  const auto begun = co_await out.begin(block);
  if (!begun) co_return begun;
  const auto given = co_await give(out);
  if (!given && given.error() == Errc::source_failed) {
    has_failed_ = true;
    const auto told = co_await out.fail(problem_);
    co_return told;
  }
  if (!given) co_return given;
  const auto ended = co_await out.end();
  co_return ended;
}

Awaitable<Result<std::uint64_t>> PartReader::character_at(std::uint64_t at) {
  if (at == 0 || at >= bytes_.size() || part_.is_binary) co_return std::min(at, bytes_.size());
  const std::uint64_t from = at - std::min<std::uint64_t>(at, 3);
  KeptReader reader(call_, bytes_, from);
  std::string text;
  while (text.size() < at - from + 1) {
    const auto piece = co_await reader.next(at - from + 1 - text.size());
    if (!piece) co_return piece.error();
    text += *piece;
  }
  for (std::size_t back = 0; back < text.size(); ++back) {
    const char c = text[text.size() - 1 - back];
    if (is_continuation(c)) continue;
    co_return size_of_character(c) > back ? at - back : at;
  }
  co_return at;
}

Awaitable<Result<>> PartReader::give_bytes(ResultWriter& out) {
  const std::uint64_t size = bytes_.size();
  const auto begin = co_await character_at(std::min(part_.from, size));
  if (!begin) co_return begin.error();
  auto end = co_await character_at(*begin + std::min(part_.count, size - *begin));
  if (!end) co_return end.error();
  for (std::uint64_t n = 1; *end <= *begin && part_.count > 0 && *begin < size && n <= 4; ++n) {
    end = co_await character_at(std::min(*begin + n, size));
    if (!end) co_return end.error();
  }
  next_ = *end;
  const auto given = co_await give_between(*begin, *end, out);
  co_return given;
}

Awaitable<Result<>> PartReader::find_lines(std::uint64_t& begin, std::uint64_t& end) {
  KeptReader reader(call_, bytes_, part_.offset);
  std::uint64_t to_skip = part_.from;
  std::uint64_t left = part_.count;
  begin = end = reader.at();
  while (left > 0 && !reader.is_over() && reader.at() - begin <= part_.max_bytes) {
    const std::uint64_t at = reader.at();
    const auto piece = co_await reader.next();
    if (!piece) co_return piece.error();
    std::size_t line = 0;
    while (left > 0 && line < piece->size()) {
      const auto found = piece->find('\n', line);
      const bool is_whole = found != std::string_view::npos;
      line = is_whole ? found + 1 : piece->size();
      // The last line may end without a line break.
      if (!is_whole && !reader.is_over()) break;
      if (to_skip > 0) {
        --to_skip;
        begin = end = at + line;
        continue;
      }
      if (at + line - begin > part_.max_bytes) {
        left = 0;
        break;
      }
      end = at + line;
      ++next_;
      --left;
    }
    if (to_skip > 0) begin = end = reader.at();
  }
  co_return Result<>();
}

Awaitable<Result<>> PartReader::give_lines(ResultWriter& out) {
  next_ = part_.from;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const auto found = co_await find_lines(begin, end);
  if (!found) co_return found;
  // A line that is longer than all there is room for is cut.
  is_cut_ = end == begin && begin < bytes_.size() && part_.count > 0;
  if (is_cut_) {
    const auto cut =
        co_await character_at(begin + std::min(part_.max_bytes, bytes_.size() - begin));
    if (!cut) co_return cut.error();
    end = *cut;
  }
  const auto given = co_await give_between(begin, end, out);
  co_return given;
}

Awaitable<Result<>> PartReader::give_between(std::uint64_t begin, std::uint64_t end,
                                             ResultWriter& out) {
  KeptReader reader(call_, bytes_, begin);
  while (reader.at() < end) {
    const auto piece = co_await reader.next(end - reader.at());
    if (!piece) co_return piece.error();
    const auto sent = co_await out.write(*piece);
    if (!sent) co_return sent;
  }
  offset_ = end;
  is_last_ = end == bytes_.size();
  co_return Result<>();
}

Awaitable<Result<>> PartReader::give_items(ResultWriter& out) {
  json::Path::Problem unreadable;
  auto array = json::Path::parse(part_.items, unreadable);
  if (!array) co_return fail(unreadable.text);
  const std::size_t depth = array->segments().size() + 1;
  json::Selection selection;
  selection.shape = json::Selection::Shape::document;
  // A table is an array, or stands under `rows`; one elsewhere is taken out.
  if (part_.table != nullptr && part_.items != "$" && part_.items != "$.rows") {
    selection.select.push_back(*array);
    selection.shape = json::Selection::Shape::value;
  }
  selection.items = json::Selection::Items{};
  selection.items->path = *std::move(array);
  selection.items->skip = part_.from;
  selection.items->max = part_.count;
  std::string problem;
  auto plan = json::SelectPlan::make(selection, problem);
  if (!plan) co_return fail(problem);
  json::Shape shape;
  shape.select = std::make_shared<const json::SelectPlan>(*std::move(plan));
  if (part_.max_bytes != Part::kAll) shape.max_bytes = part_.max_bytes;
  if (part_.table != nullptr) shape.table = *part_.table;
  shape.select_limits = {call_.max_nesting(), limits_.shaping_window};
  shape.limit_window = limits_.shaping_window;
  shape.limit_depth = call_.max_nesting();
  json::Shaper shaper(std::move(shape));
  Frame window = call_.frames().take();
  if (!window) co_return Errc::frames_exhausted;
  const std::span<char> room(window.data(), kFrameBytes);

  KeptReader reader(call_, bytes_, 0);
  while (!shaper.is_over()) {
    std::string_view in;
    if (!shaper.is_done() && !reader.is_over()) {
      const auto piece = co_await reader.next();
      if (!piece) co_return piece.error();
      in = *piece;
    } else {
      shaper.finish();
    }
    const bool is_rest = in.empty();
    for (;;) {
      const auto step = shaper.step(in, room);
      if (!step) co_return fail("The result cannot be read by items: " + shaper.problem() + '.');
      in.remove_prefix(step->read);
      if (step->written > 0) {
        const auto sent = co_await out.write({room.data(), step->written});
        if (!sent) co_return sent;
      }
      if (step->written == kFrameBytes) continue;
      if (in.empty()) break;
    }
    if (is_rest) break;
  }
  const json::Selector& selector = *shaper.selector();
  if (!selector.has_items())
    co_return fail("The result has no array at " + std::string(part_.items) +
                   ", so it has no items.");
  const std::uint64_t there = std::max(selector.items(), part_.from);
  std::uint64_t given = std::min(there - part_.from, part_.count);
  const auto* const limiter = shaper.limiter();
  const bool is_full = limiter != nullptr && limiter->cut() != json::JsonLimiter::Cut::nothing;
  if (is_full) {
    given = limiter->cut_depth() < depth ? 0 : limiter->whole_elements(depth);
    is_cut_ = limiter->cut_depth() != depth || limiter->cut() != json::JsonLimiter::Cut::elements;
  }
  next_ = part_.from + given;
  is_last_ = !is_full && !selector.is_items_limit_reached();
  if (shaper.table() != nullptr) append_table_losses(losses_, *shaper.table());
  co_return Result<>();
}

}  // namespace sluice::tools
