#include "json/path.hpp"

#include "input.hpp"
#include "json/select_plan.hpp"

/// A path is read or refused, with a place in it; what is read is the same again in brackets, and can
/// be planned.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice::json;
  using namespace sluice::json::test;
  Input input(data, size);
  const bool is_drop = input.choice() % 2 == 0;
  const std::string_view text = input.rest();
  Path::Problem problem;
  const auto path = Path::parse(text, problem);
  if (!path) {
    require(problem.offset <= text.size() && !problem.text.empty());
    return 0;
  }
  require(path->text() == text);
  require(path->is_definite() == (path->definite_segments() == path->segments().size()));
  std::string again = "$";
  for (const Path::Segment& segment : path->segments()) {
    require(!segment.selectors.empty());
    again += segment.is_descendant ? ".." : "";
    for (const Path::Selector& selector : segment.selectors) {
      again += &selector == segment.selectors.data() ? '[' : ',';
      if (selector.kind == Path::Selector::Kind::wildcard) {
        again += '*';
      } else if (selector.kind == Path::Selector::Kind::name) {
        again += '"';
        for (const char c : selector.name) {
          constexpr char kHex[] = "0123456789abcdef";
          const auto byte = static_cast<unsigned char>(c);
          if (byte < 0x20 || c == '"' || c == '\\')
            again += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
          else
            again += c;
        }
        again += '"';
      } else if (selector.is_index) {
        again += std::to_string(selector.from);
      } else {
        again += std::to_string(selector.from) + ':';
        if (selector.to != Path::kNoEnd) again += std::to_string(selector.to);
        again += ':' + std::to_string(selector.step);
      }
    }
    again += ']';
  }
  const auto same = Path::parse(again, problem);
  require(same && same->segments() == path->segments());

  Selection selection;
  (is_drop ? selection.drop : selection.select).push_back(*path);
  std::string why;
  const auto plan = SelectPlan::make(selection, why);
  require(plan.has_value() || !why.empty());
  return 0;
}
