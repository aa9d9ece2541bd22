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
class ParkingWriter final : public ResultWriter {
 public:
  /// REQUIRES: call.parked().
  ParkingWriter(mcp::InnerCall& call, ResultWriter& out, const config::Keeping& keeping,
                const config::Limits& limits);

  [[nodiscard]] Awaitable<Result<>> begin(Block block) override;
  [[nodiscard]] Awaitable<Result<>> write(std::string_view bytes) override;
  /// Gives the open block, in the one way or in the other.
  [[nodiscard]] Awaitable<Result<>> end() override;
  [[nodiscard]] Awaitable<Result<>> link(ResourceLink link) override;
  [[nodiscard]] Awaitable<Result<>> raw_block(std::string_view json) override;
  [[nodiscard]] Awaitable<Result<>> fail(std::string_view message) override;
  [[nodiscard]] Awaitable<Result<>> not_found(std::string_view message) override;
  [[nodiscard]] bool takes_structured(char first_byte) const noexcept override {
    return out_.takes_structured(first_byte);
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return out_.bytes() + held_; }

  [[nodiscard]] bool is_stopped() const noexcept { return stopped_; }

 private:
  enum class Open : std::uint8_t { nothing, passing, held };

  void hold(const Block& block);
  [[nodiscard]] Awaitable<Result<>> give_held();
  /// Writes the frame to the file.
  [[nodiscard]] Awaitable<void> flush();
  [[nodiscard]] KeptBytes kept() const noexcept;
  [[nodiscard]] Block held_block(BlockKind kind) const noexcept;
  [[nodiscard]] bool is_json() const noexcept;
  /// What is held goes on as it is.
  [[nodiscard]] Awaitable<Result<>> pass();
  /// Its beginning goes on, and all of it is kept.
  [[nodiscard]] Awaitable<Result<>> park();
  template <class Limiter>
  [[nodiscard]] Awaitable<Result<>> preview(Limiter limiter);
  /// Its first page goes on, and where there are more, all of it is kept.
  [[nodiscard]] Awaitable<Result<>> give_page();
  /// False where there is no place for it; then nothing is kept.
  [[nodiscard]] Awaitable<bool> keep(std::chrono::milliseconds ttl);
  [[nodiscard]] Awaitable<Result<>> link_to_parked();
  [[nodiscard]] std::string why_not_kept() const;

  mcp::InnerCall& call_;
  ResultWriter& out_;
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
  int disk_error_ = 0;
  bool is_full_ = false;     // there is no room for the rest
  bool has_parked_ = false;  // an earlier block
  bool stopped_ = false;
  bool failed_ = false;
};

}  // namespace sluice::tools
