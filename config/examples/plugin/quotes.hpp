#pragma once

#include <sluice/registry.hpp>

/// Adds the tools of this example, quote, history, chart and watch, and the prompt compare. The prices are made up, and the
/// same on every run. Settings: { currency: TWD, lookup_ms: 5 }.
/// Errors: throws std::runtime_error
/// where the settings are not as they should be.
void add_quotes(sluice::Registry& registry);
