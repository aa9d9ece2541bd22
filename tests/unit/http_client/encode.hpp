#pragma once

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace sluice::testing {

enum class Wrap { gzip, zlib, raw };

[[nodiscard]] inline std::string deflate_of(std::string_view text, Wrap wrap) {
  z_stream z{};
  const int bits = wrap == Wrap::gzip   ? MAX_WBITS + 16
                   : wrap == Wrap::zlib ? MAX_WBITS
                                        : -MAX_WBITS;
  if (deflateInit2(&z, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflate");
  std::string out(deflateBound(&z, text.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

[[nodiscard]] inline std::string gzip_of(std::string_view text) {
  return deflate_of(text, Wrap::gzip);
}

[[nodiscard]] inline std::string brotli_of(std::string_view text) {
  std::size_t size = BrotliEncoderMaxCompressedSize(text.size()) + 64;
  std::string out(size, '\0');
  BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, text.size(),
                        reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                        reinterpret_cast<std::uint8_t*>(out.data()));
  out.resize(size);
  return out;
}

/// `window_log` 0: as the level has it.
[[nodiscard]] inline std::string zstd_of(std::string_view text, int window_log = 0) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  if (window_log != 0) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
    ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1);
  }
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_inBuffer from{text.data(), text.size(), 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  while (ZSTD_compressStream2(context, &to, &from, ZSTD_e_continue) != 0 && from.pos < from.size) {
  }
  while (ZSTD_compressStream2(context, &to, &from, ZSTD_e_end) != 0) {
  }
  out.resize(to.pos);
  ZSTD_freeCCtx(context);
  return out;
}

}  // namespace sluice::testing
