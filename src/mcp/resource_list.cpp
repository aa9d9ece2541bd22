// resources/list: resources in the order of registration, those of a tree in the order that it gives.

#include <spdlog/spdlog.h>

#include <charconv>

#include "base/uri_text.hpp"
#include "json/document.hpp"
#include "mcp/resource_text.hpp"
#include "mcp/resources.hpp"

namespace sluice::mcp {
namespace {

constexpr std::string_view kCursor = "resources-";

/// Where a page begins: at an entry, and in a tree behind some of its items.
struct Position {
  std::size_t entry = 0;
  std::uint32_t listed = 0;  ///< Items of the tree that came before.
  std::string after;         ///< Of the tree.
};

template <class T>
bool read_number(std::string_view& text, T& out) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (ec != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::optional<Position> read_cursor(std::string_view text) {
  Position out;
  if (text.empty()) return out;
  if (!text.starts_with(kCursor)) return std::nullopt;
  text.remove_prefix(kCursor.size());
  if (!read_number(text, out.entry)) return std::nullopt;
  if (text.empty()) return out;
  text.remove_prefix(1);
  if (!read_number(text, out.listed) || text.empty()) return std::nullopt;
  out.after = uri::decode(text.substr(1));
  return out;
}

/// Made so that read_cursor() gives the position back, and nothing else does.
std::string cursor_text(const Position& position) {
  std::string out(kCursor);
  out += std::to_string(position.entry);
  if (position.listed == 0 && position.after.empty()) return out;
  out += '-' + std::to_string(position.listed) + '-';
  uri::append_encoded(out, position.after);
  return out;
}

}  // namespace

std::optional<std::string> Resources::page(std::string_view cursor,
                                           const Revision& revision) const {
  auto position = read_cursor(cursor);
  if (!position || (!cursor.empty() && cursor_text(*position) != cursor)) return std::nullopt;
  const bool is_inside = position->listed > 0 || !position->after.empty();
  if (!cursor.empty() && (position->entry >= entries_.size() ||
                          (is_inside && entries_[position->entry]->tree == nullptr)))
    return std::nullopt;

  std::string out = R"("resources":[)";
  std::size_t count = 0;
  const auto add = [&](const std::string& item) {
    if (count++ > 0) out += ',';
    out += item;
  };
  const auto end = [&](bool has_more) {
    out += ']';
    if (has_more) {
      out += R"(,"nextCursor":)";
      json::append_string(out, cursor_text(*position));
    }
    return std::move(out);
  };
  for (; position->entry < entries_.size(); position->entry += 1) {
    const ResourceEntry& entry = *entries_[position->entry];
    if (entry.is_template()) continue;
    if (count == per_page_) return end(true);
    if (entry.tree == nullptr) {
      const auto facts = entry.facts != nullptr ? entry.facts->facts() : std::nullopt;
      add(render(entry, facts ? &*facts : nullptr, revision));
      continue;
    }
    const std::uint32_t max = entry.tree->max_items();
    while (true) {
      if (position->listed >= max) {
        if (!entry.is_cut.exchange(true))
          spdlog::warn("resource {}: more files than max_files ({}) allows to list", entry.name,
                       max);
        break;
      }
      if (count == per_page_) return end(true);
      const auto room = std::min<std::size_t>(per_page_ - count, max - position->listed);
      const auto found = entry.tree->list(position->after, room);
      for (const auto& item : found.items) add(render(entry, item, revision));
      position->listed += static_cast<std::uint32_t>(found.items.size());
      if (!found.next) break;
      position->after = *found.next;
      // Where the tree has looked for long enough, so has this page.
      if (found.items.size() < room) return end(true);
    }
    position->listed = 0;
    position->after.clear();
  }
  return end(false);
}

}  // namespace sluice::mcp
