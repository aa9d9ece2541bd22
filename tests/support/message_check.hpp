#pragma once

#include <string>
#include <string_view>

namespace sluice::testing {

/// Holds a JSON-RPC message of the server against the published schema of its revision, and adds a
/// failure to the test where it does not fit. Does nothing where the schemas are not there (see
/// test_data.hpp) or the revision is none of theirs.
///
/// `method` is that of the request which it answers, or came before the answer of; empty: unknown.
void check_message(std::string_view revision, std::string_view method, const std::string& message);

}  // namespace sluice::testing
