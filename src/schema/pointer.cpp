#include "schema/pointer.hpp"

namespace sluice::schema {

void append_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

std::string pointer_to(Json root, const JsonNode* node) {
  std::string pointer;
  const JsonNode* at = root.node();
  while (at != node && at->count != 0) {
    const JsonNode* next = at + 1;
    if (at->kind == JsonKind::array) {
      std::size_t index = 0;
      for (; next + next->next <= node; next += next->next) ++index;
      append_token(pointer, std::to_string(index));
    } else {
      while (next + 1 + next[1].next <= node) next += 1 + next[1].next;
      append_token(pointer, next->string);
      if (next == node) break;
      ++next;
    }
    at = next;
  }
  return pointer;
}

std::optional<std::string> take_token(std::string_view& pointer) {
  pointer.remove_prefix(1);
  const auto raw = pointer.substr(0, pointer.find('/'));
  pointer.remove_prefix(raw.size());
  std::string token;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '~') {
      token += raw[i];
    } else if (i + 1 < raw.size() && (raw[i + 1] == '0' || raw[i + 1] == '1')) {
      token += raw[++i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return token;
}

Json child(Json parent, std::string_view token) noexcept {
  if (parent.is(JsonKind::object)) return parent.find(token);
  if (!parent.is(JsonKind::array) || token.empty() || token.size() > 9) return Json();
  if (token.size() > 1 && token.front() == '0') return Json();
  std::size_t index = 0;
  for (const char c : token) {
    if (c < '0' || c > '9') return Json();
    index = index * 10 + static_cast<std::size_t>(c - '0');
  }
  for (const Json element : parent) {
    if (index-- == 0) return element;
  }
  return Json();
}

}  // namespace sluice::schema
