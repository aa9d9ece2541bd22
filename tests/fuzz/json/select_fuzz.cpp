#include "json/select.hpp"

#include <algorithm>

#include "json/document.hpp"
#include "path_model.hpp"
#include "stepping.hpp"

namespace {

using namespace sluice;
using namespace sluice::json;
using namespace sluice::json::test;

bool has_repeated_names(Json value) {
  std::vector<std::string_view> names;
  for (const Json::Member member : value.members()) names.push_back(member.name);
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) != names.end()) return true;
  for (const Json element : value)
    if (has_repeated_names(element)) return true;
  for (const Json::Member member : value.members())
    if (has_repeated_names(member.value)) return true;
  return false;
}

/// Lines in front of the document: `+` and a path that is selected, `-` and one that is dropped,
/// `#` and that of an array that is limited.
Selection read_selection(std::size_t choice, std::string_view& text) {
  Selection selection;
  selection.shape = choice % 2 == 0 ? Selection::Shape::value : Selection::Shape::document;
  while (!text.empty() && (text[0] == '+' || text[0] == '-' || text[0] == '#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    Path::Problem problem;
    const auto path = Path::parse(text.substr(1, end - 1), problem);
    if (path && text[0] == '+') selection.select.push_back(*path);
    if (path && text[0] == '-') selection.drop.push_back(*path);
    if (path && text[0] == '#') {
      selection.items = Selection::Items{
          *path, choice / 2 % 4, choice / 8 % 4,
          choice / 32 % 2 == 0 ? Selection::Items::Then::stop : Selection::Items::Then::read_on};
    }
    text.remove_prefix(std::min(end + 1, text.size()));
    if (selection.select.size() + selection.drop.size() > 6) break;
  }
  return selection;
}

/// In front of what is wrong a name that is none of those looked for may have been put out, where a
/// piece ended in it, or not.
bool is_same(const Outcome& a, const Outcome& b) {
  if (a.verdict == Errc::ok || b.verdict == Errc::ok) return a == b;
  const bool is_front = a.text.starts_with(b.text) || b.text.starts_with(a.text);
  return is_front && a.verdict == b.verdict && a.offset == b.offset;
}

}  // namespace

/// The same for all instruction sets, pieces and rooms; and of JSON what the model says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::size_t piece = 1 + input.choice();
  const std::size_t room = 1 + input.choice();
  const std::size_t choice = input.choice();
  std::string_view text = input.rest();
  const Selection selection = read_selection(choice, text);
  std::string problem;
  const auto plan = SelectPlan::make(selection, problem);
  if (!plan) return 0;
  const auto shared = std::make_shared<const SelectPlan>(*plan);

  Selector first(shared, {.max_depth = 100}, Simd::portable);
  const Outcome whole = run(first, {text}, text.size() + 1);
  for (const Simd simd : supported_simd()) {
    Selector at_once(shared, {.max_depth = 100}, simd);
    require(run(at_once, {text}, text.size() + 1) == whole);
    Selector in_pieces(shared, {.max_depth = 100}, simd);
    require(is_same(run(in_pieces, cut_every(text, piece), room), whole));
    require(in_pieces.read() == first.read() && in_pieces.is_done() == first.is_done());
    require(in_pieces.items() == first.items());
  }

  Document document;
  const auto root = document.parse_copy(text, 100);
  if (!root) return 0;
  require(whole.verdict == Errc::ok);
  if (has_repeated_names(*root)) return 0;
  const SelectModel model(*root, selection);
  if (model.has_idle_items(*root)) return 0;
  require(first.has_match() == model.has_match());
  require(compact(whole.text) == compact(model.text()));
  if (!first.is_done()) require(whole.text == model.text());
  return 0;
}
