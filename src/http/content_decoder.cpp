#include "http/content_decoder.hpp"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "base/ascii.hpp"

namespace sluice::http {
namespace {

/// gzip and deflate.
class Inflate final : public ContentFilter {
 public:
  enum class Form : std::uint8_t { gzip, deflate };
  explicit Inflate(Form form) noexcept : form_(form) {}
  ~Inflate() override {
    if (open_) inflateEnd(&z_);
  }

  Result<Step> step(std::string_view in, std::span<char> out, bool last) override {
    Step total;
    while (total.read < in.size() && !open_) {
      if (head_size_ < kHead) head_[head_size_++] = static_cast<unsigned char>(in[total.read++]);
      if (head_size_ < kHead) continue;
      if (!start()) return fail("no memory to decode " + name());
      // The two bytes that told the form apart go in first.
      Step head;
      const auto fed = run({reinterpret_cast<const char*>(head_.data()), kHead}, out, head);
      if (!fed) return fed.error();
      total.written += head.written;
    }
    if (open_ && !(last && ended_)) {
      Step rest;
      const auto fed = run(in.substr(total.read), out.subspan(total.written), rest);
      if (!fed) return fed.error();
      total.read += rest.read;
      total.written += rest.written;
    }
    if (last && total.read == 0 && total.written == 0 && !ended_ && head_size_ > 0) {
      return fail("the " + name() + " data is cut short");
    }
    return total;
  }

 private:
  static constexpr std::size_t kHead = 2;

  [[nodiscard]] std::string name() const { return form_ == Form::gzip ? "gzip" : "deflate"; }

  [[nodiscard]] bool start() noexcept {
    int bits = MAX_WBITS + 16;
    if (form_ == Form::deflate) {
      // RFC 1950 section 2.2: the method is 8 and both bytes together are a multiple of 31.
      const bool wrapped = (head_[0] & 15) == 8 && (head_[0] * 256 + head_[1]) % 31 == 0;
      bits = wrapped ? MAX_WBITS : -MAX_WBITS;
    }
    open_ = inflateInit2(&z_, bits) == Z_OK;
    return open_;
  }

  [[nodiscard]] Result<> run(std::string_view in, std::span<char> out, Step& step) {
    while (true) {
      if (ended_) {
        if (in.size() == step.read) return {};
        // Members may follow one another (RFC 1952 section 2.2); anything else was not to be there.
        if (form_ != Form::gzip || in[step.read] != '\x1f') {
          return fail("there are bytes behind the end of the " + name() + " data");
        }
        inflateReset(&z_);
        ended_ = false;
      }
      const auto in_size =
          std::min<std::size_t>(in.size() - step.read, std::numeric_limits<uInt>::max());
      const auto out_size =
          std::min<std::size_t>(out.size() - step.written, std::numeric_limits<uInt>::max());
      z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data() + step.read));
      z_.avail_in = static_cast<uInt>(in_size);
      z_.next_out = reinterpret_cast<Bytef*>(out.data() + step.written);
      z_.avail_out = static_cast<uInt>(out_size);
      const int code = inflate(&z_, Z_NO_FLUSH);
      step.read += in_size - z_.avail_in;
      step.written += out_size - z_.avail_out;
      if (code == Z_STREAM_END) {
        ended_ = true;
        continue;
      }
      if (code == Z_MEM_ERROR) return fail("no memory to decode " + name());
      if (code != Z_OK && code != Z_BUF_ERROR) return fail("the " + name() + " data is damaged");
      return {};
    }
  }

  const Form form_;
  bool open_ = false;
  bool ended_ = false;
  std::array<unsigned char, kHead> head_{};
  std::size_t head_size_ = 0;
  z_stream z_{};
};

class Brotli final : public ContentFilter {
 public:
  Brotli() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}
  ~Brotli() override { BrotliDecoderDestroyInstance(state_); }

  Result<Step> step(std::string_view in, std::span<char> out, bool last) override {
    if (state_ == nullptr) return fail("no memory to decode br");
    if (BrotliDecoderIsFinished(state_)) {
      if (!in.empty()) return fail("there are bytes behind the end of the br data");
      return Step();
    }
    begun_ = begun_ || !in.empty();
    std::size_t in_left = in.size();
    auto next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    std::size_t out_left = out.size();
    auto next_out = reinterpret_cast<std::uint8_t*>(out.data());
    const auto code =
        BrotliDecoderDecompressStream(state_, &in_left, &next_in, &out_left, &next_out, nullptr);
    if (code == BROTLI_DECODER_RESULT_ERROR) return fail("the br data is damaged");
    const Step done{in.size() - in_left, out.size() - out_left};
    if (last && done.written == 0 && code == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT && begun_) {
      return fail("the br data is cut short");
    }
    return done;
  }

 private:
  BrotliDecoderState* const state_;
  bool begun_ = false;
};

class Zstd final : public ContentFilter {
 public:
  Zstd() : state_(ZSTD_createDStream()) {
    // RFC 9659: a frame sent as a content coding must not need a window above 8 MiB.
    if (state_ != nullptr) ZSTD_DCtx_setParameter(state_, ZSTD_d_windowLogMax, 23);
  }
  ~Zstd() override { ZSTD_freeDStream(state_); }

  Result<Step> step(std::string_view in, std::span<char> out, bool last) override {
    if (state_ == nullptr) return fail("no memory to decode zstd");
    if (in.empty() && !inside_) return Step();
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t code = ZSTD_decompressStream(state_, &to, &from);
    if (ZSTD_isError(code)) {
      return fail(ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge
                      ? "the zstd data needs a window above 8 MiB"
                      : "the zstd data is damaged");
    }
    inside_ = code != 0;
    if (last && inside_ && to.pos == 0) return fail("the zstd data is cut short");
    return Step{from.pos, to.pos};
  }

 private:
  ZSTD_DStream* const state_;
  bool inside_ = false;  // of a frame
};

}  // namespace

std::unique_ptr<ContentFilter> make_content_decoder(std::string_view coding) {
  const std::string name = ascii::lower(coding);
  if (name == "gzip" || name == "x-gzip") return std::make_unique<Inflate>(Inflate::Form::gzip);
  if (name == "deflate") return std::make_unique<Inflate>(Inflate::Form::deflate);
  if (name == "br") return std::make_unique<Brotli>();
  if (name == "zstd") return std::make_unique<Zstd>();
  return nullptr;
}

Result<> add_content_decoders(ContentFilters& filters, std::string_view content_encoding,
                              std::string& problem) {
  std::vector<std::string_view> codings;
  while (!content_encoding.empty()) {
    const std::size_t comma = content_encoding.find(',');
    const std::string_view one = ascii::trim(content_encoding.substr(0, comma));
    content_encoding =
        comma == std::string_view::npos ? std::string_view() : content_encoding.substr(comma + 1);
    if (!one.empty() && ascii::lower(one) != "identity") codings.push_back(one);
  }
  if (codings.size() > kMaxCodings) {
    problem = "the body has more than " + std::to_string(kMaxCodings) + " content codings";
    return make_error_code(Errc::source_failed);
  }
  for (auto coding = codings.rbegin(); coding != codings.rend(); ++coding) {
    auto decoder = make_content_decoder(*coding);
    if (decoder == nullptr) {
      problem = "the body has a content coding that was not asked for: " +
                std::string(coding->substr(0, 40));
      return make_error_code(Errc::source_failed);
    }
    filters.add(std::move(decoder));
  }
  return {};
}

}  // namespace sluice::http
