#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "tools/factory.hpp"
#include "tools/template.hpp"

namespace sluice::tools {
namespace {

/// Arguments come from a model. So in a question they are short and of one line: none of them can
/// push the rest out of sight, or look like a part of it that the operator wrote.
std::string for_people(std::string_view argument) {
  constexpr std::size_t kLongest = 500;
  std::size_t end = std::min(argument.size(), kLongest);
  while (end > 0 && end < argument.size() &&
         (static_cast<unsigned char>(argument[end]) & 0xC0) == 0x80)
    --end;
  std::string out(argument.substr(0, end));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  // What breaks or turns a line beyond ASCII: C1 controls, line and paragraph separators, marks and
  // isolates of direction.
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    const auto byte = [&](std::size_t at) {
      return at < out.size() ? static_cast<unsigned char>(out[at]) : 0U;
    };
    const bool is_c1 = byte(i) == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) <= 0x9F;
    const bool is_alm = byte(i) == 0xD8 && byte(i + 1) == 0x9C;
    const unsigned last = byte(i + 2);
    const bool is_mark =
        byte(i) == 0xE2 && ((byte(i + 1) == 0x80 &&
                             (last == 0x8E || last == 0x8F || (last >= 0xA8 && last <= 0xAE))) ||
                            (byte(i + 1) == 0x81 && last >= 0xA6 && last <= 0xA9));
    if (is_c1 || is_alm || is_mark) out.replace(i, is_mark ? 3 : 2, " ");
  }
  if (end < argument.size()) out += "... (" + std::to_string(argument.size()) + " bytes in all)";
  return out;
}

std::string question_of(const config::Template& text, Json arguments) {
  std::string out;
  for (const auto& part : text.parts)
    out += part.is_slot ? for_people(argument_text(arguments, part.text).value_or("")) : part.text;
  return out;
}

std::string_view text_of(boost::system::error_code why) noexcept {
  if (why == Errc::no_answer)
    return "The user did not answer within timeouts.ask. Nothing was done.";
  if (why == Errc::busy)
    return "Too many calls run (limits.calls_in_flight) or wait for an answer (limits.asking). "
           "Nothing was done.";
  if (why == Errc::cannot_ask)
    return "The tool asks the user first, but the client takes no questions ahead of a result. "
           "Nothing was done.";
  if (why == Errc::bad_answer)
    return "The client's answer to the question whether to go on is none. Nothing was done.";
  return {};
}

/// Asks the user before another handler runs.
///
/// Ownership: owns that handler; points into the configuration, which outlives it.
/// Threads:   immutable, any.
class ConfirmedTool final : public ToolHandler {
 public:
  ConfirmedTool(const config::Confirm& confirm, std::unique_ptr<ToolHandler> handler)
      : confirm_(confirm), handler_(std::move(handler)) {}

  Awaitable<Result<>> run(Call& call, ResultWriter& out) override {
    const std::string question = question_of(confirm_.question, call.arguments());
    const Form form{.message = question, .key = "confirm"};
    const auto answer = co_await call.elicit(form);
    std::string_view refusal;
    if (!answer) {
      const auto why = answer.error();
      const bool is_deaf = why == Errc::missing_capability || why == Errc::cannot_ask;
      if (!is_deaf || !confirm_.allows_unasked) {
        refusal = text_of(why);
        if (refusal.empty()) co_return why;
      }
    } else if (answer->action() == Action::decline) {
      refusal = "The user declined. Nothing was done.";
    } else if (answer->action() == Action::cancel) {
      refusal = "The user closed the question without an answer. Nothing was done.";
    }
    if (!refusal.empty()) {
      const auto told = co_await out.fail(refusal);
      co_return told;
    }
    const auto done = co_await handler_->run(call, out);
    co_return done;
  }

 private:
  const config::Confirm& confirm_;
  const std::unique_ptr<ToolHandler> handler_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_confirmed_tool(const config::Confirm& confirm,
                                                 std::unique_ptr<ToolHandler> handler) {
  return std::make_unique<ConfirmedTool>(confirm, std::move(handler));
}

}  // namespace sluice::tools
