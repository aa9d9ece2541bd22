#pragma once

#include <sluice/asio_config.hpp>

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sluice/error.hpp>

namespace sluice {

template <class T>
using Awaitable = boost::asio::awaitable<T>;

/// MCP annotations of a content block (2025-11-25, Server Features, Annotations).
struct Annotations {
  bool for_user = false;
  bool for_assistant = false;
  std::optional<double> priority;  ///< 0 to 1.
  std::string last_modified;       ///< ISO 8601; empty: none.
  [[nodiscard]] bool empty() const noexcept {
    return !for_user && !for_assistant && !priority && last_modified.empty();
  }
};

enum class BlockKind : std::uint8_t {
  text,   ///< {"type":"text","text":...}: bytes are escaped; what is not UTF-8 becomes U+FFFD.
  image,  ///< {"type":"image","data":...}: bytes go out as base64.
  audio,  ///< {"type":"audio","data":...}: likewise.
  resource_text,  ///< {"type":"resource","resource":{"uri":...,"text":...}}
  resource_blob,  ///< {"type":"resource","resource":{"uri":...,"blob":...}}, base64.
  structured,     ///< `structuredContent`: bytes must be one JSON value and pass as they are.
};

/// What a content block says of itself. The views need to live until begin() has returned.
struct Block {
  BlockKind kind = BlockKind::text;
  std::string_view mime_type = {};  ///< Required for image and audio.
  std::string_view uri = {};        ///< Required for resource_text and resource_blob.
  const Annotations* annotations = nullptr;
  std::string_view meta = {};  ///< `_meta` of the block, one JSON object; empty: none.
};

/// {"type":"resource_link",...}; empty members are left out.
struct ResourceLink {
  std::string_view uri;
  std::string_view name;
  std::string_view title = {};
  std::string_view description = {};
  std::string_view mime_type = {};
  std::optional<std::uint64_t> size = {};
  const Annotations* annotations = nullptr;
};

/// Where a handler puts the result of one call. Bytes go straight into the frames that the socket
/// sends; a call waits while the client is slower than the handler.
///
/// Ownership: belongs to the call; valid until the handler has returned.
/// Threads:   the call's loop only, one operation at a time.
/// Bounds:    `limits.result` counts payload bytes; what goes over ends the result with a notice,
///            and write() returns Errc::result_too_large, upon which a handler should return.
/// Errors:    any error means that nothing more can be written; return it.
class ResultWriter {
 public:
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;
  virtual ~ResultWriter() = default;

  /// Opens a block, closing the one that is open. A structured block comes at most once, and last.
  [[nodiscard]] virtual Awaitable<Result<>> begin(Block block) = 0;
  /// Appends to the open block; opens a text block where none is. The bytes need to live until the
  /// operation is done. A character may be cut between two pieces.
  [[nodiscard]] virtual Awaitable<Result<>> write(std::string_view bytes) = 0;
  /// Closes the open block. Not needed before begin() or at the end.
  [[nodiscard]] virtual Awaitable<Result<>> end() = 0;
  [[nodiscard]] virtual Awaitable<Result<>> link(ResourceLink link) = 0;
  /// A whole content block that is already JSON: one object, trusted, sent as it is but for line
  /// breaks.
  [[nodiscard]] virtual Awaitable<Result<>> raw_block(std::string_view json) = 0;

  /// Says that the tool failed: closes what is open, adds `message` as a text block of its own and
  /// marks the result `isError`. What was written before stays. A resource is answered with an
  /// error instead, or broken off where bytes of it have left.
  [[nodiscard]] virtual Awaitable<Result<>> fail(std::string_view message) = 0;

  /// Says that what was asked for is not there: a resource is then answered with the error that
  /// means so. For a tool it is the same as fail().
  [[nodiscard]] virtual Awaitable<Result<>> not_found(std::string_view message) {
    return fail(message);
  }

  /// One whole text block.
  [[nodiscard]] Awaitable<Result<>> text(std::string_view all);
  /// One whole image or audio block, or an embedded resource.
  [[nodiscard]] Awaitable<Result<>> block(Block block, std::string_view all);
  /// The structured content as a whole: one JSON value.
  [[nodiscard]] Awaitable<Result<>> structured(std::string_view json);

  /// True where the client's revision knows `structuredContent` for a value that starts with this
  /// byte: never before 2025-06-18, objects only before 2026-07-28.
  [[nodiscard]] virtual bool takes_structured(char first_byte) const noexcept = 0;
  /// Payload bytes taken so far.
  [[nodiscard]] virtual std::uint64_t bytes() const noexcept = 0;

 protected:
  ResultWriter() = default;
};

}  // namespace sluice
