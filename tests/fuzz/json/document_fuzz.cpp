#include "input.hpp"
#include "json/document.hpp"

namespace {

using sluice::Json;
using sluice::JsonKind;
using sluice::json::test::require;

/// Every value again from its own bytes: a value's raw text is a JSON text, and means the same.
void check(Json value, std::string_view text) {
  const std::string_view raw = value.raw();
  require(raw.data() >= text.data() && raw.data() + raw.size() <= text.data() + text.size());
  require(!raw.empty());
  static_cast<void>(value.as_int());
  static_cast<void>(value.as_double());
  std::size_t count = 0;
  const sluice::JsonNode* next = value.node() + 1;
  for (const Json element : value) {
    require(element.node() == next);
    check(element, raw);
    next += element.node()->next;
    ++count;
  }
  for (const Json::Member member : value.members()) {
    require(member.value.node() == next + 1);
    require(value.find(member.name).node() >= member.value.node());
    check(member.value, raw);
    next += 1 + member.value.node()->next;
    ++count;
  }
  require(count == value.size());
  require(next == value.node() + value.node()->next);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice::json;
  using namespace sluice::json::test;
  Input input(data, size);
  const auto behind = static_cast<char>(input.choice());
  const auto max_depth = static_cast<std::uint32_t>(input.choice());
  std::string text(input.rest());
  const std::size_t length = text.size();
  text.append(kPadding, behind);  // The spare bytes may hold anything.
  const std::string_view view = std::string_view(text).substr(0, length);

  static Document document;  // Used again and again, as in a pool.
  const auto json = document.parse(view, text.size(), max_depth);
  if (!json.has_value()) return 0;
  check(*json, view);

  Document again;
  const auto root = again.parse_copy(json->raw(), max_depth);
  require(root.has_value() && root->node()->next == json->node()->next);
  for (std::uint32_t i = 0; i < root->node()->next; ++i) {
    require(root->node()[i].raw == json->node()[i].raw);
    require(root->node()[i].string == json->node()[i].string);
  }
  return 0;
}
