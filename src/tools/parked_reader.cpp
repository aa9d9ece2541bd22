// Reading what was parked: the resource template, and the tool read_result.

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/units.hpp"
#include "mcp/parked_results.hpp"
#include "tools/factory.hpp"
#include "tools/notice.hpp"
#include "tools/pages.hpp"
#include "tools/part_reader.hpp"

namespace sluice::tools {
namespace {

using By = config::Paging::By;
using Form = mcp::ParkedResult::About::Form;

std::optional<std::uint64_t> number(std::string_view digits) {
  std::uint64_t value = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, ec] = std::from_chars(digits.data(), last, value);
  if (ec != std::errc() || end != last) return std::nullopt;
  return value;
}

/// "0-99", the first and the last; "100-" to the end; "7" one.
bool read_range(std::string_view text, Part& out) {
  const auto dash = text.find('-');
  const auto first = number(text.substr(0, dash));
  if (!first) return false;
  out.from = *first;
  out.count = 1;
  if (dash == std::string_view::npos) return true;
  out.count = Part::kAll;
  const std::string_view rest = text.substr(dash + 1);
  if (rest.empty()) return true;
  const auto last = number(rest);
  if (!last || *last < *first) return false;
  out.count = *last - *first + 1;
  return true;
}

std::uint64_t unsigned_of(Json value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, value.as_int().value_or(0)));
}

/// What is wrong with the arguments; empty: nothing.
std::string read_part(Call& call, const mcp::ParkedResult& parked, Part& out) {
  const Json items = call.argument("items");
  const Json lines = call.argument("lines");
  const Json offset = call.argument("offset");
  const Json limit = call.argument("limit");
  const bool by_bytes = offset || limit;
  if ((items ? 1 : 0) + (lines ? 1 : 0) + (by_bytes ? 1 : 0) > 1)
    return "Give one of items, lines, or offset and limit.";
  if (parked.about().form == Form::binary && (items || lines))
    return "The result is " + parked.about().mime_type + ": it has neither items nor lines.";
  if (items) {
    if (parked.about().form != Form::json) return "The result is no JSON, so it has no items.";
    out.by = By::items;
    out.items = parked.about().items;
    if (!read_range(items.as_string().value_or(""), out)) return "items is a range such as 0-99.";
  } else if (lines) {
    out.by = By::lines;
    if (!read_range(lines.as_string().value_or(""), out)) return "lines is a range such as 0-99.";
  } else {
    if (offset) out.from = unsigned_of(offset);
    if (limit) out.count = unsigned_of(limit);
    if (out.from > parked.size())
      return "offset is behind the end of the result, which has " + std::to_string(parked.size()) +
             " bytes.";
  }
  return {};
}

/// Threads: immutable, any.
class ParkedReader final : public ToolHandler {
 public:
  explicit ParkedReader(const config::Config& config)
      : limits_(config.limits), most_(config.parking.part) {}

  Awaitable<Result<>> run(Call& base, ResultWriter& out) override {
    mcp::InnerCall& call = mcp::inner(base);
    const bool is_resource = !call.uri().empty();
    std::string_view id = call.argument(is_resource ? "id" : "result").as_string().value_or("");
    if (id.starts_with(kParkedScheme)) id.remove_prefix(kParkedScheme.size());
    id = id.substr(0, id.find('?'));
    const auto parked = call.parked()->find(id, call.caller());
    if (!parked) {
      const auto told = co_await out.not_found(
          "There is no such result: it has expired, or it was made for another caller.");
      co_return told;
    }
    Part part;
    std::string problem = read_part(call, *parked, part);
    const bool is_binary = parked->about().form == Form::binary;
    if (problem.empty() && is_binary && !is_resource)
      problem = "The result is " + parked->about().mime_type +
                ", which can only be read as the resource " + uri_of(*parked) + '.';
    if (!problem.empty()) {
      const auto told = co_await out.fail(problem);
      co_return told;
    }
    part.is_binary = is_binary;
    if (!is_resource) bound(part);
    Block block;
    block.kind = is_binary ? BlockKind::resource_blob : BlockKind::text;
    block.uri = call.uri();
    block.mime_type = parked->about().mime_type;
    PartReader reader(call, KeptBytes::of(*parked), part, limits_);
    const auto given = co_await reader.give_block(block, out);
    if (!given || reader.has_failed() || is_resource) co_return given;
    const std::string notice = what_comes_next(part, reader, parked->size());
    const auto told = co_await tell(out, notice);
    co_return told;
  }

 private:
  void bound(Part& part) const noexcept {
    if (part.by == By::bytes)
      part.count = std::min(part.count, most_);
    else
      part.max_bytes = most_;
  }

  [[nodiscard]] std::string what_comes_next(const Part& part, const PartReader& given,
                                            std::uint64_t size) const {
    if (given.is_last()) return "This is the end of the result.";
    const std::string all = " (of " + std::to_string(size) + " bytes in all)";
    if (part.by == By::bytes)
      return "There is more" + all + ": go on with offset=" + std::to_string(given.next()) + '.';
    const bool is_line = part.by == By::lines;
    const std::string next =
        std::string(is_line ? "line is " : "item is ") + std::to_string(given.next());
    if (!given.is_cut()) return "There is more" + all + ": the next " + next + '.';
    const std::string limit = "parking.part (" + format_bytes(most_) + ")";
    if (is_line)
      return "The line is longer than " + limit + " and was cut" + all +
             ": go on with offset=" + std::to_string(given.offset()) + '.';
    return limit + " was reached inside of an item, which is cut above" + all + ": the next " +
           next + "; one that is longer than that is read by offset and limit.";
  }

  const config::Limits& limits_;
  const std::uint64_t most_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_parked_reader(const config::Config& config) {
  return std::make_unique<ParkedReader>(config);
}

}  // namespace sluice::tools
