// Reading what was parked: the resource template sluice://result/{id}{?offset,limit,items,lines}, and the tool
// read_result.

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tools/factory.hpp"
#include "tools/part_reader.hpp"

namespace sluice::tools {
namespace {

constexpr std::string_view kScheme = "sluice://result/";

/// "0-99", the first and the last; "100-" to the end; "7" one.
bool read_range(std::string_view text, Part& out) {
  const auto number = [](std::string_view digits) -> std::optional<std::uint64_t> {
    std::uint64_t value = 0;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (ec != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  const auto dash = text.find('-');
  const auto first = number(text.substr(0, dash));
  if (!first) return false;
  out.from = *first;
  if (dash == std::string_view::npos) {
    out.count = 1;
    return true;
  }
  const std::string_view rest = text.substr(dash + 1);
  if (rest.empty()) return true;
  const auto last = number(rest);
  if (!last || *last < *first) return false;
  out.count = *last - *first + 1;
  return true;
}

/// What is wrong with the arguments; empty: nothing.
std::string read_part(Call& call, const mcp::ParkedResult& parked, Part& out) {
  const Json items = call.argument("items");
  const Json lines = call.argument("lines");
  const Json offset = call.argument("offset");
  const Json limit = call.argument("limit");
  const bool by_bytes = offset || limit;
  if ((items ? 1 : 0) + (lines ? 1 : 0) + (by_bytes ? 1 : 0) > 1)
    return "Give items, lines, or offset and limit.";
  if (items) {
    if (parked.about().items_path.empty()) return "The result is no JSON: it has no items.";
    out.by = Part::By::items;
    if (!read_range(items.as_string().value_or(""), out)) return "items is a range such as 0-99.";
  } else if (lines) {
    out.by = Part::By::lines;
    if (!read_range(lines.as_string().value_or(""), out)) return "lines is a range such as 0-99.";
  } else {
    if (offset) out.from = static_cast<std::uint64_t>(offset.as_int().value_or(0));
    if (limit) out.count = static_cast<std::uint64_t>(limit.as_int().value_or(0));
    if (out.from > parked.size())
      return "offset lies behind the end of the result, which has " +
             std::to_string(parked.size()) + " bytes.";
  }
  return {};
}

std::string next_part(const Part& part, const PartGiven& given) {
  switch (part.by) {
    case Part::By::bytes:
      return "The next part begins at offset " + std::to_string(given.next) + '.';
    case Part::By::lines:
      return "The next line is " + std::to_string(given.next) + '.';
    case Part::By::items:
      return "The next item is " + std::to_string(given.next) + '.';
  }
  return {};
}

/// Threads: immutable, any.
class ParkedReader final : public ToolHandler {
 public:
  explicit ParkedReader(std::size_t window) : window_(window) {}

  Awaitable<Result<>> run(Call& base, ResultWriter& out) override {
    mcp::InnerCall& call = mcp::inner(base);
    const bool is_resource = !call.uri().empty();
    std::string id(call.argument(is_resource ? "id" : "result").as_string().value_or(""));
    if (id.starts_with(kScheme)) id.erase(0, kScheme.size());
    const auto parked = call.parked()->find(id, call.caller());
    if (!parked) {
      const auto told = co_await out.not_found(
          "There is no such result: it has expired, or it was made for another caller.");
      co_return told;
    }
    Part part;
    const std::string problem = read_part(call, *parked, part);
    if (!problem.empty()) {
      const auto told = co_await out.fail(problem);
      co_return told;
    }
    Block block;
    block.mime_type = parked->about().mime_type;
    const auto begun = co_await out.begin(block);
    if (!begun) co_return begun;
    const auto given = co_await give_part(call, *parked, part, window_, out);
    if (!given) co_return given.error();
    const auto ended = co_await out.end();
    if (!ended || is_resource || given->is_last) co_return ended;
    const auto told = co_await out.text(next_part(part, *given));
    co_return told;
  }

 private:
  const std::size_t window_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_parked_reader(const config::Limits& limits) {
  return std::make_unique<ParkedReader>(limits.shaping_window);
}

}  // namespace sluice::tools
