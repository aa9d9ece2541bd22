#pragma once

#include <sluice/registry.hpp>

/// What the suite has that asks its caller.
void add_asking_tools(sluice::Registry& registry);
