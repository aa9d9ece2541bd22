#include "schema/pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <utility>

#include "schema/ecma.hpp"

namespace sluice::schema {
namespace {

// Backstops only: the work is counted by the callout below.
constexpr std::uint32_t kMatchLimit = 2'000'000;
constexpr std::uint32_t kHeapLimitKib = 16 * 1024;
constexpr std::uint32_t kMaxParentheses = 100;

struct Work {
  std::uint64_t left;
  std::size_t position = 0;
};

// PCRE2 counts its match limit anew at each start position, so that a long text multiplies it.
// Automatic callouts come before every item of the expression; a jump ahead tells of a repeat that
// ran over text without one.
int count_work(pcre2_callout_block* block, void* data) noexcept {
  auto& work = *static_cast<Work*>(data);
  const std::size_t here = block->current_position;
  const std::size_t moved = here > work.position ? here - work.position : 0;
  work.position = here;
  const std::uint64_t cost = 1 + moved / 16;
  if (cost > work.left) {
    work.left = 0;
    return PCRE2_ERROR_CALLOUT;
  }
  work.left -= cost;
  return 0;
}

/// What a match needs besides the expression, kept so that matching does not allocate.
struct Scratch {
  pcre2_match_data* data = pcre2_match_data_create(1, nullptr);
  pcre2_match_context* context = pcre2_match_context_create(nullptr);

  Scratch() {
    if (context == nullptr) return;
    pcre2_set_match_limit(context, kMatchLimit);
    pcre2_set_heap_limit(context, kHeapLimitKib);
  }
  ~Scratch() {
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

std::string describe(int code, std::size_t offset) {
  std::array<PCRE2_UCHAR, 160> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return std::string(reinterpret_cast<const char*>(text.data())) + " (at byte " +
         std::to_string(offset) + ")";
}

}  // namespace

Pattern::~Pattern() { pcre2_code_free(code_); }

Pattern::Pattern(Pattern&& other) noexcept
    : code_(std::exchange(other.code_, nullptr)), text_(other.text_) {}

Pattern& Pattern::operator=(Pattern&& other) noexcept {
  std::swap(code_, other.code_);
  std::swap(text_, other.text_);
  return *this;
}

bool Pattern::compile(std::string_view ecma, std::string& error) {
  std::string perl;
  if (!translate_ecma(ecma, perl, error)) return false;
  constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF |
                                     PCRE2_ALLOW_EMPTY_CLASS | PCRE2_NEVER_BACKSLASH_C |
                                     PCRE2_AUTO_CALLOUT;
  auto* context = pcre2_compile_context_create(nullptr);
  if (context != nullptr) pcre2_set_parens_nest_limit(context, kMaxParentheses);
  int code = 0;
  std::size_t offset = 0;
  code_ = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(perl.data()), perl.size(), kOptions, &code,
                        &offset, context);
  pcre2_compile_context_free(context);
  text_ = ecma;
  if (code_ == nullptr) error = describe(code, std::min(offset, ecma.size()));
  return code_ != nullptr;
}

Pattern::Outcome Pattern::match(std::string_view text, Budget& budget) const noexcept {
  static thread_local Scratch scratch;
  if (scratch.data == nullptr || scratch.context == nullptr) return Outcome::too_costly;
  if (!budget.spend(1 + text.size() / 64)) return Outcome::differs;

  const std::uint64_t allowed = kMaxWork + kWorkPerByte * text.size();
  const std::uint64_t affordable = std::min(allowed, budget.left());
  Work work{affordable};
  pcre2_set_callout(scratch.context, count_work, &work);
  const int code = pcre2_match(code_, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0,
                               scratch.data, scratch.context);
  budget.spend(affordable - work.left);
  if (code >= 0) return Outcome::matches;
  if (code == PCRE2_ERROR_NOMATCH) return Outcome::differs;
  if (affordable < allowed) budget.exhaust();
  return Outcome::too_costly;
}

}  // namespace sluice::schema
