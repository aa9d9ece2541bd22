#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "buffer/body_sink.hpp"
#include "mcp/json_stream.hpp"
#include "mcp/response_writer.hpp"
#include "mcp/revision.hpp"
#include "schema/schema.hpp"

namespace sluice::mcp {

/// What a response to tools/call begins with, up to `"content":[`. The rest does not depend on who
/// asks, as far as the revisions agree on structured content. An empty id is left out, to come
/// last.
[[nodiscard]] std::string result_envelope(std::string_view id, const Revision& revision,
                                          std::string_view server_info);

/// Writes a CallToolResult as the bytes of one JSON-RPC response, straight into frames.
///
/// States: nothing yet -> inside `content`, a block open or not -> `structuredContent` -> closed.
/// The envelope is written with the first block. Whatever fails on the way, close() can end the
/// message, except inside structured content of which bytes have left: then the connection is
/// aborted.
///
/// A handler can be cancelled at every wait; JsonStream says how the message stays whole.
///
/// Ownership: one per call; borrows the sink.
/// Threads:   the call's loop.
class JsonResultWriter final : public ResponseWriter {
 public:
  struct Options {
    std::string_view envelope;  ///< Written in front; see result_envelope(). Empty: the rest alone.
    Revision::Structured structured = Revision::Structured::none;
    std::uint64_t max_bytes = 0;
    std::string_view limit_name;  ///< How the notice names `max_bytes`.
    std::uint32_t max_nesting = 128;
    /// What structured content has to fit; null: anything. It is checked where all of it is still
    /// at hand, which is the case for results that fit the window; what is larger has left before
    /// its end is known, and passes unchecked.
    const schema::Schema* output_schema = nullptr;
    /// The client has been told that schema: a result without structured content is then a failure.
    bool needs_structured = false;
    /// Whose results they are, and whether the log says already that one went unchecked: it does so
    /// once. Null: it does not.
    std::string_view tool = {};
    std::atomic<bool>* told_unchecked = nullptr;
    std::uint64_t max_schema_steps = 1'000'000;
  };

  JsonResultWriter(BodySink& sink, const Options& options);

  [[nodiscard]] Awaitable<Result<>> begin(Block block) override;
  [[nodiscard]] Awaitable<Result<>> write(std::string_view bytes) override;
  [[nodiscard]] Awaitable<Result<>> end() override;
  [[nodiscard]] Awaitable<Result<>> link(ResourceLink link) override;
  [[nodiscard]] Awaitable<Result<>> raw_block(std::string_view json) override;
  [[nodiscard]] Awaitable<Result<>> fail(std::string_view message) override;
  [[nodiscard]] bool takes_structured(char first_byte) const noexcept override;
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return stream_.bytes(); }

  [[nodiscard]] Awaitable<Result<>> close() override;
  [[nodiscard]] bool is_error() const noexcept override { return is_error_; }
  [[nodiscard]] bool is_broken() const noexcept override { return broken_; }

 private:
  using Coding = JsonStream::Coding;

  void queue_envelope();
  /// Closes the open block and begins the next with `head`; what `coding` writes then stands in
  /// front of `end`.
  [[nodiscard]] Awaitable<Result<>> add_block(std::string_view head, Coding coding,
                                              std::string_view end);
  [[nodiscard]] std::string check_structured();
  [[nodiscard]] Awaitable<Result<>> notice(std::string_view text);
  [[nodiscard]] Awaitable<Result<>> stop_at_limit();

  BodySink& sink_;
  const Options options_;
  JsonStream stream_;
  BodySink::Mark before_structured_{};
  BodySink::Mark structured_{};  // where its first byte stands
  bool opened_ = false;
  bool has_block_ = false;  // a comma is due before the next
  bool content_closed_ = false;
  bool is_error_ = false;
  bool over_limit_ = false;
  bool broken_ = false;
  bool closed_ = false;
};

}  // namespace sluice::mcp
