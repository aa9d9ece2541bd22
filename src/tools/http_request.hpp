#pragma once

#include <optional>
#include <span>
#include <string>

#include <sluice/json.hpp>

#include "config/config.hpp"
#include "http/upstream_request.hpp"

namespace sluice::tools {

/// The request of one call: templates and parameters with the arguments put in.
///
/// In the path each argument is one segment or a part of one, percent-encoded once; one that is
/// empty or would make the segment `.` or `..` is refused, since it would reach another endpoint.
/// In the query names and values are encoded, an array repeats its name. In a header, controls are
/// refused. What has no value is left out. Numbers go digit for digit. nullopt, and `refusal` has a
/// sentence for the caller that names the parameter.
[[nodiscard]] std::optional<http::UpstreamRequest> build_http_request(
    std::span<const config::Parameter> parameters, const config::HttpTool& http, Json arguments,
    std::string& refusal);

/// What the operator has to mend in it; empty: nothing.
[[nodiscard]] std::string http_request_problem(std::span<const config::Parameter> parameters,
                                               const config::HttpTool& http);

}  // namespace sluice::tools
