#pragma once

#include <cstdint>
#include <memory>

#include <sluice/tool.hpp>

#include "buffer/recording.hpp"
#include "mcp/contents_writer.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/json_result_writer.hpp"

namespace sluice::mcp {

/// A tool whose result is the same for every call: it is written once, when the catalogue is made,
/// and from then on sent from where it lies.
class FixedTool : public ToolHandler {
 public:
  /// Writes the result without waiting for anything but `out`. `max_result` is the limit of its
  /// payload bytes.
  [[nodiscard]] virtual Awaitable<Result<>> write(ResultWriter& out, std::uint64_t max_result) = 0;

  Awaitable<Result<>> run(Call& call, ResultWriter& out) final {
    return write(out, inner(call).max_result());
  }
};

/// The result of such a tool, from behind the envelope to its end.
[[nodiscard]] std::shared_ptr<const Recording> record(FixedTool& tool,
                                                      const JsonResultWriter::Options& options);
/// The same as the contents of a resource.
struct RecordedContents {
  std::shared_ptr<const Recording> recording;
  std::uint64_t bytes = 0;  ///< Of the resource, before they are encoded.
};
[[nodiscard]] RecordedContents record(FixedTool& tool, const ContentsWriter::Options& options);

}  // namespace sluice::mcp
