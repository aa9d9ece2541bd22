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

namespace sluice::tools {

/// Keeps text and structured content that is larger than `over` on disk, and gives its beginning and
/// a link in its place (MCP, resource_link); what is smaller passes as it is.
///
/// Which of the two it is going to be is known only once it is larger, so all of it goes to a file
/// first, but for what fits a frame.
///
/// Ownership: one per call, inside the handler's coroutine; borrows all it is given.
/// Threads:   the call's loop.
/// Memory:    a frame. On disk what ParkedResults allows.
/// Errors:    the writer's. Where the rest cannot be kept, since the disk or the caller's share is
///            full, it is left out and said so: write() returns Errc::result_too_large, so that the
///            source stops, and is_stopped() is true.
class ParkingWriter final : public ResultWriter {
 public:
  ParkingWriter(mcp::InnerCall& call, ResultWriter& out, const config::Parking& parking,
                std::string_view items_path, bool is_json);

  [[nodiscard]] Awaitable<Result<>> begin(Block block) override;
  [[nodiscard]] Awaitable<Result<>> write(std::string_view bytes) override;
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

  /// Writes the frame to the file.
  [[nodiscard]] Awaitable<void> flush();
  /// What is held goes on as it is.
  [[nodiscard]] Awaitable<Result<>> replay();
  /// Its beginning and the link go on.
  [[nodiscard]] Awaitable<Result<>> park();
  template <class Limiter>
  [[nodiscard]] Awaitable<Result<>> preview(Limiter limiter);
  template <class Limiter>
  [[nodiscard]] Awaitable<Result<>> preview_piece(Limiter& limiter, std::string_view in, Frame& room);
  [[nodiscard]] std::string why_not_kept() const;

  mcp::InnerCall& call_;
  ResultWriter& out_;
  const config::Parking& parking_;
  const std::string items_path_;
  const bool is_json_;
  Open open_ = Open::nothing;
  // Of the block that is held.
  BlockKind kind_ = BlockKind::text;
  std::string uri_;
  std::string mime_type_;
  std::string meta_;
  std::optional<Annotations> annotations_;
  Frame frame_;
  std::size_t used_ = 0;         // of the frame
  std::uint64_t in_file_ = 0;
  std::uint64_t held_ = 0;
  std::shared_ptr<mcp::ParkedResult> parked_;
  int disk_error_ = 0;
  bool is_full_ = false;         // there is no room for the rest
  bool stopped_ = false;
  bool failed_ = false;
};

}  // namespace sluice::tools
