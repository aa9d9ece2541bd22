#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/complaints.hpp"
#include "config/keys.hpp"
#include "config/yaml.hpp"

namespace sluice::config {

/// What reading one file needs everywhere.
/// Ownership: belongs to load_text(), outlives all fields.
struct Context {
  Complaints& complaints;
  std::string folder;  ///< Of the file; relative paths begin here.
};

/// One value of the file and its name, such as "limits.frames". The readers give the value, or
/// complain and give none.
///
/// Ownership: the tree outlives its fields.
/// Errors:    go to the context; a value is shown as it was written, never what a variable put in.
class Field {
 public:
  Field(Context& context, const yaml::Node& node, std::string name)
      : context_(&context), node_(&node), name_(std::move(name)) {}

  [[nodiscard]] Context& context() const noexcept { return *context_; }
  [[nodiscard]] const yaml::Node& node() const noexcept { return *node_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] Spot spot() const noexcept { return node_->spot; }
  [[nodiscard]] Place place() const { return context_->complaints.place(node_->spot); }
  [[nodiscard]] bool is_null() const noexcept { return node_->is(yaml::Node::Kind::null); }
  [[nodiscard]] bool is_scalar() const noexcept { return node_->is(yaml::Node::Kind::scalar); }
  [[nodiscard]] bool is_sequence() const noexcept { return node_->is(yaml::Node::Kind::sequence); }
  [[nodiscard]] bool is_mapping() const noexcept { return node_->is(yaml::Node::Kind::mapping); }

  /// "name: text"
  void complain(std::string_view text) const;
  /// "name: expected ..., found ..."
  void expected(std::string_view what) const;

  /// Any scalar, digit for digit.
  [[nodiscard]] std::optional<std::string> text() const;
  /// true/false/yes/no/on/off in any of their usual cases; nullopt for anything else, without a
  /// complaint.
  [[nodiscard]] std::optional<bool> as_boolean() const;
  [[nodiscard]] std::optional<bool> boolean() const;
  [[nodiscard]] std::optional<std::uint64_t> integer(std::uint64_t min, std::uint64_t max) const;
  [[nodiscard]] std::optional<double> number(double min, double max) const;
  [[nodiscard]] std::optional<std::uint64_t> bytes(std::uint64_t min) const;
  [[nodiscard]] std::optional<std::chrono::milliseconds> duration(
      std::chrono::milliseconds min) const;
  template <class E, std::size_t N>
  [[nodiscard]] std::optional<E> choice(const std::pair<std::string_view, E> (&choices)[N]) const {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : choices) {
      if (is_scalar() && node_->value == name) return value;
      names.push_back(name);
    }
    expected_one_of(names);
    return std::nullopt;
  }
  /// Text, or `{ file: ... }` whose content is read now, without one line break at its end.
  [[nodiscard]] std::optional<std::string> secret() const;

  /// A list; a single value that is no list counts as a list of one where `or_single`.
  enum class Lists : std::uint8_t { list_only, or_single };
  [[nodiscard]] std::vector<Field> elements(Lists lists = Lists::list_only) const;
  [[nodiscard]] std::vector<std::string> texts() const;
  struct Member;
  /// A mapping whose keys are names that the operator chose; null is an empty one.
  [[nodiscard]] std::vector<Member> members() const;

 private:
  /// A scalar that is not text by its quotes; quotes around a variable do not count.
  [[nodiscard]] bool is_bare() const noexcept;
  void expected_one_of(const std::vector<std::string_view>& names) const;

  Context* context_;
  const yaml::Node* node_;
  std::string name_;
};

struct Field::Member {
  std::string key;
  Spot spot;
  Field value;
};

/// A mapping with known keys; complains about the others. Null is an empty one.
class Section {
 public:
  Section(Field field, const KeyTable& table);

  [[nodiscard]] const Field& field() const noexcept { return field_; }
  [[nodiscard]] bool has(std::string_view key) const { return field_.node().find(key) != nullptr; }
  /// True for a key of the table.
  [[nodiscard]] bool knows(std::string_view key) const;
  /// The value of a key of the table.
  [[nodiscard]] std::optional<Field> find(std::string_view key) const;

  // Each leaves `out` as it is where the key is missing or wrong.
  template <class T>
  void text(std::string_view key, T& out) const {
    put(key, out, [](const Field& f) { return f.text(); });
  }
  template <class T>
  void boolean(std::string_view key, T& out) const {
    put(key, out, [](const Field& f) { return f.boolean(); });
  }
  template <class T>
  void bytes(std::string_view key, T& out, std::uint64_t min = 1) const {
    put(key, out, [min](const Field& f) { return f.bytes(min); });
  }
  template <class T>
  void duration(std::string_view key, T& out,
                std::chrono::milliseconds min = std::chrono::milliseconds(1)) const {
    put(key, out, [min](const Field& f) { return f.duration(min); });
  }
  template <class T>
  void integer(std::string_view key, T& out, std::uint64_t min = 1,
               std::uint64_t max = 1'000'000'000) const {
    put(key, out, [=](const Field& f) { return f.integer(min, max); });
  }
  template <class T, class E, std::size_t N>
  void choice(std::string_view key, T& out,
              const std::pair<std::string_view, E> (&choices)[N]) const {
    put(key, out, [&choices](const Field& f) { return f.choice(choices); });
  }
  void texts(std::string_view key, std::vector<std::string>& out) const;

 private:
  template <class T, class Read>
  void put(std::string_view key, T& out, Read read) const {
    const auto field = find(key);
    if (!field) return;
    if (auto value = read(*field)) out = static_cast<T>(*std::move(value));
  }

  Field field_;
  const KeyTable* table_;
};

}  // namespace sluice::config
