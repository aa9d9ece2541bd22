#include <algorithm>

#include "escape_model.hpp"
#include "input.hpp"
#include "json/escaper.hpp"
#include "support.hpp"

/// The same as the model says, whatever the pieces and the room.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice::json;
  using namespace sluice::json::test;
  Input input(data, size);
  const std::size_t piece = 1 + input.choice();
  const std::size_t room = Escaper::kMinRoom + input.choice() * (1 + input.choice() % 4);
  const std::string_view text = input.rest();

  Escaper escaper;
  std::string escaped;
  for (const std::string_view part : cut_every(text, piece)) {
    const ExactBytes bytes(part);
    std::string_view left = bytes.view();
    while (!left.empty()) {
      GuardedRoom out(room);
      const Escaper::Step step = escaper.step(left, {out.data(), out.size()});
      require(out.is_intact() && step.read <= left.size() && step.written <= room);
      require(step.read == left.size() || room - step.written < Escaper::kMinRoom);
      escaped.append(out.data(), step.written);
      left.remove_prefix(step.read);
    }
  }
  GuardedRoom out(Escaper::kMinRoom);
  escaped.append(out.data(), escaper.finish({out.data(), out.size()}));
  require(out.is_intact());
  require(escaped == escape_model(text));
  return 0;
}
