#include "buffer/content_encoder.hpp"

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <boost/system/errc.hpp>
#include <limits>

#include "base/check.hpp"
#include "buffer/block_cache.hpp"

namespace sluice {
namespace {

boost::system::error_code no_memory() noexcept {
  return boost::system::errc::make_error_code(boost::system::errc::not_enough_memory);
}

class Gzip final : public ContentEncoder {
 public:
  Gzip() noexcept : ContentEncoder(ContentCoding::gzip) {}
  ~Gzip() override {
    if (open_) deflateEnd(&z_);
  }
  [[nodiscard]] bool open() noexcept {
    // 16 more asks for gzip's wrapper.
    open_ = deflateInit2(&z_, kLevel, Z_DEFLATED, kWindowBits + 16, kMemLevel,
                         Z_DEFAULT_STRATEGY) == Z_OK;
    return open_;
  }
  /// As zconf.h states it, and some 6 KiB for the state.
  [[nodiscard]] std::size_t memory() const noexcept override {
    return (std::size_t{1} << (kWindowBits + 2)) + (std::size_t{1} << (kMemLevel + 9)) + 6 * 1024;
  }

 private:
  static constexpr int kLevel = 1;
  static constexpr int kWindowBits = 15;
  static constexpr int kMemLevel = 8;

  Result<Step> run(std::string_view in, std::span<char> out) noexcept override {
    Step step;
    while (step.read < in.size() && step.written < out.size()) {
      const std::size_t size =
          std::min<std::size_t>(in.size() - step.read, std::numeric_limits<uInt>::max());
      z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data() + step.read));
      z_.avail_in = static_cast<uInt>(size);
      step.written += put(Z_NO_FLUSH, out.subspan(step.written));
      step.read += size - z_.avail_in;
    }
    return step;
  }
  Result<Rest> run_flush(std::span<char> out) noexcept override {
    z_.avail_in = 0;
    const std::size_t written = put(Z_SYNC_FLUSH, out);
    return Rest{written, z_.avail_out != 0};
  }
  Result<Rest> run_finish(std::span<char> out) noexcept override {
    z_.avail_in = 0;
    const std::size_t written = put(Z_FINISH, out);
    return Rest{written, code_ == Z_STREAM_END};
  }
  Result<> run_reset() noexcept override {
    deflateReset(&z_);
    return {};
  }
  /// For gzip's wrapper zlib keeps the CRC here.
  std::uint32_t crc() const noexcept override { return static_cast<std::uint32_t>(z_.adler); }

  std::size_t put(int flush, std::span<char> out) noexcept {
    const std::size_t room = std::min<std::size_t>(out.size(), std::numeric_limits<uInt>::max());
    z_.next_out = reinterpret_cast<Bytef*>(out.data());
    z_.avail_out = static_cast<uInt>(room);
    code_ = deflate(&z_, flush);
    // Z_BUF_ERROR says that there was nothing to do. All memory was taken by open().
    SLUICE_DCHECK(code_ != Z_STREAM_ERROR);
    return room - z_.avail_out;
  }

  bool open_ = false;
  int code_ = Z_OK;
  z_stream z_{};
};

class Zstd final : public ContentEncoder {
 public:
  Zstd() noexcept : ContentEncoder(ContentCoding::zstd), state_(ZSTD_createCCtx()) {}
  ~Zstd() override { ZSTD_freeCCtx(state_); }
  [[nodiscard]] bool open() noexcept {
    return state_ != nullptr &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(state_, ZSTD_c_compressionLevel, 1)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(state_, ZSTD_c_windowLog, 18)) && begin();
  }
  [[nodiscard]] std::size_t memory() const noexcept override { return ZSTD_sizeof_CCtx(state_); }

 private:
  Result<Step> run(std::string_view in, std::span<char> out) noexcept override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    while (from.pos < from.size && to.pos < to.size)
      if (ZSTD_isError(ZSTD_compressStream2(state_, &to, &from, ZSTD_e_continue)))
        return no_memory();
    return Step{from.pos, to.pos};
  }
  Result<Rest> run_flush(std::span<char> out) noexcept override { return put(ZSTD_e_flush, out); }
  Result<Rest> run_finish(std::span<char> out) noexcept override { return put(ZSTD_e_end, out); }
  Result<> run_reset() noexcept override {
    ZSTD_CCtx_reset(state_, ZSTD_reset_session_only);
    if (!begin()) return no_memory();
    return {};
  }

  /// Takes the memory, for a content of unknown length. Were finish() the first to be called, the
  /// library would fit tables to the length it then knows, and would now and then get other memory
  /// for them.
  [[nodiscard]] bool begin() noexcept {
    ZSTD_inBuffer from{nullptr, 0, 0};
    ZSTD_outBuffer to{nullptr, 0, 0};
    return !ZSTD_isError(ZSTD_compressStream2(state_, &to, &from, ZSTD_e_continue));
  }
  Result<Rest> put(ZSTD_EndDirective end, std::span<char> out) noexcept {
    ZSTD_inBuffer from{nullptr, 0, 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t left = ZSTD_compressStream2(state_, &to, &from, end);
    if (ZSTD_isError(left)) return no_memory();
    return Rest{to.pos, left == 0};
  }

  ZSTD_CCtx* const state_;
};

class Brotli final : public ContentEncoder {
 public:
  Brotli() noexcept : ContentEncoder(ContentCoding::br) {}
  ~Brotli() override { close(); }
  [[nodiscard]] bool open() noexcept {
    state_ = BrotliEncoderCreateInstance(&take, &give, &blocks_);
    return state_ != nullptr &&
           BrotliEncoderSetParameter(state_, BROTLI_PARAM_QUALITY, 2) == BROTLI_TRUE &&
           BrotliEncoderSetParameter(state_, BROTLI_PARAM_LGWIN, 16) == BROTLI_TRUE;
  }
  [[nodiscard]] std::size_t memory() const noexcept override { return blocks_.bytes(); }

 private:
  Result<Step> run(std::string_view in, std::span<char> out) noexcept override {
    std::size_t in_left = in.size();
    auto next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    std::size_t out_left = out.size();
    auto next_out = reinterpret_cast<std::uint8_t*>(out.data());
    while (in_left != 0 && out_left != 0)
      if (!run(BROTLI_OPERATION_PROCESS, in_left, next_in, out_left, next_out)) return no_memory();
    return Step{in.size() - in_left, out.size() - out_left};
  }
  Result<Rest> run_flush(std::span<char> out) noexcept override {
    const auto written = put(BROTLI_OPERATION_FLUSH, out);
    if (!written) return written.error();
    return Rest{*written, BrotliEncoderHasMoreOutput(state_) == BROTLI_FALSE};
  }
  Result<Rest> run_finish(std::span<char> out) noexcept override {
    const auto written = put(BROTLI_OPERATION_FINISH, out);
    if (!written) return written.error();
    return Rest{*written, BrotliEncoderIsFinished(state_) == BROTLI_TRUE};
  }
  /// The library has no reset; its memory is kept in `blocks_`.
  Result<> run_reset() noexcept override {
    close();
    if (!open()) return no_memory();
    return {};
  }

  [[nodiscard]] bool run(BrotliEncoderOperation operation, std::size_t& in_left,
                         const std::uint8_t*& next_in, std::size_t& out_left,
                         std::uint8_t*& next_out) noexcept {
    return state_ != nullptr &&
           BrotliEncoderCompressStream(state_, operation, &in_left, &next_in, &out_left, &next_out,
                                       nullptr) == BROTLI_TRUE;
  }
  Result<std::size_t> put(BrotliEncoderOperation operation, std::span<char> out) noexcept {
    std::size_t in_left = 0;
    const std::uint8_t* next_in = nullptr;
    std::size_t out_left = out.size();
    auto next_out = reinterpret_cast<std::uint8_t*>(out.data());
    if (!run(operation, in_left, next_in, out_left, next_out)) return no_memory();
    return out.size() - out_left;
  }
  void close() noexcept {
    BrotliEncoderDestroyInstance(state_);
    state_ = nullptr;
  }

  static void* take(void* cache, std::size_t size) {
    return static_cast<BlockCache*>(cache)->take(size);
  }
  static void give(void* cache, void* data) { static_cast<BlockCache*>(cache)->give(data); }

  BlockCache blocks_;
  BrotliEncoderState* state_ = nullptr;
};

template <class Encoder>
Result<std::unique_ptr<ContentEncoder>> make_opened() {
  auto encoder = std::make_unique<Encoder>();
  if (!encoder->open()) return no_memory();
  return std::unique_ptr<ContentEncoder>(std::move(encoder));
}

}  // namespace

Result<std::unique_ptr<ContentEncoder>> ContentEncoder::make(ContentCoding coding) {
  switch (coding) {
    case ContentCoding::gzip:
      return make_opened<Gzip>();
    case ContentCoding::zstd:
      return make_opened<Zstd>();
    case ContentCoding::br:
      return make_opened<Brotli>();
    case ContentCoding::identity:
      break;
  }
  SLUICE_CHECK(coding != ContentCoding::identity);
  return no_memory();
}

Result<ContentEncoder::Step> ContentEncoder::step(std::string_view in,
                                                  std::span<char> out) noexcept {
  auto step = run(in, out);
  if (step) taken_ += step->read;
  return step;
}

Result<ContentEncoder::Rest> ContentEncoder::finish(std::span<char> out) noexcept {
  if (finished_) return Rest{0, true};  // zstd would begin another frame
  auto rest = run_finish(out);
  finished_ = rest && rest->done;
  return rest;
}

Result<> ContentEncoder::reset() noexcept {
  taken_ = 0;
  finished_ = false;
  return run_reset();
}

}  // namespace sluice
