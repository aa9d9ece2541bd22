#pragma once

#include <sluice/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "json/path.hpp"
#include "json/select_plan.hpp"

namespace sluice::json::test {

// Paths as RFC 9535 describes them, followed in a tree: what the selector is compared with.

using Nodes = std::set<const JsonNode*>;

inline void collect(Json value, const Path& path, std::size_t segment, Nodes& out) {
  if (segment == path.segments().size()) {
    out.insert(value.node());
    return;
  }
  const Path::Segment& here = path.segments()[segment];
  const auto child = [&](Json below, auto takes) {
    for (const Path::Selector& selector : here.selectors)
      if (takes(selector)) collect(below, path, segment + 1, out);
    if (here.is_descendant) collect(below, path, segment, out);
  };
  std::uint64_t index = 0;
  for (const Json element : value) {
    child(element, [&](const Path::Selector& selector) { return selector.takes_index(index); });
    ++index;
  }
  for (const Json::Member member : value.members())
    child(member.value,
          [&](const Path::Selector& selector) { return selector.takes_name(member.name); });
}

/// What the text of the document is when all but a Selection is left out of it.
class SelectModel {
 public:
  SelectModel(Json document, const Selection& selection) : selection_(selection) {
    for (const Path& path : selection.select) collect(document, path, 0, selected_);
    for (const Path& path : selection.drop) collect(document, path, 0, dropped_);
    if (selection.items) {
      Nodes found;
      collect(document, selection.items->path, 0, found);
      if (!found.empty() && Json(*found.begin()).is(JsonKind::array)) items_ = *found.begin();
    }
    if (selection.select.empty()) selected_.insert(document.node());
    text_ = print(root(document), false);
  }

  [[nodiscard]] bool has_match() const { return text_.has_value(); }
  [[nodiscard]] std::string text() const { return text_.value_or(std::string()); }
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }
  /// Nothing of the array that is limited is selected: it is not said then whether it limits.
  [[nodiscard]] bool has_idle_items(Json document) const {
    return items_ != nullptr && !are_items_wanted(document, false);
  }

 private:
  /// The value that all of what is selected lies in by names and indices; not there where one on
  /// the way is dropped.
  [[nodiscard]] Json root(Json value) const {
    if (selection_.select.empty() || selection_.shape == Selection::Shape::document) return value;
    const Path& first = selection_.select.front();
    for (std::size_t i = 0;; ++i) {
      for (const Path& path : selection_.select) {
        if (i == path.segments().size() || !path.segments()[i].is_definite() ||
            !(path.segments()[i] == first.segments()[i]))
          return value;
      }
      if (dropped_.count(value.node()) != 0) return {};
      const Path::Selector& selector = first.segments()[i].selectors[0];
      Json below;
      std::uint64_t index = 0;
      for (const Json element : value) {
        if (selector.takes_index(index) && (value.node() != items_ || is_among_items(index)))
          below = element;
        ++index;
      }
      for (const Json::Member member : value.members())
        if (selector.takes_name(member.name)) below = member.value;
      if (!below) return {};
      value = below;
    }
  }

  [[nodiscard]] bool is_among_items(std::uint64_t index) const {
    return index >= selection_.items->skip &&
           index - selection_.items->skip < selection_.items->max;
  }

  [[nodiscard]] bool are_items_wanted(Json value, bool is_inside) const {
    if (dropped_.count(value.node()) != 0) return false;
    is_inside |= selected_.count(value.node()) != 0;
    if (value.node() == items_) return is_inside || is_selected_in(value);
    for (const Json element : value)
      if (are_items_wanted(element, is_inside)) return true;
    for (const Json::Member member : value.members())
      if (are_items_wanted(member.value, is_inside)) return true;
    return false;
  }

  [[nodiscard]] bool is_selected_in(Json value) const {
    if (dropped_.count(value.node()) != 0) return false;
    if (selected_.count(value.node()) != 0) return true;
    for (const Json element : value)
      if (is_selected_in(element)) return true;
    for (const Json::Member member : value.members())
      if (is_selected_in(member.value)) return true;
    return false;
  }

  std::optional<std::string> print(Json value, bool is_inside) {
    if (!value || dropped_.count(value.node()) != 0) return std::nullopt;
    is_inside |= selected_.count(value.node()) != 0;
    if (!value.is(JsonKind::array) && !value.is(JsonKind::object)) {
      if (!is_inside) return std::nullopt;
      return std::string(value.raw());
    }
    const char* const end = value.raw().data() + value.raw().size() - 1;
    const char* at = value.raw().data() + 1;
    std::string out(1, value.raw().front());
    while (at != end && is_blank(*at)) out += *at++;
    bool has_any = false;
    std::uint64_t index = 0;
    const bool is_limited = value.node() == items_ && !is_stopped_;
    const auto child = [&](Json below) {
      if (is_stopped_) return;
      // In front of it: perhaps a comma, blanks, and of a member all up to its value.
      const char* const start = below.raw().data();
      bool is_wanted = true;
      if (is_limited) {
        const auto& items = *selection_.items;
        is_wanted = is_among_items(index);
        is_stopped_ =
            !is_wanted && index >= items.skip && items.then == Selection::Items::Then::stop;
        if (is_stopped_) return;
      }
      ++index;
      std::string_view front(at, static_cast<std::size_t>(start - at));
      at = start + below.raw().size();
      const auto text = is_wanted ? print(below, is_inside) : std::nullopt;
      std::string behind;
      while (at != end && is_blank(*at)) behind += *at++;
      if (!text) return;
      if (!has_any)
        front.remove_prefix(std::min(front.find_first_not_of(" \t\r\n,"), front.size()));
      out += front;
      out += *text;
      if (!is_stopped_) out += behind;
      has_any = true;
    };
    for (const Json element : value) child(element);
    for (const Json::Member member : value.members()) child(member.value);
    if (!has_any && !is_inside) return std::nullopt;
    return out + *end;
  }
  [[nodiscard]] static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  const Selection& selection_;
  Nodes selected_;
  Nodes dropped_;
  const JsonNode* items_ = nullptr;
  bool is_stopped_ = false;
  std::optional<std::string> text_;
};

/// Without the blanks between tokens.
inline std::string compact(std::string_view text) {
  std::string out;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      out += c;
      if (++i < text.size()) out += text[i];
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (in_string || (c != ' ' && c != '\t' && c != '\r' && c != '\n')) out += c;
  }
  return out;
}

}  // namespace sluice::json::test
