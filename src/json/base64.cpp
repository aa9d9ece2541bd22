#include "json/base64.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"

namespace sluice::json {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNone = 0xff;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNone);
  for (std::uint8_t i = 0; i < 64; ++i) table[static_cast<unsigned char>(kAlphabet[i])] = i;
  return table;
}
constexpr std::array<std::uint8_t, 256> kValues = make_values();

inline void put_group(char* out, unsigned a, unsigned b, unsigned c) noexcept {
  const unsigned bits = a << 16 | b << 8 | c;
  out[0] = kAlphabet[bits >> 18];
  out[1] = kAlphabet[bits >> 12 & 63];
  out[2] = kAlphabet[bits >> 6 & 63];
  out[3] = kAlphabet[bits & 63];
}

}  // namespace

Base64Encoder::Step Base64Encoder::step(std::string_view in, std::span<char> out) noexcept {
  const auto* from = reinterpret_cast<const unsigned char*>(in.data());
  std::size_t read = 0;
  std::size_t written = 0;
  if (carried_ > 0) {
    while (carried_ < 2 && read < in.size()) carry_[carried_++] = from[read++];
    if (read == in.size() || out.size() < 4) return {read, 0};
    put_group(out.data(), carry_[0], carry_[1], from[read++]);
    written = 4;
    carried_ = 0;
  }
  const std::size_t groups = std::min((in.size() - read) / 3, (out.size() - written) / 4);
  encode_(from + read, groups, out.data() + written);
  read += 3 * groups;
  written += 4 * groups;
  while (read < in.size() && carried_ < 2) carry_[carried_++] = from[read++];
  return {read, written};
}

std::size_t Base64Encoder::finish(std::span<char> out) noexcept {
  SLUICE_CHECK(out.size() >= kMinRoom);
  if (carried_ == 0) return 0;
  put_group(out.data(), carry_[0], carried_ == 2 ? carry_[1] : 0U, 0);
  if (carried_ == 1) out[2] = '=';
  out[3] = '=';
  carried_ = 0;
  return 4;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::size_t padding = 0;
    if (at + 4 == text.size() && text[at + 3] == '=') padding = text[at + 2] == '=' ? 2 : 1;
    unsigned bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const bool pad = i >= 4 - padding;
      const std::uint8_t value = pad ? 0 : kValues[static_cast<unsigned char>(text[at + i])];
      if (value == kNone) return std::nullopt;
      bits = bits << 6 | value;
    }
    // Bits that belong to no byte are zero, else two texts would stand for the same bytes.
    if ((padding == 1 && (bits & 0xff) != 0) || (padding == 2 && (bits & 0xffff) != 0)) {
      return std::nullopt;
    }
    bytes.push_back(static_cast<char>(bits >> 16));
    if (padding < 2) bytes.push_back(static_cast<char>(bits >> 8 & 0xff));
    if (padding < 1) bytes.push_back(static_cast<char>(bits & 0xff));
  }
  return bytes;
}

}  // namespace sluice::json
