#include "base/uri_template.hpp"

#include <algorithm>

#include "base/uri_text.hpp"

namespace sluice {
namespace {

using Operator = UriTemplate::Operator;
using Rules = UriTemplate::Rules;

bool is_name_character(char c) noexcept {
  return uri::is_unreserved(c) && c != '-' && c != '.' && c != '~';
}

/// Section 2.3: letters, digits, `_` and triplets, with single dots between them.
bool is_name(std::string_view name) noexcept {
  if (name.empty() || name.front() == '.' || name.back() == '.') return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (uri::is_triplet(name.substr(i)))
      i += 2;
    else if (name[i] == '.' ? name[i - 1] == '.' : !is_name_character(name[i]))
      return false;
  }
  return true;
}

/// Where literal text holds what no URI can, and what that is.
std::optional<std::pair<std::size_t, std::string_view>> find_wrong_character(
    std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c <= 0x20 || c == 0x7F) return std::pair(i, "a URI holds no blanks and no controls");
    if (c == '%' && !uri::is_triplet(text.substr(i)))
      return std::pair(i, "a percent sign begins two hexadecimal digits");
  }
  return std::nullopt;
}

/// 1 to 9999 without leading zeros, else 0.
std::uint32_t read_prefix(std::string_view digits) noexcept {
  if (digits.empty() || digits.size() > 4 || digits[0] == '0') return 0;
  std::uint32_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return 0;
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return value;
}

std::string read_variable(std::string_view text, UriTemplate::Variable& out) {
  if (text.ends_with('*')) {
    out.is_exploded = true;
    text.remove_suffix(1);
  }
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    out.prefix = read_prefix(text.substr(colon + 1));
    if (out.prefix == 0 || out.is_exploded)
      return "a prefix is a number from 1 to 9999, without a star behind it";
    text = text.substr(0, colon);
  }
  if (!is_name(text))
    return "\"" + std::string(text) +
           "\" is no variable's name: letters, digits, _ and single dots between them";
  out.name = text;
  return {};
}

std::string read_expression(std::string_view text, UriTemplate::Part& out) {
  constexpr std::string_view kOperators = "+#./;?&";
  if (text.empty()) return "an expression names a variable";
  if (kOperators.find(text[0]) != std::string_view::npos) {
    out.op = static_cast<Operator>(text[0]);
    text.remove_prefix(1);
  }
  while (true) {
    const auto comma = text.find(',');
    auto problem = read_variable(text.substr(0, comma), out.variables.emplace_back());
    if (!problem.empty() || comma == std::string_view::npos) return problem;
    text.remove_prefix(comma + 1);
  }
}

/// The first `count` characters of UTF-8 text.
std::string_view first_characters(std::string_view text, std::uint32_t count) noexcept {
  std::size_t end = 0;
  while (end < text.size()) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (begins && count-- == 0) break;
    ++end;
  }
  return text.substr(0, end);
}

/// Puts one variable of an expression into the URI.
class Expansion {
 public:
  Expansion(std::string& out, const Rules& rules, const UriTemplate::Variable& variable)
      : out_(out),
        rules_(rules),
        variable_(variable),
        keep_(rules.keeps_reserved ? uri::Keep::reserved : uri::Keep::unreserved) {}

  void operator()(const std::string& text) const {
    const auto used =
        variable_.prefix == 0 ? std::string_view(text) : first_characters(text, variable_.prefix);
    put_name(variable_.name, used.empty());
    put(used);
  }

  void operator()(const std::vector<std::string>& list) const {
    if (!variable_.is_exploded) put_name(variable_.name, false);
    std::string_view separator;
    for (const auto& element : list) {
      out_ += separator;
      separator = variable_.is_exploded ? rules_.separator : ",";
      if (variable_.is_exploded) put_name(variable_.name, element.empty());
      put(element);
    }
  }

  void operator()(const std::vector<std::pair<std::string, std::string>>& pairs) const {
    if (!variable_.is_exploded) put_name(variable_.name, false);
    std::string_view separator;
    for (const auto& [key, value] : pairs) {
      out_ += separator;
      separator = variable_.is_exploded ? rules_.separator : ",";
      put(key);
      if (!variable_.is_exploded)
        out_ += ',';
      else if (!rules_.is_named || rules_.has_equals_if_empty || !value.empty())
        out_ += '=';
      put(value);
    }
  }

 private:
  void put(std::string_view text) const { uri::append_encoded(out_, text, keep_); }
  void put_name(std::string_view name, bool is_empty) const {
    if (!rules_.is_named) return;
    out_ += name;
    if (!is_empty || rules_.has_equals_if_empty) out_ += '=';
  }

  std::string& out_;
  const Rules& rules_;
  const UriTemplate::Variable& variable_;
  const uri::Keep keep_;
};

/// The value of a variable; null where it counts as undefined.
const UriValue* find(const std::vector<UriVariable>& values, std::string_view name) noexcept {
  const auto found = std::ranges::find(values, name, &UriVariable::name);
  if (found == values.end()) return nullptr;
  const auto has_any = [](const auto& value) { return !value.empty(); };
  const bool is_text = std::holds_alternative<std::string>(found->value);
  return is_text || std::visit(has_any, found->value) ? &found->value : nullptr;
}

}  // namespace

UriTemplate::Rules UriTemplate::rules(Operator op) noexcept {
  switch (op) {
    case Operator::simple:
      return {"", ",", false, false, false};
    case Operator::reserved:
      return {"", ",", false, false, true};
    case Operator::fragment:
      return {"#", ",", false, false, true};
    case Operator::label:
      return {".", ".", false, false, false};
    case Operator::path:
      return {"/", "/", false, false, false};
    case Operator::parameter:
      return {";", ";", true, false, false};
    case Operator::query:
      return {"?", "&", true, true, false};
    case Operator::continuation:
      break;
  }
  return {"&", "&", true, true, false};
}

std::optional<UriTemplate> UriTemplate::parse(std::string_view text, std::string& problem) {
  UriTemplate out;
  std::size_t at = 0;
  const auto fail = [&](std::string_view what) {
    problem = "at character " + std::to_string(at + 1) + ": " + std::string(what);
    return std::nullopt;
  };
  while (at < text.size()) {
    const auto brace = std::min(text.find_first_of("{}", at), text.size());
    if (brace > at) {
      const auto literal = text.substr(at, brace - at);
      if (const auto wrong = find_wrong_character(literal)) {
        at += wrong->first;
        return fail(wrong->second);
      }
      uri::append_encoded(out.parts_.emplace_back().literal, literal, uri::Keep::reserved);
      at = brace;
      continue;
    }
    if (text[at] == '}') return fail("a \"}\" that closes nothing");
    const auto end = text.find_first_of("{}", at + 1);
    if (end == std::string_view::npos || text[end] == '{')
      return fail("a \"{\" that is not closed");
    const auto wrong =
        read_expression(text.substr(at + 1, end - at - 1), out.parts_.emplace_back());
    if (!wrong.empty()) return fail(wrong);
    at = end + 1;
  }
  return out;
}

std::optional<std::string> UriTemplate::expand(const std::vector<UriVariable>& values) const {
  std::string out;
  for (const auto& part : parts_) {
    out += part.literal;
    const Rules rules = UriTemplate::rules(part.op);
    std::string_view lead = rules.first;
    for (const auto& variable : part.variables) {
      const UriValue* const value = find(values, variable.name);
      if (value == nullptr) continue;
      if (variable.prefix != 0 && !std::holds_alternative<std::string>(*value)) return std::nullopt;
      out += lead;
      lead = rules.separator;
      std::visit(Expansion(out, rules, variable), *value);
    }
  }
  return out;
}

std::vector<std::string_view> UriTemplate::names() const {
  std::vector<std::string_view> out;
  for (const auto& part : parts_)
    for (const auto& variable : part.variables)
      if (std::ranges::find(out, variable.name) == out.end()) out.push_back(variable.name);
  return out;
}

}  // namespace sluice
