#pragma once

#include <string_view>

#include <sluice/result_writer.hpp>

#include "config/config.hpp"

/// Content blocks of the configuration in the words of results.
namespace sluice::tools {

[[nodiscard]] Annotations annotations_of(const config::InlineAnnotations& from);
/// A resource link counts as text.
[[nodiscard]] BlockKind block_kind(const config::InlineBlock& block) noexcept;
/// As written, else by the ending of the file that it came from; empty where there is neither.
[[nodiscard]] std::string_view mime_type_of(const config::InlineBlock& block) noexcept;

}  // namespace sluice::tools
