#pragma once

#include <cstdint>
#include <memory>
#include <sluice/error.hpp>
#include <sluice/result_writer.hpp>
#include <string>
#include <string_view>

#include "config/config.hpp"
#include "mcp/inner_call.hpp"

namespace sluice::tools {

/// What a tool's result is made of, as the configuration declares it.
struct ResultShape {
  config::ResultKind kind = config::ResultKind::text;
  config::Structured structured = config::Structured::off;
  std::string mime_type;  ///< Wins over what the source says; empty: take the source's.
  std::string uri;        ///< Of an embedded resource (blob), where a tool is called.
};

/// The kind of a resource that leaves it open (automatic) but says of what type it is: text or
/// blob.
[[nodiscard]] config::ResultKind result_kind(config::ResultKind kind,
                                             std::string_view declared_type) noexcept;

/// Puts the bytes of a source (upstream body, file, stdout) into a result of the declared shape, as
/// they come.
///
/// text and json become a text block. json with `structured: on` becomes structured content where
/// the client's revision takes the value (an object only, before 2026-07-28), else a text block.
/// `both` is the text block first, while a copy is kept (tools/spool.hpp: one frame, then an
/// unnamed temporary file), from which the structured content is sent after it. image, audio and
/// blob become base64 blocks. automatic decides by the source's media type: text/*, JSON, XML,
/// JavaScript, YAML, form data and none at all are text; image/* and audio/* what they are; the
/// rest a blob.
///
/// Ownership: one per call, inside the handler's coroutine; borrows call and writer.
/// Errors:    those of the writer, so Errc::not_json where structured content that has begun turns
///            out to be no JSON. What can still be said in the result (a copy that is no JSON or
///            found no disk) is said with fail() and is no error.
class SourceResult {
 public:
  /// `media_type`: what the source says of itself, with parameters or without; empty where it says
  /// nothing.
  SourceResult(mcp::InnerCall& call, ResultWriter& out, const ResultShape& shape,
               std::string_view media_type);
  SourceResult(const SourceResult&) = delete;
  SourceResult& operator=(const SourceResult&) = delete;
  ~SourceResult();

  /// True where the bytes are going to be text, so that a charset has to be converted to UTF-8
  /// first.
  [[nodiscard]] bool is_text() const noexcept;
  /// How many bytes the source is going to give, where it says so; for progress.
  void expect(std::uint64_t total) noexcept;
  /// Tells the caller how many bytes there were so far, where it asked for progress.
  [[nodiscard]] Awaitable<Result<>> write(std::string_view piece);
  /// The source is complete.
  [[nodiscard]] Awaitable<Result<>> finish();
  /// The source failed after some bytes: what was sent stays, `message` follows, the result is an
  /// error.
  [[nodiscard]] Awaitable<Result<>> fail(std::string_view message);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The media type for a file name's ending; "application/octet-stream" where unknown.
[[nodiscard]] std::string_view media_type_of(std::string_view file_name) noexcept;

}  // namespace sluice::tools
