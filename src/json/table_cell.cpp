#include "json/table_cell.hpp"

#include <bit>
#include <cstring>

#include "json/scan.hpp"
#include "json/unescape.hpp"

namespace sluice::json {
namespace {

char* put(char* out, std::string_view text) noexcept {
  if (!text.empty()) std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The text of a container without the blanks between its tokens.
std::string_view compact(std::string_view raw, std::string& scratch) {
  scratch.resize(raw.size());
  char* out = scratch.data();
  bool in_string = false;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (in_string) {
      *out++ = c;
      if (c == '\\' && i + 1 < raw.size()) {
        *out++ = raw[++i];
      } else if (c == '"') {
        in_string = false;
      }
      continue;
    }
    in_string = c == '"';
    if (!is_blank(c)) *out++ = c;
  }
  return {scratch.data(), static_cast<std::size_t>(out - scratch.data())};
}

std::string_view unescaped(std::string_view raw, std::string& scratch) {
  scratch.resize(raw.size());
  const char* end = unescape(raw, scratch.data());
  return {scratch.data(), static_cast<std::size_t>(end - scratch.data())};
}

/// The inside of a string that stands for itself, or nothing has to be done about: no escapes, no
/// controls, and no `special`. What is at most 16 bytes long is looked at as one block.
bool is_plain(std::string_view text, char special) noexcept {
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= Block::kBytes; left -= Block::kBytes, at += Block::kBytes) {
    const Block block = Block::load(at);
    if ((block.special() | block.equals(special)) != 0) return false;
  }
  for (; left > 0; --left, ++at) {
    if (static_cast<unsigned char>(*at) < 0x20 || *at == '\\' || *at == '"' || *at == special)
      return false;
  }
  return true;
}

char* put_csv_text(char* out, std::string_view text) noexcept {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return put(out, text);
  *out++ = '"';
  for (const char c : text) {
    if (c == '"') *out++ = c;
    *out++ = c;
  }
  *out++ = '"';
  return out;
}

char* put_markdown_text(char* out, std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '|') {
      out = put(out, "\\|");
    } else if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      out = put(out, "<br>");
    } else {
      *out++ = c;
    }
  }
  return out;
}

}  // namespace

char* put_csv_cell(char* out, std::string_view raw, std::string& scratch) {
  switch (raw[0]) {
    case '"': {
      const std::string_view inside = raw.substr(1, raw.size() - 2);
      if (inside.empty()) return put(out, "\"\"");
      if (is_plain(inside, ',')) return put(out, inside);
      return put_csv_text(out, unescaped(inside, scratch));
    }
    case '{':
    case '[':
      return put_csv_text(out, compact(raw, scratch));
    case 'n':
      return out;
    default:
      return put(out, raw);
  }
}

char* put_markdown_cell(char* out, std::string_view raw, std::string& scratch) {
  switch (raw[0]) {
    case '"': {
      const std::string_view inside = raw.substr(1, raw.size() - 2);
      if (is_plain(inside, '|')) return put(out, inside);
      return put_markdown_text(out, unescaped(inside, scratch));
    }
    case '{':
    case '[':
      return put_markdown_text(out, compact(raw, scratch));
    case 'n':
      return out;
    default:
      return put(out, raw);
  }
}

}  // namespace sluice::json
