#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace load {

/// What a JSON-RPC message says, as far as a load client asks.
struct Answer {
  bool is_response = false;      ///< It has a result or an error.
  bool is_error = false;         ///< A JSON-RPC error, or a result with isError.
  bool has_text = false;         ///< result.content has a block with a text.
  std::string id;                ///< As it stands there.
  std::string error_message;     ///< Of a JSON-RPC error.
  std::string protocol_version;  ///< Of the result of initialize.
  std::string text_start;        ///< The first bytes of the first text.
  std::uint64_t text_bytes = 0;  ///< Its length, decoded.
  /// The first byte at which it is not what was expected.
  std::optional<std::uint64_t> differs_at;
};

/// Reads one JSON-RPC message as its bytes come, and compares the first text of its result, decoded,
/// with what it should be. Written for this purpose alone and against no code of the server, so that
/// the two cannot be wrong in the same way.
///
/// Bounds: holds no text: keys, numbers and beginnings only.
/// Errors: what is not JSON is told by why().
class AnswerReader {
 public:
  /// `expected` outlives the reader; nullopt: any text will do.
  explicit AnswerReader(std::optional<std::string_view> expected) : expected_(expected) {}

  /// Takes the next bytes; false when they are not JSON.
  [[nodiscard]] bool take(std::string_view in);
  /// Says that the message ends here; false when it is not complete.
  [[nodiscard]] bool finish();
  /// Makes ready for the next message.
  void reset();

  [[nodiscard]] bool is_empty() const { return !begun_; }
  [[nodiscard]] const Answer& answer() const { return answer_; }
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  enum class State { between, literal, string, escape, hex };
  enum class Kind { other, key, text, error_message, protocol_version, id };
  struct Level {
    bool is_object = false;
    bool key_next = false;
    std::string key;
  };

  bool take_between(char c);
  bool open(bool is_object);
  bool close(bool is_object);
  bool begin_string();
  void end_string();
  void end_literal();
  bool take_escape(char c);
  bool take_hex(char c);
  void put(std::string_view decoded);
  void put_code_point(std::uint32_t c);
  [[nodiscard]] bool key_is(std::size_t level, std::string_view key) const;
  [[nodiscard]] Kind kind_of_string() const;
  bool fail(const char* why);

  std::optional<std::string_view> expected_;
  Answer answer_;
  std::vector<Level> levels_;
  std::size_t depth_ = 0;  ///< Levels in use; the others keep their memory.
  State state_ = State::between;
  Kind kind_ = Kind::other;
  std::string token_;
  std::uint32_t code_ = 0;
  int hex_digits_ = 0;
  std::uint32_t high_surrogate_ = 0;
  bool begun_ = false;
  bool text_done_ = false;
  std::string why_;
};

/// Finds the response among the events of a text/event-stream body: comments, requests and
/// notifications before it, lines of `data:` joined.
class EventReader {
 public:
  explicit EventReader(std::optional<std::string_view> expected) : message_(expected) {}

  /// Takes the next bytes of the body; false when an event is not JSON.
  [[nodiscard]] bool take(std::string_view in);
  /// The response, once its event has ended.
  [[nodiscard]] const std::optional<Answer>& answer() const { return answer_; }
  void reset();
  [[nodiscard]] const std::string& why() const { return message_.why(); }

 private:
  enum class State { line_start, field, space, data, skipped };
  bool end_line();

  AnswerReader message_;
  std::optional<Answer> answer_;
  State state_ = State::line_start;
  std::string field_;
  bool has_data_ = false;
  bool after_cr_ = false;
};

}  // namespace load
