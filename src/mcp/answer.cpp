#include <sluice/answer.hpp>

namespace sluice {

Action Answer::action() const noexcept {
  const Json action = json().find("action");
  if (!action) return Action::cancel;
  if (action.as_string() == "accept") return Action::accept;
  return action.as_string() == "decline" ? Action::decline : Action::cancel;
}

std::string_view Answer::text() const noexcept {
  const auto text_of = [](Json block) -> std::string_view {
    const Json text = block.find("text");
    return text ? text.as_string().value_or(std::string_view()) : std::string_view();
  };
  const Json content = this->content();
  if (!content) return {};
  if (!content.is(JsonKind::array)) return text_of(content);
  for (const Json block : content)
    if (const auto text = text_of(block); !text.empty()) return text;
  return {};
}

std::string_view Answer::model() const noexcept {
  const Json model = json().find("model");
  return model ? model.as_string().value_or(std::string_view()) : std::string_view();
}

}  // namespace sluice
