#include <sluice/registry.hpp>

#include <utility>

namespace sluice {

namespace {

class FunctionHandler final : public ToolHandler {
 public:
  explicit FunctionHandler(HandlerFunction function) : function_(std::move(function)) {}
  Awaitable<Result<>> run(Call& call, ResultWriter& out) override { return function_(call, out); }

 private:
  HandlerFunction function_;
};

}  // namespace

void Registry::add(Tool tool, HandlerFunction handler) {
  add(std::move(tool), std::make_unique<FunctionHandler>(std::move(handler)));
}

void Registry::add(Resource resource, HandlerFunction handler) {
  add(std::move(resource), std::make_unique<FunctionHandler>(std::move(handler)));
}

void Registry::add(Prompt prompt, PromptFunction handler) {
  class FunctionPrompt final : public PromptHandler {
   public:
    explicit FunctionPrompt(PromptFunction function) : function_(std::move(function)) {}
    Awaitable<Result<>> get(Call& call, PromptWriter& out) override { return function_(call, out); }

   private:
    PromptFunction function_;
  };
  add(std::move(prompt), std::make_unique<FunctionPrompt>(std::move(handler)));
}

}  // namespace sluice
