#include "tools/factory.hpp"
#include "tools/template.hpp"

namespace sluice::tools {
namespace {

/// Text with the variables of a URI put in.
///
/// Ownership: borrows the configuration, which outlives it.
/// Threads:   immutable, any.
class TextHandler final : public ToolHandler {
 public:
  explicit TextHandler(const config::TextTemplate& source) : config_(source) {}

  Awaitable<Result<>> run(Call& call, ResultWriter& out) override {
    const auto text = expand(config_.text, call.arguments());
    if (!text) {
      const auto told = co_await out.not_found("A variable of the text has no value.");
      co_return told;
    }
    const auto written = co_await out.text(*text);
    co_return written;
  }

 private:
  const config::TextTemplate& config_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_text(const config::TextTemplate& source) {
  return std::make_unique<TextHandler>(source);
}

}  // namespace sluice::tools
