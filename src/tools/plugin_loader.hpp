#pragma once

#include <string>

#include <sluice/registry.hpp>

namespace sluice::tools {

/// Loads a shared object and lets it add its tools to `registry`. The object stays loaded until the
/// process ends: its code may be on any stack.
/// Errors:    false, and `problem` says what the operator has to mend: no such file, no plug-in,
///            built for another sluice, or the text of the exception that its entry point threw.
[[nodiscard]] bool load_plugin(const std::string& path, Registry& registry, std::string& problem);

}  // namespace sluice::tools
