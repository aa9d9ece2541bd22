#include "http/charset.hpp"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/ascii.hpp"

namespace sluice::http {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

using ascii::lower;
using ascii::trim;

// Names that the web uses and iconv does not know, or knows in a narrower sense.
std::string_view iconv_name(std::string_view charset) noexcept {
  struct Alias {
    std::string_view web, iconv;
  };
  static constexpr std::array kAliases{
      Alias{"gb2312", "GB18030"},        Alias{"gbk", "GB18030"},
      Alias{"x-gbk", "GB18030"},         Alias{"ks_c_5601-1987", "CP949"},
      Alias{"euc-kr", "CP949"},          Alias{"x-sjis", "CP932"},
      Alias{"shift_jis", "CP932"},       Alias{"shift-jis", "CP932"},
      Alias{"x-euc-jp", "EUC-JP"},       Alias{"big5", "BIG5-HKSCS"},
      Alias{"x-cp1252", "CP1252"},       Alias{"windows-31j", "CP932"},
      Alias{"x-mac-roman", "MACINTOSH"}, Alias{"iso-8859-8-i", "ISO-8859-8"},
  };
  for (const Alias& alias : kAliases) {
    if (ascii::iequals(alias.web, charset)) return alias.iconv;
  }
  return charset;
}

// "//TRANSLIT" and the like are iconv's, not charsets.
bool is_charset_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= 40 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') ||
           std::string_view("-_.:+").find(c) != std::string_view::npos;
  });
}

// How much to skip where a unit of the charset is more than a byte: everything behind would be out
// of step.
std::size_t unit_of(std::string_view charset) noexcept {
  const auto has = [&](std::string_view part) {
    return std::search(charset.begin(), charset.end(), part.begin(), part.end(),
                       [](char x, char y) { return lower(x) == y; }) != charset.end();
  };
  if (has("utf-32") || has("utf32") || has("ucs-4") || has("ucs4")) return 4;
  if (has("utf-16") || has("utf16") || has("ucs-2") || has("ucs2")) return 2;
  return 1;
}

class Converter final : public ContentFilter {
 public:
  Converter(iconv_t cd, std::size_t unit) noexcept : cd_(cd), unit_(unit) {}
  ~Converter() override { iconv_close(cd_); }

  Result<Step> step(std::string_view in, std::span<char> out, bool last) override {
    Step done;
    // What was cut by the border of a chunk, a byte at a time until it is whole.
    while (carried_ > 0) {
      const Ran ran = run({carry_.data(), carried_}, out, done.written);
      drop_carried(ran.read);
      if (ran.stop == Stop::no_room) return done;
      if (carried_ == 0) break;
      if (carried_ == carry_.size()) {
        if (!replace(out, done.written)) return done;
        drop_carried(std::min(unit_, carried_));
        continue;
      }
      if (done.read == in.size()) return last ? end(out, done) : Result<Step>(done);
      carry_[carried_++] = in[done.read++];
    }
    const Ran ran = run(in.substr(done.read), out, done.written);
    done.read += ran.read;
    if (ran.stop == Stop::cut) {
      const std::string_view rest = in.substr(done.read);
      const std::size_t keep = std::min(rest.size(), carry_.size());
      std::memcpy(carry_.data(), rest.data(), keep);
      carried_ = keep;
      done.read += keep;
    }
    if (last && done.read == in.size() && ran.stop != Stop::no_room) return end(out, done);
    return done;
  }

 private:
  enum class Stop : std::uint8_t { all, cut, no_room };
  struct Ran {
    std::size_t read;
    Stop stop;
  };

  [[nodiscard]] Ran run(std::string_view in, std::span<char> out, std::size_t& written) noexcept {
    char* from = const_cast<char*>(in.data());
    std::size_t left = in.size();
    while (left > 0) {
      char* to = out.data() + written;
      std::size_t room = out.size() - written;
      const std::size_t left_before = left;
      const std::size_t code = iconv(cd_, &from, &left, &to, &room);
      const int error = code == static_cast<std::size_t>(-1) ? errno : 0;
      written = out.size() - room;
      if (error == E2BIG) return {in.size() - left, Stop::no_room};
      if (error == EINVAL && left <= carry_.size()) return {in.size() - left, Stop::cut};
      if (error == 0 && left < left_before) continue;
      // Not a character; and whatever else iconv says, something is skipped, so that the end is
      // reached.
      if (!replace(out, written)) return {in.size() - left, Stop::no_room};
      const std::size_t skip = std::min(unit_, left);
      from += skip;
      left -= skip;
    }
    return {in.size(), Stop::all};
  }

  [[nodiscard]] Result<Step> end(std::span<char> out, Step done) noexcept {
    if (carried_ > 0) {
      if (!replace(out, done.written)) return done;
      carried_ = 0;
    }
    // Some converters hold a character back until they have seen what follows.
    char* to = out.data() + done.written;
    std::size_t room = out.size() - done.written;
    iconv(cd_, nullptr, nullptr, &to, &room);
    done.written = out.size() - room;
    return done;
  }

  [[nodiscard]] static bool replace(std::span<char> out, std::size_t& written) noexcept {
    if (out.size() - written < kReplacement.size()) return false;
    std::memcpy(out.data() + written, kReplacement.data(), kReplacement.size());
    written += kReplacement.size();
    return true;
  }

  void drop_carried(std::size_t n) noexcept {
    std::memmove(carry_.data(), carry_.data() + n, carried_ - n);
    carried_ -= n;
  }

  const iconv_t cd_;
  const std::size_t unit_;
  std::array<char, 32> carry_{};
  std::size_t carried_ = 0;
};

}  // namespace

std::string_view charset_of(std::string_view content_type) noexcept {
  std::size_t at = content_type.find(';');
  while (at != std::string_view::npos) {
    content_type.remove_prefix(at + 1);
    // A quoted value may hold a semicolon.
    at = 0;
    for (bool quoted = false; at < content_type.size() && (quoted || content_type[at] != ';');
         ++at) {
      if (content_type[at] == '"') quoted = !quoted;
    }
    const std::string_view parameter = content_type.substr(0, at);
    if (at == content_type.size()) at = std::string_view::npos;
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos ||
        !ascii::iequals(trim(parameter.substr(0, equals)), "charset"))
      continue;
    std::string_view value = trim(parameter.substr(equals + 1));
    for (const char quote : {'"', '\''}) {
      if (value.size() >= 2 && value.front() == quote && value.back() == quote) {
        value = value.substr(1, value.size() - 2);
      }
    }
    return value;
  }
  return {};
}

bool is_utf8_charset(std::string_view charset) noexcept {
  for (const std::string_view name :
       {"", "utf-8", "utf8", "us-ascii", "ascii", "utf-8-sig", "unicode-1-1-utf-8"}) {
    if (ascii::iequals(name, charset)) return true;
  }
  return false;
}

std::unique_ptr<ContentFilter> make_charset_converter(std::string_view charset) {
  if (!is_charset_name(charset)) return nullptr;
  const std::string name(iconv_name(charset));
  const iconv_t cd = iconv_open("UTF-8", name.c_str());
  if (cd == reinterpret_cast<iconv_t>(-1)) return nullptr;
  return std::make_unique<Converter>(cd, unit_of(charset));
}

std::string_view ByteOrderMark::strip(std::string_view piece, std::string_view& held) noexcept {
  held = {};
  while (!past_ && !piece.empty()) {
    if (piece.front() == kMark[seen_]) {
      piece.remove_prefix(1);
      past_ = ++seen_ == kMark.size();
      continue;
    }
    held = kMark.substr(0, seen_);
    past_ = true;
  }
  return piece;
}

std::string_view ByteOrderMark::finish() noexcept {
  if (past_) return {};
  past_ = true;
  return kMark.substr(0, seen_);
}

}  // namespace sluice::http
