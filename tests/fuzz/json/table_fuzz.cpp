#include "json/table.hpp"

#include "json/document.hpp"
#include "stepping.hpp"

/// The same for all instruction sets, pieces and rooms; what is JSON fails for its shape alone, and
/// makes as many lines as it has rows.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sluice;
  using namespace sluice::json;
  using namespace sluice::json::test;
  Input input(data, size);
  const std::size_t piece = 1 + input.choice();
  const std::size_t room = 1 + 2 * input.choice();
  const std::size_t choice = input.choice();
  Table::Options options;
  options.format = static_cast<TableFormat>(choice % 3);
  options.max_row = 1 + input.choice() * 16;
  options.max_columns = 1 + choice / 3 % 20;
  if (choice / 60 % 2 != 0) options.columns = {"a", "b c"};
  const std::string_view text = input.rest();

  Table first(options, Simd::portable);
  const Outcome whole = run(first, {text}, 8 * text.size() + 1000);
  for (const Simd simd : supported_simd()) {
    Table at_once(options, simd);
    require(run(at_once, {text}, 8 * text.size() + 1000) == whole);
    Table in_pieces(options, simd);
    require(run(in_pieces, cut_every(text, piece), room) == whole);
    require(in_pieces.report().rows == first.report().rows);
    require(in_pieces.losses().cells == first.losses().cells);
    require(in_pieces.columns() == first.columns());
  }
  Document document;
  const auto root = document.parse_copy(text, 1000);
  if (!root) return 0;
  require(whole.verdict != Errc::not_json);
  if (whole.verdict != Errc::ok || options.format != TableFormat::lines) return 0;
  std::size_t lines = 0;
  for (const char c : whole.text) lines += c == '\n' ? 1 : 0;
  const bool has_header = root->is(JsonKind::object) && lines == first.report().rows + 1;
  require(lines == first.report().rows || has_header);
  return 0;
}
