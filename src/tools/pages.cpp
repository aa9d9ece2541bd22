#include "tools/pages.hpp"

#include <charconv>

#include "base/units.hpp"
#include "tools/page_cursor.hpp"
#include "tools/tables.hpp"

namespace sluice::tools {
namespace {

using By = config::Paging::By;
using Form = mcp::ParkedResult::About::Form;

std::string_view name_of(By by) noexcept {
  return by == By::items ? "item" : by == By::lines ? "line" : "byte";
}

/// Takes a number and the blank behind it off the front.
bool take_number(std::string_view& text, std::uint64_t& out) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (ec != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.starts_with(' ')) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string uri_of(const mcp::ParkedResult& parked) {
  return std::string(kParkedScheme) + parked.id();
}

std::string how_to_read(const mcp::ParkedResult& parked, std::chrono::milliseconds ttl) {
  std::string out = "All of it is kept for " + format_duration(ttl) + " as the resource " +
                    uri_of(parked) + ": read that";
  switch (parked.about().form) {
    case Form::binary:
      return out + '.';
    case Form::json:
      out += ", or a part of it with ?items=0-99 or ?offset=0&limit=16384 (bytes) behind it";
      break;
    case Form::text:
      out += ", or a part of it with ?lines=0-99 or ?offset=0&limit=16384 (bytes) behind it";
      break;
  }
  return out + "; or call the tool " + std::string(kReadResult) + '.';
}

std::optional<json::Table::Options> page_table(const config::Paging& paging,
                                               const config::Limits& limits) {
  return table_options(paging.format, paging.columns, limits);
}

Part first_page(const config::Paging& paging, const std::optional<json::Table::Options>& table) {
  Part page;
  page.by = paging.by;
  page.count = paging.size;
  page.items = paging.items;
  page.table = table ? &*table : nullptr;
  return page;
}

bool read_place(std::string_view place, Part& page, std::string& id) {
  std::uint64_t next = 0;
  std::uint64_t offset = 0;
  if (!take_number(place, next) || !take_number(place, offset)) return false;
  // Lines are counted from where the page begins, so that those in front are not read again.
  page.from = page.by == By::lines ? 0 : next;
  page.offset = offset;
  id = place;
  return true;
}

std::string what_follows(const mcp::InnerCall& call, const mcp::ParkedResult& parked,
                         const config::Paging& paging, const PartReader& given) {
  const std::string place =
      std::to_string(given.next()) + ' ' + std::to_string(given.offset()) + ' ' + parked.id();
  return "There is more. Call the tool again with the same arguments and this cursor for the "
         "next " +
         std::to_string(paging.size) + ' ' + std::string(name_of(paging.by)) +
         "s: " + seal_cursor(call, place, paging.ttl);
}

}  // namespace sluice::tools
