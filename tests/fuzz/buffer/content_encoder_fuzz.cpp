#include <algorithm>
#include <cstdlib>
#include <vector>

#include "buffer/content_encoder.hpp"
#include "support/decode_content.hpp"

namespace {

using namespace sluice;

void require(bool condition) {
  if (!condition) std::abort();
}

/// Choices are taken from the back, the front is the text.
std::size_t choose(std::string_view& input) {
  if (input.empty()) return 0;
  const auto value = static_cast<unsigned char>(input.back());
  input.remove_suffix(1);
  return value;
}

/// One encoder for all inputs, so that what one leaves behind meets the next.
ContentEncoder& encoder_of(ContentCoding coding) {
  static const std::unique_ptr<ContentEncoder> encoders[] = {
      *ContentEncoder::make(ContentCoding::gzip), *ContentEncoder::make(ContentCoding::zstd),
      *ContentEncoder::make(ContentCoding::br)};
  return *encoders[static_cast<std::size_t>(coding) - 1];
}

}  // namespace

/// What an independent decoder gets is what was put in, whatever the pieces, the room, the flushes
/// and the contents before.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto coding = static_cast<ContentCoding>(1 + choose(input) % 3);
  const std::size_t piece = 1 + choose(input) * (1 + choose(input) % 64);
  const std::size_t room = 1 + choose(input) * (1 + choose(input) % 16);
  const std::size_t flush_every = choose(input) % 8;
  const std::size_t times = 1 + choose(input) % 64;  // the text over and over
  const std::size_t tail_size = choose(input) % 4 == 0 ? choose(input) : 0;
  const bool has_tail = tail_size != 0;
  const bool gives_up = choose(input) % 8 == 0;

  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += input;
  const std::string_view whole = text;
  std::string_view left = whole.substr(0, whole.size() - std::min(tail_size, whole.size()));

  ContentEncoder& encoder = encoder_of(coding);
  testing::ContentDecoder decoder(coding);
  std::string bytes;
  std::vector<char> out(std::max(room, ContentEncoder::kMinRoom));
  const auto flush = [&] {
    while (true) {
      const auto rest = encoder.flush(out);
      require(rest.has_value() && rest->written <= out.size());
      bytes.append(out.data(), rest->written);
      if (rest->done) return;
      require(rest->written != 0);
    }
  };
  for (std::size_t i = 1; !left.empty(); ++i) {
    std::string_view in = left.substr(0, piece);
    left.remove_prefix(in.size());
    while (!in.empty()) {
      const auto step = encoder.step(in, {out.data(), room});
      require(step.has_value() && step->read <= in.size() && step->written <= room);
      require(step->read == in.size() || step->written == room);
      bytes.append(out.data(), step->written);
      in.remove_prefix(step->read);
    }
    if (flush_every != 0 && i % flush_every == 0) {
      flush();
      decoder.feed(bytes);
      bytes.clear();
      require(decoder.text().size() == encoder.taken());
    }
  }
  if (has_tail) {
    flush();
    const std::string_view tail = whole.substr(encoder.taken());
    std::string end(max_tail(tail.size()), '\0');
    end.resize(write_tail(encoder.prefix_end(), tail, end));
    bytes += end;
  } else if (!gives_up) {
    while (true) {
      const auto rest = encoder.finish(out);
      require(rest.has_value());
      bytes.append(out.data(), rest->written);
      if (rest->done) break;
      require(rest->written != 0);
    }
  }
  if (has_tail || !gives_up) {
    decoder.feed(bytes);
    require(decoder.ended() && decoder.text() == text);
  }
  require(encoder.memory() <= ContentEncoder::max_memory(coding));
  require(encoder.reset().has_value());
  return 0;
}
