#pragma once

#include <memory>
#include <string>

#include <sluice/completion.hpp>

#include "config/config.hpp"

namespace sluice::http {
class Upstream;
}

/// One function for each place that values of an argument come from; null, and `problem` says what
/// the operator has to mend. The configuration outlives them. `limits` bounds what is looked at.
namespace sluice::tools {

/// Files below a directory, by their path.
[[nodiscard]] std::shared_ptr<Completer> make_file_completer(const config::Completion::Files& files,
                                                             std::string& problem);
/// An endpoint that gives a JSON array. Slots take the arguments that are known; the one named
/// `argument` is what has been typed, and where the request holds it, the upstream's choice stands
/// as it is; else it is narrowed down here.
[[nodiscard]] std::shared_ptr<Completer> make_http_completer(
    const config::Completion::Upstream& from, const std::string& argument,
    std::shared_ptr<http::Upstream> upstream, const config::Limits& limits, std::string& problem);

}  // namespace sluice::tools
