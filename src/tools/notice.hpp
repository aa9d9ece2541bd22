#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

/// What is said of a result beside it.
namespace sluice::tools {

/// Adds a text block that is not a part of the tool's own result, so that nothing is selected from
/// it, cut or parked on its way. REQUIRES: `text` lives until it is done.
[[nodiscard]] Awaitable<Result<>> tell(ResultWriter& out, std::string_view text);

/// Appends a sentence, behind a blank where there is one already.
void append_sentence(std::string& notice, std::string_view text);

/// "1 row", "2 rows"
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view what);

}  // namespace sluice::tools
