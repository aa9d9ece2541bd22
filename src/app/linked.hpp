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
  struct LinkedResource {
    Resource resource;
    std::unique_ptr<ToolHandler> handler;
  };
  std::vector<LinkedTool> tools;
  std::vector<LinkedPrompt> prompts;
  std::vector<LinkedResource> resources;
};

}  // namespace sluice::app
