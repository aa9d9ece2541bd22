#include "load_options.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace load {
namespace {

/// What is wrong with the value, or nothing.
std::string set(Options& o, std::string_view key, const std::string& value, bool& seconds_given) {
  const double number = std::atof(value.c_str());
  if (key == "--port") {
    o.port = static_cast<std::uint16_t>(number);
  } else if (key == "--path") {
    o.path = value;
  } else if (key == "--tool") {
    o.tool = value;
  } else if (key == "--arguments") {
    o.arguments = value;
  } else if (key == "--connections") {
    o.connections = static_cast<std::size_t>(number);
  } else if (key == "--seconds") {
    o.seconds = number;
    seconds_given = true;
  } else if (key == "--warm") {
    o.warm = number;
  } else if (key == "--calls") {
    o.calls = static_cast<std::uint64_t>(number);
  } else if (key == "--rate") {
    o.rate = number;
  } else if (key == "--pid") {
    o.pid = static_cast<int>(number);
  } else if (key == "--payload") {
    o.payload = number;
  } else if (key == "--streams") {
    o.streams = static_cast<std::size_t>(number);
  } else if (key == "--streams-per-session") {
    o.streams_per_session = static_cast<std::size_t>(number);
  } else if (key == "--stream-kind") {
    if (value != "get" && value != "listen") return "--stream-kind is get or listen";
    o.stream_kind = value == "listen" ? Options::Streams::listen : Options::Streams::get;
  } else if (key == "--header") {
    o.headers.push_back(value);
  } else if (key == "--era") {
    if (value != "modern" && value != "legacy") return "--era is modern or legacy";
    o.era = value == "legacy" ? Era::legacy : Era::modern;
  } else if (key == "--accept") {
    if (value == "json") {
      o.accept = "application/json";
    } else if (value == "sse") {
      o.accept = "text/event-stream";
    } else if (value != "both") {
      return "--accept is both, json or sse";
    }
  } else if (key == "--check") {
    if (value != "first" && value != "every") return "--check is first or every";
    o.check = value == "every" ? Check::every : Check::first;
  } else if (key == "--expect") {
    std::ifstream file(value, std::ios::binary);
    if (!file) return "cannot read " + value;
    o.expected.emplace(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  } else {
    return "unknown option " + std::string(key);
  }
  return {};
}

}  // namespace

ParsedOptions parse_options(int argc, char** argv) {
  ParsedOptions parsed;
  auto& o = parsed.options;
  bool seconds_given = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view key = argv[i];
    if (key == "--socket-memory") {
      o.socket_memory = true;
      continue;
    }
    if (++i == argc) {
      parsed.complaint = std::string(key) + " wants a value";
      return parsed;
    }
    parsed.complaint = set(o, key, argv[i], seconds_given);
    if (!parsed.complaint.empty()) return parsed;
  }
  // A number of calls is a limit of its own; the clock then only ends what would not end.
  if (o.calls != 0 && !seconds_given) o.seconds = 600;
  if (o.expected && o.payload == 0) o.payload = static_cast<double>(o.expected->size());
  if (o.connections == 0 || o.streams_per_session == 0)
    parsed.complaint = "--connections and --streams-per-session are at least 1";
  return parsed;
}

}  // namespace load
