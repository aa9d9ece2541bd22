#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sluice/call.hpp>
#include <sluice/result_writer.hpp>

#include "base/await.hpp"
#include "base/sealer.hpp"
#include "base/worker_pool.hpp"
#include "buffer/frame_pool.hpp"
#include "json/document.hpp"
#include "mcp/inner_call.hpp"

namespace sluice::testing {

/// A result writer that keeps what it was given. Texts of fail() are kept as text blocks of their
/// own and in `failures`.
///
/// Threads: one loop.
class FakeWriter final : public ResultWriter {
 public:
  struct Kept {
    BlockKind kind = BlockKind::text;
    std::string bytes;
    std::string mime_type;
    std::string uri;
    bool is_link = false;  ///< uri is the link's.
    bool is_raw = false;   ///< bytes are the JSON of raw_block().
    bool is_failure = false;
  };

  std::vector<Kept> blocks;
  std::vector<std::string> failures;
  bool is_error = false;
  bool is_missing = false;  ///< not_found() was called.
  bool open = false;        ///< A block is open.
  bool keep = true;  ///< Off: bytes are counted only, so that nothing here allocates per write.
  std::uint64_t limit =
      std::numeric_limits<std::uint64_t>::max();  ///< Payload bytes; above: result_too_large.
  Errc fail_with = Errc::ok;                      ///< What every write answers, if set.
  std::uint64_t writes = 0;
  std::size_t largest_write = 0;
  bool structured_objects = true;  ///< takes_structured('{')
  bool structured_others = true;   ///< takes_structured() of anything else.
  /// Called at every write, before its bytes are taken.
  std::function<void(FakeWriter&)> on_write;
  /// A write waits while this is set, until it is cancelled.
  bool hold = false;

  /// All payload bytes of blocks of this kind, failures left out.
  [[nodiscard]] std::string all(BlockKind kind = BlockKind::text) const {
    std::string out;
    for (const Kept& b : blocks) {
      if (b.kind == kind && !b.is_failure && !b.is_link && !b.is_raw) out += b.bytes;
    }
    return out;
  }
  [[nodiscard]] std::string failure() const {
    return failures.empty() ? std::string() : failures.back();
  }

  Awaitable<Result<>> begin(Block block) override {
    blocks.push_back({.kind = block.kind,
                      .bytes = {},
                      .mime_type = std::string(block.mime_type),
                      .uri = std::string(block.uri)});
    open = true;
    co_return Result<>();
  }

  Awaitable<Result<>> write(std::string_view bytes) override {
    ++writes;
    if (on_write) on_write(*this);
    if (hold) {
      const auto executor = co_await boost::asio::this_coro::executor;
      boost::asio::steady_timer never(executor, boost::asio::steady_timer::time_point::max());
      const auto waited = co_await never.async_wait(kAwaitTuple);
      static_cast<void>(waited);
    }
    if (fail_with != Errc::ok) co_return make_error_code(fail_with);
    if (!open) {
      blocks.emplace_back();
      open = true;
    }
    if (bytes.size() > largest_write) largest_write = bytes.size();
    if (taken_ + bytes.size() > limit) {
      const auto fits = static_cast<std::size_t>(limit - taken_);
      taken_ = limit;
      if (keep) blocks.back().bytes.append(bytes.substr(0, fits));
      is_error = true;
      open = false;
      co_return make_error_code(Errc::result_too_large);
    }
    taken_ += bytes.size();
    if (keep) blocks.back().bytes.append(bytes);
    co_return Result<>();
  }

  Awaitable<Result<>> end() override {
    open = false;
    co_return Result<>();
  }

  Awaitable<Result<>> link(ResourceLink l) override {
    blocks.push_back({.kind = BlockKind::text,
                      .bytes = std::string(l.name),
                      .mime_type = std::string(l.mime_type),
                      .uri = std::string(l.uri),
                      .is_link = true});
    open = false;
    co_return Result<>();
  }

  Awaitable<Result<>> raw_block(std::string_view json) override {
    blocks.push_back({.kind = BlockKind::text,
                      .bytes = std::string(json),
                      .mime_type = {},
                      .uri = {},
                      .is_link = false,
                      .is_raw = true});
    open = false;
    co_return Result<>();
  }

  Awaitable<Result<>> fail(std::string_view message) override {
    failures.emplace_back(message);
    blocks.push_back({.kind = BlockKind::text,
                      .bytes = std::string(message),
                      .mime_type = {},
                      .uri = {},
                      .is_link = false,
                      .is_raw = false,
                      .is_failure = true});
    is_error = true;
    open = false;
    co_return Result<>();
  }

  Awaitable<Result<>> not_found(std::string_view message) override {
    is_missing = true;
    return fail(message);
  }

  bool takes_structured(char first_byte) const noexcept override {
    return first_byte == '{' ? structured_objects : structured_others;
  }
  std::uint64_t bytes() const noexcept override { return taken_; }

 private:
  std::uint64_t taken_ = 0;
};

/// A call for a handler under test: arguments from JSON text, a frame pool and a worker of its own.
///
/// Threads: the loop of `executor`.
class FakeCall final : public mcp::InnerCall {
 public:
  explicit FakeCall(boost::asio::any_io_executor executor, std::string_view arguments = "{}",
                    std::size_t frames = 64)
      : executor_(std::move(executor)), budget_(frames * kFrameBytes), pool_(budget_), workers_(1) {
    const Result<Json> parsed = document_.parse_copy(arguments);
    if (!parsed) throw std::runtime_error("FakeCall: the arguments are not JSON");
    arguments_ = *parsed;
  }

  std::string name = "tool";
  std::string asked_uri;  ///< Of a resource.
  std::chrono::steady_clock::time_point until =
      std::chrono::steady_clock::now() + std::chrono::minutes(5);
  bool is_cancelled = false;
  boost::system::error_code stopped_why;
  std::size_t loop_index = 0;
  std::uint64_t result_limit = 64ull << 20;
  std::uint32_t nesting = 128;
  std::string spool = "/tmp";
  mcp::ParkedResults* store = nullptr;
  std::string who = "caller";
  std::vector<std::string> logged;
  bool counts_bytes = false;  ///< wants_progress()
  std::vector<std::pair<std::uint64_t, std::optional<std::uint64_t>>> told_bytes;

  std::string_view tool() const noexcept override { return name; }
  std::string_view uri() const noexcept override { return asked_uri; }
  Json arguments() const noexcept override { return arguments_; }
  Json meta() const noexcept override { return {}; }
  std::chrono::steady_clock::time_point deadline() const noexcept override { return until; }
  bool cancelled() const noexcept override { return is_cancelled; }
  void set_cancelled(boost::system::error_code why) noexcept override {
    is_cancelled = true;
    stopped_why = why;
  }
  boost::system::error_code stopped_by() const noexcept override { return stopped_why; }
  boost::asio::any_io_executor executor() const override { return executor_; }
  /// What is answered, in the order of asking; then, or where it is an error, `ask_error`.
  std::vector<std::string> answers;
  Errc ask_error = Errc::missing_capability;
  /// Told of each question, whose views die with the handler.
  std::function<void(const Question&)> on_ask;

  bool has_capability(std::string_view) const noexcept override { return !answers.empty(); }
  using Call::ask;
  Awaitable<Result<std::vector<Answer>>> ask(std::span<const Question> questions) override {
    std::vector<Answer> out;
    for (const auto& question : questions) {
      if (on_ask) on_ask(question);
      if (answers.empty()) co_return ask_error;
      auto json = JsonText::parse(answers.front());
      answers.erase(answers.begin());
      out.emplace_back(std::move(*json));
    }
    co_return out;
  }
  Awaitable<Result<>> progress(double, std::optional<double>, std::string_view) override {
    co_return Result<>();
  }
  Awaitable<Result<>> log(LogLevel, std::string_view text) override {
    logged.emplace_back(text);
    co_return Result<>();
  }
  Awaitable<Result<>> hang_up() override { co_return Result<>(); }
  Notifier& notifier() noexcept override { return told_; }

  bool wants_progress() const noexcept override { return counts_bytes; }
  void tell_bytes(std::uint64_t bytes, std::optional<std::uint64_t> total) override {
    told_bytes.emplace_back(bytes, total);
  }
  FramePool& frames() noexcept override { return pool_; }
  std::size_t loop() const noexcept override { return loop_index; }
  WorkerPool& workers() noexcept override { return workers_; }
  std::uint64_t max_result() const noexcept override { return result_limit; }
  std::uint32_t max_nesting() const noexcept override { return nesting; }
  const std::string& spool_directory() const noexcept override { return spool; }
  mcp::ParkedResults* parked() noexcept override { return store; }
  std::string caller() const override { return who; }
  /// The same for all, so that one call can open what another has sealed.
  const Sealer& sealer() const noexcept override {
    static const Sealer sealer({SealingKey::random()});
    return sealer;
  }

 private:
  Awaitable<void> run_on_workers(std::function<void()> work) override {
    co_await workers_.run(std::move(work));
  }

  /// Nobody listens.
  class Deaf final : public Notifier {
   public:
    void resource_updated(std::string_view) override {}
    void resources_updated(std::string_view) override {}
    void list_changed(List) override {}
  };

  boost::asio::any_io_executor executor_;
  Deaf told_;
  FrameBudget budget_;
  FramePool pool_;
  WorkerPool workers_;
  json::Document document_;
  Json arguments_;
};

}  // namespace sluice::testing
