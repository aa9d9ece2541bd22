#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "mcp/inner_call.hpp"
#include "tools/rooted_open.hpp"
#include "tools/source_result.hpp"

namespace sluice::tools {

/// Why a path is refused before anything is opened; empty where it is not.
[[nodiscard]] std::string path_problem(std::string_view path);

/// When a file was last changed, in ISO 8601; `seconds` since 1970.
[[nodiscard]] std::string time_text(std::int64_t seconds);

/// Gives a file below `root`, or says why not.
///
/// What the kernel holds in memory is opened and read on the loop; what needs the disk, on the
/// worker pool. A file is read up to the size that it had when it was opened.
///
/// Bounds:  one frame while it is read.
/// REQUIRES: path_problem() has none, and everything lives until the coroutine has ended.
[[nodiscard]] Awaitable<Result<>> give_file(mcp::InnerCall& call, ResultWriter& out,
                                            const RootedDirectory& root, const std::string& path,
                                            const ResultShape& shape);

}  // namespace sluice::tools
