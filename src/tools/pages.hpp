#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "config/config.hpp"
#include "json/table.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/parked_results.hpp"
#include "tools/part_reader.hpp"

/// What a parked result is called, and where its pages begin.
namespace sluice::tools {

inline constexpr std::string_view kParkedScheme = "sluice://result/";
inline constexpr std::string_view kParkedTemplate =
    "sluice://result/{id}{?offset,limit,items,lines}";
inline constexpr std::string_view kParkedName = "parked_result";
inline constexpr std::string_view kReadResult = "read_result";

[[nodiscard]] std::string uri_of(const mcp::ParkedResult& parked);
/// Tells a model what there is and how the rest of it is read.
[[nodiscard]] std::string how_to_read(const mcp::ParkedResult& parked,
                                      std::chrono::milliseconds ttl);

/// What the items of a page are made of.
[[nodiscard]] std::optional<json::Table::Options> page_table(const config::Paging& paging,
                                                             const config::Limits& limits);
/// `table` outlives it.
[[nodiscard]] Part first_page(const config::Paging& paging,
                              const std::optional<json::Table::Options>& table);
/// The page at a place that what_follows() has named in a cursor, and the id of what it is of; false
/// where it is no such place.
[[nodiscard]] bool read_place(std::string_view place, Part& page, std::string& id);
/// Tells a model what comes behind a page that has been given: its cursor.
[[nodiscard]] std::string what_follows(const mcp::InnerCall& call, const mcp::ParkedResult& parked,
                                       const config::Paging& paging, const PartReader& given);

}  // namespace sluice::tools
