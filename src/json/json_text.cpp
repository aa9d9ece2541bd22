#include <sluice/json_text.hpp>
#include <utility>

#include "json/document.hpp"

namespace sluice {

struct JsonText::Impl {
  json::Document document;
};

JsonText::JsonText(std::shared_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}

Result<JsonText> JsonText::parse(std::string_view text) {
  auto impl = std::make_shared<Impl>();
  const auto root = impl->document.parse_copy(text);
  if (!root) return root.error();
  return JsonText(std::move(impl));
}

Json JsonText::root() const noexcept { return impl_->document.root(); }

}  // namespace sluice
