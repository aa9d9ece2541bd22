#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sluice/registry.hpp>

namespace sluice {

/// sluice inside another program: the same daemon, with handlers that are linked in.
///
///     sluice::Server server;
///     server.tools().add({.name = "greet"}, greet);
///     if (!server.configure_text("version: 1\n") || !server.start()) return
///     report(server.problems());
///     ...
///     server.stop();
///
/// What belongs to the process stays the host's:
///  - Logging: messages go to spdlog's default logger as the host has set it up; the `log` section
///  is ignored.
///  - Signals: the host ignores SIGPIPE, and blocks those that it waits for before start(), so that
///  the server's threads
///    leave them to it. SIGTERM ends nothing here; stop() does.
///
/// Ownership: owns loops, threads, tools and connections.
/// Threads:   one caller; handlers run on the server's own loops.
/// Errors:    false, and problems() says what to mend, each with file, line and column where it
///            stands in a file. A configuration that was refused may be followed by another; a
///            start() that failed is final: the tools that were added are gone, so make another
///            Server.
class Server {
 public:
  Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// Stops without grace where stop() was not called.
  ~Server();

  /// Where to add tools. Before start().
  [[nodiscard]] Registry& tools() noexcept;
  /// Reads a configuration; its tools come before the added ones.
  [[nodiscard]] bool configure_file(const std::string& path);
  [[nodiscard]] bool configure_text(const std::string& yaml,
                                    const std::string& name = "configuration");
  /// Builds the tools, binds and serves. Once.
  [[nodiscard]] bool start();
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept;
  /// The port of the first endpoint. REQUIRES: start() gave true.
  [[nodiscard]] std::uint16_t port() const noexcept;
  /// Lets calls finish within `timeouts.grace`, then ends everything.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice
