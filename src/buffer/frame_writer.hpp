#pragma once

#include <array>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <sluice/error.hpp>
#include <sluice/result_writer.hpp>

#include "base/signal.hpp"
#include "buffer/body_sink.hpp"
#include "buffer/encoder_pool.hpp"
#include "buffer/event_log.hpp"
#include "buffer/frame_pool.hpp"
#include "buffer/transport.hpp"

namespace sluice {

/// How a response body is framed. Undecided until something has to leave.
enum class BodyForm : std::uint8_t { undecided, json, event_stream };

/// What a FrameWriter has decided by the time the head is due.
struct BodyDecision {
  BodyForm form = BodyForm::undecided;
  /// None: the body is chunked, or ends with the connection where `chunked` was off.
  std::optional<std::uint64_t> length;
  ContentCoding coding = ContentCoding::identity;
  bool varies = false;  ///< Another Accept-Encoding may get another coding.
};

/// Renders the head of the response that a FrameWriter writes.
class HeadWriter {
 public:
  /// A head is never longer.
  static constexpr std::size_t kMaxHead = 2048;
  virtual ~HeadWriter() = default;
  /// Writes status line and fields, the empty line too, and returns their length.
  [[nodiscard]] virtual std::size_t write_head(std::span<char, kMaxHead> out,
                                               const BodyDecision& body) = 0;
};

/// One response: takes the bytes of one JSON-RPC message and sends them in pooled frames, deciding
/// late whether they go as JSON or as a server-sent event.
///
/// Way of the bytes: room() gives the free end of the current frame, commit() makes bytes part of
/// it. A frame with less than kMinRoom left is sealed: its chunk-size line and the CRLF behind go
/// into space kept for them, so it is one contiguous write. Sealed frames queue; one gathered write
/// sends all that is queued. With `window` frames in use room() is empty and the producer waits
/// until a write has freed one.
///
/// Compression: where it is wanted, frames that are full go through an encoder, whose output is
/// what queues; the frame is then filled anew. A response that had to begin early (an event, a
/// heartbeat) goes out as it is, since an encoder holds bytes back.
///
/// Nothing is sent before commit time, which comes with the first of: the message ends (then
/// Content-Length, no chunks), the window is full, event(), or heartbeat(). At that point the form
/// is fixed. A result that an event() went ahead of waits on as before, so that more can: its bytes
/// leave when the window is full, at its end, or with a heartbeat().
///
/// Ownership: borrows transport, pool and head writer; they outlive it. REQUIRES at destruction:
///            is_idle().
/// Threads:   one loop; one producer coroutine at a time.
/// Bounds:    `window` frames, fewer where the pool is short, at least the one that start()
///            reserved; one more until an event has left that goes ahead of a full window.
/// Errors:    the first failed write is kept and given to every later operation; frames are given
///            back at once.
class FrameWriter final : public BodySink {
 public:
  static constexpr std::size_t kWindow = 4;
  /// Breaks the `data:` line of an event.
  static constexpr std::string_view kLineBreak = "\ndata: ";
  static constexpr std::string_view kEventStart = "data: ";
  static constexpr std::string_view kEventEnd = "\n\n";

  struct Options {
    bool takes_json = true;  ///< By Accept; at least one is set.
    bool takes_events = true;
    /// What to do where both are taken: `automatic` is an event while the message fits the window,
    /// JSON when it does not.
    enum class Prefer : std::uint8_t { automatic, json, events } prefer = Prefer::automatic;
    bool chunked = true;  ///< Off for HTTP/1.0: the body ends with the connection.
    /// What the client takes and the operator wants; needs `encoders`, which outlives the response.
    ContentCoding coding = ContentCoding::identity;
    EncoderPool* encoders = nullptr;
    std::uint64_t min_encoded = 0;  ///< A message that is known to be shorter is not compressed.
    bool varies = false;            ///< See BodyDecision.
    /// What is told of an event stream that opens before the result is there; null: nobody is.
    EventLog* log = nullptr;
    /// JSON was asked for: nothing goes ahead of the result but what has to.
    bool quiet = false;
  };

  FrameWriter(Transport& transport, FramePool& pool, HeadWriter& head);
  ~FrameWriter() override;

  /// Begins a response. False where the pool has no frame left (Errc::frames_exhausted); nothing
  /// was then begun.
  [[nodiscard]] bool start(const Options& options);

  // BodySink
  [[nodiscard]] std::span<char> room() override;
  void commit(std::size_t n) noexcept override;
  void put(std::string_view bytes) noexcept override;
  [[nodiscard]] Awaitable<Result<>> wait_room() override;
  void line_break() override;
  [[nodiscard]] Mark mark() noexcept override;
  [[nodiscard]] std::optional<std::string> copy_since(const Mark& mark) override;
  [[nodiscard]] bool rollback(const Mark& mark) noexcept override;

  enum class Event : std::uint8_t {
    sent,
    refused,  ///< The client takes no events, or the result has begun to leave.
    full,     ///< No place for it now: wait_written(), then try again.
  };
  /// Whether a message may be left out where the response should be nothing but its result.
  enum class Need : std::uint8_t { optional, required };
  /// Sends a message of its own ahead of the result, as an event. One frame holds it, or it is
  /// refused.
  [[nodiscard]] Event event(std::string_view json, Need need = Need::optional);
  /// The same for one that has to be sent, of any size, however long the client takes; what does
  /// not fit a frame can only go ahead of a result that has not begun.
  /// Errors: Errc::cannot_ask where it is refused, or the writer's.
  [[nodiscard]] Awaitable<Result<>> send_event(std::string_view json);
  /// Takes back all of the message that was put; false where some of it has left.
  [[nodiscard]] bool take_back() noexcept;
  /// Until a write has ended. REQUIRES: is_writing().
  [[nodiscard]] Awaitable<void> wait_written();
  /// Ends the response here, for a client that comes back for the rest; from then on only the log
  /// is told. False where it cannot: the client has no id and would not understand one, or the
  /// result has begun.
  [[nodiscard]] Awaitable<bool> hang_up();
  /// Something for the line while the handler is silent: a comment in an event stream, white space
  /// before a JSON body, and what there is of the result once it has begun.
  void heartbeat();

  /// The message is complete; returns when its last byte was taken by the transport.
  [[nodiscard]] Awaitable<Result<>> finish();
  /// The same for a message whose rest is `pieces`: they are sent from where they lie, with
  /// Content-Length, where nothing has left yet and the message stands in one frame; else copied.
  /// The pieces stay as they are until this has returned.
  [[nodiscard]] Awaitable<Result<>> finish_with(std::span<const BodyPiece> pieces);
  /// Sends a whole body that is ready: `pieces` in their form and coding, nothing else.
  /// REQUIRES: nothing was put since start().
  [[nodiscard]] Awaitable<Result<>> finish_encoded(std::span<const BodyPiece> pieces, BodyForm form,
                                                   ContentCoding coding);
  /// The form that a message of `size` bytes takes where it is all at hand.
  [[nodiscard]] BodyForm form_for(std::uint64_t size) const noexcept {
    return choose(size <= kWindow * kFrameBytes ? BodyForm::event_stream : BodyForm::json);
  }
  [[nodiscard]] const Options& options() const noexcept { return options_; }
  /// Copies them into the message.
  [[nodiscard]] Awaitable<Result<>> put_pieces(std::span<const BodyPiece> pieces);
  /// The message cannot be completed: resets the connection where bytes of it have left.
  void abort() noexcept;
  /// The client is gone but the handler is to run on: from here everything is dropped, and the log
  /// alone is told, where the client has an id to come back with.
  void discard() noexcept;
  /// Returns when no write is in progress.
  [[nodiscard]] Awaitable<void> settle();

  /// True once a head has been handed to the transport.
  [[nodiscard]] bool is_committed() const noexcept { return form_ != BodyForm::undecided; }
  [[nodiscard]] BodyForm form() const noexcept { return form_; }
  /// True where an event stream is open in which nothing of the message stands yet: finish() then
  /// ends it as it is.
  [[nodiscard]] bool ends_without_result() const noexcept {
    return form_ == BodyForm::event_stream && !begun_;
  }
  /// True while nothing is in progress.
  [[nodiscard]] bool is_idle() const noexcept { return !writing_; }
  [[nodiscard]] bool is_writing() const noexcept { return writing_; }
  /// True where a client that has lost the connection may come back for what is written.
  [[nodiscard]] bool is_resumable() const noexcept { return logs_; }
  /// Why nobody gets the message.
  [[nodiscard]] boost::system::error_code error() const noexcept {
    return discarding_ && logs_ ? boost::system::error_code() : error_;
  }
  [[nodiscard]] std::size_t frames_held() const noexcept { return count_ + (encoder_ ? 1 : 0); }
  /// Bytes taken by the transport since the writer was made; grows while the client reads.
  [[nodiscard]] std::uint64_t bytes_sent() const noexcept { return sent_; }

 private:
  struct Slot {
    Frame frame;
    std::size_t begin = 0;  ///< Of the body, then of what is left to send.
    std::size_t end = 0;
    std::size_t logged = 0;  ///< What stands before it is none of the result, or the log knows it.
    bool sealed = false;
  };

  // The first frame keeps room for the head, each for a chunk-size line (8 digits, CRLF) and "data:
  // " in front.
  static constexpr std::size_t kFront = 16;
  static constexpr std::size_t kFirstFront = HeadWriter::kMaxHead + kFront;
  // Behind: the blank line of an event, CRLF of the chunk, the last chunk.
  static constexpr std::size_t kBack = 16;
  static constexpr std::size_t kMaxBreaks = 64;
  /// Of an event in one frame.
  static constexpr std::size_t kMaxEvent = kFrameBytes - kFirstFront - kBack;

  /// True while the whole of the result so far is here, whether or not its form is decided.
  [[nodiscard]] bool is_all_here() const noexcept {
    return !discarding_ && (form_ == BodyForm::undecided || holds_result());
  }
  /// True while the result waits although its form is decided, so that events can go ahead of it.
  [[nodiscard]] bool holds_result() const noexcept {
    return form_ == BodyForm::event_stream && begun_ && !leaving_;
  }
  [[nodiscard]] std::size_t events_ahead() noexcept;
  [[nodiscard]] Slot& slot(std::size_t i) noexcept { return slots_[(first_ + i) % slots_.size()]; }
  [[nodiscard]] Slot& current() noexcept { return slot(count_ - 1); }
  [[nodiscard]] bool has_current() noexcept { return count_ > 0 && !current().sealed; }
  [[nodiscard]] static std::size_t free_bytes(const Slot& s) noexcept {
    return kFrameBytes - kBack - s.end;
  }
  /// Where the producer's bytes go.
  [[nodiscard]] Slot& top() noexcept { return encoder_ ? raw_ : current(); }
  [[nodiscard]] bool open_frame(std::size_t most);
  [[nodiscard]] bool refuses_events() const noexcept;
  /// The most that it takes.
  [[nodiscard]] std::size_t event_size(std::string_view json) const noexcept;
  /// Gives an event to the log alone; false where the client has not gone, or cannot come back.
  [[nodiscard]] bool tell_log(std::string_view json);
  [[nodiscard]] Awaitable<Result<>> send_long_event(std::string_view json);
  /// The form by what the client takes, then by preference; `automatic` where neither decides.
  [[nodiscard]] BodyForm choose(BodyForm automatic) const noexcept;
  void commit_form(BodyForm form);
  /// Sends the frames that are full.
  void send_full();
  [[nodiscard]] std::uint64_t body_bytes() noexcept;
  /// Decides for compression, if it can be had, and takes in what was written so far.
  void begin_encoding();
  /// Each goes on until it is done or needs more than `most` frames for what comes out.
  [[nodiscard]] bool encode(Slot& in, std::size_t most);
  [[nodiscard]] bool end_encoding(std::size_t most);
  void flush_encoder();
  [[nodiscard]] std::span<char> encoder_room(std::size_t most);
  [[nodiscard]] std::span<char> room_before_encoder();
  void keep_for_encoder(Frame frame) noexcept;
  void drop_encoder() noexcept;
  static void put_front(Slot& s, std::string_view bytes) noexcept;
  static void append(Slot& s, std::string_view bytes) noexcept;
  void seal(Slot& s, bool last);
  /// Makes it an event stream, with what the log puts in front. REQUIRES: a slot to append to.
  void open_stream(Slot& s);
  /// An event of its own, with the fields that the log gives it.
  void append_event(Slot& s, std::string_view json);
  /// What is no part of the result.
  static void append_around(Slot& s, std::string_view bytes) noexcept;
  /// Tells the log of what of the result stands in the slot and can be taken back no more.
  void log(Slot& s);
  void end_log(EventLog::End end);
  /// Number `i` of what is sent of the shared pieces: a line break, the bytes, or the event's end.
  [[nodiscard]] std::string_view shared_part(std::size_t i) const noexcept;
  [[nodiscard]] bool has_shared() const noexcept { return shared_next_ < shared_parts_; }
  void flush();
  [[nodiscard]] std::size_t gather(std::span<boost::asio::const_buffer> out) noexcept;
  /// These bytes of what is queued have been taken.
  void took(std::size_t bytes) noexcept;
  void pump();
  void on_written(boost::system::error_code ec, std::size_t bytes);
  void pop_front() noexcept;
  void release_all() noexcept;

  Transport& transport_;
  FramePool& pool_;
  HeadWriter& head_;
  Signal signal_;
  Options options_;
  std::array<Slot, kWindow + 1> slots_;  // one more than the window: an event ahead of a full one
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  struct Break {
    std::uint32_t slot;
    std::uint32_t offset;
  };
  std::array<Break, kMaxBreaks> breaks_;
  std::size_t break_count_ = 0;
  std::span<const BodyPiece> shared_;  // sent behind the frames
  std::size_t shared_parts_ = 0;       // see shared_part()
  std::size_t shared_next_ = 0;        // the first that is not sent as a whole
  std::size_t shared_offset_ = 0;      // what of it has been
  EncoderPool::Lease encoder_;         // while the body is compressed
  Slot raw_;                           // then: what the producer writes
  ContentCoding coding_ = ContentCoding::identity;
  Frame spare_;  // the one frame that a response keeps until it is over
  BodyForm form_ = BodyForm::undecided;
  bool begun_ = false;    // a byte of the message has been committed
  bool leaving_ = false;  // and may have left
  bool finished_ = false;
  bool head_pending_ = false;            // goes in front of the next frame that is sealed
  std::optional<std::uint64_t> length_;  // sent with Content-Length: no chunk framing
  bool writing_ = false;
  bool flush_wanted_ =
      false;  // what is in the current frame is due when the write in progress has ended
  bool discarding_ = false;
  bool logs_ = false;        // the client has an id to come back with
  bool amid_event_ = false;  // part of a long event stands where nothing else may follow
  std::uint64_t sent_ = 0;
  boost::system::error_code error_;
  [[no_unique_address]] LoopAffinity affinity_;
};

}  // namespace sluice
