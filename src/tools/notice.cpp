#include "tools/notice.hpp"

#include "json/document.hpp"

namespace sluice::tools {

Awaitable<Result<>> tell(ResultWriter& out, std::string_view text) {
  std::string block = R"({"type":"text","text":)";
  json::append_string(block, text);
  block += '}';
  const auto told = co_await out.raw_block(block);
  co_return told;
}

void append_sentence(std::string& notice, std::string_view text) {
  if (!notice.empty()) notice += ' ';
  notice += text;
}

std::string counted(std::uint64_t n, std::string_view what) {
  return std::to_string(n) + ' ' + std::string(what) + (n == 1 ? "" : "s");
}

}  // namespace sluice::tools
