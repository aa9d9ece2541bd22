#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

enum class JsonKind : std::uint8_t { null, boolean, number, string, array, object };

/// One value of a parsed document, in document order: an array is followed by its elements, an
/// object by its members, each a string node (the name) and then the value. `next` skips a whole
/// subtree.
struct JsonNode {
  JsonKind kind;
  bool truth;           ///< boolean: its value.
  std::uint32_t count;  ///< array: elements; object: members; else 0.
  std::uint32_t
      next;  ///< Distance, in nodes, from this one to the one after its subtree; at least 1.
  std::string_view raw;     ///< The bytes of the document from the first to the last of this value.
  std::string_view string;  ///< string: the value with its escapes undone.
};

/// A view of one JSON value inside a parsed document, or of none (a member that is not there).
/// Numbers stay text until somebody asks, so that no digit is lost on the way through.
///
/// Ownership: none; valid while the document it came from is.
/// Threads:   immutable, any.
class Json {
 public:
  class Iterator;
  struct Member;
  class Members;

  Json() = default;
  explicit Json(const JsonNode* node) noexcept : node_(node) {}

  /// False for a member that is not there. JSON null is there.
  [[nodiscard]] explicit operator bool() const noexcept { return node_ != nullptr; }

  // REQUIRES of all below, except find(): *this is there.
  [[nodiscard]] JsonKind kind() const noexcept { return node_->kind; }
  [[nodiscard]] bool is(JsonKind k) const noexcept { return node_ && node_->kind == k; }
  /// The value as it stood in the document, byte for byte.
  [[nodiscard]] std::string_view raw() const noexcept { return node_->raw; }
  [[nodiscard]] std::size_t size() const noexcept { return node_->count; }

  [[nodiscard]] std::optional<bool> as_bool() const noexcept;
  [[nodiscard]] std::optional<std::string_view> as_string() const noexcept;
  /// An integer in range, also when written 1.0 or 1e2; nullopt for any other value.
  [[nodiscard]] std::optional<std::int64_t> as_int() const noexcept;
  /// The nearest double; nullopt where the value is no number.
  [[nodiscard]] std::optional<double> as_double() const noexcept;

  /// The member of that exact name; the last one where the name is repeated. Not there where this
  /// is no object, has no such member, or is itself not there, so that finds can be chained.
  [[nodiscard]] Json find(std::string_view name) const noexcept;

  /// Elements of an array; nothing for any other kind.
  [[nodiscard]] Iterator begin() const noexcept;
  [[nodiscard]] Iterator end() const noexcept;
  /// Members of an object, in document order; nothing for any other kind.
  [[nodiscard]] Members members() const noexcept;

  [[nodiscard]] const JsonNode* node() const noexcept { return node_; }

 private:
  const JsonNode* node_ = nullptr;
};

class Json::Iterator {
 public:
  Iterator(const JsonNode* node, std::uint32_t left) noexcept : node_(node), left_(left) {}
  [[nodiscard]] Json operator*() const noexcept { return Json(node_); }
  Iterator& operator++() noexcept {
    node_ += node_->next;
    --left_;
    return *this;
  }
  [[nodiscard]] bool operator!=(const Iterator& other) const noexcept {
    return left_ != other.left_;
  }

 private:
  const JsonNode* node_;
  std::uint32_t left_;
};

struct Json::Member {
  std::string_view name;
  Json value;
};

class Json::Members {
 public:
  class Iterator {
   public:
    Iterator(const JsonNode* node, std::uint32_t left) noexcept : node_(node), left_(left) {}
    [[nodiscard]] Member operator*() const noexcept { return {node_->string, Json(node_ + 1)}; }
    Iterator& operator++() noexcept {
      node_ += 1 + node_[1].next;
      --left_;
      return *this;
    }
    [[nodiscard]] bool operator!=(const Iterator& other) const noexcept {
      return left_ != other.left_;
    }

   private:
    const JsonNode* node_;
    std::uint32_t left_;
  };

  Members(const JsonNode* first, std::uint32_t count) noexcept : first_(first), count_(count) {}
  [[nodiscard]] Iterator begin() const noexcept { return {first_, count_}; }
  [[nodiscard]] Iterator end() const noexcept { return {nullptr, 0}; }

 private:
  const JsonNode* first_;
  std::uint32_t count_;
};

}  // namespace sluice
