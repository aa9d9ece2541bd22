#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/signal.hpp"
#include "buffer/body_sink.hpp"
#include "buffer/frame_pool.hpp"

namespace sluice {

/// The bytes of a message on their way from one producer to one consumer that is not known yet when
/// the first of them come: a response, or a file.
///
/// Way of the bytes: frames of the loop's pool. They are held back until the window is full or the
/// message is over, so that the producer can take back what it wrote as long as it could with a
/// FrameWriter; from the first take() on, frames are there for the consumer as soon as they are
/// full. A line feed stands where a line may be broken; JSON has no others but between tokens, so
/// what comes out is the same message, and need not be told where its breaks are.
///
/// Ownership: borrows the pool, which outlives it.
/// Threads:   one loop; one producer and one consumer coroutine.
/// Bounds:    `window` frames, those taken and not done with included.
class FrameQueue final : public BodySink {
 public:
  FrameQueue(FramePool& pool, const boost::asio::any_io_executor& executor, std::size_t window);

  // The producer's half.
  [[nodiscard]] std::span<char> room() override;
  void commit(std::size_t n) noexcept override;
  void put(std::string_view bytes) noexcept override;
  [[nodiscard]] Awaitable<Result<>> wait_room() override;
  void line_break() override;
  [[nodiscard]] Mark mark() noexcept override;
  [[nodiscard]] std::optional<std::string> copy_since(const Mark& mark) override;
  [[nodiscard]] bool rollback(const Mark& mark) noexcept override;
  /// The message is over. Once.
  void finish();

  // The consumer's half.
  struct Chunk {
    Frame frame;
    std::size_t size = 0;
    std::uint64_t at = 0;  ///< Where in the message its first byte stands.
    [[nodiscard]] std::string_view bytes() const noexcept { return {frame.data(), size}; }
  };
  /// The oldest frame, where it is full or the message is over. done() is due before the next.
  [[nodiscard]] std::optional<Chunk> take();
  /// The chunk that was taken is gone.
  void done() noexcept;
  /// Until take() has something to give, everything is taken, or wake().
  [[nodiscard]] Awaitable<void> wait();
  void wake() { consumer_.notify(); }

  /// Frames from now on.
  void set_window(std::size_t frames) noexcept { window_ = frames; }
  /// The consumer can write over what it was given: what was taken can be taken back, and comes
  /// again with a place that it had before.
  void allow_rewind() noexcept { rewinds_ = true; }
  /// Nobody wants the rest: what is there goes, and what comes is dropped.
  void discard() noexcept;

  /// True where the producer waits, or would.
  [[nodiscard]] bool is_full() const noexcept { return producer_waits_; }
  [[nodiscard]] bool is_over() const noexcept { return over_; }
  /// Over, and all of it was taken.
  [[nodiscard]] bool is_drained() const noexcept { return over_ && slots_.empty(); }
  /// Bytes of the message so far.
  [[nodiscard]] std::uint64_t size() const noexcept { return end_; }
  /// What is there, in pieces that stay until it is taken or changed.
  [[nodiscard]] std::vector<BodyPiece> pieces() const;

 private:
  struct Slot {
    Frame frame;
    std::size_t used = 0;
  };

  [[nodiscard]] bool can_take() const noexcept;
  /// Where in the message the first byte stands that was not taken.
  [[nodiscard]] std::uint64_t begin() const noexcept;

  FramePool& pool_;
  Signal producer_;
  Signal consumer_;
  std::size_t window_;
  std::deque<Slot> slots_;
  std::uint64_t end_ = 0;  // bytes of the message so far
  std::size_t taken_ = 0;  // frames that the consumer has
  bool open_ = false;      // take() has given something
  bool rewinds_ = false;
  bool producer_waits_ = false;
  bool discarding_ = false;
  bool over_ = false;
};

/// Appends `text` to `out` as pieces, cut where it has line feeds, which are left out.
/// `breaks_line`: a line may be broken in front of it; then, behind it.
void append_lines(std::vector<BodyPiece>& out, std::string_view text, bool& breaks_line);

}  // namespace sluice
