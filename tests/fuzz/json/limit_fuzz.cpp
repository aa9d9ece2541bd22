#include "json/limit.hpp"

#include "json/document.hpp"
#include "stepping.hpp"

/// The same for all instruction sets, pieces and rooms; what was JSON stays JSON, and never is longer
/// than it may be.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice;
  using namespace sluice::json;
  using namespace sluice::json::test;
  Input input(data, size);
  const std::size_t piece = 1 + input.choice();
  const std::size_t room = 1 + input.choice();
  const std::size_t max = input.choice() * (1 + input.choice() % 8);
  const std::size_t window = 1 + input.choice();
  const std::string_view text = input.rest();
  const JsonLimiter::Limits limits{max, 100, window};

  JsonLimiter first(limits, Simd::portable);
  const Outcome whole = run(first, {text}, text.size() + 200);
  require(whole.text.size() <= max);
  for (const Simd simd : supported_simd()) {
    JsonLimiter at_once(limits, simd);
    require(run(at_once, {text}, text.size() + 200) == whole);
    JsonLimiter in_pieces(limits, simd);
    require(run(in_pieces, cut_every(text, piece), room) == whole);
    require(in_pieces.cut() == first.cut() && in_pieces.elements() == first.elements());
    require(in_pieces.read() == first.read() && in_pieces.is_done() == first.is_done());
  }
  Document document;
  if (!document.parse_copy(text, 100)) return 0;
  require(whole.verdict == Errc::ok || whole.verdict == Errc::result_too_large);
  if (whole.verdict == Errc::ok) require(document.parse_copy(whole.text, 100).has_value());
  return 0;
}
