#include "input.hpp"
#include "json/document.hpp"
#include "json/raw_json.hpp"
#include "support.hpp"

namespace {

using sluice::json::RawJson;

bool pass(const std::vector<std::string_view>& pieces, std::uint32_t max_depth,
          std::string& written) {
  using namespace sluice::json::test;
  RawJson checker(max_depth);
  for (const std::string_view piece : pieces) {
    const ExactBytes bytes(piece);
    GuardedRoom out(piece.size());
    const auto n = checker.step(bytes.view(), {out.data(), out.size()});
    require(out.is_intact());
    if (!n.has_value()) return false;
    require(*n == piece.size());
    written.append(out.data(), *n);
  }
  return checker.finish().has_value();
}

}  // namespace

/// The same in pieces as in one; what passes is what the document accepts, lone surrogates in
/// escapes apart.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice::json;
  using namespace sluice::json::test;
  Input input(data, size);
  const std::size_t piece = 1 + input.choice() % 40;
  const auto max_depth = static_cast<std::uint32_t>(input.choice());
  const std::string_view text = input.rest();

  std::string in_pieces;
  std::string whole;
  const bool passed = pass(cut_every(text, piece), max_depth, in_pieces);
  require(pass({text}, max_depth, whole) == passed);
  Document document;
  const bool parsed = document.parse_copy(text, max_depth).has_value();
  if (passed) {
    require(in_pieces == whole && whole.size() == text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      require(whole[i] == text[i] || (whole[i] == ' ' && (text[i] == '\n' || text[i] == '\r')));
    }
    require(whole.find_first_of("\r\n") == std::string::npos);
    require(parsed || text.find("\\u") != std::string_view::npos);
  }
  require(passed || !parsed);
  return 0;
}
