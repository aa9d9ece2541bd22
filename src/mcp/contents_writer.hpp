#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "buffer/body_sink.hpp"
#include "mcp/errors.hpp"
#include "mcp/json_stream.hpp"
#include "mcp/response_writer.hpp"
#include "mcp/revision.hpp"

namespace sluice::mcp {

/// What a resource that is not there is answered with.
[[nodiscard]] Failure resource_not_found(const Revision& revision, std::string_view uri,
                                         std::string_view message);

/// Writes a ReadResourceResult as the bytes of one JSON-RPC response, straight into frames. Each
/// block becomes an element of `contents`: text as `text`, everything else as `blob`.
///
/// Nothing in `contents` can say that it is incomplete. So what fails while all of it is still at
/// hand is taken back, and a JSON-RPC error stands in its place; after that the message cannot be
/// ended, and the connection is to be aborted. A limit is a failure like others.
///
/// Ownership: one per call; borrows the sink.
/// Threads:   the call's loop.
class ContentsWriter final : public ResponseWriter {
 public:
  /// Views live as long as the writer.
  struct Options {
    std::string_view id = {};        ///< Of the request, for an error.
    std::string_view envelope = {};  ///< Written in front, up to `"contents":[`. Empty: the rest.
    const Revision* revision = &kModern;
    std::string_view uri = {};        ///< Of elements that say nothing else.
    std::string_view mime_type = {};  ///< Wins over what blocks say; empty: theirs.
    std::string_view meta = {};       ///< `_meta` of each element, one JSON object; empty: none.
    std::uint64_t max_bytes = 0;
    std::string_view limit_name = {};  ///< How an error names `max_bytes`.
  };

  ContentsWriter(BodySink& sink, const Options& options);

  [[nodiscard]] Awaitable<Result<>> begin(Block block) override;
  [[nodiscard]] Awaitable<Result<>> write(std::string_view bytes) override;
  [[nodiscard]] Awaitable<Result<>> end() override;
  /// There are no links in `contents`: Errc::misuse.
  [[nodiscard]] Awaitable<Result<>> link(ResourceLink link) override;
  /// Likewise.
  [[nodiscard]] Awaitable<Result<>> raw_block(std::string_view json) override;
  [[nodiscard]] Awaitable<Result<>> fail(std::string_view message) override;
  [[nodiscard]] Awaitable<Result<>> not_found(std::string_view message) override;
  [[nodiscard]] bool takes_structured(char) const noexcept override { return false; }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return stream_.bytes(); }

  /// Also where nothing was written: a resource without a byte has one empty element.
  [[nodiscard]] Awaitable<Result<>> close() override;
  [[nodiscard]] bool is_error() const noexcept override { return failure_ || broken_; }
  [[nodiscard]] bool is_broken() const noexcept override { return broken_; }

 private:
  [[nodiscard]] std::string head(const Block& block, bool is_text) const;
  /// The first failure counts. An error where what has left cannot be taken back.
  [[nodiscard]] Result<> take_back(Failure failure);

  BodySink& sink_;
  const Options options_;
  JsonStream stream_;
  BodySink::Mark start_{};
  std::optional<Failure> failure_;
  bool opened_ = false;       // the envelope is on its way
  bool has_element_ = false;  // a comma is due before the next
  bool over_limit_ = false;
  bool broken_ = false;
  bool closed_ = false;
};

}  // namespace sluice::mcp
