// sluice inside another program: quotes_host [FILE] serves the example tools, and those of a
// configuration file where one is named, until SIGTERM or SIGINT. It prints its port.

#include <pthread.h>
#include <signal.h>

#include <iostream>
#include <sluice/server.hpp>
#include <string>

#include "../plugin/quotes.hpp"

namespace {

constexpr const char* kDefaults = R"(
version: 1
server: { name: quotes-host, listen: "127.0.0.1:0" }
log: { level: warn }
)";

int report(const sluice::Server& server) {
  for (const auto& problem : server.problems()) std::cerr << problem << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  // Before start(), so that the server's threads leave these signals to us.
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);

  sluice::Server server;
  add_quotes(server.tools());
  const bool configured =
      argc > 1 ? server.configure_file(argv[1]) : server.configure_text(kDefaults);
  if (!configured || !server.start()) return report(server);
  std::cout << "port " << server.port() << std::endl;

  int signal = 0;
  ::sigwait(&signals, &signal);
  server.stop();
  return 0;
}
