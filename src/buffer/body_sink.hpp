#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <sluice/error.hpp>
#include <sluice/result_writer.hpp>

namespace sluice {

/// Takes the bytes of a JSON message: a response on its way to a client, or a Recording.
///
/// Way of the bytes: room() gives the free end of a buffer, commit() makes bytes part of the
/// message. Where room() is empty, wait_room() waits for some.
///
/// Threads:   one loop; one producer coroutine at a time.
class BodySink {
 public:
  static constexpr std::size_t kMinRoom = 2048;

  /// A place to come back to while nothing has left.
  struct Mark {
    std::size_t frames;
    std::size_t end;
    std::size_t breaks;
  };

  BodySink() = default;
  BodySink(const BodySink&) = delete;
  BodySink& operator=(const BodySink&) = delete;
  virtual ~BodySink() = default;

  /// At least kMinRoom bytes, or none: wait_room() then. Valid until the next call of anything
  /// here.
  [[nodiscard]] virtual std::span<char> room() = 0;
  /// REQUIRES: n <= room().size().
  virtual void commit(std::size_t n) noexcept = 0;
  /// Copies `bytes` where there is room. REQUIRES: room() is not empty and holds them.
  virtual void put(std::string_view bytes) noexcept = 0;
  /// Until room() is not empty, or the error that stopped the message.
  [[nodiscard]] virtual Awaitable<Result<>> wait_room() = 0;

  /// Marks a place between JSON tokens where the `data:` line of an event may be broken.
  /// REQUIRES: room() is not empty.
  virtual void line_break() = 0;

  [[nodiscard]] virtual Mark mark() noexcept = 0;
  /// What was written since the mark; nothing where some of it may have left.
  [[nodiscard]] virtual std::optional<std::string> copy_since(const Mark& mark) = 0;
  /// Takes back everything since the mark; false where some of it may have left.
  [[nodiscard]] virtual bool rollback(const Mark& mark) noexcept = 0;
};

/// Part of a message that several responses share. Nobody changes its bytes while a view of them is
/// in use.
struct BodyPiece {
  std::string_view bytes;
  bool breaks_line = false;  ///< The `data:` line of an event may be broken in front of it.
};

}  // namespace sluice
