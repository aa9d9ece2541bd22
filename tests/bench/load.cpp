// A load client: keeps N connections busy with one tools/call each and prints what it saw as one
// line of JSON. One thread, epoll, no library: what it costs is to be small beside the server.
//
//   load --port P --tool NAME [--path /mcp] [--arguments JSON] [--connections N]
//        [--seconds S] [--warm S] [--calls N] [--era modern|legacy] [--accept both|json|sse]
//        [--pid SERVER] [--payload BYTES] [--expect FILE] [--check first|every]
//        [--rate BYTES_PER_SECOND_PER_CONNECTION] [--socket-memory]
//        [--streams N] [--stream-kind get|listen] [--streams-per-session 8] [--header "Name: value"]...
//
//   --seconds  new calls start for so long (3); 0: one call on each connection. Those under way are
//              then waited for, so every figure is of whole calls.
//   --warm     the same before that, not measured.
//   --calls    at most so many calls, all connections together; without --seconds no other limit.
//   --era      modern: 2026-07-28; legacy: 2025-11-25, each connection with a session of its own.
//   --expect   the first text of the result, decoded, equals this file: on the first answer of each
//              connection, or on every one (--check). The others have to be as long as the first.
//   --payload  bytes of payload in an answer; else the file's size, or the first text's.
//   --pid      the server, whose CPU time and memory (its children's too) are measured.
//   --rate     slow readers: each connection takes so many bytes a second, evenly, with a receive
//              buffer of 64 KiB; ends after --seconds with calls under way ("unfinished").
//   --socket-memory  samples the server's own TCP sockets every 5 ms for the peak of what they hold.
//   --streams  opens N idle event streams first and keeps them open: GET, legacy, or
//              subscriptions/listen of 2026-07-28 (--stream-kind). "stream_bytes" is what the server's
//              memory grew by for each, its part of a session included.
//
// "client_busy" near 1, or above "server_busy", says that this program and not the server was the
// limit.
//
// Exit status: 0; 1 when a call failed or the run could not be made (a message says why); 2 for the
// command line.

#include <sys/resource.h>

#include <cstdio>
#include <optional>
#include <string>

#include "load_figures.hpp"
#include "load_options.hpp"
#include "load_process.hpp"
#include "load_run.hpp"
#include "load_session.hpp"
#include "load_sockets.hpp"
#include "load_streams.hpp"

namespace {

void allow_many_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = load::parse_options(argc, argv);
  if (!parsed.complaint.empty()) {
    std::fprintf(stderr, "load: %s\n", parsed.complaint.c_str());
    return 2;
  }
  const auto& options = parsed.options;
  allow_many_files();
  const load::ServerProcess server(options.pid);
  load::Figures figures;
  std::string ended;
  try {
    load::IdleStreams streams;
    const auto before = server.used_kb();
    streams.open(options);
    figures.idle_kb = server.used_kb();
    figures.stream_growth_kb = figures.idle_kb - before;
    server.forget_peak();
    std::optional<load::SocketMemory> sockets;
    if (options.socket_memory) sockets.emplace(server);
    load::Run run(options, server, sockets ? &*sockets : nullptr);
    run.measure(figures);
    figures.peak_kb = server.peak_kb();
    if (sockets) {
      figures.socket_peak_bytes = sockets->peak_bytes();
      figures.socket_samples = sockets->samples();
    }
    figures.streams_open = streams.still_open();
  } catch (const load::Failure& failure) {
    ended = failure.what();
    std::fprintf(stderr, "load: %s\n", ended.c_str());
    if (figures.errors++ == 0) figures.first_error = ended;
  }
  std::printf("%s\n", load::to_json(options, figures).c_str());
  return figures.errors == 0 ? 0 : 1;
}
