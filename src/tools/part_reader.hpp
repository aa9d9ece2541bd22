#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "config/config.hpp"
#include "json/table.hpp"
#include "mcp/inner_call.hpp"
#include "tools/kept_bytes.hpp"

namespace sluice::tools {

/// Which part of a result is wanted.
struct Part {
  static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  config::Paging::By by = config::Paging::By::bytes;
  std::uint64_t from = 0;  ///< The first of them, from 0.
  std::uint64_t count = kAll;
  bool is_binary = false;          ///< by bytes: there are no characters.
  std::uint64_t offset = 0;        ///< by lines: they are counted from this byte on.
  std::uint64_t max_bytes = kAll;  ///< by lines and items: there is no more of it than that.
  std::string_view items = "$";    ///< by items: JSONPath of their array.
  const json::Table::Options* table = nullptr;  ///< by items: what is made of them; null: JSON.
};

/// Gives a part of a result that is kept.
///
/// By bytes it begins and ends between two characters of UTF-8: a border inside of one is moved to
/// its beginning, and a part that would be empty by that has this one character. Parts that follow each
/// other by next() are together what was kept, byte for byte. By lines it ends behind a line break. By items
/// it is the document with those elements of its array alone: what stands in front of the array is in each
/// part, what stands behind it in the last.
///
/// Ownership: borrows all it is given.
/// Threads:   the call's loop.
/// Memory:    a frame, and by items one more and what json::Shaper takes.
class PartReader {
 public:
  PartReader(mcp::InnerCall& call, const KeptBytes& bytes, const Part& part,
             const config::Limits& limits);

  /// Writes the part to the open block of `out`.
  /// Errors: the writer's; Errc::source_failed, and problem() has a sentence, where the file cannot
  ///         be read or is not what the part needs.
  [[nodiscard]] Awaitable<Result<>> give(ResultWriter& out);

  /// The same as a block of its own; what cannot be read is said in the result, and has_failed() is
  /// true.
  [[nodiscard]] Awaitable<Result<>> give_block(Block block, ResultWriter& out);
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

  // REQUIRES of all below: give() went well.
  /// The first byte, line or item behind it.
  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }
  /// by bytes and lines: where that begins.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] bool is_last() const noexcept { return is_last_; }
  /// Part::max_bytes has cut a line or an item in two; of items, that is next().
  [[nodiscard]] bool is_cut() const noexcept { return is_cut_; }
  /// What a table leaves out, for the caller; empty: nothing.
  [[nodiscard]] const std::string& losses() const noexcept { return losses_; }

  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  [[nodiscard]] Awaitable<Result<>> give_bytes(ResultWriter& out);
  [[nodiscard]] Awaitable<Result<>> give_lines(ResultWriter& out);
  [[nodiscard]] Awaitable<Result<>> give_items(ResultWriter& out);
  /// The bytes of as many whole lines as are wanted and fit; counts them.
  [[nodiscard]] Awaitable<Result<>> find_lines(std::uint64_t& begin, std::uint64_t& end);
  [[nodiscard]] Awaitable<Result<>> give_between(std::uint64_t begin, std::uint64_t end,
                                                 ResultWriter& out);
  /// The place of the character that this byte is in.
  [[nodiscard]] Awaitable<Result<std::uint64_t>> character_at(std::uint64_t at);
  [[nodiscard]] boost::system::error_code fail(std::string problem);

  mcp::InnerCall& call_;
  const KeptBytes bytes_;
  const Part part_;
  const config::Limits& limits_;
  std::uint64_t next_ = 0;
  std::uint64_t offset_ = 0;
  bool is_last_ = true;
  bool is_cut_ = false;
  bool has_failed_ = false;
  std::string losses_;
  std::string problem_;
};

}  // namespace sluice::tools
