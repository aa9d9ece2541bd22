#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "buffer/frame_pool.hpp"
#include "config/config.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/parked_results.hpp"
#include "tools/kept_bytes.hpp"
#include "tools/writer_in_front.hpp"

namespace sluice::tools {

/// Keeps text, structured content and embedded resources that are too large on disk, and gives a beginning of
/// them and a link in their place (MCP, resource_link); what is not too large passes as it is, and so
/// do images and audio.
///
/// Too large is what goes over Parking::over, or what has more than one page. Which it is going to be is
/// known only at its end, so all of it is kept until then.
///
/// Ownership: one per call, inside the handler's coroutine; borrows all it is given.
/// Threads:   the call's loop.
/// Memory:    a frame while it is written, two while it is given. On disk what ParkedResults allows.
/// Errors:    the writer's. Where there is no room for the rest, it is left out and said so: write()
///            returns Errc::result_too_large, so that the source stops, and is_stopped() is true.
class ParkingWriter final : public WriterInFront {
 public:
  /// REQUIRES: call.parked().
  ParkingWriter(mcp::InnerCall& call, ResultWriter& out, const config::Keeping& keeping,
                const config::Limits& limits);

  [[nodiscard]] Awaitable<Result<>> begin(Block block) override;
  [[nodiscard]] Awaitable<Result<>> write(std::string_view bytes) override;
  /// Gives the open block, in the one way or in the other.
  [[nodiscard]] Awaitable<Result<>> end() override;
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return out_.bytes() + held_; }

  [[nodiscard]] bool is_stopped() const noexcept { return stopped_; }
  /// What is held is all there is going to be of it: gives it so.
  [[nodiscard]] Awaitable<Result<>> break_off() override;
  /// Nothing is kept from now on, for this reason ("the server ...").
  void keep_no_more(std::string_view why);

 private:
  enum class Open : std::uint8_t { nothing, passing, held };

  void hold(const Block& block);
  [[nodiscard]] Awaitable<Result<>> end_open(bool is_whole);
  [[nodiscard]] Awaitable<Result<>> give_held();
  /// Up to here, what is kept for a moment only is not counted.
  [[nodiscard]] std::uint64_t uncounted_limit() const noexcept;
  /// Writes the frame to the file.
  [[nodiscard]] Awaitable<void> flush();
  [[nodiscard]] KeptBytes kept() const noexcept;
  [[nodiscard]] Block held_block(BlockKind kind) const noexcept;
  [[nodiscard]] bool is_json() const noexcept;
  /// What is held goes on as it is.
  [[nodiscard]] Awaitable<Result<>> pass();
  /// Its beginning goes on, and all of it is kept.
  [[nodiscard]] Awaitable<Result<>> park();
  [[nodiscard]] Awaitable<Result<>> preview(std::uint64_t most);
  /// Ends where it is no JSON.
  template <class Limiter>
  [[nodiscard]] Awaitable<Result<>> limited(Limiter limiter, bool& has_given);
  /// Its first page goes on, and where there are more, all of it is kept.
  [[nodiscard]] Awaitable<Result<>> give_page();
  /// False where there is no place for it; then nothing is kept.
  [[nodiscard]] Awaitable<bool> keep(std::chrono::milliseconds ttl);
  [[nodiscard]] Awaitable<Result<>> link_to_parked();
  [[nodiscard]] std::string why_not_kept() const;
  [[nodiscard]] bool is_text() const noexcept;

  mcp::InnerCall& call_;
  const config::Keeping& keeping_;
  const config::Limits& limits_;
  Open open_ = Open::nothing;
  // Of the block that is held.
  BlockKind kind_ = BlockKind::text;
  std::string uri_;
  std::string mime_type_;
  std::string meta_;
  std::optional<Annotations> annotations_;
  Frame frame_;
  std::size_t used_ = 0;  // of the frame
  std::uint64_t in_file_ = 0;
  std::uint64_t held_ = 0;
  char first_ = 0;  // that is not blank
  std::shared_ptr<mcp::ParkedResult> parked_;
  std::uint64_t uncounted_ = 0;  // of the file
  std::string no_more_;          // why nothing is kept
  int disk_error_ = 0;
  bool is_full_ = false;           // there is no room for the rest
  bool is_whole_ = true;           // what is held is complete
  std::uint64_t parked_text_ = 0;  // bytes of a text that was parked
  bool stopped_ = false;
};

}  // namespace sluice::tools
