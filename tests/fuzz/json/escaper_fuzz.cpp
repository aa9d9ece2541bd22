#include "escape_model.hpp"
#include "escape_run.hpp"
#include "input.hpp"

/// The same as the model says, whatever the instruction set, the pieces and the room.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice::json;
  using namespace sluice::json::test;
  Input input(data, size);
  const std::size_t piece = 1 + input.choice();
  const std::size_t room = Escaper::kMinRoom + input.choice() * (1 + input.choice() % 4);
  const std::string_view text = input.rest();

  const std::string expected = escape_model(text);
  for (const sluice::Simd simd : sluice::supported_simd()) {
    const Escaped escaped = escape_pieces(simd, cut_every(text, piece), [room] { return room; });
    require(escaped.broken == nullptr);
    require(escaped.text == expected);
  }
  return 0;
}
