#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "buffer/frame_pool.hpp"
#include "config/config.hpp"
#include "json/shaper.hpp"
#include "json/text_limit.hpp"
#include "mcp/inner_call.hpp"
#include "tools/spool.hpp"
#include "tools/writer_in_front.hpp"

namespace sluice::tools {

/// Makes the text and the structured content that a handler writes as small as the configuration
/// says, while it passes: selected, limited, turned into a table. Everything else passes as it is.
///
/// A text block goes on as it comes. Structured content cannot, since what is said of it stands in
/// front: it is kept in a Spool until all of it is there.
///
/// Ownership: one per call, inside the handler's coroutine; borrows all it is given.
/// Threads:   the call's loop.
/// Memory:    a frame, the windows of json::Shaper, and what Spool takes.
/// Errors:    the writer's. Where no more of a block is needed, and where the bytes are not what they
///            should be, the next write() returns Errc::result_too_large, so that the source stops;
///            is_stopped() is true then, and close() does the rest.
class ShapedWriter final : public WriterInFront {
 public:
  ShapedWriter(mcp::InnerCall& call, ResultWriter& out, const config::Shaping& shaping,
               const config::Limits& limits);

  [[nodiscard]] Awaitable<Result<>> begin(Block block) override;
  [[nodiscard]] Awaitable<Result<>> write(std::string_view bytes) override;
  [[nodiscard]] Awaitable<Result<>> end() override;
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return out_.bytes(); }

  /// A write was refused because there is enough, or nothing good; what the handler makes of that is
  /// no error.
  [[nodiscard]] bool is_stopped() const noexcept { return stopped_; }
  /// Ends what is open, says what is missing, and adds the structured content.
  [[nodiscard]] Awaitable<Result<>> close();

 private:
  enum class Open : std::uint8_t { nothing, passing, json, text };

  [[nodiscard]] Awaitable<Result<>> break_off() override;
  void open_shaped(const Block& block);
  [[nodiscard]] Awaitable<Result<>> pass(std::string_view in);
  /// Writes what is left of the open block, which is complete where `is_whole`.
  [[nodiscard]] Awaitable<Result<>> finish_open(bool is_whole);
  [[nodiscard]] Awaitable<Result<>> put(std::string_view bytes);
  [[nodiscard]] Awaitable<Result<>> refuse();
  [[nodiscard]] Awaitable<Result<>> replay(Block block);
  void skip_byte_order_mark(std::string_view& in) noexcept;
  void leave_out();
  [[nodiscard]] Result<json::Step> step(std::string_view in);
  [[nodiscard]] bool has_enough() const noexcept;
  void note();
  void explain() const;
  void note_json();
  void note_text();
  [[nodiscard]] std::string place_of_items() const;

  mcp::InnerCall& call_;
  const config::Shaping& shaping_;
  const config::Limits& limits_;
  Frame window_;
  Open open_ = Open::nothing;
  std::optional<json::Shaper> shaper_;
  std::optional<json::TextLimiter> lines_;
  std::uint64_t left_;          // of max_bytes
  bool to_text_ = false;        // what is open goes on as a text block
  bool has_begun_ = false;      // that block
  bool is_structured_ = false;  // what is open
  bool is_resource_ = false;
  std::optional<Spool> spool_;  // the structured content
  char first_ = 0;              // of what is in it
  // Of the open block.
  std::string uri_;
  std::string mime_type_;
  std::string meta_;
  std::optional<Annotations> annotations_;
  std::string notice_;
  std::size_t mark_ = 0;       // bytes of a byte order mark
  bool block_over_ = false;    // no more of the block is needed
  bool is_cut_ = false;        // by a limit
  bool has_left_out_ = false;  // blocks
  bool stopped_ = false;
};

}  // namespace sluice::tools
