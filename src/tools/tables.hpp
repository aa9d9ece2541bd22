#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "json/table.hpp"

namespace sluice::tools {

/// What a result is turned into; none: `format` asks for no table.
[[nodiscard]] std::optional<json::Table::Options> table_options(
    config::Shaping::Format format, const std::vector<std::string>& columns,
    const config::Limits& limits);

/// What such a table is; empty: `format` asks for none.
[[nodiscard]] std::string_view table_media_type(config::Shaping::Format format) noexcept;

/// Says to whoever reads a table what of its source is not in it.
void append_table_losses(std::string& notice, const json::Table& table);

}  // namespace sluice::tools
