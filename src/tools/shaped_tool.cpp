#include <utility>

#include "tools/factory.hpp"
#include "tools/shaped_writer.hpp"

namespace sluice::tools {
namespace {

/// Makes the results of another handler smaller.
///
/// Ownership: owns that handler.
/// Threads:   immutable, any.
class ShapedTool final : public ToolHandler {
 public:
  ShapedTool(config::Shaping shaping, const config::Limits& limits,
             std::unique_ptr<ToolHandler> handler)
      : shaping_(std::move(shaping)), limits_(limits), handler_(std::move(handler)) {}

  Awaitable<Result<>> run(Call& call, ResultWriter& out) override {
    ShapedWriter shaped(mcp::inner(call), out, shaping_, limits_);
    const auto done = co_await handler_->run(call, shaped);
    // A source that was stopped because there is enough says that it was.
    if (!done && !shaped.is_stopped()) co_return done;
    const auto closed = co_await shaped.close();
    co_return closed;
  }

 private:
  const config::Shaping shaping_;
  const config::Limits& limits_;
  const std::unique_ptr<ToolHandler> handler_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_shaped_tool(config::Shaping shaping, const config::Limits& limits,
                                              std::unique_ptr<ToolHandler> handler) {
  return std::make_unique<ShapedTool>(std::move(shaping), limits, std::move(handler));
}

}  // namespace sluice::tools
