#include "input.hpp"
#include "json/document.hpp"
#include "json/raw_json.hpp"
#include "support.hpp"

namespace {

using sluice::Simd;
using sluice::json::RawJson;

bool pass(Simd simd, const std::vector<std::string_view>& pieces, std::uint32_t max_depth,
          std::string& written) {
  using namespace sluice::json::test;
  RawJson checker(max_depth, simd);
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

/// The same in pieces as in one, and by every instruction set as by bytes; what passes is what the
/// document accepts, lone surrogates in escapes apart.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice::json;
  using namespace sluice::json::test;
  Input input(data, size);
  const std::size_t piece = 1 + input.choice();
  const auto max_depth = static_cast<std::uint32_t>(input.choice());
  const std::string_view text = input.rest();

  std::string whole;
  const bool passed = pass(Simd::portable, {text}, max_depth, whole);
  for (const Simd simd : sluice::supported_simd()) {
    std::string at_once;
    std::string in_pieces;
    require(pass(simd, {text}, max_depth, at_once) == passed);
    require(pass(simd, cut_every(text, piece), max_depth, in_pieces) == passed);
    require(!passed || (at_once == whole && in_pieces == whole));
  }
  Document document;
  const bool parsed = document.parse_copy(text, max_depth).has_value();
  if (passed) {
    require(whole.size() == text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      require(whole[i] == text[i] || (whole[i] == ' ' && (text[i] == '\n' || text[i] == '\r')));
    }
    require(whole.find_first_of("\r\n") == std::string::npos);
    require(parsed || text.find("\\u") != std::string_view::npos);
  }
  require(passed || !parsed);
  return 0;
}
