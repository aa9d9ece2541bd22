#include "config/json_text.hpp"

#include <algorithm>

#include "config/slots.hpp"
#include "json/document.hpp"

namespace sluice::config {
namespace {

enum class Scalar : std::uint8_t { null, boolean, number, odd_number, string };

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::size_t digits(std::string_view text, std::size_t from) {
  std::size_t n = 0;
  while (from + n < text.size() && text[from + n] >= '0' && text[from + n] <= '9') ++n;
  return n;
}

/// A number of the core schema; `odd_number` where JSON writes it in another way.
Scalar number_kind(std::string_view text) {
  bool is_json = true;
  std::size_t i = 0;
  if (text.starts_with('+') || text.starts_with('-')) {
    is_json = text[0] == '-';
    i = 1;
  }
  const auto body = text.substr(i);
  if (is_one_of(body, {".inf", ".Inf", ".INF"}) || is_one_of(text, {".nan", ".NaN", ".NAN"}))
    return Scalar::odd_number;
  if (body.size() > 2 && i == 0 && (body.starts_with("0x") || body.starts_with("0o"))) {
    const auto* const allowed = body[1] == 'x' ? "0123456789abcdefABCDEF" : "01234567";
    return body.find_first_not_of(allowed, 2) == std::string_view::npos ? Scalar::odd_number
                                                                        : Scalar::string;
  }
  const std::size_t whole = digits(text, i);
  if (whole == 0 || (whole > 1 && text[i] == '0')) is_json = false;
  i += whole;
  std::size_t fraction = 0;
  if (i < text.size() && text[i] == '.') {
    fraction = digits(text, i + 1);
    if (fraction == 0) is_json = false;
    i += 1 + fraction;
  }
  if (whole + fraction == 0) return Scalar::string;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    const std::size_t exponent = digits(text, i);
    if (exponent == 0) return Scalar::string;
    i += exponent;
  }
  if (i != text.size()) return Scalar::string;
  return is_json ? Scalar::number : Scalar::odd_number;
}

Scalar kind_of(const yaml::Node& node) {
  if (!node.is_plain) return Scalar::string;
  if (node.value.empty()) return Scalar::string;  // Only a variable can make a plain scalar empty.
  if (is_one_of(node.value, {"null", "Null", "NULL", "~"})) return Scalar::null;
  if (is_one_of(node.value, {"true", "True", "TRUE", "false", "False", "FALSE"}))
    return Scalar::boolean;
  return number_kind(node.value);
}

/// JSON text of a scalar or null.
std::optional<std::string> scalar_json(const Field& field) {
  if (field.is_null()) return "null";
  const auto& node = field.node();
  switch (kind_of(node)) {
    case Scalar::null:
      return "null";
    case Scalar::boolean:
      return node.value[0] == 't' || node.value[0] == 'T' ? "true" : "false";
    case Scalar::number:
      return node.value;
    case Scalar::string:
      return json_string(node.value);
    case Scalar::odd_number:
      break;
  }
  field.expected("a number as JSON writes it (1, -0.5, 1e9), or quotes around text");
  return std::nullopt;
}

class JsonWriter {
 public:
  /// False: something was complained about, and the text is of no use.
  bool write(const Field& field, std::span<const std::string_view> without) {
    if (field.is_sequence()) {
      out_ += '[';
      const char* separator = "";
      for (const auto& element : field.elements()) {
        out_ += separator;
        separator = ",";
        write(element, {});
      }
      out_ += ']';
    } else if (field.is_mapping()) {
      out_ += '{';
      const char* separator = "";
      for (const auto& member : field.members()) {
        if (std::ranges::find(without, member.key) != without.end()) continue;
        out_ += separator;
        separator = ",";
        json::append_string(out_, member.key);
        out_ += ':';
        write(member.value, {});
      }
      out_ += '}';
    } else if (const auto text = scalar_json(field)) {
      out_ += *text;
    } else {
      is_good_ = false;
    }
    return is_good_;
  }
  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  std::string out_;
  bool is_good_ = true;
};

/// False after a complaint.
bool fill(const Field& field, JsonTemplate& out) {
  bool is_good = true;
  if (field.is_sequence()) {
    out.kind = JsonTemplate::Kind::array;
    for (const auto& element : field.elements())
      is_good &= fill(element, out.elements.emplace_back());
  } else if (field.is_mapping()) {
    out.kind = JsonTemplate::Kind::object;
    for (const auto& member : field.members()) {
      out.members.push_back({member.key, {}});
      is_good &= fill(member.value, out.members.back().value);
    }
  } else if (field.is_scalar() && kind_of(field.node()) == Scalar::string) {
    auto text = read_template(field);
    if (!text) return false;
    const bool has_slot = std::ranges::any_of(text->parts, &Template::Part::is_slot);
    if (has_slot) {
      out.kind = JsonTemplate::Kind::string;
      out.string = *std::move(text);
    } else {
      out.literal = json_string(text->parts.empty() ? std::string_view{} : text->parts[0].text);
    }
  } else if (auto literal = scalar_json(field)) {
    out.literal = *std::move(literal);
  } else {
    is_good = false;
  }
  return is_good;
}

}  // namespace

std::optional<std::string> to_json(const Field& field, std::span<const std::string_view> without) {
  JsonWriter writer;
  if (!writer.write(field, without)) return std::nullopt;
  return std::move(writer).take();
}

std::optional<std::string> to_json_object(const Field& field) {
  if (field.is_mapping()) return to_json(field);
  field.expected("a mapping");
  return std::nullopt;
}

std::optional<JsonTemplate> to_json_template(const Field& field) {
  JsonTemplate out;
  if (!fill(field, out)) return std::nullopt;
  return out;
}

std::string json_string(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

}  // namespace sluice::config
