#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/names.hpp"
#include "http/upstream_url.hpp"
#include "tools/content.hpp"
#include "tools/prompts.hpp"
#include "tools/source_result.hpp"
#include "tools/template.hpp"

namespace sluice::tools {
namespace {

using Kind = config::InlineBlock::Kind;

/// A message of the configuration, made ready.
struct Item {
  const config::PromptMessage* message;
  Annotations annotations;
  std::string_view mime_type;
};

/// Puts the arguments in; nothing where a slot has no value.
std::string fill(const config::Template& text, Json arguments) {
  std::string out;
  for (const auto& part : text.parts)
    out += part.is_slot ? argument_text(arguments, part.text).value_or("") : part.text;
  return out;
}

/// Likewise, but a value stays within its place in the URI, unless it is all of it.
std::string fill_uri(const config::Template& uri, Json arguments) {
  if (uri.is_one_slot()) return fill(uri, arguments);
  std::string out;
  for (const auto& part : uri.parts) {
    if (part.is_slot)
      http::append_encoded(out, argument_text(arguments, part.text).value_or(""));
    else
      out += part.text;
  }
  return out;
}

/// A prompt whose messages stand in the configuration, with slots for the arguments.
///
/// Ownership: points into the configuration, which outlives it.
/// Threads:   immutable, any.
class PromptTemplate final : public PromptHandler {
 public:
  PromptTemplate(const config::Prompt& prompt, std::vector<Item> items)
      : prompt_(prompt), items_(std::move(items)) {}

  Awaitable<Result<>> get(Call& call, PromptWriter& out) override {
    const auto done = write(call.arguments(), out);
    co_return done;
  }

 private:
  Result<> write(Json arguments, PromptWriter& out) const {
    for (const auto& argument : prompt_.arguments) {
      const auto value = argument_text(arguments, argument.name);
      if (!value || argument.allowed.empty() ||
          std::ranges::find(argument.allowed, *value) != argument.allowed.end())
        continue;
      std::string list;
      for (const auto& allowed : argument.allowed) list += (list.empty() ? "" : ", ") + allowed;
      return out.refuse("the argument \"" + argument.name + "\" must be one of: " + list);
    }
    for (const Item& item : items_) {
      const std::string& when = item.message->when;
      if (!when.empty() && argument_text(arguments, when).value_or("").empty()) continue;
      if (const auto sent = write(item, arguments, out); !sent) return sent;
    }
    return {};
  }

  static Result<> write(const Item& item, Json arguments, PromptWriter& out) {
    const config::PromptMessage& from = *item.message;
    const Role role = from.role == config::PromptMessage::Role::user ? Role::user : Role::assistant;
    const std::string uri = fill_uri(from.uri, arguments);
    const bool has_uri =
        from.block.kind == Kind::resource_link || from.block.kind == Kind::resource;
    if (has_uri && !config::wrong_uri(uri).empty())
      return out.refuse(from.uri.is_one_slot()
                            ? "the argument \"" + from.uri.parts[0].text + "\" must be a URI"
                            : "the arguments make no URI");
    if (from.block.kind == Kind::resource_link) {
      const std::string name = fill(from.name, arguments);
      const std::string title = fill(from.title, arguments);
      const std::string description = fill(from.description, arguments);
      ResourceLink link{uri, name};
      link.title = title;
      link.description = description;
      link.mime_type = item.mime_type;
      link.size = from.block.size;
      link.annotations = &item.annotations;
      return out.link(role, link);
    }
    Block block;
    block.kind = block_kind(from.block);
    if (from.block.kind != Kind::text) block.mime_type = item.mime_type;
    block.uri = uri;
    block.annotations = &item.annotations;
    if (from.block.is_binary) return out.message(role, block, from.block.data);
    return out.message(role, block, fill(from.text, arguments));
  }

  const config::Prompt& prompt_;
  const std::vector<Item> items_;
};

}  // namespace

std::unique_ptr<PromptHandler> make_prompt(const config::Prompt& prompt) {
  std::vector<Item> items;
  items.reserve(prompt.messages.size());
  for (const auto& message : prompt.messages)
    items.push_back(
        {&message, annotations_of(message.block.annotations), mime_type_of(message.block)});
  return std::make_unique<PromptTemplate>(prompt, std::move(items));
}

}  // namespace sluice::tools
