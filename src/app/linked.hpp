#pragma once

#include <memory>
#include <vector>

#include <sluice/registry.hpp>

namespace sluice::app {

/// What the host program adds.
struct Linked {
  struct LinkedTool {
    Tool tool;
    std::unique_ptr<ToolHandler> handler;
  };
  struct LinkedPrompt {
    Prompt prompt;
    std::unique_ptr<PromptHandler> handler;
  };
  std::vector<LinkedTool> tools;
  std::vector<LinkedPrompt> prompts;
};

}  // namespace sluice::app
