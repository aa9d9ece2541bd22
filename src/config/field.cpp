#include "config/field.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/check.hpp"
#include "base/units.hpp"
#include "config/files.hpp"

namespace sluice::config {
namespace {

std::string describe(const yaml::Node& node) {
  switch (node.kind) {
    case yaml::Node::Kind::null:
      return "nothing";
    case yaml::Node::Kind::sequence:
      return "a list";
    case yaml::Node::Kind::mapping:
      return "a mapping";
    case yaml::Node::Kind::scalar:
      break;
  }
  return (node.has_variables() ? "the value of "
          : node.is_plain      ? ""
                               : "the text ") +
         in_quotes(node.written);
}

std::optional<bool> parse_boolean(std::string_view text) {
  for (const auto yes : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
    if (text == yes) return true;
  for (const auto no : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})
    if (text == no) return false;
  return std::nullopt;
}

}  // namespace

void Field::complain(std::string_view text) const {
  context_->complaints.add(node_->spot, (name_.empty() ? "" : name_ + ": ") + std::string(text));
}

void Field::expected(std::string_view what) const {
  complain("expected " + std::string(what) + ", found " + describe(*node_));
}

void Field::expected_one_of(const std::vector<std::string_view>& names) const {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? " or " : ", ";
    list += names[i];
  }
  complain("expected " + list + ", found " + describe(*node_) +
           (is_scalar() ? did_you_mean(node_->written, names) : std::string{}));
}

bool Field::is_bare() const noexcept {
  return is_scalar() && (node_->is_plain || node_->has_variables());
}

std::optional<std::string> Field::text() const {
  if (is_scalar()) return node_->value;
  expected("text");
  return std::nullopt;
}

std::optional<bool> Field::as_boolean() const {
  return is_bare() ? parse_boolean(node_->value) : std::nullopt;
}

std::optional<bool> Field::boolean() const {
  const auto value = as_boolean();
  if (!value) expected("true or false");
  return value;
}

std::optional<std::uint64_t> Field::integer(std::uint64_t min, std::uint64_t max) const {
  std::uint64_t number = 0;
  const std::string& text = node_->value;
  const auto [rest, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_decimal = is_bare() && ec == std::errc{} && rest == text.data() + text.size() &&
                          (text[0] != '0' || text.size() == 1);
  if (is_decimal && number >= min && number <= max) return number;
  expected("a whole number from " + std::to_string(min) + " to " + std::to_string(max) +
           " in decimal digits");
  return std::nullopt;
}

std::optional<double> Field::number(double min, double max) const {
  double number = 0;
  const std::string& text = node_->value;
  const auto [rest, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (is_bare() && ec == std::errc{} && rest == text.data() + text.size() && number >= min &&
      number <= max)
    return number;
  const auto shown = [](double d) { return std::to_string(static_cast<int>(d)); };
  expected("a number from " + shown(min) + " to " + shown(max));
  return std::nullopt;
}

std::optional<std::uint64_t> Field::bytes(std::uint64_t min) const {
  const auto value = is_scalar() ? parse_bytes(node_->value) : std::nullopt;
  if (value && *value >= min) return value;
  expected("a size such as 512, 64KiB or 4MiB" +
           (min > 0 ? ", at least " + format_bytes(min) : std::string{}));
  return std::nullopt;
}

std::optional<std::chrono::milliseconds> Field::duration(std::chrono::milliseconds min) const {
  const auto value = is_scalar() ? parse_duration(node_->value) : std::nullopt;
  if (value && *value >= min) return value;
  expected("a time such as 250ms, 30s or 5m" +
           (min.count() > 0 ? ", at least " + format_duration(min) : std::string{}));
  return std::nullopt;
}

std::optional<std::string> Field::secret() const {
  if (is_scalar()) return text();
  if (!is_mapping()) {
    expected("text or { file: path }");
    return std::nullopt;
  }
  const Section section(*this, keys::secret);
  const auto file = section.find("file");
  if (!file) {
    if (node_->entries.empty()) expected("text or { file: path }");
    return std::nullopt;
  }
  auto content = read_file(*file);
  if (content && content->ends_with('\n')) {
    content->pop_back();
    if (content->ends_with('\r')) content->pop_back();
  }
  return content;
}

std::vector<Field> Field::elements(Lists lists) const {
  std::vector<Field> out;
  if (is_sequence()) {
    for (std::size_t i = 0; i < node_->elements.size(); ++i)
      out.emplace_back(*context_, *node_->elements[i], name_ + "[" + std::to_string(i) + "]");
  } else if (lists == Lists::or_single && !is_null()) {
    out.push_back(*this);
  } else if (!is_null()) {
    expected("a list");
  }
  return out;
}

std::vector<std::string> Field::texts() const {
  std::vector<std::string> out;
  for (const auto& element : elements(Lists::list_only))
    if (auto value = element.text()) out.push_back(*std::move(value));
  return out;
}

std::vector<Field::Member> Field::members() const {
  std::vector<Member> out;
  if (!is_mapping() && !is_null()) expected("a mapping");
  out.reserve(node_->entries.size());
  for (const auto& entry : node_->entries)
    out.push_back(
        {entry.key, entry.spot,
         Field(*context_, *entry.value, name_.empty() ? entry.key : name_ + "." + entry.key)});
  return out;
}

Section::Section(Field field, const KeyTable& table) : field_(std::move(field)), table_(&table) {
  for (const auto& member : field_.members()) {
    if (table.is_open || std::ranges::find(table.keys, member.key) != table.keys.end()) continue;
    field_.context().complaints.add(member.spot,
                                    "unknown key " + in_quotes(member.key) +
                                        (field_.name().empty() ? "" : " in " + field_.name()) +
                                        did_you_mean(member.key, table.keys));
  }
}

bool Section::knows(std::string_view key) const {
  return std::ranges::find(table_->keys, key) != table_->keys.end();
}

std::optional<Field> Section::find(std::string_view key) const {
  SLUICE_DCHECK(knows(key));
  const auto* entry = field_.node().find(key);
  if (entry == nullptr) return std::nullopt;
  const std::string& name = field_.name();
  return Field(field_.context(), *entry->value,
               (name.empty() ? "" : name + ".") + std::string(key));
}

void Section::texts(std::string_view key, std::vector<std::string>& out) const {
  if (const auto field = find(key)) out = field->texts();
}

}  // namespace sluice::config
