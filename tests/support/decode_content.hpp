#pragma once

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "buffer/content_coding.hpp"

namespace sluice::testing {

/// What the libraries' own decoders make of one content, piece by piece. Damage, and bytes behind
/// the end, throw.
class ContentDecoder {
 public:
  explicit ContentDecoder(ContentCoding coding) : coding_(coding) {
    if (coding == ContentCoding::gzip && inflateInit2(&z_, MAX_WBITS + 16) != Z_OK)
      throw std::runtime_error("inflate");
    if (coding == ContentCoding::zstd) zstd_ = ZSTD_createDStream();
    if (coding == ContentCoding::br)
      brotli_ = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
  }
  ContentDecoder(const ContentDecoder&) = delete;
  ContentDecoder& operator=(const ContentDecoder&) = delete;
  ~ContentDecoder() {
    if (coding_ == ContentCoding::gzip) inflateEnd(&z_);
    ZSTD_freeDStream(zstd_);
    if (brotli_ != nullptr) BrotliDecoderDestroyInstance(brotli_);
  }

  void feed(std::string_view bytes) {
    bool more = true;
    while (!bytes.empty() || more) {
      if (!bytes.empty() && ended_) throw std::runtime_error("bytes behind the end");
      const std::size_t before = bytes.size();
      const std::size_t written = coding_ == ContentCoding::gzip   ? inflate_some(bytes)
                                  : coding_ == ContentCoding::zstd ? zstd_some(bytes)
                                  : coding_ == ContentCoding::br   ? brotli_some(bytes)
                                                                   : copy(bytes);
      text_.append(out_.data(), written);
      more = !ended_ && (written != 0 || bytes.size() != before);
    }
  }
  /// All that could be decoded so far.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] bool ended() const noexcept { return ended_; }

 private:
  std::size_t inflate_some(std::string_view& bytes) {
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z_.avail_in = static_cast<uInt>(bytes.size());
    z_.next_out = reinterpret_cast<Bytef*>(out_.data());
    z_.avail_out = static_cast<uInt>(out_.size());
    const int code = inflate(&z_, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      throw std::runtime_error("damaged gzip");
    ended_ = code == Z_STREAM_END;
    bytes.remove_prefix(bytes.size() - z_.avail_in);
    return out_.size() - z_.avail_out;
  }
  std::size_t zstd_some(std::string_view& bytes) {
    ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
    ZSTD_outBuffer to{out_.data(), out_.size(), 0};
    const std::size_t code = ZSTD_decompressStream(zstd_, &to, &from);
    if (ZSTD_isError(code)) throw std::runtime_error("damaged zstd");
    ended_ = code == 0;
    bytes.remove_prefix(from.pos);
    return to.pos;
  }
  std::size_t brotli_some(std::string_view& bytes) {
    std::size_t in_left = bytes.size();
    auto next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    std::size_t out_left = out_.size();
    auto next_out = reinterpret_cast<std::uint8_t*>(out_.data());
    const auto code =
        BrotliDecoderDecompressStream(brotli_, &in_left, &next_in, &out_left, &next_out, nullptr);
    if (code == BROTLI_DECODER_RESULT_ERROR) throw std::runtime_error("damaged br");
    ended_ = code == BROTLI_DECODER_RESULT_SUCCESS;
    bytes.remove_prefix(bytes.size() - in_left);
    return out_.size() - out_left;
  }
  std::size_t copy(std::string_view& bytes) noexcept {
    const std::size_t n = bytes.copy(out_.data(), out_.size());
    bytes.remove_prefix(n);
    return n;
  }

  const ContentCoding coding_;
  std::array<char, 4096> out_;
  std::string text_;
  bool ended_ = false;
  z_stream z_{};
  ZSTD_DStream* zstd_ = nullptr;
  BrotliDecoderState* brotli_ = nullptr;
};

/// The text of one whole content, fed in pieces of `piece` bytes.
[[nodiscard]] inline std::string decode_content(ContentCoding coding, std::string_view bytes,
                                                std::size_t piece = 65536) {
  ContentDecoder decoder(coding);
  for (std::size_t at = 0; at < bytes.size(); at += piece) decoder.feed(bytes.substr(at, piece));
  if (coding != ContentCoding::identity && !decoder.ended())
    throw std::runtime_error("the content has no end");
  return decoder.text();
}

}  // namespace sluice::testing
