#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "buffer/content_encoder.hpp"

namespace sluice {
namespace {

class Writer {
 public:
  explicit Writer(std::span<char> out) noexcept : out_(out) {}
  /// The low `bytes` bytes of `value`, the lowest first, as all three formats have it.
  void number(std::uint32_t value, std::size_t bytes) noexcept {
    for (; bytes != 0; --bytes, value >>= 8) out_[n_++] = static_cast<char>(value & 0xff);
  }
  void copy(std::string_view bytes) noexcept {
    if (bytes.empty()) return;
    std::memcpy(out_.data() + n_, bytes.data(), bytes.size());
    n_ += bytes.size();
  }
  [[nodiscard]] std::size_t size() const noexcept { return n_; }

 private:
  std::span<char> out_;
  std::size_t n_ = 0;
};

/// Cuts off and returns at most `size` bytes.
std::string_view next(std::string_view& rest, std::size_t size) noexcept {
  const auto piece = rest.substr(0, size);
  rest.remove_prefix(piece.size());
  return piece;
}

/// Stored blocks (RFC 1951 section 3.2.4) and the trailer (RFC 1952 section 2.3).
void write_gzip(const PrefixEnd& prefix, std::string_view tail, Writer& out) noexcept {
  const auto crc = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(tail.data()), tail.size()));
  const std::size_t size = tail.size();
  do {
    const auto piece = next(tail, 65535);
    const auto length = static_cast<std::uint32_t>(piece.size());
    out.number(tail.empty() ? 1 : 0, 1);
    out.number(length, 2);
    out.number(~length, 2);
    out.copy(piece);
  } while (!tail.empty());
  out.number(static_cast<std::uint32_t>(crc32_combine(prefix.crc, crc, static_cast<z_off_t>(size))),
             4);
  out.number(static_cast<std::uint32_t>(prefix.length + size), 4);
}

/// Raw blocks (RFC 8878 section 3.1.1.2).
void write_zstd(const PrefixEnd& prefix, std::string_view tail, Writer& out) noexcept {
  // A flush of nothing writes no header: a frame with a window of 128 KiB, neither length nor
  // checksum.
  if (prefix.length == 0) {
    out.number(0xfd2fb528, 4);
    out.number((17 - 10) << 11, 2);
  }
  do {
    const auto piece = next(tail, 128 * 1024);
    out.number((tail.empty() ? 1U : 0U) | static_cast<std::uint32_t>(piece.size()) << 3, 3);
    out.copy(piece);
  } while (!tail.empty());
}

/// Uncompressed meta-blocks and an empty last one (RFC 7932 section 9.2).
void write_brotli(std::string_view tail, Writer& out) noexcept {
  while (!tail.empty()) {
    const auto piece = next(tail, 65536);
    // ISLAST 0, MNIBBLES 0 for a length of four nibbles, MLEN - 1, ISUNCOMPRESSED 1.
    out.number(static_cast<std::uint32_t>(piece.size() - 1) << 3 | 1U << 19, 3);
    out.copy(piece);
  }
  out.number(3, 1);  // ISLAST 1, ISLASTEMPTY 1
}

}  // namespace

std::size_t write_tail(const PrefixEnd& prefix, std::string_view tail,
                       std::span<char> out) noexcept {
  SLUICE_CHECK(out.size() >= max_tail(tail.size()));
  Writer writer(out);
  switch (prefix.coding) {
    case ContentCoding::gzip:
      write_gzip(prefix, tail, writer);
      break;
    case ContentCoding::zstd:
      write_zstd(prefix, tail, writer);
      break;
    case ContentCoding::br:
      write_brotli(tail, writer);
      break;
    case ContentCoding::identity:
      writer.copy(tail);
      break;
  }
  return writer.size();
}

}  // namespace sluice
