#include "base64_model.hpp"
#include "input.hpp"
#include "json/base64.hpp"
#include "support.hpp"

/// The same as the model says, whatever the instruction set, the pieces and the room.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice;
  using namespace sluice::json;
  using namespace sluice::json::test;
  Input input(data, size);
  const std::size_t piece = 1 + input.choice();
  const std::size_t room = Base64Encoder::kMinRoom + input.choice() * (1 + input.choice() % 4);
  const std::string_view bytes = input.rest();
  const std::string expected = base64_model(bytes);

  for (const Simd simd : supported_simd()) {
    Base64Encoder encoder(simd);
    std::string text;
    for (const std::string_view part : cut_every(bytes, piece)) {
      const ExactBytes exact(part);
      std::string_view left = exact.view();
      while (!left.empty()) {
        GuardedRoom out(room);
        const Base64Encoder::Step step = encoder.step(left, {out.data(), out.size()});
        require(out.is_intact() && step.read <= left.size() && step.written <= room);
        require(step.read == left.size() || room - step.written < 4);
        text.append(out.data(), step.written);
        left.remove_prefix(step.read);
      }
    }
    GuardedRoom out(Base64Encoder::kMinRoom);
    text.append(out.data(), encoder.finish({out.data(), out.size()}));
    require(out.is_intact());
    require(text == expected);
  }
  const auto decoded = base64_decode(expected);
  require(decoded && *decoded == bytes);
  return 0;
}
