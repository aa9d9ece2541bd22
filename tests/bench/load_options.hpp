#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace load {

enum class Era { modern, legacy };
/// Which answers have their text decoded; the others are held to the length of the first.
enum class Check { first, every };

/// The command line; load.cpp says what each option means.
struct Options {
  std::uint16_t port = 8808;
  std::string path = "/mcp";
  std::string tool = "about";
  std::string arguments = "{}";
  std::string accept = "application/json, text/event-stream";
  Era era = Era::modern;
  std::vector<std::string> headers;
  std::size_t connections = 1;
  double seconds = 3;
  double warm = 0;
  std::uint64_t calls = 0;  ///< 0: no limit.
  double rate = 0;          ///< Bytes a second for each connection; 0: as fast as they come.
  int pid = 0;              ///< 0: nothing is measured of the server.
  double payload = 0;       ///< 0: what the first answer's text measures.
  std::optional<std::string> expected;  ///< The bytes of the file of --expect.
  Check check = Check::first;
  std::size_t streams = 0;
  std::size_t streams_per_session = 8;
  enum class Streams { get, listen } stream_kind = Streams::get;
  bool socket_memory = false;
};

/// What the command line says, or a complaint.
struct ParsedOptions {
  Options options;
  std::string complaint;  ///< Empty: understood.
};
[[nodiscard]] ParsedOptions parse_options(int argc, char** argv);

}  // namespace load
