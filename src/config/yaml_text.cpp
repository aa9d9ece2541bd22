#include "config/yaml_text.hpp"

#include <algorithm>

#include "config/utf8.hpp"

namespace sluice::config::yaml {

SourceText::SourceText(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts_.push_back(i + 1);
}

std::string_view SourceText::line(int index) const {
  if (index < 0 || static_cast<std::size_t>(index) >= starts_.size()) return {};
  const auto from = starts_[static_cast<std::size_t>(index)];
  return text_.substr(from, text_.find('\n', from) - from);
}

Spot SourceText::spot(int line_index, int column) const {
  const auto bytes = line(line_index).substr(0, static_cast<std::size_t>(std::max(column, 0)));
  const auto inner = std::count_if(bytes.begin(), bytes.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
  });
  return {line_index + 1, column + 1 - static_cast<int>(inner)};
}

bool SourceText::is_indented_by_tab(int index) const {
  const auto text = line(index);
  const auto first = text.find_first_not_of(" \t\r");
  return first != std::string_view::npos &&
         text.substr(0, first).find('\t') != std::string_view::npos;
}

bool SourceText::is_unclosed_quote(int line_index, int column) const {
  if (line_index < 0 || static_cast<std::size_t>(line_index) >= starts_.size()) return false;
  const auto at = starts_[static_cast<std::size_t>(line_index)] + static_cast<std::size_t>(column);
  if (at >= text_.size()) return false;
  const char quote = text_[at];
  if (quote != '"' && quote != '\'') return false;
  for (auto i = at + 1; i < text_.size(); ++i) {
    if (quote == '"' && text_[i] == '\\')
      ++i;
    else if (quote == '\'' && text_[i] == '\'' && i + 1 < text_.size() && text_[i + 1] == '\'')
      ++i;
    else if (text_[i] == quote)
      return false;
  }
  return true;
}

bool SourceText::check(Complaints& complaints) const {
  const auto spot_of = [&](std::size_t offset) {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const auto index = next - starts_.begin() - 1;
    return spot(static_cast<int>(index), static_cast<int>(offset - *(next - 1)));
  };
  if (const auto bad = find_non_utf8(text_)) {
    complaints.add(spot_of(*bad), "the file is not UTF-8 from here on");
    return false;
  }
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const auto c = static_cast<unsigned char>(text_[i]);
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F) {
      complaints.add(spot_of(i), "a control character, which YAML does not allow");
      return false;
    }
  }
  for (int i = 0; i < static_cast<int>(starts_.size()); ++i)
    if (line(i).starts_with('\t') && is_indented_by_tab(i))
      complaints.add({i + 1, 1}, "a tab in the indentation; YAML takes spaces only");
  return true;
}

}  // namespace sluice::config::yaml
