#include <sluice/plugin.hpp>

#include "quotes.hpp"

SLUICE_PLUGIN(registry) { add_quotes(registry); }
