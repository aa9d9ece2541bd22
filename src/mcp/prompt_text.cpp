#include "mcp/prompt_text.hpp"

#include "mcp/content_text.hpp"

namespace sluice::mcp {

void PromptText::begin(Role role) {
  if (!messages_.empty()) messages_ += ',';
  messages_ +=
      role == Role::user ? R"({"role":"user","content":)" : R"({"role":"assistant","content":)";
}

Result<> PromptText::end(std::size_t before) {
  messages_ += '}';
  if (messages_.size() <= max_bytes_) return {};
  too_large_ = true;
  messages_.resize(before);
  return Errc::result_too_large;
}

Result<> PromptText::message(Role role, const Block& block, std::string_view content) {
  if (block.kind == BlockKind::structured) return Errc::misuse;
  const std::size_t before = messages_.size();
  if (content.size() > max_bytes_) {  // would be far more once escaped
    too_large_ = true;
    return Errc::result_too_large;
  }
  begin(role);
  append_content(messages_, block, content, revision_);
  return end(before);
}

Result<> PromptText::link(Role role, const ResourceLink& link) {
  const std::size_t before = messages_.size();
  begin(role);
  append_link(messages_, link, revision_);
  return end(before);
}

Result<> PromptText::refuse(std::string_view why) {
  refusal_ = why;
  return Errc::invalid_params;
}

}  // namespace sluice::mcp
