#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "buffer/body_sink.hpp"
#include "json/base64.hpp"
#include "json/escaper.hpp"
#include "json/raw_json.hpp"

namespace sluice::mcp {

/// A JSON message on its way into a sink: fixed text, and values that are too large to be at hand
/// as a whole.
///
/// A producer can be cancelled at every wait. So fixed text is added first and written when there
/// is room: the producer's state and the text change together, without a wait between them, and
/// what a cancelled operation has left is written by the next one.
///
/// Ownership: borrows the sink.
/// Threads:   that of the sink; one operation at a time.
class JsonStream {
 public:
  /// What becomes of the bytes of the open value.
  enum class Coding : std::uint8_t {
    none,    ///< No value is open.
    escape,  ///< The inside of a string; what is not UTF-8 becomes U+FFFD.
    base64,  ///< The inside of a string.
    raw,     ///< Has to be one JSON value, and stays as it is.
  };

  JsonStream(BodySink& sink, std::uint32_t max_nesting) : sink_(sink), raw_(max_nesting) {}
  JsonStream(const JsonStream&) = delete;
  JsonStream& operator=(const JsonStream&) = delete;

  [[nodiscard]] BodySink& sink() noexcept { return sink_; }

  /// Fixed text, written ahead of what comes next.
  void add(std::string_view text) { pending_ += text; }
  /// Writes what was added; on success the sink has room for at least BodySink::kMinRoom bytes
  /// more.
  [[nodiscard]] Awaitable<Result<>> drain();

  /// Opens a value: close() puts `end` behind it, which is a constant. REQUIRES: none is open.
  void open(Coding coding, std::string_view end);
  [[nodiscard]] Coding coding() const noexcept { return coding_; }
  [[nodiscard]] bool is_open() const noexcept { return coding_ != Coding::none; }
  /// Appends to the open value. Errors: those of the sink, Errc::not_json.
  [[nodiscard]] Awaitable<Result<>> encode(std::string_view bytes);
  /// Ends an open string.
  [[nodiscard]] Awaitable<Result<>> close();
  /// Ends raw JSON, where it is complete; else the value stays open.
  [[nodiscard]] Result<> close_raw();
  /// Forgets the start of a character that encode() holds until it sees the rest.
  void cut() noexcept;
  /// Forgets the open value and what was added: the sink has been taken back to before them.
  void drop();

  /// Bytes that encode() has taken.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// Some of them were none of the payload.
  void set_bytes(std::uint64_t bytes) noexcept { bytes_ = bytes; }

  /// So many bytes come on the line that an event has open.
  void grow_line(std::size_t bytes) noexcept { line_bytes_ += bytes; }
  /// Breaks that line between two tokens, where it has grown long. REQUIRES: the sink has room.
  void break_long_line();

 private:
  BodySink& sink_;
  json::Escaper escaper_;
  json::Base64Encoder base64_;
  json::RawJson raw_;
  std::string pending_;
  std::string_view end_;
  std::uint64_t bytes_ = 0;
  std::uint64_t line_bytes_ = 0;  // since the last break
  Coding coding_ = Coding::none;
};

}  // namespace sluice::mcp
