// The upstream that examples, tests and benchmarks fetch the reference table from: upstream [--port
// 9100] Port 0 is any free one; the first line on stdout names it. What it answers to stands in
// server.hpp.

#include <charconv>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string_view>
#include <system_error>

#include "server.hpp"

int main(int argc, char** argv) {
  std::uint16_t port = 9100;
  bool understood = argc == 1;
  if (argc == 3 && std::string_view(argv[1]) == "--port") {
    const std::string_view digits = argv[2];
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    understood = ec == std::errc() && end == digits.data() + digits.size();
  }
  if (!understood) {
    std::cerr << "usage: upstream [--port 9100]\n";
    return 2;
  }
  try {
    upstream::Server server(port);
    std::cout << "port " << server.port() << std::endl;
    server.run();
  } catch (const std::exception& e) {
    std::cerr << "upstream: " << e.what() << '\n';
    return 1;
  }
}
