#pragma once

#include <memory>
#include <string_view>

#include <sluice/notifier.hpp>
#include <sluice/prompt.hpp>
#include <sluice/resource.hpp>
#include <sluice/tool.hpp>

namespace sluice {

/// Takes tools, prompts and resources while the server is put together.
///
/// Errors: names, URIs, schemas and duplicates are checked when the server starts.
class Registry {
 public:
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;
  virtual ~Registry() = default;

  virtual void add(Tool tool, std::unique_ptr<ToolHandler> handler) = 0;
  virtual void add(Prompt prompt, std::unique_ptr<PromptHandler> handler) = 0;
  virtual void add(Resource resource, std::unique_ptr<ToolHandler> handler) = 0;
  void add(Tool tool, HandlerFunction handler);
  void add(Prompt prompt, PromptFunction handler);
  void add(Resource resource, HandlerFunction handler);

  /// The plug-in's own settings: the YAML below its entry as JSON text; "{}" where it has none.
  [[nodiscard]] virtual std::string_view settings() const noexcept = 0;
  /// Where to say that something has changed that the server offers.
  [[nodiscard]] virtual std::shared_ptr<Notifier> notifier() = 0;

 protected:
  Registry() = default;
};

}  // namespace sluice
