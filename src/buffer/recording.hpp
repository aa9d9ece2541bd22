#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/signal.hpp"
#include "buffer/body_sink.hpp"
#include "buffer/encoded_forms.hpp"

namespace sluice {

/// Memory for recordings (`cache.max_bytes` of a tool): counts what is held, whoever reads it.
///
/// Threads:   any.
class RecordingBudget {
 public:
  RecordingBudget() = default;
  RecordingBudget(const RecordingBudget&) = delete;
  RecordingBudget& operator=(const RecordingBudget&) = delete;
  virtual ~RecordingBudget() = default;
  /// False where `bytes` more are too many.
  [[nodiscard]] virtual bool take(std::size_t bytes) noexcept = 0;
  /// The same without making room for it.
  [[nodiscard]] virtual bool take_spare(std::size_t bytes) noexcept = 0;
  virtual void give(std::size_t bytes) noexcept = 0;
};

/// The bytes of a message once for all who want them: one producer writes, any number of readers
/// follow, each at its own pace.
///
/// Way of the bytes: blocks that never move. The first ones are held back, so that the producer can
/// take back what it wrote as long as it could with a FrameWriter; when there are more than
/// kHeldBack times kBlockBytes, or the message is over, readers see all there is. Everything is kept while the budget
/// allows it. Where it does not, blocks go as soon as all readers have passed them, and the
/// producer waits for the slowest, who has `patience` for a block: then those who wait go on
/// without it. Such a recording takes no further readers.
///
/// Ownership: shared by the producer, its readers and a cache.
/// Threads:   the producer's half on its loop, each reader on its own loop.
/// Bounds:    the budget, and kHeldBack times kBlockBytes beyond it.
class Recording final : public BodySink, public std::enable_shared_from_this<Recording> {
 public:
  static constexpr std::size_t kBlockBytes = 64 * 1024;
  static constexpr std::size_t kFirstBlockBytes = 4 * 1024;
  static constexpr std::size_t kHeldBack = 4;

  enum class End : std::uint8_t {
    open,         ///< There may be more to come.
    good,         ///< Complete, and worth keeping.
    failed,       ///< Complete, but says that the tool failed.
    broken,       ///< Breaks off where it cannot be ended honestly.
    left_behind,  ///< For one reader: it was too slow for the others.
  };

  static constexpr std::chrono::seconds kPatience{30};
  /// A budget of null has no bound.
  explicit Recording(boost::asio::any_io_executor executor,
                     std::shared_ptr<RecordingBudget> budget = nullptr,
                     std::chrono::milliseconds patience = kPatience);
  ~Recording() override;

  // The producer's half.
  [[nodiscard]] std::span<char> room() override;
  void commit(std::size_t n) noexcept override;
  void put(std::string_view bytes) noexcept override;
  [[nodiscard]] Awaitable<Result<>> wait_room() override;
  void line_break() override;
  [[nodiscard]] Mark mark() noexcept override;
  [[nodiscard]] std::optional<std::string> copy_since(const Mark& mark) override;
  [[nodiscard]] bool rollback(const Mark& mark) noexcept override;
  /// The message is over. REQUIRES: good, failed or broken; once.
  void finish(End end);
  [[nodiscard]] bool is_over() const;
  /// False once something was given up for want of memory. Threads: any.
  [[nodiscard]] bool has_kept_all() const;
  /// Called on the producer's loop when the last reader has gone before the end; null: nobody is.
  void when_abandoned(std::function<void()> what) { abandoned_ = std::move(what); }

  /// One who follows a recording from its beginning.
  ///
  /// Threads: the loop of its executor.
  class Reader {
   public:
    Reader(std::shared_ptr<Recording> recording, const boost::asio::any_io_executor& executor);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader();

    /// The next bytes, valid until the next call; empty: none now, see end().
    [[nodiscard]] BodyPiece next();
    /// How the recording ended, once next() has given all of it.
    [[nodiscard]] End end() const;
    /// Until there may be more, or wake(). Returns at once where there is.
    [[nodiscard]] Awaitable<void> wait();
    void wake() { waiter_->signal.notify(); }

   private:
    friend class Recording;
    /// Outlives the reader where a wake-up is still under way.
    struct Waiter {
      explicit Waiter(const boost::asio::any_io_executor& e) : executor(e), signal(e) {}
      boost::asio::any_io_executor executor;
      Signal signal;
    };

    std::shared_ptr<Recording> recording_;
    std::shared_ptr<Waiter> waiter_;
    std::size_t block_ = 0;               // its number, from the beginning
    std::size_t offset_ = 0;              // in it
    std::size_t break_ = 0;               // the next one
    std::shared_ptr<const char[]> data_;  // of the block, also when that has been dropped
    bool waiting_ = false;
    bool left_behind_ = false;
  };
  /// Null where bytes have been given up already.
  [[nodiscard]] std::unique_ptr<Reader> read(const boost::asio::any_io_executor& executor);

  /// True when it ended well-formed and nothing of it was given up. Threads: any.
  [[nodiscard]] bool is_whole() const;
  /// All of it. REQUIRES: is_whole().
  [[nodiscard]] std::span<const BodyPiece> pieces() const noexcept { return pieces_; }
  /// Bytes of what is whole. REQUIRES: is_whole().
  [[nodiscard]] std::uint64_t size() const noexcept;
  /// Its compressed forms. Threads: any.
  [[nodiscard]] EncodedForms& encoded() const noexcept { return encoded_; }
  /// Keeps a form that encoded() has asked for, where the budget allows it. Threads: any.
  void keep_encoded(const EncodedForms::Key& key, std::shared_ptr<const EncodedForm> form) const;
  /// Whole, and no failure. Threads: any.
  [[nodiscard]] bool is_worth_keeping() const;

 private:
  struct Block {
    std::shared_ptr<char[]> data;
    std::size_t size;
    std::size_t used;
    bool in_budget;
  };
  struct Break {
    std::size_t block;  // its number
    std::size_t offset;
  };

  [[nodiscard]] bool open_block();
  void pop_block() noexcept;
  void drop_passed();
  /// Those on the first block, where others are ahead of them.
  void leave_slowest_behind();
  void tell_readers();
  void tell_producer();
  void make_pieces();

  const boost::asio::any_io_executor executor_;
  const std::shared_ptr<RecordingBudget> budget_;
  const std::chrono::milliseconds patience_;
  std::function<void()> abandoned_;  // the producer's loop
  std::optional<Signal> signal_;     // likewise

  mutable EncodedForms encoded_;
  mutable std::mutex mutex_;  // for all that follows
  std::deque<Block> blocks_;
  std::size_t first_block_ = 0;  // number of blocks_[0]
  std::size_t held_ = 0;         // bytes of the blocks
  std::vector<Break> breaks_;
  std::vector<Reader*> readers_;
  std::vector<BodyPiece> pieces_;
  End end_ = End::open;
  bool visible_ = false;          // to readers
  bool keeps_ = true;             // everything so far
  bool abandoned_early_ = false;  // that is the only reason why not
  bool producer_waits_ = false;
};

}  // namespace sluice
