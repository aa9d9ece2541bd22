#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "load_http.hpp"
#include "load_options.hpp"

namespace load {

/// What ends a run: no connection, no session.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a legacy server gave with the answer to initialize; empty in the modern era.
struct Session {
  std::string id;  ///< Empty: the server keeps no sessions.
  std::string version;
};

/// A blocking connection to the server on loopback; with a rate, one that takes little ahead.
/// Throws Failure.
[[nodiscard]] int connect_to(const Options& options);

/// Sends all of it. False: the connection is no more.
[[nodiscard]] bool send_all(int fd, std::string_view bytes);

/// The head of a request: its line, the header fields that all have, and the caller's own.
[[nodiscard]] std::string request_head(const Options& options, std::string_view method,
                                       const Session& session);
/// A whole POST.
[[nodiscard]] std::string post(const Options& options, const Session& session,
                               std::string_view more_fields, std::string_view body);

/// initialize and notifications/initialized over `fd`, and waits for the answers. Throws Failure.
[[nodiscard]] Session open_session(const Options& options, int fd);

}  // namespace load
