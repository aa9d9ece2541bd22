#pragma once

#include <memory>

#include <sluice/prompt.hpp>

#include "config/config.hpp"

namespace sluice::tools {

/// A prompt that stands in the configuration. Arguments are put into its slots as they are, once: a
/// brace in a value is a brace. In a URI they are percent-encoded, but where one slot is the whole
/// URI. The configuration outlives it.
[[nodiscard]] std::unique_ptr<PromptHandler> make_prompt(const config::Prompt& prompt);

}  // namespace sluice::tools
